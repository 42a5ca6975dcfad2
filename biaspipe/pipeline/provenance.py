"""What varies from run to run: the time, the versions, the commit that the spec's folder stands at.

Git runs commands that a repository's own configuration names, and takes any folder that looks like
one for a repository. So the commit is read from the files of `.git`, and git compares the folder
with it in a repository made for the purpose, which has the objects and no configuration.
"""

import atexit
import os
import platform
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple

from biaspipe import __version__
from biaspipe.printable_text import escape
from biaspipe.report import RunRecord
from biaspipe.report.runs import COMMIT, WORDING

__all__ = ["Clock", "commit_of", "path_of"]

TIMEOUT = 5.0
"""Seconds that git may take to answer."""
MAX_READ = 10_000_000
"""Bytes of a file in `.git` that are read."""
REF = re.compile(r"ref: (refs/[^\s]+)")


class Clock(NamedTuple):
    """When a run began, and git's word on the spec, asked for while the data is counted."""

    started_at: datetime
    began: float
    git: SimpleQueue[dict[str, str | bool]]

    @classmethod
    def start(cls, spec: Path) -> "Clock":
        """Begin a run of a spec, which may be no file in its folder."""
        git: SimpleQueue[dict[str, str | bool]] = SimpleQueue()
        asked = Thread(target=lambda: git.put(_git(spec)), name="git")
        asked.daemon = True
        asked.start()
        return cls(datetime.now(UTC), perf_counter(), git)

    def stop(self, spec: str, *, engine: str, polars: str, asked: Mapping[str, Any]) -> RunRecord:
        """End the run and say what varies about it.

        Parameters
        ----------
        spec : the spec's path as it was given.
        engine : what counted, with its version.
        polars : the version of polars.
        asked : what was asked for beside the spec, by the names of the record.
        """
        return RunRecord(
            started_at=self.started_at.isoformat(timespec="seconds"),
            seconds=round(perf_counter() - self.began, 3),
            biaspipe=__version__,
            wording=WORDING,
            python=platform.python_version(),
            polars=polars,
            engine=engine,
            spec=escape(spec),
            git=self.git.get(),
            **asked,
        )


def _git(spec: Path) -> dict[str, str | bool]:
    return {**commit_of(spec.parent), **path_of(spec)}


def commit_of(folder: Path) -> dict[str, str | bool]:
    """Return the commit of a folder and whether the folder differs from it.

    Parameters
    ----------
    folder : a folder of a work tree.

    Returns
    -------
    dict
        `commit`, and `modified` where git can tell; empty outside of a repository.
    """
    try:
        found = _repository(folder.resolve())
        commit = _head(*found[1:]) if found else None
    except (OSError, ValueError):
        return {}
    if not found or not commit:
        return {}
    try:
        changes = _changes(folder, commit, *found)
    except (OSError, subprocess.TimeoutExpired):  # no git, or no place for its files
        changes = None
    return {"commit": commit} | ({} if changes is None else {"modified": bool(changes)})


def path_of(file: Path) -> dict[str, str]:
    """Return where a file stands in its repository, wherever a link to it stands.

    Parameters
    ----------
    file : a file, or a link to one.

    Returns
    -------
    dict
        `path`, from the top of the work tree, as it is called, be it no line that can be printed;
        empty outside of a repository.
    """
    try:
        real = file.resolve(strict=True)
        found = _repository(real.parent)
    except (OSError, ValueError, RuntimeError):
        return {}
    if not found:
        return {}
    path = real.relative_to(found[0]).as_posix()
    return {"path": os.fsencode(path).decode(errors="backslashreplace")}


def _repository(folder: Path) -> tuple[Path, Path, Path] | None:
    """Return the root of the work tree, its own part of `.git`, and the part that trees share."""
    for root in (folder, *folder.parents):
        own = root / ".git"
        if own.is_file():
            own = root / _text(own).removeprefix("gitdir:").strip()
        if (own / "HEAD").is_file():
            shared = own / "commondir"
            return root, own, own / _text(shared).strip() if shared.is_file() else own
    return None


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MAX_READ).decode("utf-8", errors="replace")


def _head(own: Path, shared: Path) -> str | None:
    """Return the commit that HEAD names; None before the first one."""
    head = _text(own / "HEAD").strip()
    if not (ref := REF.fullmatch(head)):
        return head if COMMIT.fullmatch(head) else None
    name = ref[1]
    if ".." in Path(name).parts:
        return None
    for place in (own / name, shared / name):
        if place.is_file():
            commit = _text(place).strip()
            return commit if COMMIT.fullmatch(commit) else None
    packed = shared / "packed-refs"
    lines = (line.split() for line in _text(packed).splitlines()) if packed.is_file() else ()
    commits = [words[0] for words in lines if len(words) == 2 and words[1] == name]
    return commits[0] if commits and COMMIT.fullmatch(commits[0]) else None


def _changes(folder: Path, commit: str, root: Path, own: Path, shared: Path) -> str | None:
    """Return the changes of a folder that git lists; None where it cannot tell."""
    words = ("status", "--porcelain", "--ignore-submodules=all", "--", ".")
    with TemporaryDirectory(prefix="biaspipe-git-") as place:
        bare = Path(place)
        (bare / "HEAD").write_text(f"{commit}\n", encoding="ascii")
        for name in ("objects", "refs"):
            (bare / name).mkdir()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        environment |= {
            "GIT_DIR": place,
            "GIT_WORK_TREE": str(root),
            "GIT_INDEX_FILE": str(own / "index"),
            "GIT_OBJECT_DIRECTORY": str(shared / "objects"),
            "GIT_OPTIONAL_LOCKS": "0",
        }
        return _answer(["git", "-c", "core.fsmonitor=false", *words], folder, environment)


def _answer(words: list[str], folder: Path, environment: dict[str, str]) -> str | None:
    """Return the output of git; it ends with this process, which may not wait for it."""
    with subprocess.Popen(  # noqa: S603 - fixed words, no shell
        words, cwd=folder, env=environment, stdout=PIPE, stderr=DEVNULL, stdin=DEVNULL
    ) as git:
        atexit.register(git.kill)
        try:
            printed, _ = git.communicate(timeout=TIMEOUT)
        finally:
            git.kill()
            atexit.unregister(git.kill)
    return None if git.returncode else printed.decode(errors="replace").strip()
