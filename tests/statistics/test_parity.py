"""Tests of parity, against other programs, enumeration and published examples."""

from dataclasses import replace
from fractions import Fraction
from math import comb
from random import Random

import pytest

from biaspipe.counts import Drawn, Favorable, Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import ParityTest, adjust_p_values, parity_test, parity_test_of
from biaspipe.statistics.exact_tests import fisher
from biaspipe.statistics.parity import chi_square_tail
from tests.metrics.comparisons import UNEVEN, table
from tests.metrics.test_worked_examples import ADULT, BERKELEY, decisions

TESTED = (
    {"KL", "JS", "LP", "TVD", "KS", "TE", "vertex.error_ratio_difference"}
    | {"CDDL", "CDDPL", "EOD", "EOR", "AAOD", "AOR"}
    | {m for m, record in METRICS.items() if record.rate and record.rate.is_share}
)


def labelled(*counts: int) -> Group:
    """Return a group by label category."""
    names = {f"category {i}": n for i, n in enumerate(counts)}
    return Group({(True, None): counts[0], (False, None): sum(counts[1:])}, names)


@pytest.mark.parametrize(
    ("cells", "p_value"),
    [
        ((3, 1, 1, 3), 0.485714285714),
        ((8, 2, 1, 5), 0.034965034965),
        ((0, 10, 7, 9), 0.0226816661599),
        ((1000000, 1, 1000000, 10), 0.0117185351670),
        ((0, 3, 1000000, 1000000), 0.249999625003),
        ((5, 0, 0, 5), 0.00793650793651),
        ((4, 4, 4, 4), 1.0),
        ((0, 0, 7, 9), 1.0),
    ],
)
def test_fisher_is_that_of_other_programs(cells: tuple[int, ...], p_value: float) -> None:
    """Fisher's exact test gives the published and scipy's probabilities, the tea's included."""
    assert fisher(*cells) == pytest.approx(p_value, rel=1e-9)


def enumerated(a: int, b: int, c: int, d: int) -> float:
    """Return Fisher's two-sided probability by listing every table with the same margins."""
    row, column, people = a + b, a + c, a + b + c + d
    ways = [comb(row, k) * comb(people - row, column - k) for k in range(column + 1)]
    return float(Fraction(sum(w for w in ways if w <= ways[a]), comb(people, column)))


def test_fisher_is_that_of_enumeration() -> None:
    """Fisher's exact test gives what listing every table gives, on random small tables."""
    random = Random(7)
    for _ in range(400):
        a, b, c, d = (random.randrange(0, 15) for _ in range(4))
        if a + b and c + d:
            assert fisher(a, b, c, d) == pytest.approx(enumerated(a, b, c, d), rel=1e-9)


def test_impossible_tables_have_a_probability_of_zero() -> None:
    """A table too improbable for any number has the probability 0, and takes no time."""
    assert fisher(1_000, 10**6, 0, 10**9) == 0.0
    assert 0 < fisher(40, 10**6, 0, 10**9) < 1e-100


@pytest.mark.parametrize(
    ("statistic", "degrees", "tail"),
    [
        (3.841458820694124, 1, 0.05),
        (5.991464547107979, 2, 0.05),
        (7.814727903251179, 3, 0.05),
        (16.918977604620448, 9, 0.05),
        (100.0, 4, 9.83662422461e-21),
        (0.0, 3, 1.0),
    ],
)
def test_chi_square_tail_is_that_of_tables(statistic: float, degrees: int, tail: float) -> None:
    """The tail of the chi-square distribution is that of printed tables."""
    assert chi_square_tail(statistic, degrees) == pytest.approx(tail, rel=1e-9)


def test_score_test_is_pearsons() -> None:
    """From five expected in every cell up, two shares are compared by Pearson's score test."""
    found = parity_test(METRICS["DPPL"], Table(decisions(56, 14, "a"), decisions(48, 32, "d")))
    assert found is not None
    assert found.method == "score"
    assert found.p_value == pytest.approx(0.00804508137, rel=1e-9)


def test_metrics_of_one_comparison_share_its_test() -> None:
    """Two categories are tested alike as a difference, as a ratio and as a distance."""
    ids = ("DPL", "KL", "JS", "LP", "TVD", "KS", "vertex.dpptl")
    assert len({parity_test(METRICS[metric], ADULT) for metric in ids}) == 1
    assert parity_test(METRICS["DI"], ADULT) == parity_test(METRICS["DPPL"], ADULT)


def test_many_categories_are_tested_together() -> None:
    """More than two categories are compared by Pearson's test, if five are expected in each."""
    many = Table(labelled(30, 45, 25), labelled(8, 24, 8))
    found = parity_test(METRICS["TVD"], many)
    assert found is not None
    assert found.method == "score"
    assert found.p_value == pytest.approx(0.264475977522, rel=1e-9)


