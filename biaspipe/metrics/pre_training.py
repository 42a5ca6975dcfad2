"""The eight metrics of AWS SageMaker Clarify that need no prediction."""

from fractions import Fraction
from math import fsum, inf, log, sqrt

from biaspipe.counts import Real, Table, ratio
from biaspipe.metrics.rates import label_rate
from biaspipe.metrics.record import Metric, Needs, Parameter, metric

__all__ = ["CDDL", "CI", "DPL", "JS", "KL", "KS", "LP", "PRE_TRAINING", "TVD", "disparity"]

GUIDE = "AWS SageMaker Clarify, Pre-training Bias Metrics: "
LABELS = Needs.FACET | Needs.OBSERVED | Needs.CATEGORIES
EMPTY = "one of the groups is empty"
DIFFER = "the outcomes in {label} are not equally common among {favored} and {disfavored}, "
ALIKE = "the outcomes in {label} are equally common among {favored} and {disfavored}"


@metric(
    id="CI",
    name="Class Imbalance",
    needs=Needs.FACET,
    formula="(n_a - n_d)/(n_a + n_d)",
    range=(-1, 1),
    plainly="Whether the data hold as many people of one group as of the other.",
    positive="of the people compared, more are {favored} than {disfavored}, by {points}",
    parity="of the people compared, as many are {favored} as {disfavored}",
    harm="so that the data tell less about {harmed}",
    undefined="both groups are empty",
    source=GUIDE + "Class Imbalance (CI)",
    interval="wilson",
    aliases=("class_imbalance",),
    good_for="Good for seeing who is scarce in the data. It says nothing of how anybody is "
    "treated, and groups of unequal size are no bias where the population is like that.",
)
def CI(table: Table) -> Real:
    """How unequally the two groups are represented; in [-1, 1]."""
    a, d = table.favored.n, table.disfavored.n
    return ratio(a - d, a + d, of="n_a + n_d")


@metric(
    id="DPL",
    name="Difference in Positive Proportions in Labels",
    needs=Needs.FACET | Needs.OBSERVED,
    formula="n_a(1)/n_a - n_d(1)/n_d",
    range=(-1, 1),
    plainly="Whether the outcomes on record are as often favorable for one group as for the other, "
    "before any model has been asked.",
    positive="the share {holding} is larger among {favored} than among {disfavored}, by {points}",
    parity="the share {holding} is as large among {favored} as among {disfavored}",
    undefined=EMPTY,
    rate=label_rate,
    compares="a - d",
    source=GUIDE + "Difference in Proportions of Labels (DPL)",
    interval="newcombe",
)
def DPL(table: Table) -> Real:
    """Difference of the shares of positive labels; in [-1, 1]."""
    return label_rate(table.favored) - label_rate(table.disfavored)


def _distributions(table: Table) -> list[tuple[Fraction, Fraction]]:
    """P_a(y) and P_d(y) for every label category that occurs in either group."""
    categories = table.categories or ("",)
    if not table.categories and table.favored.n and table.disfavored.n:
        raise ValueError("the label's categories were not counted")
    a, d = (g.distribution(categories) for g in (table.favored, table.disfavored))
    return list(zip(a, d, strict=True))


def _divergence(pairs: list[tuple[Fraction, Fraction]]) -> float:
    """Sum of p log(p/q), natural logarithm; infinite where q = 0 < p."""
    if any(p and not q for p, q in pairs):
        return inf
    return max(0.0, fsum(p * log(p / q) for p, q in pairs if p))


@metric(
    id="KL",
    name="Kullback-Leibler Divergence",
    needs=LABELS,
    formula="sum_y P_a(y) log(P_a(y)/P_d(y)), natural logarithm",
    range=(0, inf),
    plainly="How surprising the outcomes of the disfavored group are to somebody who knows only "
    "those of the favored one; 0 where they are alike.",
    positive=DIFFER + "KL divergence {value}",
    parity=ALIKE,
    undefined=f"{EMPTY}; infinite where P_d(y) = 0 < P_a(y)",
    source=GUIDE + "Kullback-Leibler Divergence (KL)",
    interval="propimp",
    distance="kullback-leibler",
    harms=None,
    good_for="Good for comparing outcomes of many categories, and for noticing one that a group "
    "never has. It has no unit and no upper end, does not say who is worse off, and a limit on it "
    "is hard to justify: limit DPL or TVD instead.",
)
def KL(table: Table) -> Real:
    """Divergence of the label distributions, a from d; in [0, inf], in nats."""
    return _divergence(_distributions(table))


@metric(
    id="JS",
    name="Jensen-Shannon Divergence",
    needs=LABELS,
    formula="(KL(P_a, M) + KL(P_d, M))/2, M = (P_a + P_d)/2",
    range=(0, log(2)),
    plainly="How far the outcomes of both groups are from their common mean: 0 where they are "
    "alike, 0.693 where they share none.",
    positive=DIFFER + "JS divergence {value}",
    parity=ALIKE,
    undefined=EMPTY,
    source=GUIDE + "Jensen-Shannon Divergence (JS)",
    interval="propimp",
    distance="jensen-shannon",
    harms=None,
    good_for="Good for comparing outcomes of many categories on a scale with two ends. It has no "
    "unit and does not say who is worse off: limit DPL or TVD instead.",
)
def JS(table: Table) -> Real:
    """Symmetric divergence of the label distributions; in [0, ln 2], in nats."""
    pairs = _distributions(table)
    a = _divergence([(p, (p + q) / 2) for p, q in pairs])
    d = _divergence([(q, (p + q) / 2) for p, q in pairs])
    return min((a + d) / 2, log(2))


