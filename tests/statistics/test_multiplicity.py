"""Critical values beside published ones and SciPy's, and how an error is shared."""

import pytest

from biaspipe.statistics.multiplicity import (
    bonferroni,
    correlation_with_reference,
    dunnett,
    false_coverage,
    holm,
    pointwise,
    tukey,
)
from biaspipe.statistics.proportions import quantile

STUDENTIZED_RANGE = {
    (2, 0.95): 2.77180765,
    (3, 0.95): 3.31449316,
    (10, 0.95): 4.47412422,
    (20, 0.95): 5.01168879,
    (100, 0.95): 6.08463754,
    (250, 0.95): 6.62332869,
    (3, 0.99): 4.12030321,
    (20, 0.99): 5.64521470,
}
"""scipy.stats.studentized_range.ppf(confidence, groups, inf)."""


@pytest.mark.parametrize(("case", "expected"), STUDENTIZED_RANGE.items())
def test_tukey_is_the_studentized_range(case: tuple[int, float], expected: float) -> None:
    """Tukey's critical value is that of the studentized range over the square root of two."""
    assert tukey(*case) == pytest.approx(expected / 2**0.5, abs=2e-6)


DUNNETT = {(2, 0.95): 2.21, (3, 0.95): 2.35, (6, 0.95): 2.57, (9, 0.95): 2.69, (2, 0.99): 2.79}
"""C. W. Dunnett, New tables for multiple comparisons with a control, Biometrics 20 (1964)
482-491, two-sided, infinitely many degrees of freedom, groups of one size."""


@pytest.mark.parametrize(("case", "expected"), DUNNETT.items())
def test_dunnett_is_as_tabled(case: tuple[int, float], expected: float) -> None:
    """Dunnett's critical value for groups of one size is that of the published table."""
    others, confidence = case
    assert dunnett((0.5**0.5,) * others, confidence) == pytest.approx(expected, abs=0.0051)


def test_dunnett_of_unequal_groups() -> None:
    """Correlations of many sizes come to what two million draws by NumPy came to."""
    assert dunnett((0.1, 0.3, 0.5, 0.9, 0.99), 0.95) == pytest.approx(2.5195, abs=0.003)


VERY_ALIKE = {(10, 0.95): 2.164316, (100, 0.95): 2.297804, (100, 0.999): 3.617708}
"""At a correlation of 0.99, by SciPy's adaptive quadrature (10), and by points 0.01 apart."""


@pytest.mark.parametrize(("case", "expected"), VERY_ALIKE.items())
def test_dunnett_of_very_alike_comparisons(case: tuple[int, float], expected: float) -> None:
    """Where comparisons are nearly one, Dunnett's critical value has all of its digits."""
    others, confidence = case
    assert dunnett((0.99,) * others, confidence) == pytest.approx(expected, abs=1.5e-6)


def test_critical_values_lie_between_one_interval_and_bonferroni() -> None:
    """The more alike comparisons are, the less room they need; never more than Bonferroni's."""
    ladder = [dunnett((rho,) * 9, 0.95) for rho in (0.99, 0.7, 0.3, 0.0)]
    assert [quantile(0.95), *ladder, bonferroni(9, 0.95)] == sorted(
        [quantile(0.95), *ladder, bonferroni(9, 0.95)]
    )
    assert ladder[-1] == pytest.approx(quantile(0.95 ** (1 / 9)), abs=2e-6)


def test_as_many_groups_as_are_compared_have_critical_values() -> None:
    """250 groups of all sizes have critical values, below Bonferroni's."""
    assert tukey(250, 1 - 0.05 / 28) > tukey(249, 0.95)
    assert dunnett(tuple(i / 250 // 0.01 / 100 for i in range(249)), 0.951) < bonferroni(249, 0.951)


def test_tiny_errors_have_critical_values() -> None:
    """An error that is shared among very many comparisons has a finite critical value."""
    assert 6 < bonferroni(31_125 * 28, 0.999) < bonferroni(10**9, 0.999999) < 7.2
    assert pointwise(bonferroni(10**9, 0.999999)) < 1


@pytest.mark.parametrize(
    ("variances", "expected"), [((3.0, 1.0), 0.86), ((1.0, 3.0), 0.5), ((1e9, 1e-9), 0.99)]
)
def test_correlation_is_the_reference_s_part(
    variances: tuple[float, float], expected: float
) -> None:
    """The correlation is the reference's part of the standard error, never rounded up."""
    assert correlation_with_reference(*variances) == expected


def test_holm_passes_on_what_a_family_needs_no_longer() -> None:
    """Families fail one after the other, each at what the ones before left."""
    needs = [0.01, 0.014, 0.05, 0.2]
    assert holm(4, 0.04, lambda i, error: error >= needs[i]) == (0.01, 0.04 / 3, 0.04 / 3, 0.04 / 3)
    assert holm(4, 0.05, lambda i, error: error >= needs[i]) == (0.0125, 0.05 / 3, 0.025, 0.025)
    assert holm(1, 0.05, lambda _, error: error >= 1) == (0.05,)


def test_holm_decides_as_holm_s_p_values_do() -> None:
    """For families of one comparison each, those fail whose p-value by Holm is small enough."""
    p_values = [0.011, 0.02, 0.3, 0.0124]
    parts = holm(4, 0.05, lambda i, error: p_values[i] <= error)
    assert [p <= part for p, part in zip(p_values, parts, strict=True)] == [True, True, False, True]


def test_false_coverage_decides_as_benjamini_and_hochberg_do() -> None:
    """Those fail whose p-value is at most the error that comes out: 0.03 x 5 / 4 is below 0.05."""
    p_values = [0.01, 0.02, 0.029, 0.04, 0.6]
    error = false_coverage(5, 0.05, lambda each: sum(p <= each for p in p_values))
    assert error == pytest.approx(0.04)
    assert false_coverage(5, 0.05, lambda _: 0) == pytest.approx(0.01)
    assert false_coverage(5, 0.05, lambda _: 5) == pytest.approx(0.05)
