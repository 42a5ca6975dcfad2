"""What was counted as what, as records, with a word on values that were hardly meant so."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation

from biaspipe.metrics.phrases import Phrases
from biaspipe.plan import ColumnSides, SideValues
from biaspipe.report import CountedAsRecord, SideRecord, ValueRecord
from biaspipe.spec import Audit, Facet, FacetSide, format_value, phrases_of, scalars

__all__ = ["column_records", "with_notes"]

MAX_SHOWN = 20
"""Values of a side that a report lists, the commonest ones."""
MARKERS = frozenset(
    (
        *("", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "null", "(null)", "none", "nil"),
        *("nat", "-", "--", "---", ".", "?", "??", "\\n"),
    )
)
"""Texts that are warned of as values: what nobody writes for anything but a missing one."""


def column_records(columns: Iterable[ColumnSides]) -> tuple[CountedAsRecord, ...]:
    """Write what label, prediction and facets were counted as; `with_notes` adds what to say."""
    return tuple(
        CountedAsRecord(
            role=column.role,
            facet=column.facet,
            column=column.column,
            sides=tuple(map(_side, column.sides)),
            notes=(),
            warnings=(),
        )
        for column in columns
    )


def _side(side: SideValues) -> SideRecord:
    values = tuple(ValueRecord(value=format_value(v), rows=n) for v, n in side.values[:MAX_SHOWN])
    least, greatest = map(format_value, side.ends) if side.ends else (None, None)
    return SideRecord(
        side=side.side,
        rows=side.rows,
        values=None if side.distinct is None else values,
        others=(side.distinct or 0) - len(values) or None,
        least=least,
        greatest=greatest,
    )


def with_notes(
    columns: Sequence[CountedAsRecord] | None, audit: Audit
) -> tuple[CountedAsRecord, ...] | None:
    """Return how each value was counted, with notes and warnings; None where a report lacks it.

    Parameters
    ----------
    columns : which value stood on which side.
    audit : the spec, which names some of the values.
    """
    if columns is None:
        return None
    return tuple(
        column.model_copy(
            update={
                "notes": (
                    *_alone(column, phrases_of(audit.columns)),
                    *_look_alikes(column, _named(column, audit)),
                ),
                "warnings": tuple(_markers(column, _named(column, audit))),
            }
        )
        for column in columns
    )


def _named(column: CountedAsRecord, audit: Audit) -> frozenset[str]:
    """Return the values that the spec names, as they are written."""
    if column.facet is None:
        outcomes = {"label": audit.columns.label, "prediction": audit.columns.prediction}
        outcome = outcomes.get(column.role)
        if outcome is None:
            raise ValueError(f"the spec has no {column.role} without a facet's name")
        sides: list[FacetSide | None] = [outcome.positive, outcome.negative]
    else:
        facet: Facet = audit.facets[column.facet]
        sides = [facet.favored, facet.disfavored] if not facet.groups else [*facet.groups.values()]
    return frozenset(format_value(value) for side in sides for value in scalars(side))


def _unnamed_values(
    column: CountedAsRecord, named: frozenset[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield values that the spec does not name, with their rows and their side in words."""
    for side in column.sides:
        for value in side.values or ():
            if value.value not in named:
                rows = f"{value.rows:,} row" if value.rows == 1 else f"{value.rows:,} rows"
                yield value.value, rows, side.side


def _alone(column: CountedAsRecord, phrases: Phrases) -> Iterator[str]:
    """Say that an outcome is the same for everybody."""
    sides = [side.side for side in column.sides if side.side != "missing"]
    if column.facet is None and len(sides) == 1:
        who = phrases.holding if column.role == "label" else f"who are {phrases.predicted}"
        yield f"the share {who} is {'100%' if sides == ['positive'] else '0%'}"


def _look_alikes(column: CountedAsRecord, named: frozenset[str]) -> Iterator[str]:
    """Yield values that differ from a named one, or two groups, in their spelling only."""
    known = {text: name for name in sorted(named) for text in _spellings(name)}
    for value, rows, side in _unnamed_values(column, named):
        texts = list(_spellings(value))
        if meant := next((known[text] for text in texts if text in known), None):
            yield (
                f"{value!r} ({rows}, {side}) differs from {meant!r} only by case, blanks,"
                " punctuation or the spelling of a number"
            )
        elif column.facet is not None:
            known |= dict.fromkeys(texts, value)


def _spellings(text: str) -> Iterator[str]:
    """Yield what is left of a text without case, blanks and punctuation, and its number.

    >>> list(_spellings(" Self-Employed. ")), list(_spellings("1.50"))
    (['selfemployed'], ['1 50', '1.5'])
    """
    folded = re.sub(r"(?<=\d)[\s.,;:'\"_/\\()\[\]{}-]+(?=\d)", " ", text.casefold().strip())
    folded = re.sub(r"(?<!\d)[\s.,;:'\"_/\\()\[\]{}-]+|[\s.,;:'\"_/\\()\[\]{}-]+(?!\d)", "", folded)
    if folded:
        yield folded
    with suppress(InvalidOperation):
        number = Decimal(text.strip())
        if number.is_finite():
            yield f"{number.normalize():f}" if abs(number.adjusted()) < 40 else str(number)


def _markers(column: CountedAsRecord, named: frozenset[str]) -> Iterator[str]:
    """Yield values that look like missing ones."""
    for value, rows, side in _unnamed_values(column, named):
        if value.strip().casefold() in MARKERS:
            part = side if column.facet is None else f"a value of {column.column}"
            yield f"{value!r} ({rows}) looks like a missing value and was counted as {part}"
