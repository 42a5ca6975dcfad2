"""The 21 metrics as smclarify 0.5 computes them, from counts in which nobody is left out.

Rates are floats, divided and subtracted in smclarify's order, so that its digits come out too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isinf, log, sqrt

from biaspipe.counts import Group, Headcount, Real, Table, Undefined
from biaspipe.metrics import Value

__all__ = ["METRICS", "SmclarifyFlips", "value_of"]


@dataclass(frozen=True)
class SmclarifyFlips:
    """What smclarify's fliptest counted for one comparison.

    Parameters
    ----------
    F_plus : members of d predicted unfavorable whose neighbours in a are favorable.
    F_minus : the reverse.
    n_d, n_a : members of d and of a.
    k : the neighbours that voted.
    features : the columns that they were found by.
    refused : why there is no value, if there is none.
    """

    F_plus: int = 0
    F_minus: int = 0
    n_d: int = 0
    n_a: int = 0
    k: int = 0
    features: tuple[str, ...] = ()
    refused: str | None = None


def divide(numerator: Real | int, denominator: Real | int) -> float:
    """Divide as smclarify does.

    >>> divide(0, 0), divide(2, 0), divide(1, 4)
    (0.0, inf, 0.25)
    """
    if denominator:
        return float(numerator / denominator)
    return inf * (1 if numerator > 0 else -1) if numerator else 0.0


def _gap(one: float, other: float) -> float:
    """Subtract, where two infinities differ by nothing."""
    return 0.0 if isinf(one) and one == other else one - other


GroupRate = Callable[[Group], float]

RATES: dict[str, tuple[GroupRate, int]] = {
    "DCAcc": (lambda g: divide(g.positives, g.predicted_positives), 1),
    "DCR": (lambda g: divide(g.negatives, g.predicted_negatives), -1),
    "RD": (lambda g: divide(g.TP, g.TP + g.FN), 1),
    "SD": (lambda g: divide(g.TN, g.TN + g.FP), -1),
    "DAR": (lambda g: divide(g.TP, g.predicted_positives), 1),
    "DRR": (lambda g: divide(g.TN, g.predicted_negatives), -1),
    "AD": (lambda g: divide(g.TP + g.TN, g.n), 1),
    "TE": (lambda g: divide(g.FN, g.FP), -1),
    "DPL": (lambda g: divide(g.positives, g.n), 1),
    "DPPL": (lambda g: divide(g.predicted_positives, g.n), 1),
}
"""The rate of each group, and whether d is taken from a (1) or a from d (-1)."""


def _difference(metric: str) -> Callable[[Table], float]:
    rate, sign = RATES[metric]

    def gap(table: Table) -> float:
        table.refuse_empty()
        a, d = rate(table.favored), rate(table.disfavored)
        return _gap(a, d) if sign > 0 else _gap(d, a)

    return gap


def _imbalance(table: Table) -> float:
    table.refuse_empty()
    a, d = table.favored.n, table.disfavored.n
    return float(a - d) / (a + d)


def _impact(table: Table) -> float:
    table.refuse_empty()
    rate, _ = RATES["DPPL"]
    return divide(rate(table.disfavored), rate(table.favored))


def _shares(table: Table) -> list[tuple[float, float]]:
    """Return the share in a and in d of each outcome that occurs in both groups."""
    a, d = table.favored, table.disfavored
    counted = ((a.negatives, d.negatives), (a.positives, d.positives))
    shares = [(float(x / a.n), float(y / d.n)) for x, y in counted if x and y]
    if not shares:
        raise Undefined("no outcome occurs in both groups")
    return shares


def _kullback_leibler(pairs: list[tuple[float, float]]) -> float:
    return sum(p * log(p / q) for p, q in pairs)


def _jensen_shannon(table: Table) -> float:
    shares = [(p, q, 1 / 2 * (p + q)) for p, q in _shares(table)]
    a = _kullback_leibler([(p, m) for p, _, m in shares])
    d = _kullback_leibler([(q, m) for _, q, m in shares])
    return 0.5 * (a + d)


def _gaps(table: Table) -> list[float]:
    return [abs(p - q) for p, q in _shares(table)]


Outcomes = Callable[[Group], Headcount]


def _disparity(accepted: Outcomes, rejected: Outcomes) -> Callable[[Table], float]:
    """Return the disparity in strata; a share that nobody is in counts as 0."""

    def average(table: Table) -> float:
        sides = (table.favored, table.disfavored)
        for outcome, words in ((accepted, "positive"), (rejected, "negative")):
            if not sum(outcome(g) for g in sides):
                raise Undefined(f"nobody has the {words} outcome")
        total, people = 0.0, 0
        for stratum in table.strata:
            a, d = stratum.favored, stratum.disfavored
            yes, no = accepted(a) + accepted(d), rejected(a) + rejected(d)
            gap = (rejected(d) / no if no else 0) - (accepted(d) / yes if yes else 0)
            total += float((a.n + d.n) * gap)
            people += int(a.n + d.n)
        return divide(total, people)

    return average


def _entropy(table: Table) -> float:
    sides = (table.favored, table.disfavored)
    none, twice = sum(g.FN for g in sides), sum(g.FP for g in sides)
    n = sum(g.n for g in sides)
    mean = float((n - none + twice) / n)
    if not mean:
        raise Undefined("every prediction is a false negative")
    terms = (none, 0.0), (n - none - twice, 1.0), (twice, 2.0)
    return float(sum(people * ((b / mean) ** 2 - 1) for people, b in terms) / (2 * n))


METRICS: dict[str, Callable[[Table], float]] = {
    "CI": _imbalance,
    **{metric: _difference(metric) for metric in RATES},
    "DI": _impact,
    "KL": lambda table: _kullback_leibler(_shares(table)),
    "JS": _jensen_shannon,
    "LP": lambda table: sqrt(sum(gap * gap for gap in _gaps(table))),
    "TVD": lambda table: 0.5 * sum(_gaps(table)),
    "KS": lambda table: max(_gaps(table)),
    "CDDL": _disparity(lambda g: g.positives, lambda g: g.negatives),
    "CDDPL": _disparity(lambda g: g.predicted_positives, lambda g: g.predicted_negatives),
    "GE": _entropy,
}
"""By id, what each metric but the fliptest makes of a table with everybody in it."""


def value_of(metric: str, counts: Table | SmclarifyFlips) -> Value:
    """Compute a metric in smclarify's way.

    Parameters
    ----------
    metric : its id.
    counts : the table of a comparison, in which a is everybody who is not in d; for FT its flips.

    >>> a, d = Group({(True, None): 1}), Group({(False, None): 1})
    >>> value_of("KL", Table(a, d)).reason
    'no outcome occurs in both groups: KL has no value in smclarify'
    """
    try:
        if isinstance(counts, SmclarifyFlips):
            return Value.of(_fliptest(counts))
        return Value.of(METRICS[metric](counts))
    except Undefined as refusal:
        reason = f"{refusal}: {metric} has no value in smclarify"
        return Value("undefined", reason=reason)


def _fliptest(flips: SmclarifyFlips) -> float:
    if flips.refused:
        raise Undefined(flips.refused)
    return divide(flips.F_minus - flips.F_plus, flips.n_d)
