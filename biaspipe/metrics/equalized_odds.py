"""How far two groups are from equalized odds: true and false positive rates, joined into one.

A gap is the difference of one of these rates, a minus d; a likeness the smaller one of both
groups' rates, for each unit of the larger one.
"""

from fractions import Fraction

from biaspipe.counts import Real, Table, ratio
from biaspipe.metrics.rates import Rate, false_positive_rate, recall
from biaspipe.metrics.record import Metric, Needs, metric

__all__ = ["EQUALIZED_ODDS"]

BOTH = Needs.FACET | Needs.OBSERVED | Needs.PREDICTED
ODDS = (recall, false_positive_rate)
FORMULA = ", TPR = TP/(TP+FN), FPR = FP/(FP+TN)"
ALIKE = (
    "of those {holding} and of {others}, the share who are {predicted} is as large among {favored} "
    "as among {disfavored}"
)
WHICHEVER = "of those {holding} or of {others}, whichever differ more, "
ON_AVERAGE = "on average of those {holding} and of {others}, "
APART = "{favored} and {disfavored} are {points} apart in the share who are {predicted}"
LARGER = (
    "the share who are {predicted} is larger among {favored} than among {disfavored}, by {points}"
)
SMALLER = (
    "the smaller share who are {predicted}, of {favored} and {disfavored}, is {value} times the "
    "larger one"
)
NO_LABEL = "one of the groups has no favorable or no unfavorable label"
NONE = NO_LABEL + ", or one of the two shares is 0 in both groups"
LOOK = "It does not name the group that has it worse: look at RD and FPRD beside it."
FAIRLEARN = "fairlearn.metrics."
AIF360 = "AIF360, ClassificationMetric."


def _gaps(table: Table) -> list[Fraction]:
    return [rate(table.favored) - rate(table.disfavored) for rate in ODDS]


def _likenesses(table: Table) -> list[Fraction]:
    return [_likeness(rate, table) for rate in ODDS]


def _likeness(rate: Rate, table: Table) -> Fraction:
    a, d = rate(table.favored), rate(table.disfavored)
    none = f"{rate.numerator(table.favored)} = {rate.numerator(table.disfavored)}"
    return ratio(min(a, d), max(a, d), of=none)


@metric(
    id="EOD",
    name="Equalized Odds Difference",
    needs=BOTH,
    formula="max(|TPR_a - TPR_d|, |FPR_a - FPR_d|)" + FORMULA,
    range=(0, 1),
    plainly="How far apart two groups are in getting the favorable decision, among people with "
    "the same outcome on record, where they are farthest apart.",
    positive=WHICHEVER + APART,
    parity=ALIKE,
    undefined=NO_LABEL,
    rates=ODDS,
    source=FAIRLEARN + "equalized_odds_difference",
    interval="joint-greatest",
    harms=None,
    aliases=("equalized_odds_difference",),
    good_for="Good for one limit on both kinds of mistakes. " + LOOK,
    note="Elsewhere the letters EOD also stand for the equal opportunity difference, which is RD "
    "here.",
)
def EOD(table: Table) -> Real:
    """Return the larger gap of the true and the false positive rates; in [0, 1]."""
    return max(abs(gap) for gap in _gaps(table))


@metric(
    id="EOR",
    name="Equalized Odds Ratio",
    needs=BOTH,
    formula="min(min(TPR_a, TPR_d)/max(TPR_a, TPR_d), min(FPR_a, FPR_d)/max(FPR_a, FPR_d))"
    + FORMULA,
    range=(0, 1),
    ideal=1.0,
    plainly="How large the smaller of two groups' shares of favorable decisions is beside the "
    "larger one, among people with the same outcome on record, where they are farthest apart: 0.5 "
    "is half as large, and 1 is alike.",
    positive=WHICHEVER + SMALLER,
    negative=WHICHEVER + SMALLER,
    parity=ALIKE,
    undefined=NONE,
    rates=ODDS,
    source=FAIRLEARN + "equalized_odds_ratio",
    interval="joint-greatest",
    harms=None,
    aliases=("equalized_odds_ratio",),
    good_for="Good for one limit on both kinds of mistakes where shares are small. " + LOOK,
)
def EOR(table: Table) -> Real:
    """Return the smaller likeness of the true and the false positive rates; in [0, 1]."""
    return min(_likenesses(table))


@metric(
    id="AOD",
    name="Average Odds Difference",
    needs=BOTH,
    formula="((TPR_a - TPR_d) + (FPR_a - FPR_d))/2" + FORMULA,
    range=(-1, 1),
    plainly="How many more of 100 people in one group than in the other get the favorable "
    "decision, on average of those with a favorable and of those with an unfavorable outcome on "
    "record.",
    positive=ON_AVERAGE + LARGER,
    parity=ON_AVERAGE
    + "the share who are {predicted} is as large among {favored} as among {disfavored}",
    undefined=NO_LABEL,
    rates=ODDS,
    source=AIF360 + "average_odds_difference",
    interval="mover-average",
    good_for="Good for seeing which group is decided more generously. It is no proof of equalized "
    "odds: it is 0 too where one group has the larger share of one kind and the smaller one of "
    "the other.",
)
def AOD(table: Table) -> Real:
    """Return the average gap of the true and the false positive rates; in [-1, 1]."""
    return Fraction(sum(_gaps(table)), 2)


@metric(
    id="AAOD",
    name="Average Absolute Odds Difference",
    needs=BOTH,
    formula="(|TPR_a - TPR_d| + |FPR_a - FPR_d|)/2" + FORMULA,
    range=(0, 1),
    plainly="How far apart two groups are in getting the favorable decision, on average of those "
    "with a favorable and of those with an unfavorable outcome on record.",
    positive=ON_AVERAGE + APART,
    parity=ALIKE,
    undefined=NO_LABEL,
    rates=ODDS,
    source=AIF360 + "average_abs_odds_difference",
    interval="joint-average",
    harms=None,
    aliases=("average_abs_odds_difference", "average_odds_error"),
    good_for="Good for one number on both kinds of mistakes. " + LOOK,
)
def AAOD(table: Table) -> Real:
    """Return the average gap without its signs; in [0, 1]."""
    return Fraction(sum(abs(gap) for gap in _gaps(table)), 2)


@metric(
    id="AOR",
    name="Average Odds Ratio",
    needs=BOTH,
    formula="(min(TPR_a, TPR_d)/max(TPR_a, TPR_d) + min(FPR_a, FPR_d)/max(FPR_a, FPR_d))/2"
    + FORMULA,
    range=(0, 1),
    ideal=1.0,
    plainly="How large the smaller of two groups' shares of favorable decisions is beside the "
    "larger one, on average of people with a favorable and of people with an unfavorable outcome "
    "on record: 0.5 is half as large, and 1 is alike.",
    positive=ON_AVERAGE + SMALLER,
    negative=ON_AVERAGE + SMALLER,
    parity=ALIKE,
    undefined=NONE,
    rates=ODDS,
    source=FAIRLEARN + 'equalized_odds_ratio with agg="mean"',
    interval="joint-average",
    harms=None,
    good_for="Good for one number on both kinds of mistakes where shares are small. " + LOOK,
)
def AOR(table: Table) -> Real:
    """Return the average likeness of the true and the false positive rates; in [0, 1]."""
    return Fraction(sum(_likenesses(table)), 2)


EQUALIZED_ODDS: tuple[Metric, ...] = (EOD, EOR, AOD, AAOD, AOR)
