"""Division that refuses 0/0, and the tagged value that a metric comes to."""

from fractions import Fraction
from math import inf

import pytest

from biaspipe.counts import Group, Table, Undefined, ratio, unbounded_ratio
from biaspipe.metrics import METRICS, Value
from tests.metrics.comparisons import confusion, flips


def test_ratio_is_exact() -> None:
    """A ratio of two counts is their quotient, without rounding."""
    assert ratio(1, 3, of="n_a") == Fraction(1, 3)


def test_ratio_of_ratios_is_exact() -> None:
    """A ratio of two rates is on the limit that it is on: 0.24/0.3 is 0.8."""
    assert float(ratio(Fraction(24, 100), Fraction(3, 10), of="n'_a(1)")) == 0.8


def test_ratio_of_nobody_is_zero() -> None:
    """Nobody among somebody is a share of zero."""
    assert ratio(0, 4, of="n_a") == 0


def test_ratio_keeps_a_sign() -> None:
    """A negative numerator gives a negative ratio."""
    assert ratio(-1, 4, of="n_a + n_d") == Fraction(-1, 4)


@pytest.mark.parametrize("numerator", [0, 5, -5, Fraction(1, 2)])
def test_ratio_refuses_a_denominator_of_zero(numerator: int | Fraction) -> None:
    """Anything over zero is refused, in words that name the denominator."""
    with pytest.raises(Undefined, match=r"^FP_d = 0$"):
        ratio(numerator, 0, of="FP_d")


@pytest.mark.parametrize("numerator", [Fraction(1), Fraction(1, 9)])
def test_unbounded_ratio_is_infinite(numerator: Fraction) -> None:
    """An unbounded ratio of something to nothing is infinite."""
    assert unbounded_ratio(numerator, Fraction(0), of="n'_a(1)") == inf


@pytest.mark.parametrize("numerator", [Fraction(0), Fraction(-1)])
def test_unbounded_ratio_refuses_what_is_not_positive(numerator: Fraction) -> None:
    """An unbounded ratio over zero is refused where its numerator is not positive."""
    with pytest.raises(Undefined, match=r"^n'_a\(1\) = 0$"):
        unbounded_ratio(numerator, Fraction(0), of="n'_a(1)")


def test_unbounded_ratio_divides() -> None:
    """An unbounded ratio with a denominator is the exact quotient, as any other."""
    assert unbounded_ratio(Fraction(1, 4), Fraction(3, 4), of="n'_a(1)") == Fraction(1, 3)


def test_undefined_is_an_arithmetic_error() -> None:
    """The refusal is an arithmetic error, as a division by zero is."""
    assert issubclass(Undefined, ArithmeticError)


def test_value_of_a_number() -> None:
    """A finite number is tagged ok and extends to itself."""
    value = Value.of(-0.25)
    assert (value.status, value.number, value.sign, value.reason) == ("ok", -0.25, None, None)
    assert value.extended == -0.25


def test_value_of_a_fraction() -> None:
    """A fraction becomes the float that is nearest to it."""
    assert Value.of(Fraction(1, 3)).number == 0.3333333333333333
    assert isinstance(Value.of(Fraction(1, 2)).number, float)


@pytest.mark.parametrize(("metric", "number"), [("DI", 0.8), ("DPPL", 0.06), ("CI", 0.0)])
def test_metric_is_the_float_nearest_to_the_truth(metric: str, number: float) -> None:
    """A metric on its limit is on it: 0.24/0.3 is 0.8 and 0.3 - 0.24 is 0.06, to the last digit."""
    table = Table(confusion(30, 0, 0, 70, "a"), confusion(24, 0, 0, 76, "d"))
    assert METRICS[metric](table).number == number


@pytest.mark.parametrize(("number", "sign"), [(inf, 1), (-inf, -1)])
def test_value_of_an_infinity(number: float, sign: int) -> None:
    """An infinity is tagged with its sign, carries no number and extends to itself."""
    value = Value.of(number)
    assert (value.status, value.number, value.sign) == ("infinite", None, sign)
    assert value.extended == number


def test_value_of_negative_zero_is_zero() -> None:
    """A negative zero loses its sign, so that no report prints it."""
    assert str(Value.of(-0.0).number) == "0.0"


def test_undefined_value_extends_to_nothing() -> None:
    """An undefined value has no place on the extended line."""
    assert Value("undefined", reason="n_d = 0").extended is None


EMPTY = Group({}, name="d")
REASONS = [
    ("TE", confusion(1, 1, 1, 1, "a"), confusion(5, 5, 0, 5, "d"), "FP_d = 0: TE is unbounded"),
    ("TE", confusion(1, 1, 0, 1, "a"), confusion(5, 5, 1, 5, "d"), "FP_a = 0: TE is unbounded"),
    ("DPPL", confusion(1, 1, 1, 1, "a"), EMPTY, "n_d = 0: DPPL is undefined"),
    ("RD", confusion(1, 1, 1, 1, "a"), confusion(0, 0, 3, 4, "d"), "n_d(1) = 0: RD is undefined"),
    ("SD", confusion(1, 1, 0, 0, "a"), confusion(1, 0, 3, 4, "d"), "n_a(0) = 0: SD is undefined"),
    ("DI", confusion(0, 2, 0, 2, "a"), confusion(0, 3, 0, 3, "d"), "n'_a(1) = 0: DI is undefined"),
    ("CI", Group({}, name="a"), EMPTY, "n_a + n_d = 0: CI is undefined"),
    ("KL", Group({}, name="a"), EMPTY, "n_a = 0: KL is undefined"),
    ("CDDL", confusion(1, 1, 1, 1, "a"), EMPTY, "n_d = 0: CDDL is undefined"),
    (
        "CDDPL",
        confusion(1, 1, 1, 1, "a"),
        confusion(1, 1, 1, 1, "d"),
        "strata with both outcomes and both groups = 0: CDDPL is undefined",
    ),
]


@pytest.mark.parametrize(("metric", "favored", "disfavored", "reason"), REASONS)
def test_reason_names_the_denominator(
    metric: str, favored: Group, disfavored: Group, reason: str
) -> None:
    """An undefined metric says which count is zero, and carries no number."""
    value = METRICS[metric](Table(favored, disfavored))
    assert (value.status, value.number, value.sign) == ("undefined", None, None)
    assert value.reason == reason


def test_infinite_metric_has_a_sign() -> None:
    """A disfavored group selected where the favored one never is makes DI infinite."""
    value = METRICS["DI"](Table(confusion(0, 2, 0, 2, "a"), confusion(1, 2, 0, 3, "d")))
    assert (value.status, value.number, value.sign) == ("infinite", None, 1)


def test_fliptest_without_enough_neighbours_says_so() -> None:
    """A favored group smaller than k leaves FT undefined, with both numbers."""
    value = METRICS["FT"](flips(1, 0, disfavored=4, favored=3))
    assert value.reason == "n_a = 3 is fewer than k = 5 neighbours: FT is undefined"


def test_fliptest_of_nobody_says_so() -> None:
    """An empty disfavored group leaves FT undefined."""
    value = METRICS["FT"](flips(0, 0, disfavored=0, favored=9))
    assert value.reason == "n_d = 0: FT is undefined"


def test_entropy_without_benefit_says_so() -> None:
    """A benefit of zero leaves GE undefined for alpha <= 0, with the people counted."""
    value = METRICS["GE"](confusion(1, 2, 0, 0), alpha=0)
    assert value.reason == "FN = 2 people have no benefit, and alpha = 0: GE is undefined"
