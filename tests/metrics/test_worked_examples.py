"""The worked examples of the source documents, and two data sets, with their exact values."""

import pytest

from biaspipe.counts import Favorable, Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS
from tests.metrics.comparisons import confusion, flips

CLARIFY_PAIR = Table(confusion(65, 5, 10, 20, "a"), confusion(20, 7, 5, 18, "d"))
COLLEGE = Table(confusion(50, 10, 20, 120, "a"), confusion(20, 0, 30, 50, "d"))
ADULT = Table(confusion(2718, 3678, 84, 13900, "a"), confusion(433, 679, 10, 8660, "d"))
ADULT_PEOPLE = confusion(3151, 4357, 94, 22560)

BERKELEY_DEPARTMENTS = {
    "A": ((512, 313), (89, 19)),
    "B": ((353, 207), (17, 8)),
    "C": ((120, 205), (202, 391)),
    "D": ((138, 279), (131, 244)),
    "E": ((53, 138), (94, 299)),
    "F": ((22, 351), (24, 317)),
}


def admissions(admitted: int, rejected: int, name: str) -> Group:
    """Return a group of applicants, of whom nothing is predicted."""
    cells: dict[tuple[Favorable, Favorable], int]
    cells = {(True, None): admitted, (False, None): rejected}
    return Group(cells, {"admitted": admitted, "rejected": rejected}, admitted + rejected, name)


def decisions(accepted: int, refused: int, name: str) -> Group:
    """Return a group of which the predictions alone are known."""
    return Group({(None, True): accepted, (None, False): refused}, {}, accepted + refused, name)


MEN, WOMEN = admissions(1198, 1493, "a"), admissions(557, 1278, "d")
BERKELEY = Table(
    MEN,
    WOMEN,
    tuple(
        Stratum(department, admissions(*men, "a"), admissions(*women, "d"))
        for department, (men, women) in BERKELEY_DEPARTMENTS.items()
    ),
)
BERKELEY_UNCONDITIONAL = Table(MEN, WOMEN, (Stratum("all", MEN, WOMEN),))
LOANS = Table(decisions(60, 40, "a"), decisions(50, 50, "d"))

