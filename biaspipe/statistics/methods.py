"""The methods that intervals are made by: what each does, who published it, what computes it."""

from collections.abc import Callable
from typing import NamedTuple

from biaspipe.metrics import METRICS
from biaspipe.statistics import categories, closed_form, joint_intervals, strata
from biaspipe.statistics.proportions import IntervalEstimate

__all__ = ["IF_NEIGHBOURS_ARE_FIXED", "METHODS", "OF_MANY_CATEGORIES", "Method", "metrics_of"]


class Method(NamedTuple):
    """How an interval is made.

    Parameters
    ----------
    id, name : its key, and what it is called in print.
    words : what it does.
    source : who published it, and where.
    closed_form : what computes it from the evidence, the metric and the normal quantile z of the
        confidence.
    """

    id: str
    name: str
    words: str
    source: str
    closed_form: Callable[..., IntervalEstimate]


METHODS: dict[str, Method] = {
    method.id: method
    for method in (
        Method(
            "newcombe",
            "Newcombe's hybrid score interval",
            "Wilson's limits of the two shares are joined into limits of their difference, by "
            "adding the squares of how far each is from its estimate.",
            "R. G. Newcombe, Interval estimation for the difference between independent "
            "proportions, Statistics in Medicine 17 (1998) 873-890, method 10",
            closed_form.compare_shares,
        ),
        Method(
            "mover-ratio",
            "MOVER interval for a ratio, with Wilson's limits",
            "Wilson's limits of the two shares are joined into limits of their ratio; the upper "
            "one is infinite where nobody in the denominator's group has the outcome.",
            "A. Donner and G. Y. Zou, Closed-form confidence intervals for functions of the "
            "normal mean and standard deviation, Statistical Methods in Medical Research 21 "
            "(2012) 347-359",
            closed_form.compare_shares,
        ),
        Method(
            "wilson",
            "Wilson's score interval",
            "The shares of a population from which as uneven a sample is not improbable.",
            "E. B. Wilson, Probable inference, the law of succession, and statistical "
            "inference, Journal of the American Statistical Association 22 (1927) 209-212",
            closed_form.imbalance,
        ),
        Method(
            "newcombe-folded",
            "Newcombe's hybrid score interval, without its sign",
            "For two categories the metric is a multiple of the difference of the two shares, "
            "and its interval that of the difference without the sign, from 0 where parity is "
            "not excluded.",
            "R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10",
            closed_form.label_distance,
        ),
        Method(
            "newcombe-paired",
            "Newcombe's interval for a paired difference",
            "The two shares are of the same people: Wilson's limits of both are joined with the "
            "correlation between them.",
            "R. G. Newcombe, Improved confidence intervals for the difference between binomial "
            "proportions based on paired data, Statistics in Medicine 17 (1998) 2635-2650, "
            "method 10",
            closed_form.flip_share,
        ),
        Method(
            "paired-jackknife",
            "Newcombe's paired interval, joined with a jackknife",
            "Both groups are samples. Newcombe's limits are of chance in the members of d; what "
            "their flips have in common, since they share neighbours, is the sum of what changes "
            "where each member of a is missing in turn, without each flip's own part. Where more "
            "than k are equally near, their vote turns for all who share it: it varies as a coin "
            "up to 1.7 standard errors from a draw, less beyond, and not beyond 5. Both are "
            "joined by adding squares.",
            "R. G. Newcombe (1998), as for DPPL - DPL; B. Efron and C. Stein, The jackknife "
            "estimate of variance, Annals of Statistics 9 (1981) 586-596",
            closed_form.flip_share,
        ),
        Method(
            "mover-drawn",
            "MOVER interval over a sample's strata, with Wilson's limits",
            "Members of d are drawn by their own prediction; the neighbours are taken as they are. "
            "Wilson's limits of the flips in both parts, and of the parts' shares of d, are joined "
            "by adding squares, each weighed by what the value changes with it.",
            "G. Y. Zou and A. Donner, Construction of confidence limits about effect measures: a "
            "general approach, Statistics in Medicine 27 (2008) 1693-1702; the strata as in W. G. "
            "Cochran, Sampling Techniques, 3rd edition (1977), chapter 5",
            closed_form.sampled_flips,
        ),
        Method(
            "newcombe-stratified",
            "Newcombe's hybrid score interval, over strata",
            "The disfavored group's shares of the rejections and of the acceptances are averaged "
            "over the strata; each average has Wilson's limits at the number of people that its "
            "variance is worth, and both are joined as Newcombe does. To the squares is added what "
            "the strata's own shares of the people vary, where their disparities differ.",
            "X. Yan and X. G. Su, Stratified Wilson and Newcombe confidence intervals for "
            "multiple binomial proportions, Statistics in Biopharmaceutical Research 2 (2010) "
            "329-335, with the variance of each stratum's own share",
            strata.stratified,
        ),
        Method(
            "bonett-price",
            "Bonett and Price's interval for a paired ratio, joined by MOVER",
            "In each group the labels for each prediction are a ratio of two shares of the same "
            "people, with limits from Wilson's; the limits of both groups are joined into those "
            "of their difference, by adding squares.",
            "D. G. Bonett and R. M. Price, Confidence intervals for a ratio of binomial "
            "proportions based on paired data, Statistics in Medicine 25 (2006) 3039-3047",
            closed_form.compare_paired_ratios,
        ),
        Method(
            "wilson-odds",
            "Wilson's limits as odds, joined by MOVER",
            "FN/FP is the odds that an error is a false rejection: Wilson's limits of that share "
            "are turned into odds, and those of both groups joined into limits of their "
            "difference, by adding squares.",
            "E. B. Wilson (1927), as for CI; G. Y. Zou and A. Donner, Construction of confidence "
            "limits about effect measures: a general approach, Statistics in Medicine 27 (2008) "
            "1693-1702",
            closed_form.compare_odds,
        ),
        Method(
            "mover-average",
            "Newcombe's limits of two differences, joined by MOVER",
            "The true and the false positive rates are of different people, so their differences "
            "between the groups are independent: the limits of their average are half as far from "
            "it as the square root of the sum of the squares of how far each difference's are.",
            "G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008) 1693-1702; R. G. Newcombe, "
            "Statistics in Medicine 17 (1998) 873-890, method 10",
            joint_intervals.average,
        ),
        Method(
            "joint-greatest",
            "Limits of the larger of two gaps",
            "Each of two independent gaps has Newcombe's limits, or of a ratio those of MOVER, "
            "taken without its sign. The end away from parity is that of the gap that may be "
            "largest; the end near it is where both gaps' limits hold together, at the square "
            "root of the confidence for each, from Jeffreys' limits of the rates.",
            "Z. Sidak, Rectangular confidence regions for the means of multivariate normal "
            "distributions, Journal of the American Statistical Association 62 (1967) 626-633; "
            "L. D. Brown, T. T. Cai and A. DasGupta, Interval estimation for a binomial "
            "proportion, Statistical Science 16 (2001) 101-133; "
            "R. L. Berger, Multiparameter hypothesis testing and acceptance sampling, "
            "Technometrics 24 (1982) 295-300",
            joint_intervals.greatest_size,
        ),
        Method(
            "joint-average",
            "Limits of the average of two gaps",
            "Each of two independent gaps has Newcombe's limits, or of a ratio those of MOVER. The "
            "end away from parity joins them by adding squares, whatever the gaps' signs; the end "
            "near it is the least sum of their sizes in an ellipse that holds both gaps together, "
            "from Jeffreys' limits of the rates, or parity where their limits at the square root "
            "of the confidence hold it.",
            "H. Scheffe, A method for judging all contrasts in the analysis of variance, "
            "Biometrika 40 (1953) 87-104; G. Y. Zou and A. Donner, Statistics in Medicine 27 "
            "(2008) 1693-1702",
            joint_intervals.average_size,
        ),
        Method(
            "propimp",
            "Newcombe's PropImp over Wilson's limits",
            "Two independent shares are moved from their estimates together, each by a part of "
            "the interval's standard errors, all the way round; the ends are the least and the "
            "greatest value on the way. KL and JS have the label's shares in both groups and "
            "start at 0 where parity is not excluded; GE "
            "has the share of errors, and of false rejections in these.",
            "R. G. Newcombe, Propagating imprecision: combining confidence intervals from "
            "independent sources, Communications in Statistics - Theory and Methods 40 (2011) "
            "3154-3180",
            closed_form.propagated,
        ),
        Method(
            "newcombe-greatest",
            "Newcombe's limits of the largest of many differences",
            "The high end is the largest of the categories' own limits; the low end is the "
            "largest of limits that hold all differences together: Clopper and Pearson's for each "
            "share, at a confidence shared out among the categories.",
            "R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10; C. J. Clopper "
            "and E. S. Pearson, The use of confidence or fiducial limits, Biometrika 26 (1934) "
            "404-413, by B. H. Camp's approximation; C. E. Bonferroni (1936)",
            categories.greatest_difference,
        ),
        Method(
            "newcombe-division",
            "Newcombe's limits over divisions of the categories in two",
            "TVD is the difference of the shares of those categories of which one group has more. "
            "The high end is the largest one over the divisions by order of the differences; the "
            "low end is lowered by what chance adds to a sum of differences without their signs. "
            "It is 0 where parity is not excluded.",
            "R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10",
            categories.total_variation,
        ),
        Method(
            "delta-norm",
            "Delta method for a norm, less its excess",
            "The standard error is that of the norm in the direction of the differences, of "
            "shares with four people added; the low end is lowered by what chance adds to a "
            "norm. It is 0 where parity is not excluded.",
            "A. Agresti and B. A. Coull, Approximate is better than exact for interval estimation "
            "of binomial proportions, The American Statistician 52 (1998) 119-126, for the people "
            "added",
            categories.norm,
        ),
        Method(
            "delta-divergence",
            "Delta method for the root of a divergence, less its excess",
            "The root of KL or JS is almost a norm, and has the interval of one. KL is infinite "
            "where the disfavored group lacks a category; its low end is then that of twice the "
            "square of TVD.",
            "A. Agresti and B. A. Coull, The American Statistician 52 (1998) 119-126, for the "
            "people added; M. S. Pinsker, Information and Information Stability of Random "
            "Variables and Processes (1964)",
            categories.divergence,
        ),
    )
}


OF_MANY_CATEGORIES = {
    "kullback-leibler": "delta-divergence",
    "jensen-shannon": "delta-divergence",
    "norm": "delta-norm",
    "total-variation": "newcombe-division",
    "largest-difference": "newcombe-greatest",
}
"""By the distance that a metric's record has, the method for labels of more than two categories."""
IF_NEIGHBOURS_ARE_FIXED = {"paired-jackknife": "newcombe-paired"}
"""The method that takes the place of one, where nothing is known of chance in the neighbours."""


def metrics_of(method: str) -> tuple[str, ...]:
    """Return the ids of the metrics whose intervals a method makes.

    >>> metrics_of("bonett-price"), metrics_of("delta-divergence")
    (('DCAcc', 'DCR'), ('KL', 'JS'))
    """
    return tuple(
        m.id
        for m in METRICS.values()
        if method
        in (
            m.interval,
            m.interval_of_sample,
            IF_NEIGHBOURS_ARE_FIXED.get(m.interval),
            OF_MANY_CATEGORIES.get(m.distance or ""),
        )
    )
