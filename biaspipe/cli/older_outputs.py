"""Older reports that a run did not replace, moved aside so that none is taken for its own."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from biaspipe.cli.messages import tell
from biaspipe.output_files.streams import is_regular
from biaspipe.renderers.formats import FOLDER_ENDINGS, INDEXES, ending_of, format_of
from biaspipe.report import SCHEMAS
from biaspipe.report.untrusted_json import content_of, parse_json

__all__ = ["OlderOutputs"]

SUFFIX = ".stale"
NAMED = re.compile(r"""^name:\s*["']?([A-Za-z0-9_-]+)""", re.MULTILINE)
"""The name of an audit in the text of a spec, be the rest of it wrong."""
CSV, BEGINNING = ("csv", "rates"), b"audit,"
"""Formats of tables, and how each of them begins."""
Identity = tuple[int, int, int]


@dataclass(frozen=True)
class OlderOutputs:
    """The files that stood where a run is to write, before it did.

    Parameters
    ----------
    outputs : files of a single report.
    folder : where artifact and page of every audit go, and the page over all.
    files : what stood there, and which file it was.
    """

    outputs: Sequence[Path]
    folder: Path | None
    files: dict[Path, Identity | None]

    @classmethod
    def find(
        cls,
        paths: Iterable[Path],
        outputs: Iterable[Path],
        folder: Path | None,
        chosen: str | None,
        also: Iterable[str] = (),
    ) -> "OlderOutputs":
        """Look what stands where a run is to write.

        Parameters
        ----------
        paths : specs, folders, a policy: no outputs, whatever the command line says.
        outputs : files of a single report.
        folder : where the artifact of every audit goes.
        chosen : the format of the outputs, where their names do not tell it.
        also : further formats that are written into that folder.
        """
        read = {_identity(path) for path in paths} | {None}
        known = [path for path in outputs if _may_be_older(path, format_of(path, chosen))]
        endings = dict.fromkeys([*FOLDER_ENDINGS, *map(ending_of, also)])
        inside = [path for e in endings if folder for path in sorted(folder.glob(f"*{e}"))]
        inside = [path for path in inside if _may_be_older(path, format_of(path, None))]
        found = [(path, _identity(path)) for path in (*known, *inside)]
        return cls(known, folder, {path: what for path, what in found if what not in read})

    def spare(self, path: Path) -> None:
        """Leave a file where it is, which is no report of this run but something that it reads."""
        for known in [known for known in self.files if path.exists() and known.samefile(path)]:
            del self.files[known]

    def set_aside(
        self, specs: Iterable[Path], names: Iterable[str] = (), *, goes_on: bool = False
    ) -> None:
        """Move aside what stands at the outputs, and what belongs to audits that were not run.

        Parameters
        ----------
        specs : specs, or folders of them, that gave no report.
        names : of audits that gave none.
        goes_on : whether the run does, and writes the page over all audits in the end.
        """
        indexes = [self.folder / name for name in INDEXES] if self.folder and not goes_on else []
        for path in [*self.outputs, *indexes]:
            self._move(path)
        paths = [spec.absolute() for spec in specs]
        named = {*names, *map(_name_in, paths)}
        for path, made in self._inside.items() if named else ():
            is_of = made is not None and any(made == one or one in made.parents for one in paths)
            if _audit_of(path) in named or is_of:
                self._move(path)

    @cached_property
    def _inside(self) -> dict[Path, Path | None]:
        """What stood in the folder; of a report, with the spec that it says it is of."""
        inside = [path for path in self.files if path.parent == self.folder]
        artifacts = {p: p.with_name(f"{_audit_of(p)}{FOLDER_ENDINGS[0]}") for p in inside}
        return {path: _made_from(artifact) for path, artifact in artifacts.items()}

    def _move(self, path: Path) -> None:
        """Move a file aside under a name that is free, unless the run has replaced it."""
        if path not in self.files or _identity(path) != self.files.pop(path):
            return
        free = None
        try:
            free = _free(path)
            path.replace(free)
        except OSError as error:
            if free is not None:
                free.unlink()
            words = f"{path}: is an older report, and cannot be moved aside: {error.strerror}"
        else:
            words = f"{path}: is an older report, moved to {free.name}"
        tell(words)


def _audit_of(path: Path) -> str:
    """Return the name of the audit whose file this is: names of audits have no dots."""
    return path.name.partition(".")[0]


def _may_be_older(path: Path, written: str | None) -> bool:
    """Whether a file may be an older output; a CSV may be data, so it has to begin as ours do."""
    if written not in CSV:
        return written is not None
    with suppress(OSError):
        if is_regular(path):
            with path.open("rb") as file:
                return file.read(len(BEGINNING)) == BEGINNING
    return False


def _identity(path: Path) -> Identity | None:
    """Return which file it is; None for what is no file of its own."""
    with suppress(OSError):
        if is_regular(path):
            found = path.stat()
            return found.st_dev, found.st_ino, found.st_mtime_ns
    return None


def _free(path: Path) -> Path:
    """Claim the first name behind a file's own that nothing has."""
    for number in count(1):
        free = path.with_name(f"{path.name}{SUFFIX}" + (f".{number}" if number > 1 else ""))
        with suppress(FileExistsError):
            free.touch(exist_ok=False)
            return free
    raise AssertionError


def _name_in(spec: Path) -> str | None:
    """Return the name of the audit that a spec declares, however wrong it is."""
    try:
        found = NAMED.search(spec.read_text(encoding="utf-8-sig")) if is_regular(spec) else None
    except (OSError, ValueError):
        return None
    return found[1] if found else None


def _made_from(path: Path) -> Path | None:
    """Return the spec that a report was made from, itself if it is silent; None for no report."""
    try:
        values = parse_json(content_of(path))
        if not str(values["schema"]).startswith(SCHEMAS):
            return None
    except (OSError, ValueError, LookupError, TypeError):
        return None
    try:
        return Path(values["run"]["spec"]).absolute()
    except (ValueError, LookupError, TypeError):
        return path