@metric(
    id="LP",
    name="Lp-norm",
    needs=LABELS,
    formula="(sum_y |P_a(y) - P_d(y)|^p)^(1/p), p = 2",
    range=(0, sqrt(2)),
    plainly="How far apart the shares of each outcome are in both groups, put together as the "
    "length of a line.",
    positive=DIFFER + "Lp-norm {value}",
    parity=ALIKE,
    undefined=EMPTY,
    source=GUIDE + "Lp-norm (LP)",
    interval="newcombe-folded",
    distance="norm",
    harms=None,
    parameters={"p": Parameter(2.0, "order of the norm", minimum=1)},
    range_at=lambda p=2.0: (0, float(2 ** (1 / p))),
    good_for="Good for ranking differences of outcomes of many categories. It does not say who is "
    "worse off; TVD is easier to read, since it is a share of people.",
    note="The range is [0, 2^(1/p)]; it is stated for p = 2.",
)
def LP(table: Table, p: float = 2.0) -> Real:
    """Lp-norm of the difference of the label distributions; in [0, 2^(1/p)]."""
    gaps = [abs(a - d) for a, d in _distributions(table)]
    largest = max(gaps, default=Fraction(0))
    if not largest:
        return 0.0
    norm = float(fsum(float(gap / largest) ** p for gap in gaps) ** (1 / p))
    return min(float(largest) * norm, float(2 ** (1 / p)))


@metric(
    id="TVD",
    name="Total Variation Distance",
    needs=LABELS,
    formula="(1/2) sum_y |P_a(y) - P_d(y)|",
    range=(0, 1),
    plainly="Which share of one group would need another outcome for both groups to have all "
    "outcomes equally often.",
    positive=DIFFER + "total variation distance {value}",
    parity=ALIKE,
    undefined=EMPTY,
    source=GUIDE + "Total Variation Distance (TVD)",
    interval="newcombe-folded",
    distance="total-variation",
    harms=None,
    good_for="Good for outcomes of many categories, and for a limit that has a meaning: it is a "
    "share of people. It does not say who is worse off.",
)
def TVD(table: Table) -> Real:
    """Half the L1 distance of the label distributions; in [0, 1]."""
    return Fraction(sum(abs(a - d) for a, d in _distributions(table))) / 2


@metric(
    id="KS",
    name="Kolmogorov-Smirnov",
    needs=LABELS,
    formula="max_y |P_a(y) - P_d(y)|",
    range=(0, 1),
    plainly="How far the groups are apart in the outcome in which they differ most.",
    positive=DIFFER + "by {points} in the one that differs most",
    parity=ALIKE,
    undefined=EMPTY,
    source=GUIDE + "Kolmogorov-Smirnov (KS)",
    interval="newcombe-folded",
    distance="largest-difference",
    harms=None,
    good_for="Good for finding the one outcome that sets groups apart. It does not name that "
    "outcome, and does not say who is worse off.",
    note="Clarify's definition: the largest difference of probabilities, not of the CDFs.",
)
def KS(table: Table) -> Real:
    """Largest difference of a label category's share; in [0, 1]."""
    return max((abs(a - d) for a, d in _distributions(table)), default=0.0)


def disparity(table: Table, *, predicted: bool) -> Fraction:
    """Average over the strata of d's share of the rejections minus its share of the acceptances.

    Each stratum weighs as its people do.
    A stratum in which one outcome never occurs says nothing and is left out;
    where no stratum is left that holds both groups, nothing has been compared.

    Parameters
    ----------
    table : the comparison, with strata.
    predicted : which outcome, the predicted or the observed one.

    Raises
    ------
    Undefined
        If one of the groups is empty, or no stratum has both outcomes and both groups.
    """
    table.refuse_empty()
    strata = table.strata_by_part(predicted=predicted)
    number = len(strata.comparable)
    ratio(number, number, of="strata with both outcomes and both groups")
    total, people = Fraction(0), Fraction(0)
    for stratum in strata.taking_part:
        (a_no, a_yes), (d_no, d_yes) = (g.outcomes(predicted=predicted) for g in stratum.sides)
        n, no, yes = sum(g.n for g in stratum.sides), a_no + d_no, a_yes + d_yes
        total += Fraction(n * (d_no * yes - d_yes * no), no * yes)
        people += n
    return total / people


@metric(
    id="CDDL",
    name="Conditional Demographic Disparity in Labels",
    needs=Needs.FACET | Needs.OBSERVED | Needs.STRATA,
    formula="sum_i (n_i/n) DD_i, DD_i = n_di(0)/n_i(0) - n_di(1)/n_i(1) in stratum i",
    range=(-1, 1),
    plainly="Whether, among people of the same stratum such as a department, a group has more of "
    "the unfavorable outcomes on record than of the favorable ones.",
    positive="on average within the same {strata}, {disfavored} are a smaller share of those "
    "{holding} than of the others, by {points}",
    negative="on average within the same {strata}, {disfavored} are a larger share of those "
    "{holding} than of the others, by {points}",
    parity="on average within the same {strata}, {disfavored} are as large a share of those "
    "{holding} as of the others",
    undefined="one of the groups is empty, or no stratum has both outcomes and both groups",
    source=GUIDE + "Conditional Demographic Disparity (CDD)",
    interval="newcombe-stratified",
    aliases=("CDD",),
    good_for="Good for finding out whether a difference remains among people who are alike in what "
    "the strata say. It hides a bias in who comes into which stratum.",
    note="Strata in which one outcome never occurs are left out, and listed in the report.",
)
def CDDL(table: Table) -> Real:
    """Demographic disparity in labels, averaged over strata; in [-1, 1]."""
    return disparity(table, predicted=False)


PRE_TRAINING: tuple[Metric, ...] = (CI, DPL, KL, JS, LP, TVD, KS, CDDL)
