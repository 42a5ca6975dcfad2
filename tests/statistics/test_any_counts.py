"""Whatever was counted, each metric, interval and test has a number in its range or none at all."""

from fractions import Fraction
from math import inf, isclose, isnan

from hypothesis import given
from hypothesis import strategies as st

from biaspipe.counts import Drawn, Favorable, Flips, Group, Headcount, Stratum, Table
from biaspipe.metrics import METRICS, Needs
from biaspipe.statistics import Intervals, parity_test
from tests.examples import examples
from tests.metrics.test_laws import LAWS

Counted = Table | Group | Flips
Case = tuple[Counted, str, float]
"""The evidence of some metrics, what the audit declares, and a confidence."""

PEOPLE: st.SearchStrategy[Headcount] = st.sampled_from(
    (0, 0, 1, 1, 2, 3, 7, 60, 999_983, 10**12, 3 * 10**17, 2**62)
)
WEIGHED: st.SearchStrategy[Headcount] = st.one_of(
    PEOPLE,
    st.sampled_from((Fraction(1, 10**9), Fraction(10**9), Fraction(1, 3), Fraction(1, 2**75))),
    st.sampled_from((Fraction(2**63), Fraction(2**120), Fraction(22, 7))),
    st.fractions(0, 10**6),
)
BOTH = "labels and predictions"
OUTCOMES: dict[str, list[tuple[Favorable, Favorable]]] = {
    BOTH: [(True, True), (True, False), (False, True), (False, False)],
    "labels": [(True, None), (False, None)],
    "predictions": [(None, True), (None, False)],
}
CATEGORIES = ("hired", "refused", "silent", "trial")
MANY = tuple(f"{i:02}" for i in range(30))
CONFIDENCES = st.sampled_from((0.5, 0.9, 0.95, 0.999, 0.9999999))
FOUND_MORE = {0.5: 0.9, 0.9: 0.95, 0.95: 0.999, 0.999: 0.9999999, 0.9999999: 0.99999999}
NOT_MONOTONE = ("CDDL", "CDDPL")
"""Their shares are drawn towards the average the more, the more confidence is asked for."""


@st.composite
def groups(
    draw: st.DrawFn, people: st.SearchStrategy[Headcount], declared: str, name: str
) -> Group:
    """Draw a group whose labels are those of its cells; weighted people have a worth."""
    cells = draw(st.dictionaries(st.sampled_from(OUTCOMES[declared]), people))
    favorable = sum(n for (seen, _), n in cells.items() if seen)
    others = sum(n for (seen, _), n in cells.items() if seen is False)
    cut = draw(st.sampled_from((Fraction(0), Fraction(1), Fraction(1, 2))))
    labels = dict(zip(CATEGORIES, (favorable * cut, others * cut), strict=False))
    labels |= {"silent": others - others * cut, "trial": favorable - favorable * cut}
    labels |= draw(st.dictionaries(st.sampled_from(MANY), people, max_size=30))
    labels = {label: n for label, n in labels.items() if n or draw(st.booleans())}
    rows = draw(st.integers(1, 10**12))
    kish = st.sampled_from((1.0, 1.5, 29.999999999, 10.0**11)).map(Fraction)
    return Group(cells, labels, rows, name, draw(st.none() | kish) if people is WEIGHED else None)


def added(parts: list[Group], name: str) -> Group:
    """Put the groups of all strata together."""
    cells: dict[tuple[bool | None, bool | None], Headcount] = {}
    labels: dict[str, Headcount] = {}
    for part in parts:
        for cell, n in part.cells.items():
            cells[cell] = cells.get(cell, 0) + n
        for label, n in part.labels.items():
            labels[label] = labels.get(label, 0) + n
    worth = [part.effective for part in parts if part.effective is not None]
    effective = sum(worth, Fraction(0)) if worth else None
    return Group(cells, labels, sum(part.rows for part in parts), name, effective)


