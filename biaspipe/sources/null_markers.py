"""The texts that stand for a missing value: each has to occur, or something else stands for it."""

import polars as pl

from biaspipe.errors import Fault, Loc, SpecError, listing
from biaspipe.sources.files import Files
from biaspipe.sources.scan import reading, scan
from biaspipe.spec import Csv

__all__ = ["refuse_idle_markers"]

PROBE = 50_000
"""Rows that are looked at before all of them are."""
LIKE = ("", "na", "nan", "null", "none", "nil", "missing", "unknown")
"""What people write for a missing value, without signs and capitals."""


def refuse_idle_markers(files: Files, csv: Csv, loc: Loc) -> None:
    """Refuse `null_values` of which one occurs in no column of a table.

    Parameters
    ----------
    files : the files of a text table.
    csv : how it is written.
    loc : where in the spec the list stands.

    Raises
    ------
    SpecError
        With every text that does not occur, and texts that do and look alike.
    """
    markers = csv.null_values or ()
    with reading(files.name):
        rows = scan(files, csv.model_copy(update={"null_values": None}), as_text=True)
        head = rows.head(PROBE).collect() if markers else pl.DataFrame()
        idle = [i for i, text in enumerate(markers) if not _occurs(head.lazy(), text)]
        idle = [i for i in idle if not _occurs(rows, markers[i])]
    hint = f"these do: {listing(found, most=5)}" if idle and (found := _alike(head)) else None
    words = "no value of {} is {!r}"
    faults = [Fault(words.format(files.name, markers[i]), (*loc, i), hint=hint) for i in idle]
    if faults:
        raise SpecError(faults)


def _occurs(rows: pl.LazyFrame, text: str) -> bool:
    found = rows.filter(pl.any_horizontal(pl.all() == text)).head(1)
    return found.collect(engine="streaming").height > 0


def _alike(head: pl.DataFrame) -> list[str]:
    """Return texts that look as if they stood for a missing value."""
    found = dict[str, None]()
    for texts in head.get_columns():
        plain = texts.str.to_lowercase().str.replace_all(r"[^\pL\pN]", "")
        found |= dict.fromkeys(texts.filter(plain.is_in(LIKE) & (texts != "")).unique().sort())
    return list(found)
