"""Reports to files: nothing is written over unless the new file is complete."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from biaspipe.errors import Exit, OutputError, UsageError
from biaspipe.renderers.clarify import analysis
from biaspipe.renderers.console import plain_text
from biaspipe.renderers.violations import NAME as VIOLATIONS
from biaspipe.renderers.violations import violations
from biaspipe.report import Report

__all__ = [
    "ENDINGS",
    "FORMATS",
    "check_outputs",
    "format_of",
    "is_regular",
    "refuse_no_baseline",
    "write_files",
    "write_outputs",
]

FORMATS: dict[str, Callable[[Report, Exit], str]] = {
    "json": lambda report, _: report.to_json(),
    "text": plain_text,
    "clarify": analysis,
    "violations": violations,
}
"""What a report can be written as, by the name of the format."""
ENDINGS = {".json": "json", ".txt": "text"}
"""The format that the ending of a file tells."""


def format_of(path: Path, chosen: str | None) -> str:
    """Return the format of a file: what its name says, what was chosen, or what its ending says.

    >>> format_of(Path("out/constraint_violations.json"), "clarify"), format_of(Path("a.txt"), None)
    ('violations', 'text')
    """
    if path.name == VIOLATIONS:
        return "violations"
    return chosen or ENDINGS[path.suffix.lower()]


def check_outputs(
    outputs: Sequence[Path], output_dir: Path | None, specs: int, chosen: str | None = None
) -> None:
    """Refuse outputs that could not be written, before anything is run.

    Raises
    ------
    UsageError
        If a format is unknown, or several audits would write one file.
    OutputError
        If a folder cannot be written into.
    """
    if chosen and not outputs:
        raise UsageError(f"--format {chosen}: no file is named to write", hint="add -o FILE")
    for path in outputs:
        if chosen is None and path.suffix.lower() not in ENDINGS:
            known = " or ".join(ENDINGS)
            raise UsageError(f"-o {path}: the ending tells the format; it is {known}")
    if outputs and specs > 1:
        raise UsageError(
            f"-o names one file, but {specs} audits are run",
            hint="write them with --output-dir DIR",
        )
    for folder in [*(path.parent for path in outputs), *([output_dir] if output_dir else [])]:
        _make(folder)
    for path in outputs:
        if path.is_dir():
            raise OutputError(f"{path}: this is a folder")


def refuse_no_baseline(outputs: Sequence[Path], chosen: str | None, *, compared: bool) -> None:
    """Refuse to list what got worse where nothing was compared: an empty list looks like a pass.

    Raises
    ------
    UsageError
        If an output is a list of violations, and there is no baseline.
    """
    listed = [path for path in outputs if format_of(path, chosen) == "violations"]
    if listed and not compared:
        hint = "name one in the spec: baseline: {report: v1.json}"
        raise UsageError(
            f"-o {listed[0]}: violations are of a baseline, and none is named", hint=hint
        )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written into: {error.strerror}") from None


def write_outputs(
    report: Report,
    code: Exit,
    outputs: Sequence[Path],
    output_dir: Path | None,
    chosen: str | None = None,
) -> None:
    """Write a report in every format that is asked for.

    Raises
    ------
    OutputError
        If a file cannot be written; the file that stood there is left as it was.
    """
    folder = [output_dir / f"{report.result.audit.name}.json"] if output_dir else []
    named = [(path, format_of(path, chosen)) for path in outputs]
    named += [(path, "json") for path in folder]
    write_files([(path, FORMATS[known](report, code)) for path, known in named])


def write_files(texts: Sequence[tuple[Path, str]]) -> None:
    """Write files as a whole, or leave what stood there.

    None takes its place before all of them are on the disk; what is no regular file, such as a
    pipe, is written to.

    Parameters
    ----------
    texts : paths with what is written there.

    Raises
    ------
    OutputError
        If one of them cannot be written.
    """
    staged: list[tuple[Path, Path]] = []
    with ExitStack() as unfinished:
        for path, text in texts:
            with _writing(path):
                if path.exists() and not is_regular(path):
                    path.write_text(text, encoding="utf-8", newline="\n")
                else:
                    temporary = path.with_name(f".{path.name}.{os.getpid()}.{len(staged)}.tmp")
                    unfinished.callback(_remove, temporary)
                    temporary.write_text(text, encoding="utf-8", newline="\n")
                    staged.append((path, temporary))
        for path, temporary in staged:
            with _writing(path):
                temporary.replace(path)


def is_regular(path: Path) -> bool:
    """Whether a path is a file of its own, and not the name of a stream, such as /dev/stdout."""
    return path.is_file() and path.absolute().parts[1:2] not in (("dev",), ("proc",))


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None
