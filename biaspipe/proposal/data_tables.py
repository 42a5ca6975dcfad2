"""The data that a proposal is made for: opened, its separators found out."""

import re
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from biaspipe.engines import open_engine
from biaspipe.engines.column_contents import TableContents, contents_of, markers_in
from biaspipe.engines.counting import Engine
from biaspipe.errors import SpecError, UsageError
from biaspipe.migration.draft import slug
from biaspipe.policy import DEFAULT, Policy
from biaspipe.printable_text import list_values
from biaspipe.proposal.vocabulary import MISSING_MARKERS
from biaspipe.sources.compression import COMPRESSED
from biaspipe.sources.files import ENDINGS
from biaspipe.spec import Audit, Data

__all__ = ["LookedAt", "checked_name", "look_at", "name_of"]

SEPARATORS = (";", "\t", "|")
MAX_NAME = 60
FIRST_LINE = (
    "the first line reads like a row and not like names; if it is one, name the columns:"
    " csv: {header: false, columns: [...]}"
)
OF_DATA, OF_PACKED = ("|".join(map(re.escape, each)) for each in ((*ENDINGS, ".json"), COMPRESSED))
ENDING = re.compile(rf"({OF_DATA})?({OF_PACKED})?$")


class LookedAt(NamedTuple):
    """A table, and how it is read.

    Parameters
    ----------
    contents : what its columns hold.
    keys : the part of a spec that says what to read, as it was found out.
    notes : what is to be said of how it is read.
    """

    contents: TableContents
    keys: dict[str, Any]
    notes: tuple[str, ...]


def look_at(keys: Mapping[str, Any], frame: object = None, policy: Policy = DEFAULT) -> LookedAt:
    """Look at data, and find out how a text table is written.

    Parameters
    ----------
    keys : the part of a spec that names the data, relative to the current folder.
    frame : the rows, where they are in hand.
    policy : what may be reached.

    Raises
    ------
    UsageError
        If nothing can be read by these keys.
    DataError
        If the data cannot be read.
    """
    found, notes = dict(keys), list[str]()
    while True:
        with closing(_opened(found, frame, policy)) as engine:
            more, note = _written(engine, found)
            notes += [note] if note else []
            if not more:
                return LookedAt(contents_of(engine), found, tuple(notes))
        found["csv"] = {**found.get("csv", {}), **more}


def checked_name(name: str) -> str:
    """Return the name of an audit.

    Raises
    ------
    UsageError
        If it is none.

    >>> checked_name("loans-2026")
    'loans-2026'
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        words = f"the name {name!r} is none of an audit: letters, digits, - and _"
        raise UsageError(words, hint="give it another one")
    return name


def name_of(place: str) -> str:
    """Return a name for the audit of some data, from the name of its file, folder or table.

    >>> name_of("data/loans 2026.csv.gz"), name_of("s3://bucket/year=2026/*.parquet")
    ('loans-2026', 'year-2026')
    """
    parts = [part for part in re.split(r"[/\\]", place) if part and not re.search(r"[*?\[]", part)]
    last = parts[-1] if parts else "audit"
    return slug(ENDING.sub("", last))[:MAX_NAME].strip("-_") or "audit"


def _written(engine: Engine, keys: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Return what a spec has to say of how a text table is written, and a note on it."""
    if not any(files.is_csv for files in engine.checks.sources):
        return {}, None
    columns, known = list(engine.schema), keys.get("csv", {})
    separator = next(
        (sign for sign in SEPARATORS if len(columns) == 1 and sign in columns[0]), None
    )
    if separator and "separator" not in known:
        return {"separator": separator}, f"the fields are taken apart at {separator!r}"
    if names := engine.checks.names_apart(engine.dataset.tables):
        told = list_values([name for name in names if name not in columns])
        note = f"the header has names twice, so the spec names all columns, these anew: {told}"
        return {"header": True, "columns": names}, note
    markers = {} if "null_values" in known else markers_in(engine, MISSING_MARKERS)
    if markers:
        told = ", ".join(f"{text!r} ({n:,} of the first rows)" for text, n in markers.items())
        return {"null_values": [*markers]}, f"taken for missing: {told}"
    return {}, FIRST_LINE if any(map(_is_number, columns)) else None


def _opened(keys: Mapping[str, Any], frame: object, policy: Policy) -> Engine:
    """Open the data as an audit would; its facets are asked for nothing yet."""
    values = {"version": 1, "name": "proposal", "facets": {"none": {"column": "none"}}}
    try:
        Data.model_validate(dict(keys))
        audit = Audit.model_validate(values | {"data": dict(keys)})
        return open_engine(audit, Path(), frame=frame, policy=policy)
    except ValidationError as error:
        (first, *_) = error.errors(include_url=False)
        raise UsageError(str(first["msg"])) from None
    except SpecError as error:
        fault = error.faults[0]
        expected = f"expected {fault.expected}" if fault.expected else None
        raise UsageError(fault.message, hint=expected or fault.hint) from None


def _is_number(name: str) -> bool:
    """Whether the name of a column is a number, as the values of a row without names are."""
    try:
        float(name)
    except ValueError:
        return False
    return True
