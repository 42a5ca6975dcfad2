"""What was counted as what: on which side of a label, a prediction or a facet each value stood."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from biaspipe.counts import Cell, Counts
from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.plan.comparisons import FacetTables
from biaspipe.plan.dimensions import OTHER, Bin, Dimension, dimension_of
from biaspipe.plan.kinds import Kind, is_missing, literals, same
from biaspipe.plan.planning import Plan
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.spec import Audit, Interval, Outcome, Scalar, format_value

__all__ = ["ColumnSides", "SideValues", "counted_as", "refuse_undeclared_values"]

IN_NO_GROUP = "in no group"


class SideValues(NamedTuple):
    """The values on one side of a column.

    Parameters
    ----------
    side : what they were counted as.
    rows : rows that count, also those that lack something else.
    values : the commonest values, and their rows.
    distinct : how many different values there are; None where only their range is known.
    ends : the least and the greatest of them, where an interval tells the sides apart.
    """

    side: str
    rows: int
    values: tuple[tuple[object, int], ...] = ()
    distinct: int | None = None
    ends: tuple[float, float] | None = None


class ColumnSides(NamedTuple):
    """A column as it was counted.

    Parameters
    ----------
    role : "label", "prediction" or "facet".
    facet : the facet's name.
    column : the column.
    sides : every side that a row was on.
    """

    role: str
    facet: str | None
    column: str
    sides: tuple[SideValues, ...]


def counted_as(
    plan: Plan, counts: Counts, tables: Iterable[FacetTables]
) -> tuple[ColumnSides, ...]:
    """Say of label, prediction and every facet of a column which value stood on which side.

    Parameters
    ----------
    plan, counts : what was asked for, and what was counted.
    tables : the facets, which tell who is compared.
    """
    told = [_outcome(plan, counts, role) for role in ("label", "prediction")]
    told += [_facet(plan, counts, table) for table in tables]
    return tuple(column for column in told if column)


def _outcome(plan: Plan, counts: Counts, role: str) -> ColumnSides | None:
    dimension, outcome = getattr(plan, role), getattr(plan.audit.columns, role)
    if dimension is None:
        return None
    first, *_ = plan.groupings.values()
    rows = _rows(counts.cells[0], first.index(dimension))
    if dimension.bins is None:
        sides = [*_by_value(rows, outcome), *_missing(rows)]
    else:
        sides = list(_binned(plan, counts, dimension, rows, other="negative"))
    return ColumnSides(role, None, outcome.column, tuple(sides))


def _rows(cells: Iterable[Cell], position: int) -> Counter[object]:
    rows: Counter[object] = Counter()
    for cell in cells:
        held = cell.key[position]
        rows[None if is_missing(held) else held] += cell.rows
    return rows


def _by_value(rows: Mapping[object, int], outcome: Outcome) -> Iterator[SideValues]:
    """Yield the sides of an outcome that is counted by its values."""
    sides: dict[str, dict[object, int]] = {"positive": {}, "negative": {}}
    for value, n in rows.items():
        if value is not None:
            is_positive = any(same(scalar, value) for scalar in outcome.positive or ())
            sides["positive" if is_positive else "negative"][value] = n
    yield from (_side(name, values.items()) for name, values in sides.items() if values)


def _side(name: str, values: Iterable[tuple[object, int]]) -> SideValues:
    common = sorted(values, key=lambda pair: (-pair[1], format_value(pair[0])))
    return SideValues(name, sum(n for _, n in common), tuple(common), len(common))


def _missing(rows: Mapping[object, int]) -> Iterator[SideValues]:
    if rows.get(None):
        yield SideValues("missing", rows[None])


def _binned(
    plan: Plan, counts: Counts, dimension: Dimension, rows: Mapping[object, int], other: str
) -> Iterator[SideValues]:
    """Yield the sides of a column whose values the spec names, or whose intervals it does."""
    place = plan.dimensions.index(dimension)
    ranges, named = counts.ranges.get(place, {}), _named(dimension)
    for name, bins in named.items():
        n = sum(rows.get(code, 0) for code in bins)
        intervals = [code for code, b in bins.items() if isinstance(b.test, Interval)]
        if n and intervals:
            yield SideValues(name, n, ends=ranges.get(intervals[0]))
        elif n:
            kind = (plan.kinds or {}).get(dimension.column, Kind.TEXT)
            held = ((code, b) for code, b in bins.items() if rows.get(code))
            yield _side(name, ((_raw(b.test, kind), rows[code]) for code, b in held))
    if n := rows.get(OTHER, 0):
        if (listing := counts.others.get(place)) is None:
            yield SideValues(other, n, ends=ranges.get(OTHER))
        else:
            values = _side(other, listing.values).values
            yield SideValues(other, n, values, listing.distinct, ranges.get(OTHER))
    yield from _missing(rows)


def _raw(test: Scalar | Interval, kind: Kind) -> object:
    """Return a value that a spec names as a column of this kind holds it."""
    if isinstance(test, Interval) or kind is Kind.TEXT:
        return test
    return next(iter(literals(test, kind)), test)


def _named(dimension: Dimension) -> dict[str, dict[int, Bin]]:
    """Return the bins of every side by their codes."""
    named: dict[str, dict[int, Bin]] = {}
    for code, b in enumerate(dimension.bins or ()):
        named.setdefault(b.group, {})[code] = b
    return named


def _facet(plan: Plan, counts: Counts, table: FacetTables) -> ColumnSides | None:
    facet = plan.audit.facets[table.facet]
    if facet.column is None:
        return None
    dimension, place = dimension_of(facet), list(plan.groupings).index(table.facet)
    rows = _rows(counts.cells[place], 0)
    if dimension.bins is None:
        sides = [*_by_part(rows, table), *_missing(rows)]
    else:
        sides = list(_binned(plan, counts, dimension, rows, other=IN_NO_GROUP))
    return ColumnSides("facet", table.facet, facet.column, tuple(sides))


def _by_part(rows: Mapping[object, int], table: FacetTables) -> Iterator[SideValues]:
    """Yield the sides of a facet whose groups are values."""
    parts = {group.name: group.part for group in table.groups}
    sides: dict[str, dict[object, int]] = {}
    for value, n in rows.items():
        if value is not None:
            part = parts.get(table.names[value], "not compared")
            sides.setdefault("compared" if part == "both" else part, {})[value] = n
    order: Sequence[str] = ("favored", "disfavored", "compared", "not compared")
    yield from (_side(name, sides[name].items()) for name in order if name in sides)


def refuse_undeclared_values(audit: Audit, columns: Iterable[ColumnSides]) -> None:
    """Refuse values that a spec leaves no place for: a third outcome, people between the groups.

    Parameters
    ----------
    audit : the spec.
    columns : what was counted as what.

    Raises
    ------
    SpecError
        With every such value and its rows.
    """
    faults: list[Fault] = []
    for column in columns:
        sides = {side.side: side for side in column.sides}
        if column.facet is None:
            outcome = getattr(audit.columns, column.role)
            loc: Loc = ("columns", column.role, "negative")
            faults += _third(outcome, sides.get("negative"), loc) if outcome.negative else ()
        elif audit.facets[column.facet].others == "error":
            found = [sides[name] for name in (IN_NO_GROUP, "not compared") if name in sides]
            loc = ("facets", column.facet, "others")
            faults += (Fault(_undeclared(side, column.column), loc) for side in found)
    if faults:
        raise SpecError(faults)


def _third(outcome: Outcome, side: SideValues | None, loc: Loc) -> Iterator[Fault]:
    """Yield what is wrong with a closed set of outcomes."""
    held = side.values if side else ()
    negative: tuple[Scalar, ...] = outcome.negative or ()
    for scalar in negative if outcome.constant is None else ():
        if not any(same(scalar, value) for value, _ in held):
            words = f"{scalar!r} does not occur in column {outcome.column!r}"
            values = [value for value, _ in held]
            expected = f"one of {list_values(values)}" if values else None
            hint = did_you_mean(str(scalar), [format_value(value) for value in values])
            yield Fault(words, loc, expected=expected, hint=hint)
    third = [(v, n) for v, n in held if not any(same(scalar, v) for scalar in negative)]
    if third:
        shown, rows = list_values([value for value, _ in third], most=5), sum(n for _, n in third)
        words = f"{_many(rows)} of column {outcome.column!r} {'is' if rows == 1 else 'are'}"
        yield Fault(f"{words} neither positive nor negative: {shown}", loc)


def _undeclared(side: SideValues, column: str) -> str:
    if side.values:
        held = list_values([value for value, _ in side.values])
    else:
        held = " to ".join(dict.fromkeys(format_value(end) for end in side.ends or ()))
    belong = "belongs" if side.rows == 1 else "belong"
    return f"{_many(side.rows)} of column {column!r} {belong} to no declared group: {held}"


def _many(rows: int) -> str:
    return f"{rows:,} row" if rows == 1 else f"{rows:,} rows"