def test_few_people_in_many_categories_are_tested_one_by_one() -> None:
    """Where fewer than five are expected, the least of the categories' p-values counts, times 3."""
    found = parity_test(METRICS["TVD"], Table(labelled(30, 45, 5), labelled(8, 24, 2)))
    assert found == ParityTest(0.5808864914, "fisher-bonferroni")


@pytest.mark.parametrize("metric", METRICS)
def test_parity_is_tested_where_it_means_something(metric: str) -> None:
    """What a test is known for whose size holds is tested, nothing else is."""
    compared = table(UNEVEN.a, UNEVEN.d)
    two = Table(labelled(30, 45), labelled(8, 24))
    found = parity_test(
        METRICS[metric], two if metric in {"KL", "JS", "LP", "TVD", "KS"} else compared
    )
    assert (found is not None) == (metric in TESTED)


def counted(tp: int, fn: int, fp: int, tn: int, name: str) -> Group:
    """Return a group with this confusion matrix."""
    cells: dict[tuple[Favorable, Favorable], int]
    cells = {(True, True): tp, (True, False): fn, (False, True): fp, (False, False): tn}
    return Group(cells, name=name)


def test_far_in_the_tail_tests_are_exact() -> None:
    """An approximate p-value below 0.001 gives way to Fisher's: ten orders of magnitude here."""
    few = Table(decisions(1_200, 18_800, "a"), decisions(30, 70, "d"))
    assert parity_test(METRICS["DPPL"], few) == ParityTest(1.297787273e-13, "fisher")
    weighted = replace(few.favored, effective=Fraction(20_000))
    found = parity_test(METRICS["DPPL"], Table(weighted, few.disfavored))
    assert found is not None
    assert found.method == "score"
    assert found.p_value < 1e-22


def test_treatment_equality_is_tested_as_two_kinds_of_errors() -> None:
    """TE compares false negatives with false positives: 20 and 10 against 15 and 30."""
    compared = Table(counted(50, 20, 10, 90, "a"), counted(40, 15, 30, 80, "d"))
    found = parity_test(METRICS["TE"], compared)
    assert found is not None
    assert found.method == "score"
    assert found.p_value == pytest.approx(0.00458639208, rel=1e-9)


def test_admissions_within_departments_are_those_of_r() -> None:
    """Of Berkeley's departments mantelhaen.test(UCBAdmissions, correct = FALSE) gives 0.2169."""
    found = parity_test(METRICS["CDDL"], BERKELEY)
    assert found is not None
    assert found.method == "cmh"
    assert found.p_value == pytest.approx(0.2169, abs=5e-5)


PENICILLIN = (
    ((0, 6), (0, 5)),
    ((3, 3), (0, 6)),
    ((6, 0), (2, 4)),
    ((5, 1), (6, 0)),
    ((2, 0), (5, 0)),
)


def test_few_people_in_strata_are_tested_exactly() -> None:
    """Of the rabbits given penicillin mantelhaen.test(Rabbits, exact = TRUE) gives 0.03994."""
    strata = tuple(
        Stratum(str(i), decisions(*a, "a"), decisions(*d, "d"))
        for i, (a, d) in enumerate(PENICILLIN)
    )
    table_ = Table(decisions(16, 10, "a"), decisions(13, 15, "d"), strata)
    assert parity_test(METRICS["CDDPL"], table_) == ParityTest(0.03994490358, "cmh-exact")


def test_flips_are_tested_by_mcnemar() -> None:
    """The approval of 150 who left and 86 who came gives McNemar's exact 3.716e-05 (Agresti)."""
    everybody = flips_of(150, 86)
    assert parity_test(METRICS["FT"], everybody) == ParityTest(3.71593614e-05, "mcnemar")
    assert parity_test(METRICS["FT"], flips_of(0, 0)) == ParityTest(1.0, "mcnemar")
    assert parity_test(METRICS["FT"], replace(everybody, n_a=4)) is None


def test_shared_neighbours_add_their_variance() -> None:
    """150 against 86 flips, and 788 that neighbours share, are 2 standard errors apart: 0.0455."""
    shared = flips_of(150, 86, shared=788)
    assert parity_test(METRICS["FT"], shared) == ParityTest(0.04550026390, "jackknife")
    assert parity_test(METRICS["FT"], flips_of(0, 0, shared=9)) == ParityTest(1.0, "jackknife")


def test_few_flips_are_never_rarer_than_by_the_exact_test() -> None:
    """Five flips to none have McNemar's 0.0625, though a little is shared; the tail has 0.041."""
    assert parity_test(METRICS["FT"], flips_of(5, 0, shared=1)) == ParityTest(0.0625, "jackknife")


