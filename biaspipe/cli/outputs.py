"""Reports to files: nothing is written over unless the new file is complete."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from biaspipe.errors import Exit, OutputError, UsageError
from biaspipe.output_files import check_place, make_folder, write_files
from biaspipe.output_files.streams import is_stream
from biaspipe.renderers.formats import (
    FOLDER_ENDINGS,
    FORMATS,
    INDEXES,
    ending_of,
    endings,
    format_of,
    refuse_without_baseline,
    unknown_ending,
)
from biaspipe.report import Report

__all__ = [
    "check_names",
    "check_outputs",
    "in_folder",
    "refuse_no_baseline",
    "refuse_other_content",
    "write_outputs",
]


def check_outputs(
    outputs: Sequence[Path],
    output_dir: Path | None,
    specs: int,
    chosen: str | None = None,
) -> None:
    """Refuse outputs that could not be written, before anything is run.

    Raises
    ------
    UsageError
        If a format is unknown, or several audits would write one file.
    OutputError
        If a folder cannot be written into.
    """
    if chosen in FORMATS and not outputs:
        raise UsageError(f"--format {chosen}: no file is named to write", hint="add -o FILE")
    for path in outputs:
        if format_of(path, chosen) is None:
            raise unknown_ending(f"-o {path}", endings())
    if outputs and specs > 1:
        raise UsageError(
            f"-o names one file, but {specs} audits are run",
            hint="write them with --output-dir DIR",
        )
    for path in outputs:
        check_place(path)
    if output_dir:
        make_folder(output_dir)


DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
"""Names that are devices to Windows, whatever ending stands behind them."""
MAX_NAMED = 200
"""Letters of a name: file systems hold 255 bytes, of which endings and moves aside need some."""


def check_names(names: Iterable[str]) -> None:
    """Refuse names of audits that are no names of files of their own on every system.

    Raises
    ------
    UsageError
        If a name is a device, too long, that of the index, or another one in other letters.

    >>> check_names(["loan", "Loan"])
    Traceback (most recent call last):
    biaspipe.errors.UsageError: the audits 'loan' and 'Loan' have one file on some systems
      hint: an audit's file has its name: give the audit another one
    """
    hint = "an audit's file has its name: give the audit another one"
    known: dict[str, str] = {}
    for name in names:
        if name.casefold() == Path(INDEXES[0]).stem:
            raise UsageError(f"the audit {name!r} has the name of the page over all", hint=hint)
        if DEVICES.fullmatch(name):
            raise UsageError(f"the audit {name!r} has the name of a device on Windows", hint=hint)
        if len(name) > MAX_NAMED:
            words = f"the name of the audit {name[:20]}... is longer than {MAX_NAMED} letters"
            raise UsageError(words, hint=hint)
        if known.setdefault(name.casefold(), name) != name:
            first = known[name.casefold()]
            words = f"the audits {first!r} and {name!r} have one file on some systems"
            raise UsageError(words, hint=hint)


def refuse_no_baseline(outputs: Sequence[Path], chosen: str | None, *, compared: bool) -> None:
    """Refuse outputs of what changed since a baseline where nothing was compared.

    Raises
    ------
    UsageError
        If an output is of what changed since a baseline, and there is none.
    """
    places = [(f"-o {path}", format_of(path, chosen)) for path in outputs]
    for place, name in places or [(f"--format {chosen}", chosen)]:
        if name in FORMATS:
            refuse_without_baseline(place, name, compared=compared)


MAX_SCHEMA = 1 << 24
"""Bytes of a file that may be a schema."""


def refuse_other_content(path: Path) -> None:
    """Refuse to write a JSON Schema over a file that is none, such as a spec or data.

    Raises
    ------
    UsageError
        If something else stands there.
    OutputError
        If that cannot be read.
    """
    if is_stream(path) or not path.is_file():
        return
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(MAX_SCHEMA))
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, dict) and "json-schema.org" in str(found.get("$schema"))):
        words = f"{path} is there already, is no JSON Schema, and would be written over"
        raise UsageError(words, hint="write to another file")


def write_outputs(  # noqa: PLR0913 - what a report is written from, and the options of it
    report: Report,
    code: Exit,
    outputs: Sequence[Path],
    output_dir: Path | None,
    chosen: str | None = None,
    *,
    also: Sequence[str] = (),
    everything: bool = False,
) -> list[Path]:
    """Write a report in every format that is asked for, and return the files.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    outputs : the files and streams.
    output_dir : the folder of the artifact, if it has one.
    chosen : the format of the outputs, where their names do not tell it.
    also : further formats to write into that folder.
    everything : whether `--all` is asked for.

    Raises
    ------
    OutputError
        If a file cannot be written; the file that stood there is left as it was.
    """
    named = [(path, format_of(path, chosen) or "json") for path in outputs]
    named += in_folder(output_dir, report.result.audit.name, also)
    texts = [(p, FORMATS[name].text(report, code, everything=everything)) for p, name in named]
    write_files(texts)
    return list(dict.fromkeys(path for path, _ in named if not is_stream(path)))


def in_folder(folder: Path | None, name: str, also: Sequence[str] = ()) -> list[tuple[Path, str]]:
    """Return the files of an audit in the folder of all, if there is one, each with its format.

    Parameters
    ----------
    folder : that folder.
    name : of the audit.
    also : further formats that are written there.

    >>> [path.name for path, _ in in_folder(Path("reports"), "loan", ["csv"])]
    ['loan.json', 'loan.html', 'loan.csv']
    """
    if folder is None:
        return []
    formats = dict.fromkeys([*(endings()[ending] for ending in FOLDER_ENDINGS), *also])
    return [(folder / f"{name}{ending_of(each)}", each) for each in formats]
