"""How many people stand behind a value: the numbers that `min_rows` is held against."""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import attrgetter

from biaspipe.counts import Flips, Group, Headcount, Stratum, Table, WeightedTotal, share_of
from biaspipe.metrics.phrases import GENERIC, Phrases
from biaspipe.metrics.rates import Rate
from biaspipe.metrics.record import Metric, Needs

__all__ = ["kind_of", "side_of", "size_names", "size_text", "sizes"]

IN_STRATA = "in comparable strata"
AT_PARITY = "seen or expected at parity"
SIDE = re.compile(r"(?<=_)[ad]\b")
SIZE = re.compile(
    rf"(?P<cell>n'?|[TF][PN]|\(TP\+TN\)|\(FP\+FN\))(?:_(?P<side>[ad]))?(?P<sign>\([01]\))?"
    rf"(?:(?P<where> {IN_STRATA})|(?P<expected>, {AT_PARITY}))?"
)
"""The names that `sizes` gives to numbers of people, taken apart."""
WHO = {
    "n": "people",
    "n(1)": "people {holding}",
    "n(0)": "{others}",
    "n'(1)": "people {predicted}",
    "n'(0)": "people {unpredicted}",
    "TP": "people rightly {predicted}",
    "FP": "people wrongly {predicted}",
    "TN": "people rightly {unpredicted}",
    "FN": "people wrongly {unpredicted}",
    "(TP+TN)": "people with a right prediction",
    "(FP+FN)": "people with a wrong prediction",
}


def sizes(metric: Metric, evidence: Table | Group | Flips) -> Iterator[tuple[str, Headcount]]:
    """Yield the people behind a value: those of each group, and each denominator of its rates."""
    if isinstance(evidence, Flips):
        yield from (("n_d", evidence.searched), ("n_a", evidence.n_a))
        return
    if isinstance(evidence, Group):
        yield "n", _seen_people(evidence)
        return
    if Needs.STRATA in metric.needs:
        yield from _within_strata(evidence, predicted=Needs.PREDICTED in metric.needs)
        return
    groups = (evidence.disfavored, evidence.favored)
    seen = _seen_labels if metric.distance else _seen_people
    yield from ((f"n_{group.name}", seen(group)) for group in groups)
    for rate in metric.compared:
        yield from ((rate.denominator(g), _seen_whole(rate, g)) for g in groups)
        if metric.is_ratio:
            yield from _of_ratio(rate, *groups)
            yield from _of_ratio(rate, *reversed(groups))


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


def size_text(
    name: str,
    number: str,
    sides: tuple[str, str] = ("", ""),
    phrases: Phrases = GENERIC,
) -> str:
    """Say in words which people a number of people counts, and of which group they are.

    Parameters
    ----------
    name : what `sizes` calls the number.
    number : the number, as it is written.
    sides : the favored and the disfavored group.
    phrases : how the outcomes are named.

    >>> size_text("n_d(0)", "only 23", ("White", "Asian"), Phrases(others="people who paid late"))
    'of Asian, only 23 people who paid late'
    """
    found = SIZE.fullmatch(name)
    if found is None:
        return f"{name}: {number} people"
    side = found["side"]
    who = WHO[f"{found['cell']}{found['sign'] or ''}"].format(**phrases._asdict())
    if re.search(r"(?:^|[^\d.])1$", number):
        who = f"person{who.removeprefix('people')}"
    words = f"{number} {who}"
    words += f" {IN_STRATA}" if found["where"] else ""
    if found["expected"]:
        words += f", counted or expected at the rate of {sides['da'.index(side)]}"
    return f"of {sides['ad'.index(side)]}, {words}" if side else words


def side_of(name: str) -> str:
    """Return the side that a number of people is of; nothing where it is of both.

    >>> side_of("n'_d(1)"), side_of("n(0) in comparable strata")
    ('d', '')
    """
    found = SIDE.search(name)
    return found[0] if found else ""


def kind_of(name: str) -> str:
    """Return what a number of people counts, of whichever side.

    >>> kind_of("n_d(1)") == kind_of("n_a(1)"), kind_of("n_d") == kind_of("n_d(1)")
    (True, False)
    """
    return SIDE.sub("", name)


def _of_ratio(rate: Rate, group: Group, other: Group) -> Iterator[tuple[str, Headcount]]:
    """Yield the people that one side of a ratio of rates rests on.

    They are those that the rate counts, or as many as the other side's rate would let expect:
    nobody among hundreds says much, one among a few dozen little.
    """
    words, whole = f"{rate.numerator(group)}, {AT_PARITY}", rate.whole(group)
    expected = whole * rate(other) if rate.whole(other) else 0
    people = max(rate.part(group), expected)
    if group.effective is None or not whole:
        yield words, int(people)
    else:
        yield words, _seen_whole(rate, group) * (Fraction(people) / whole)


def _within_strata(table: Table, *, predicted: bool) -> Iterator[tuple[str, Headcount]]:
    """Yield the people of comparable strata: those with both groups and both outcomes."""
    comparable = table.strata_by_part(predicted=predicted).comparable
    prime, prefix = ("'", "predicted_") if predicted else ("", "")
    sides = {"d": [s.disfavored for s in comparable], "a": [s.favored for s in comparable]}
    for letter, groups in sides.items():
        yield f"n_{letter} {IN_STRATA}", _inside(groups, "n")
    for sign, outcome in (("0", f"{prefix}negatives"), ("1", f"{prefix}positives")):
        people = sum(_inside(groups, outcome) for groups in sides.values())
        yield f"n{prime}({sign}) {IN_STRATA}", people


def _inside(groups: Sequence[Group], people: str) -> Headcount:
    """Count people of one side within strata, as many as their weights let see."""
    count: Callable[[Group], Headcount] = attrgetter(people)
    if all(group.effective is None for group in groups):
        return sum(map(count, groups))
    counted = [WeightedTotal.of(group, count) for group in groups]
    every = WeightedTotal(sum(t.people for t in counted), sum(t.squares for t in counted))
    return Fraction(every.kish)


def _seen(group: Group, people: Callable[[Group], Headcount]) -> Headcount:
    """Return the people that count as seen: under sampling weights Kish's number of them."""
    if group.effective is None:
        return people(group)
    return Fraction(WeightedTotal.of(group, people).kish)


def _seen_people(group: Group) -> Headcount:
    return _seen(group, lambda g: g.n)


def _seen_labels(group: Group) -> Headcount:
    """Return the people that count as seen behind the share of each of a label's categories."""
    rates = [_share_of_label(name) for name, n in group.labels.items() if n]
    return min([_seen_people(group), *(_seen_whole(rate, group) for rate in rates)])


def _share_of_label(name: str) -> Rate:
    return Rate(lambda g: g.labels.get(name, 0), lambda g: sum(g.labels.values()), "n")


def _seen_whole(rate: Rate, group: Group) -> Headcount:
    """Return the people of a rate's denominator that count as seen.

    Under sampling weights it is the number that the rate's interval is made from, but no more than
    Kish's of the denominator: people who were not asked are not seen, however sure the rate is.
    """
    whole = _seen(group, rate.whole)
    if group.effective is None or not rate.is_share or not rate.whole(group):
        return whole
    part = WeightedTotal.of(group, rate.part)
    rest = WeightedTotal.of(group, lambda g: rate.whole(g) - rate.part(g))
    return min(whole, Fraction(share_of(part, rest).whole))
