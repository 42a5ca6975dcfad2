"""Metrics of two groups with labels and predictions, by how good the model is."""

from collections.abc import Callable
from fractions import Fraction

from cases import BALANCED, GAPS, UNEVEN, TwoGroups, grid
from comparisons import Shares, comparison, confusion, everyone
from scenes import BOUNDS

__all__ = ["DISTANCES", "ODDS", "SCENES"]

RATES = ("DPL", "DPPL", "DI", "SD", "RD", "DAR", "DRR", "AD", "DCAcc", "DCR", "TE")
RATIOS = ("FPRR", "FNRR", "FDRR", "FORR", "ERR", "TPRR", "TNRR", "PPVR", "NPVR", "ACCR")
ODDS = ("EOD", "EOR", "AOD", "AAOD", "AOR")
DISTANCES = ("KL", "JS", "LP", "TVD", "KS")
METRICS = (*RATES, *DISTANCES, *RATIOS, *ODDS)

Confusion = Callable[[Fraction, Fraction], Shares]


def _ordinary(labels: Fraction, ahead: Fraction) -> Shares:
    """Find 7 of 10 favorable labels, and more of the group that is ahead."""
    recall = Fraction(7, 10) + ahead
    selected = labels * (1 if ahead > 0 else Fraction(9, 10))
    return _cells(labels, labels * recall, selected)


def _useless(labels: Fraction, ahead: Fraction) -> Shares:
    """Select three in ten by lot, and more of the group that is ahead."""
    selected = Fraction(3, 10) + ahead
    return _cells(labels, labels * selected, selected)


def _perfect(labels: Fraction, _ahead: Fraction) -> Shares:
    return _cells(labels, labels, labels)


def _very_good(labels: Fraction, _ahead: Fraction) -> Shares:
    """Have a TPR of 0.99 and an FPR of 0.01 in both groups."""
    found, wrong = labels * Fraction(99, 100), (1 - labels) * Fraction(1, 100)
    return _cells(labels, found, found + wrong)


def _cells(labels: Fraction, found: Fraction, selected: Fraction) -> Shares:
    """Return the shares of TP, FP, FN, TN."""
    return [found, selected - found, labels - found, 1 - labels - selected + found]


MODELS: dict[str, Confusion] = {
    "": _ordinary,
    "useless": _useless,
    "perfect": _perfect,
    "very good": _very_good,
}


def confusion_shares(case: TwoGroups, favored: bool) -> Shares:
    """Return the shares of TP, FP, FN, TN; both groups are alike where the gap is 0."""
    return MODELS[case.model](case.rate(favored), case.ahead(favored))


def without_positives(case: TwoGroups, favored: bool) -> Shares:
    """Return the same where the disfavored group has no favorable label."""
    return confusion_shares(case, favored) if favored else [0 * case.base, *HARDLY]


HARDLY = (Fraction(1, 10), Fraction(0), Fraction(9, 10))
"""FP, FN and TN of people without a favorable label, a tenth of whom are selected."""


def odds_shares(case: TwoGroups, favored: bool, *, both: bool) -> Shares:
    """Return the shares of TP, FP, FN, TN where false positive rates differ, and TPR too or not.

    Half of the people have the favorable label.
    """
    tpr, fpr = Fraction(7, 10) + case.ahead(favored) * both, case.rate(favored)
    return [part / 2 for part in (tpr, fpr, 1 - tpr, 1 - fpr)]


def alone(case: TwoGroups, favored: bool) -> Shares:
    """Return the shares where false positive rates alone are apart."""
    return odds_shares(case, favored, both=False)


def together(case: TwoGroups, favored: bool) -> Shares:
    """Return the shares where both rates are apart."""
    return odds_shares(case, favored, both=True)


HARDLY_WRONG = (BOUNDS[0], 1.0)
"""Where nearly every sample is alike, no interval can hold the truth in just 95 % of them."""

LARGE = (*BALANCED[1:], *UNEVEN[1:])
OTHERS = {"useless": BOUNDS, "perfect": HARDLY_WRONG, "very good": HARDLY_WRONG}
SCENES = (
    comparison(METRICS, confusion_shares, confusion, grid(), bias=True),
    *(
        comparison(
            METRICS,
            confusion_shares,
            confusion,
            grid(LARGE, gaps=GAPS[:2], models=[model]),
            f", {model} model",
            samples=0.5,
            bounds=bounds,
        )
        for model, bounds in OTHERS.items()
    ),
    comparison(
        METRICS,
        without_positives,
        confusion,
        grid(LARGE, gaps=GAPS[:1]),
        ", d without positives",
        bounds=HARDLY_WRONG,
    ),
    comparison(("GE",), confusion_shares, everyone, grid()),
    comparison(ODDS, alone, confusion, grid(), ", FPR apart alone"),
    comparison(ODDS, together, confusion, grid(), ", both rates apart"),
)
