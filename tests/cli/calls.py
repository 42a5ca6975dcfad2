"""The command line called in this process or in one of its own, and small audits to call it on."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from unittest.mock import patch

from biaspipe.cli import main

__all__ = ["Ended", "call", "call_merged", "environment", "start", "write_audit"]

TERMINAL = ("COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TERM", "TTY_COMPATIBLE")

ROWS = """\
sex,prediction,label
m,1,1
m,1,0
m,0,1
m,0,0
m,1,1
f,1,0
f,1,0
f,0,0
f,0,0
f,0,0
"""
"""DI is 2/3 and DPPL 0.2; RD is undefined, since no woman has a positive label."""

USUAL: dict[str, Any] = {
    "version": 1,
    "data": {"path": "data.csv"},
    "columns": {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "prediction", "positive": 1},
    },
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"DI": {"min": 0.5}},
}


@dataclass(frozen=True)
class Ended:
    """What a call came to: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """Everything that was printed."""
        return self.out + self.err

    @property
    def last(self) -> str:
        """The last line of the output."""
        return self.out.splitlines()[-1]


def environment(**more: str) -> dict[str, str]:
    """Return the environment without what says how wide or colourful a terminal is."""
    return {k: v for k, v in os.environ.items() if k not in TERMINAL} | more


def call(*words: object, **more: str) -> Ended:
    """Call the command line in this process.

    Parameters
    ----------
    words : the arguments.
    more : variables of the environment.
    """
    return _called(words, more, merged=False)


def call_merged(*words: object) -> Ended:
    """Call the command line in this process; errors go to the output, as on a terminal."""
    return _called(words, {}, merged=True)


def _called(words: tuple[object, ...], more: Mapping[str, str], *, merged: bool) -> Ended:
    with TemporaryFile("w+b") as out, TemporaryFile("w+b") as err:
        with (
            patch.object(sys, "argv", ["biaspipe", *map(str, words)]),
            _variables(more),
            _stream(out) as output,
            _stream(out if merged else err) as errors,
            redirect_stdout(output),
            redirect_stderr(errors),
            _collecting(),
        ):
            code = _code()
        return Ended(code, _read(out), _read(err))


def _code() -> int:
    try:
        main()
    except SystemExit as end:
        return int(end.code) if isinstance(end.code, int) else 1
    return 0


@contextmanager
def _variables(more: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment, and none without need.

    Threads of libraries may read the environment meanwhile, which crashes where it is written.
    """
    before = {name: os.environ.get(name) for name in more}
    for name in [name for name in TERMINAL if name in os.environ]:
        del os.environ[name]
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None or name in TERMINAL:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _stream(file: IO[bytes]) -> Iterator[TextIOWrapper]:
    """Yield a stream with a descriptor of its own, which the command line may turn elsewhere."""
    with os.fdopen(os.dup(file.fileno()), "w", buffering=1, encoding="utf-8") as stream:
        yield stream


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


@contextmanager
def _collecting() -> Iterator[None]:
    """Take back what a process that ends soon does to the garbage collector."""
    try:
        yield
    finally:
        gc.enable()


def start(*words: object, cwd: Path, **more: str) -> Ended:
    """Start the command line as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "biaspipe", *map(str, words)],
        cwd=cwd,
        env=environment(**more),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def write_audit(
    name: str = "audit", *, rows: str | bytes | None = ROWS, data: str = "data.csv", **parts: Any
) -> Path:
    """Write an audit NAME.yaml and its data into the current folder.

    Parameters
    ----------
    name : of the audit and of its file.
    rows : the data; None where it is not written.
    data : the data's file.
    parts : parts of the spec that take the place of the usual ones.
    """
    if rows is not None:
        Path(data).write_bytes(rows.encode() if isinstance(rows, str) else rows)
    spec = {**USUAL, "name": name, "data": {"path": data}, **parts}
    path = Path(f"{name}.yaml")
    path.write_text(json.dumps(spec, indent=1, ensure_ascii=False), encoding="utf-8")
    return path