def test_flips_of_unknown_neighbours_are_not_tested() -> None:
    """A sample, and ties too many to tell apart, leave nobody to say how often chance does it."""
    sample = replace(flips_of(7, 23), drawn=Drawn(600, 0, (1000, 100), (1000, 500)), shared=None)
    assert parity_test(METRICS["FT"], sample) is None
    assert parity_test(METRICS["FT"], replace(flips_of(150, 86), shared=None)) is None


def flips_of(plus: int, minus: int, shared: int = 0) -> Flips:
    """Return so many flips either way, of 2,000 members, and what their neighbours share."""
    return Flips(plus, minus, 2000, 2000, 0, 5, "standard", ("age",), None, None, shared)


def test_both_rates_are_tested_together() -> None:
    """EOD's p-value is p(2 - p) of the smaller p of RD and FPRD, and AOD has none."""
    compared = Table(counted(50, 20, 10, 90, "a"), counted(40, 15, 30, 80, "d"))
    smaller = parity_test(METRICS["FPRD"], compared)
    assert smaller is not None
    p = smaller.p_value
    for name in ("EOD", "EOR", "AAOD", "AOR"):
        found = parity_test(METRICS[name], compared)
        assert found is not None
        assert found.p_value == pytest.approx(p * (2 - p), rel=1e-9)
    assert parity_test(METRICS["AOD"], compared) is None


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_says_how_it_is_tested(metric: str) -> None:
    """What is not tested says why."""
    assert parity_test_of(METRICS[metric]).words.startswith("none: ") == (
        metric not in TESTED | {"FT"}
    )


@pytest.mark.parametrize("metric", sorted(TESTED))
def test_nobody_is_not_tested(metric: str) -> None:
    """A denominator of 0 leaves nothing to test."""
    assert (
        parity_test(METRICS[metric], Table(Group({}), table(UNEVEN.a, UNEVEN.d).disfavored)) is None
    )


@pytest.mark.parametrize("many", [300_000_000_000_000_000, 2**53 + 1, 2**60])
def test_a_few_people_beside_very_many_are_counted(many: int) -> None:
    """People that a float leaves out beside 10^17 others are still tested, by exact sums."""
    compared = Table(decisions(3, 50, "a"), decisions(1, many, "d"))
    exact = comb(53, 3) * (many + 1) / comb(many + 54, 4)
    found = parity_test(METRICS["DPPL"], compared)
    assert found is not None
    assert found.method == "fisher"
    assert found.p_value == pytest.approx(exact, rel=1e-6)


def test_everybody_alike_is_no_evidence() -> None:
    """Where nobody, or everybody, has the outcome the probability is 1."""
    for yes, no in ((0, 90), (90, 0)):
        alike = Table(decisions(yes, no, "a"), decisions(yes, no, "d"))
        assert parity_test(METRICS["DPPL"], alike) == ParityTest(1.0, "fisher")


BENJAMINI_HOCHBERG = (
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
)  # fmt: skip


def test_published_family_rejects_what_was_published() -> None:
    """Of Benjamini and Hochberg's fifteen, four are below 0.05 by their method, three by Holm's."""
    found = adjust_p_values(BENJAMINI_HOCHBERG, "benjamini-hochberg")
    assert [p < 0.05 for p in found] == [True] * 4 + [False] * 11
    assert found[:4] == pytest.approx((0.0015, 0.003, 0.0095, 0.035625))
    corrected = adjust_p_values(BENJAMINI_HOCHBERG, "holm")
    assert [p < 0.05 for p in corrected] == [True] * 3 + [False] * 12
    assert corrected[:4] == pytest.approx((0.0015, 0.0056, 0.0247, 0.114))


def test_corrections_keep_the_order_given() -> None:
    """Adjusted values stand in the order of the values they come from, and never above 1."""
    p_values = (0.04, 0.01, 0.9, 0.03)
    assert adjust_p_values(p_values, "none") == p_values
    assert adjust_p_values(p_values, "holm") == pytest.approx((0.09, 0.04, 0.9, 0.09))
    assert adjust_p_values(p_values, "benjamini-hochberg") == pytest.approx(
        (0.0533333333, 0.04, 0.9, 0.0533333333)
    )
    assert adjust_p_values((0.8, 0.9), "holm") == (1.0, 1.0)
    assert adjust_p_values((), "holm") == ()


def test_unknown_correction_is_refused() -> None:
    """A correction that does not exist is refused with the names of those that do."""
    with pytest.raises(LookupError, match="'hulm'; the corrections are none, holm, benjamini-"):
        adjust_p_values((0.1,), "hulm")