@st.composite
def tables(draw: st.DrawFn, declared: str) -> Table:
    """Draw a comparison of one to four strata, of whole people or of weighted ones."""
    people = draw(st.sampled_from((PEOPLE, WEIGHED)))
    sides = [
        (draw(groups(people, declared, "a")), draw(groups(people, declared, "d")))
        for _ in range(draw(st.integers(1, 4)))
    ]
    strata = tuple(Stratum(str(i), a, d) for i, (a, d) in enumerate(sides))
    return Table(added([a for a, _ in sides], "a"), added([d for _, d in sides], "d"), strata)


@st.composite
def flips(draw: st.DrawFn) -> Flips:
    """Draw the counts of a fliptest, of everybody or of a sample."""
    few = st.sampled_from((0, 0, 1, 2, 30, 10**6))
    favorable, unfavorable, still, more = (draw(few) for _ in range(4))
    favored, k = draw(few), draw(st.integers(1, 9))
    judged = favorable + still, unfavorable + more
    drawn = None
    if draw(st.booleans()):
        people = tuple(n + draw(few) if n else draw(few) for n in judged)
        drawn = Drawn(sum(judged), 0, (people[0], judged[0]), (people[1], judged[1]))
    total = drawn.unfavorable[0] + drawn.favorable[0] if drawn else sum(judged)
    shared = None if drawn else draw(st.none() | few)
    return Flips(favorable, unfavorable, total, favored, 0, k, "standard", (), None, drawn, shared)


@st.composite
def counted(draw: st.DrawFn) -> Case:
    """Draw the evidence of some metrics."""
    declared = draw(st.sampled_from(sorted(OUTCOMES)))
    everybody = groups(WEIGHED, BOTH, "")
    evidence = draw(st.one_of(tables(declared), tables(declared), everybody, flips()))
    return evidence, declared, draw(CONFIDENCES)


def metrics_of(evidence: Counted, declared: str) -> list[str]:
    """Return the metrics that are computed from such evidence."""
    alone = {"FT": Flips, "GE": Group}
    lacking = {"labels": Needs.PREDICTED, "predictions": Needs.OBSERVED}.get(declared, Needs(0))
    return [
        name
        for name, metric in METRICS.items()
        if isinstance(evidence, alone.get(name, Table)) and not metric.needs & lacking
    ]


def is_up_to(one: float, other: float) -> bool:
    """Whether a number is not above another by more than rounding."""
    return one <= other or isclose(one, other, rel_tol=1e-7, abs_tol=1e-12)


def has_numbers_or_none(case: Case) -> None:
    """Check every metric, interval and test on some counts."""
    evidence, declared, confidence = case
    intervals = Intervals(evidence, confidence)
    wider = Intervals(evidence, FOUND_MORE[confidence])
    for name in metrics_of(evidence, declared):
        metric, (least, most) = METRICS[name], LAWS[name].range
        value = metric(evidence)
        number, found = value.extended, intervals.of(metric, value)
        assert (name, number is None) == (name, found is None)
        if number is not None and found is not None:
            assert (name, least <= number <= most) == (name, True)
            assert not isnan(found.low + 0 * (found.high if found.high < inf else 0))
            assert (name, found.low <= number <= found.high) == (name, True)
            assert (name, least <= found.low, found.high <= most) == (name, True, True)
            more = wider.of(metric, value)
            assert more is not None
            if name not in NOT_MONOTONE:
                assert (name, is_up_to(more.low, found.low)) == (name, True)
                assert (name, is_up_to(found.high, more.high)) == (name, True)
        if not isinstance(evidence, Group):
            tested = parity_test(metric, evidence)
            assert tested is None or 0 <= tested.p_value <= 1
    bias = intervals.model_bias()
    assert bias is None or bias[1].low <= bias[0] <= bias[1].high


@examples(200)
@given(counted())
def test_any_counts(case: Case) -> None:
    """Counts of any size, whole or weighted, give numbers in range with intervals around them."""
    has_numbers_or_none(case)
