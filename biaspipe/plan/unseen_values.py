"""Values that a spec names and the data lacks: of a label, a prediction or a group."""

from collections.abc import Callable, Iterator, Sequence

from biaspipe.counts import Cell, Counts
from biaspipe.errors import Fault, Loc
from biaspipe.plan.dimensions import OTHER, Dimension, dimension_of, outcome_of
from biaspipe.plan.kinds import is_missing, same
from biaspipe.plan.planning import Plan
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.spec import Facet, Interval, format_value

__all__ = ["unseen_values"]

ValuesOf = Callable[[str], Sequence[object]]


def unseen_values(plan: Plan, counts: Counts, values_of: ValuesOf) -> Iterator[Fault]:
    """Yield a fault for every named value that no row holds, with what does occur instead.

    Parameters
    ----------
    plan, counts : what was asked for, and what was counted.
    values_of : gives the values of a column, the commonest first.
    """
    first, *_ = plan.groupings.values()
    cells = counts.cells[0]
    for name, dimension in (("label", plan.label), ("prediction", plan.prediction)):
        outcome = getattr(plan.audit.columns, name)
        if dimension is None:
            continue
        held = _held(cells, first.index(dimension))
        loc: Loc = ("columns", name)
        if outcome.positive is not None:
            named = outcome_of(outcome, categories=False)
            found = list(_absent(named, dimension, held, (*loc, "positive"), values_of))
            if outcome.constant is None:
                yield from found or _all_positive(named, dimension, held, (*loc, "positive"))
            elif len(found) == len(named.bins or ()) and _others(plan, counts, dimension, held) > 1:
                yield from found  # what is not positive is no constant
        elif outcome.constant is None:
            yield from _constant(plan, counts, dimension, held, loc)
    for i, stratum in enumerate(plan.strata):
        if all(map(is_missing, _held(cells, first.index(stratum)))):
            words = f"column {stratum.column!r} holds only missing values, so there are no strata"
            yield Fault(words, ("columns", "strata", i))
    for name, cells in zip(plan.groupings, counts.cells, strict=True):
        yield from _absent_groups(name, plan.audit.facets[name], cells, values_of)


def _others(plan: Plan, counts: Counts, dimension: Dimension, held: set[object]) -> int:
    """Count the different values of an outcome of which none is positive."""
    if dimension.bins is None:
        return sum(not is_missing(value) for value in held)
    listing = counts.others.get(plan.dimensions.index(dimension))
    return listing.distinct if listing else 0


CONSTANT = "if the outcome is meant to be the same for everybody: constant: allowed"


def _all_positive(
    named: Dimension, counted: Dimension, held: set[object], loc: Loc
) -> Iterator[Fault]:
    """Yield a list of positive values that leaves no other value of its column."""
    tests = [b.test for b in named.bins or () if not isinstance(b.test, Interval)]
    values = [value for value in held if not is_missing(value)]
    for value in values:
        if value == OTHER if counted.bins else not any(same(test, value) for test in tests):
            return
    if len(values) > 1:
        words = f"every value of column {named.column!r} is positive"
        yield Fault(words, loc, expected="a value that is not", hint=CONSTANT)


def _constant(
    plan: Plan, counts: Counts, dimension: Dimension, held: set[object], loc: Loc
) -> Iterator[Fault]:
    """Yield a threshold that nobody meets, or everybody."""
    (meets,) = dimension.bins or ()
    codes = {code for code in held if not is_missing(code)}
    if codes == {0, OTHER}:
        return
    found, ends = "only missing values", counts.ranges[plan.dimensions.index(dimension)].values()
    if ends:
        low, high = min(e[0] for e in ends), max(e[1] for e in ends)
        found = f"values from {format_value(low)} to {format_value(high)}"
    who = "every row meets" if codes == {0} else "no row meets"
    yield Fault(
        f"{who} {meets.text(dimension.column)}",
        loc,
        expected="rows on both sides of the threshold",
        found=found,
        hint=CONSTANT,
    )


def _absent_groups(
    name: str, facet: Facet, cells: Sequence[Cell], values_of: ValuesOf
) -> Iterator[Fault]:
    if facet.cross:
        return
    dimension = dimension_of(facet)
    if dimension.bins:
        loc: Loc = ("facets", name, "groups") if facet.groups else ("facets", name)
        yield from _absent(dimension, dimension, _held(cells, 0), loc, values_of)


def _held(cells: Sequence[Cell], position: int) -> set[object]:
    return {cell.key[position] for cell in cells}


def _absent(
    named: Dimension, counted: Dimension, held: set[object], loc: Loc, values_of: ValuesOf
) -> Iterator[Fault]:
    for i, b in enumerate(named.bins or ()):
        if counted.bins is not None:
            found = i in held
        else:
            found = any(same(b.test, v) for v in held if not isinstance(b.test, Interval))
        if not found:
            values = [v for v in values_of(named.column) if not is_missing(v)]
            texts = [format_value(v) for v in values]
            yield Fault(
                f"{b.text(named.column)} does not occur in column {named.column!r}",
                (*loc, b.group) if loc[-1] == "groups" else loc,
                expected=f"one of {list_values(values)}" if values else None,
                found=None if values else "only missing values",
                hint=None if isinstance(b.test, Interval) else did_you_mean(str(b.test), texts),
            )
