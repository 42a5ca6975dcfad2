"""What a file is that a command takes for another: data, a report or a spec."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from csv import reader
from pathlib import Path
from shlex import quote
from typing import Literal

from biaspipe.errors import BiaspipeError, DataError, UsageError
from biaspipe.loading.spec_files import SPEC_ENDINGS

__all__ = ["FileKind", "kind_of", "told_apart"]

FileKind = Literal["data", "report", "spec"]
LOOKED_AT = 1 << 16
"""Bytes at the beginning and at the end of a file that tell what it is."""
NO_DATA = (*SPEC_ENDINGS, ".json")
"""Endings that are of no data, or do not tell it."""
MAGIC = (b"PAR1", b"ARROW1")
REPORT = re.compile(rb'"schema"\s*:\s*"biaspipe-report/')
ROWS = re.compile(rb"\s*\[\s*\{|\s*\{[^\n]*\}\s*\n\s*\{")
"""How rows of JSON begin: an array of objects, or an object in each line."""
SPEC = re.compile(rb'^[{ ]*"?(version"?: *1|name|data|columns|facets|metrics)\b', re.MULTILINE)
SPEC_KEYS = 3
"""As many of its keys tell a spec."""
SEPARATORS = ",;\t|"
CALLED = {"data": "data", "report": "a report of biaspipe", "spec": "a spec"}
HINTS = {
    ("data", "spec"): "`biaspipe init {}` writes a spec for it, and `biaspipe run SPEC --data {}` "
    "reads it by one that is there",
    ("data", "report"): "`biaspipe init {}` writes a spec for it, and `biaspipe run` of that a "
    "report",
    ("report", "spec"): "`biaspipe render {}` shows it, and `biaspipe verify {}` recomputes it",
    ("spec", "report"): "`biaspipe run {} -o report.json` writes a report",
}
"""What can be done with a file of one kind where another was wanted."""
BY_INIT = (".json",)
"""Endings that tell a format to `init` alone."""
UNNAMED = "the ending of data tells its format, such as .csv or .parquet; by such a name `biaspipe "
UNNAMED += "init` writes a spec for it"
"""What can be done with data whose name does not tell what it is."""


@contextmanager
def told_apart(path: Path, wanted: FileKind, where: str) -> Iterator[None]:
    """Say what a file is that cannot be read as what is wanted, and which command takes it.

    Parameters
    ----------
    path : the file that is read in the block.
    wanted : what it has to be.
    where : the command or option that it is given to.

    Raises
    ------
    UsageError, DataError
        If it is of another kind than a spec, or a report; data by its name before it is read.
    """
    if wanted != "data" and _is_named_data(path):
        _refuse_other(path, wanted, where)
    try:
        yield
    except BiaspipeError:
        _refuse_other(path, wanted, where)
        raise


def _refuse_other(path: Path, wanted: FileKind, where: str) -> None:
    kind = kind_of(path)
    if kind in (None, wanted):
        return
    words = f"{path}: this is {CALLED[kind]}, and {where} takes {CALLED[wanted]}"
    takes = kind != "data" or _is_named_data(path) or path.suffix.lower() in BY_INIT
    name = f"./{path}" if str(path).startswith("-") else str(path)  # which would be an option
    hint = HINTS[kind, wanted].replace("{}", quote(name)) if takes else UNNAMED
    error = UsageError if wanted == "spec" else DataError
    raise error(words, hint=hint) from None


def kind_of(path: Path) -> FileKind | None:
    """Return what a file looks like; None where that is not to be told.

    Parameters
    ----------
    path : a file, or what may be none.
    """
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(LOOKED_AT)
            file.seek(max(0, path.stat().st_size - LOOKED_AT))
            tail = file.read(LOOKED_AT)
    except OSError:
        return None
    if REPORT.search(head) or REPORT.search(tail):
        return "report"
    if _is_named_data(path) or head.startswith(MAGIC) or ROWS.match(head):
        return "data"
    if len(set(SPEC.findall(head))) >= SPEC_KEYS:
        return "spec"
    return "data" if _is_table(head) else None


def _is_named_data(path: Path) -> bool:
    """Whether the ending of a file that is there tells a format of data."""
    name = path.name.lower()
    if name.endswith(NO_DATA):
        return False
    from biaspipe.sources.compression import COMPRESSED  # noqa: PLC0415 - no spec or report needs it
    from biaspipe.sources.files import ENDINGS  # noqa: PLC0415 - as above

    packed = next((ending for ending in COMPRESSED if name.endswith(ending)), "")
    return Path(name.removesuffix(packed)).suffix in ENDINGS and path.is_file()


def _is_table(head: bytes) -> bool:
    r"""Whether the first lines are of as many fields, which no line of a spec is.

    >>> _is_table(b"sex,paid\nm,1\n"), _is_table(b"version: 1\nname: loan\n")
    (True, False)
    """
    lines = head.decode("utf-8", "replace").splitlines()[:2]
    if len(lines) < 2 or re.match(rb"\s*[\w-]+\s*:\s|\s*[{#-]", head):
        return False
    for sign in SEPARATORS:
        first, second = (
            len(next(reader([line], delimiter=sign, skipinitialspace=True))) for line in lines
        )
        if 1 < first == second:
            return True
    return False
