"""How many people stand behind a value: the numbers that `min_rows` is held against."""

from collections.abc import Iterable, Iterator

from biaspipe.counts import Flips, Group, Headcount, Stratum, Table
from biaspipe.metrics.rates import Rate
from biaspipe.metrics.record import Metric, Needs

__all__ = ["size_names", "sizes"]


def sizes(metric: Metric, evidence: Table | Group | Flips) -> Iterator[tuple[str, Headcount]]:
    """Yield the people behind a value: those of each group, and each denominator of its rates."""
    if isinstance(evidence, Flips):
        yield from (("n_d", evidence.searched), ("n_a", evidence.n_a))
        return
    if isinstance(evidence, Group):
        yield "n", _seen(evidence, evidence.n)
        return
    if Needs.STRATA in metric.needs:
        yield from _within_strata(evidence, predicted=Needs.PREDICTED in metric.needs)
        return
    groups = (evidence.disfavored, evidence.favored)
    yield from ((f"n_{group.name}", _seen(group, group.n)) for group in groups)
    for group in groups:
        if metric.rate:
            yield metric.rate.denominator(group), _seen(group, metric.rate.whole(group))
    if metric.compares == "d / a" and metric.rate:
        yield from _of_ratio(metric.rate, *groups)
        yield from _of_ratio(metric.rate, *reversed(groups))


def size_names(metric: Metric) -> tuple[str, ...]:
    """Return what `sizes` calls the numbers of people of a metric.

    >>> from biaspipe.metrics import METRICS
    >>> size_names(METRICS["RD"]), size_names(METRICS["GE"])
    (('n_d', 'n_a', 'n_d(1)', 'n_a(1)'), ('n',))
    """
    a, d = Group({}, name="a"), Group({}, name="d")
    nobody: Table | Group | Flips = Table(a, d, (Stratum("", a, d),))
    if Needs.FEATURES in metric.needs:
        nobody = Flips(0, 0, 0, 0, 0, 0, "", (), None)
    elif not metric.has_facet:
        nobody = a
    return tuple(dict.fromkeys(words for words, _ in sizes(metric, nobody)))


def _of_ratio(rate: Rate, group: Group, other: Group) -> Iterator[tuple[str, Headcount]]:
    """Yield the people that one side of a ratio of rates rests on.

    They are those that the rate counts, or as many as the other side's rate would let expect:
    nobody among hundreds says much, one among a few dozen little.
    """
    expected = rate.whole(group) * rate(other) if rate.whole(other) else 0
    seen = _seen(group, max(rate.part(group), expected))
    words = f"favorable outcomes of {group.name}, seen or expected at parity"
    yield words, seen if group.effective is not None else int(seen)


def _within_strata(table: Table, *, predicted: bool) -> Iterator[tuple[str, Headcount]]:
    """Yield the people of comparable strata: those with both groups and both outcomes."""
    comparable = table.strata_by_part(predicted=predicted).comparable
    where = "in comparable strata"
    prime, prefix = ("'", "predicted_") if predicted else ("", "")
    sides = {"d": (table.disfavored, "disfavored"), "a": (table.favored, "favored")}
    for letter, (whole, side) in sides.items():
        yield f"n_{letter} {where}", _inside(comparable, whole, side, "n")
    for sign, outcome in (("0", f"{prefix}negatives"), ("1", f"{prefix}positives")):
        people = sum(_inside(comparable, whole, side, outcome) for whole, side in sides.values())
        yield f"n{prime}({sign}) {where}", people


def _inside(strata: Iterable[Stratum], whole: Group, side: str, people: str) -> Headcount:
    """Count people of one side within strata, as many as the whole group's weights let see."""
    return _seen(whole, sum(getattr(getattr(stratum, side), people) for stratum in strata))


def _seen(group: Group, people: Headcount) -> Headcount:
    """Return the people that count as seen: under sampling weights fewer than they stand for."""
    if group.effective is None or not group.n:
        return people
    return people * group.effective / group.n