EXAMPLES: dict[str, tuple[str, Table | Group | Flips, float]] = {
    "Clarify, SD": ("SD", CLARIFY_PAIR, 0.1159420290),
    "Clarify, RD": ("RD", CLARIFY_PAIR, 0.1878306878),
    "Clarify, DCAcc, positive": (
        "DCAcc",
        Table(confusion(60, 10, 0, 30, "a"), confusion(20, 0, 10, 20, "d")),
        1 / 2,
    ),
    "Clarify, DCAcc, negative": (
        "DCAcc",
        Table(confusion(50, 0, 10, 40, "a"), confusion(30, 10, 0, 10, "d")),
        -1 / 2,
    ),
    "Clarify, DCR, positive": (
        "DCR",
        Table(confusion(40, 10, 0, 50, "a"), confusion(10, 0, 10, 30, "d")),
        1 / 2,
    ),
    "Clarify, DCR, negative": (
        "DCR",
        Table(confusion(30, 0, 10, 60, "a"), confusion(20, 10, 0, 20, "d")),
        -1 / 2,
    ),
    "Clarify, DAR": (
        "DAR",
        Table(confusion(35, 0, 35, 30, "a"), confusion(40, 0, 60, 0, "d")),
        0.10,
    ),
    "Clarify, DRR": (
        "DRR",
        Table(confusion(0, 20, 0, 80, "a"), confusion(0, 10, 0, 40, "d")),
        0.0,
    ),
    "Clarify, AD": (
        "AD",
        Table(confusion(60, 20, 10, 10, "a"), confusion(40, 40, 10, 10, "d")),
        0.2,
    ),
    "Clarify, TE": (
        "TE",
        Table(confusion(43, 8, 6, 43, "a"), confusion(21, 5, 2, 22, "d")),
        1.1666666667,
    ),
    "Clarify, DI": ("DI", LOANS, 0.8333333333),
    "Clarify, DPPL": ("DPPL", LOANS, 0.1),
    "Vertex, accuracy": ("vertex.accuracy_difference", COLLEGE, 0.15),
    "Vertex, DPPPL": ("vertex.dpppl", COLLEGE, -0.15),
    "Vertex, recall": ("vertex.recall_difference", COLLEGE, -0.1666666667),
    "Vertex, specificity": ("vertex.specificity_difference", COLLEGE, 0.2321428571),
    "Vertex, SD has the other sign": ("SD", COLLEGE, -0.2321428571),
    "Vertex, error ratio": ("vertex.error_ratio_difference", COLLEGE, 0.5),
    "Vertex, TE has the other sign": ("TE", COLLEGE, -0.5),
    "Vertex, population": ("vertex.population_size_difference", COLLEGE, 0.3333333333),
    "Vertex, DPPTL": ("vertex.dpptl", COLLEGE, 0.1),
    "College, FPRD": ("FPRD", COLLEGE, -0.2321428571),
    "College, FNRD": ("FNRD", COLLEGE, 0.1666666667),
    "College, FDRD": ("FDRD", COLLEGE, -0.3142857143),
    "College, FORD": ("FORD", COLLEGE, 0.0769230769),
    "College, ERD": ("ERD", COLLEGE, -0.15),
    "College, FPRR": ("FPRR", COLLEGE, 2.625),
    "College, FNRR": ("FNRR", COLLEGE, 0.0),
    "College, FDRR": ("FDRR", COLLEGE, 2.1),
    "College, FORR": ("FORR", COLLEGE, 0.0),
    "College, ERR": ("ERR", COLLEGE, 2.0),
    "College, TPRR": ("TPRR", COLLEGE, 1.2),
    "College, TNRR": ("TNRR", COLLEGE, 0.7291666667),
    "College, PPVR": ("PPVR", COLLEGE, 0.56),
    "College, NPVR": ("NPVR", COLLEGE, 1.0833333333),
    "College, ACCR": ("ACCR", COLLEGE, 0.8235294118),
    "College, EOD": ("EOD", COLLEGE, 0.2321428571),
    "College, EOR": ("EOR", COLLEGE, 0.3809523810),
    "College, AOD": ("AOD", COLLEGE, -0.1994047619),
    "College, AAOD": ("AAOD", COLLEGE, 0.1994047619),
    "College, AOR": ("AOR", COLLEGE, 0.6071428571),
    "Clarify, the pair of SD and RD: EOD": ("EOD", CLARIFY_PAIR, 0.1878306878),
    "Clarify, the pair of SD and RD: AOD": ("AOD", CLARIFY_PAIR, 0.1518863584),
    "Berkeley, DPL": ("DPL", BERKELEY, 0.1416454282),
    "Berkeley, unconditional": ("CDDL", BERKELEY_UNCONDITIONAL, 0.1438264237),
    "Berkeley, CDDL": ("CDDL", BERKELEY, -0.0192832670),
    "GE, nine false negatives and one true positive": ("GE", confusion(1, 9, 0, 0), 4.5),
    "FT, three flips for, one against, of eight": ("FT", flips(3, 1, 8, 20), 1 / 4),
}

ADULT_VALUES = {
    "CI": 0.3513692726,
    "DPL": 0.2001589108,
    "KL": 0.1430686516,
    "JS": 0.0307561447,
    "LP": 0.2830674462,
    "TVD": 0.2001589108,
    "KS": 0.2001589108,
    "DPPL": 0.0922004708,
    "DI": 0.3293912941,
    "DCAcc": -0.2275027673,
    "DCR": 0.1328250419,
    "SD": 0.0048534625,
    "RD": 0.0355646065,
    "DAR": -0.0074052233,
    "DRR": 0.1365329641,
    "AD": -0.1141572442,
    "TE": 24.1142857143,
}


def ten_decimals(number: float) -> object:
    """Equal every number that rounds to this one at ten decimals."""
    return pytest.approx(number, rel=0, abs=5e-11)


@pytest.mark.parametrize(("metric", "evidence", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_worked_example(metric: str, evidence: Table | Group | Flips, expected: float) -> None:
    """A metric gives the value that its document works out."""
    assert METRICS[metric](evidence).number == ten_decimals(expected)


@pytest.mark.parametrize(("metric", "expected"), ADULT_VALUES.items())
def test_adult_census(metric: str, expected: float) -> None:
    """A metric gives its exact value on the census data of the Clarify article."""
    assert METRICS[metric](ADULT).number == ten_decimals(expected)


def test_adult_census_entropy() -> None:
    """GE of all people in the census data has its exact value."""
    assert METRICS["GE"](ADULT_PEOPLE).number == ten_decimals(0.0865273752)


def test_berkeley_departments_add_up() -> None:
    """The departments hold the applicants of the whole table."""
    assert sum(s.favored.n for s in BERKELEY.strata) == 2691
    assert sum(s.disfavored.n for s in BERKELEY.strata) == 1835
    assert sum(s.favored.positives for s in BERKELEY.strata) == 1198
    assert sum(s.disfavored.positives for s in BERKELEY.strata) == 557
