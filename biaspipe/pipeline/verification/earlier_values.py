"""What a report says that its checks were in the baseline: possible, and of the people counted."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf, isclose

from biaspipe.counts import Favorable, Group, Headcount, Stratum, Table
from biaspipe.metrics import METRICS, Needs
from biaspipe.plan import EarlierTables
from biaspipe.report import BaselineNote, BaselineRecord, CheckRecord, ComparisonRecord, Finding
from biaspipe.statistics import METHODS, Intervals

__all__ = ["forged_values", "impossible_values"]

ALIKE = 1e-6
"""How far limits may be apart that are of the same people; weights are added up as floats."""
Outcomes = tuple[Favorable, Favorable]


def impossible_values(
    where: str, check: CheckRecord, note: BaselineNote, baseline: BaselineRecord
) -> Iterator[Finding]:
    """Yield what no check can have been: a value outside of its interval, or another of same rows.

    Parameters
    ----------
    where : the place of what is said of it.
    check, note : the check, and what it was.
    baseline : what the baseline is.
    """
    value, interval = _value(note), note.interval
    if (note.value is not None, note.sign is not None) != (
        note.status == "ok",
        note.status == "infinite",
    ):
        yield Finding(f"{where}.status", f"{note.status} is not what the value is")
    known = baseline.rows != "unknown" and check.compat is None and check.interval is not None
    if interval is None:
        if known and value is not None:
            yield Finding(f"{where}.interval", "a value has an interval, and there is none")
    elif value is None or not interval.ends[0] <= value <= interval.ends[1]:
        yield Finding(f"{where}.interval", f"does not hold the value {value}")
    elif check.compat is None and interval.method not in METHODS:
        yield Finding(f"{where}.interval.method", "there is no such method")
    same = baseline.rows == "same" and not baseline.other_prediction
    if same and (note.status, value) != (check.status, check.extended):
        words = f"{value} stands here, and the same rows come to {check.extended}"
        yield Finding(f"{where}.value", words)


def forged_values(
    where: str, check: CheckRecord, note: BaselineNote, comparison: ComparisonRecord
) -> Iterator[Finding]:
    """Yield what a check was not by the earlier prediction of its people.

    Parameters
    ----------
    where : the place of what is said of it.
    check, note : the check, and what it was.
    comparison : its comparison, with the people by both predictions where these were counted.
    """
    metric, parameters = METRICS[check.metric], dict(check.parameters or {})
    if comparison.earlier is None or Needs.FEATURES in metric.needs:
        return
    is_other = Needs.PREDICTED in metric.needs  # labels are as they were
    people = comparison.earlier.to_tables()
    table = _earlier_table(people) if is_other else comparison.to_table()
    value = metric(table, **parameters)
    at = note.interval and Intervals(table, note.interval.confidence)
    found = at and at.of(metric, value, **parameters)
    ends = (found.low, found.high) if found else None
    if note.status != value.status or not _alike([_value(note)], [value.extended]):
        words = f"{_value(note)} stands here, {value.extended} follows from `earlier`"
        yield Finding(f"{where}.value", words)
    elif note.interval and ends and not _alike(note.interval.ends, ends):
        low, high = note.interval.ends
        words = f"{low} to {high} stands here, {ends[0]} to {ends[1]} follows from `earlier`"
        yield Finding(f"{where}.interval", words)


def _value(note: BaselineNote) -> float | None:
    """Return what a check was, on the extended real line; None where undefined."""
    return note.sign * inf if note.sign else note.value


def _alike(stands: Sequence[float | None], follows: Sequence[float | None]) -> bool:
    pairs = zip(stands, follows, strict=True)
    return all(
        one == other
        if one is None or other is None
        else isclose(one, other, rel_tol=ALIKE, abs_tol=ALIKE)
        for one, other in pairs
    )


def _earlier_table(people: EarlierTables) -> Table:
    """Put the people of a comparison side by side as the earlier prediction has them."""
    names = sorted({stratum.name for table in people for stratum in table.strata})
    nobody = Stratum("", Group({}), Group({}))
    inside = [{stratum.name: stratum for stratum in table.strata} for table in people]
    parts = {name: [strata.get(name, nobody) for strata in inside] for name in names}
    strata = (
        Stratum(
            name,
            _by_earlier("a", [part.favored for part in both]),
            _by_earlier("d", [part.disfavored for part in both]),
        )
        for name, both in parts.items()
    )
    favored, disfavored = [t.favored for t in people], [t.disfavored for t in people]
    return Table(_by_earlier("a", favored), _by_earlier("d", disfavored), tuple(strata))


def _by_earlier(letter: str, groups: Sequence[Group]) -> Group:
    """Add up those whom the earlier prediction predicts favorable, and the others."""
    cells, squares = dict[Outcomes, Headcount](), dict[Outcomes, Headcount]()
    for group, earlier in zip(groups, (True, False), strict=True):
        for found, counted in ((cells, group.cells), (squares, group.squares)):
            for (observed, _), n in counted.items():
                found[observed, earlier] = found.get((observed, earlier), 0) + n
    n, total = sum(cells.values()), sum(squares.values())
    sampled = any(group.effective is not None for group in groups)
    kish = Fraction(n) ** 2 / total if total else Fraction(0)
    rows = sum(group.rows for group in groups)
    return Group(cells, {}, rows, letter, kish if sampled else None, squares=squares)
