"""Differences between smclarify 0.5 and its documentation: each once, as data."""

from dataclasses import dataclass

from biaspipe.metrics import FAMILIES

__all__ = ["DIFFERENCES", "NAME", "VERSION", "Difference", "differences_of"]

NAME, VERSION = "smclarify", "0.5"


@dataclass(frozen=True)
class Difference:
    """One place where smclarify's numbers are not those of the documentation.

    Parameters
    ----------
    id : what reports call it.
    title : the case, in a few words.
    metrics : ids of the metrics that it concerns.
    documented : what the documentation says, and what biaspipe computes by default.
    smclarify : what the code does, and what biaspipe computes under `compat: smclarify`.
    sign : -1 where a positive value speaks for the group that the documented one speaks against.
    """

    id: str
    title: str
    metrics: tuple[str, ...]
    documented: str
    smclarify: str
    sign: int = 1


ALL = tuple(metric.id for metric in FAMILIES["clarify"])
FACETED = tuple(metric.id for metric in FAMILIES["clarify"] if metric.has_facet)
PREDICTED = tuple(m.id for m in FAMILIES["post_training"] if m in FAMILIES["clarify"])
DISTRIBUTIONS = ("KL", "JS", "LP", "TVD", "KS")
QUOTIENTS = ("DI", "DCAcc", "DCR", "SD", "RD", "DAR", "DRR", "TE")
CONDITIONAL = ("CDDL", "CDDPL")

DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "missing-facet",
        "the facet's value is missing",
        FACETED,
        "the row is in neither group, and counted",
        "the row is in a",
    ),
    Difference(
        "missing-outcome",
        "the label or the prediction is missing",
        ALL,
        "the row is left out, and counted",
        "the outcome is negative; a missing score is one that is not above the threshold; a"
        " missing prediction beside whole labels above a threshold leaves every metric with a"
        " prediction without a value",
    ),
    Difference(
        "guessed-type",
        "categorical or continuous",
        ALL,
        "the spec declares values or a threshold",
        "guessed from the column: floats are continuous, and whole numbers are with 5 % distinct"
        " values or more, so that a positive 1 means above 1; texts, true/false and two values or"
        " more named together are categorical, so that above 40 means equal to 40, and above 25.5"
        " equal to 25; scores are 1 above their threshold and else 0, and guessed on as such",
    ),
    Difference(
        "prediction-type",
        "label and prediction are of two types",
        PREDICTED,
        "each is read as the spec declares it",
        "no metric with a prediction has a value if one is guessed continuous and the other is"
        " not; predictions beside whole labels above a threshold lose their decimals",
    ),
    Difference(
        "no-positive-prediction",
        "nobody is predicted favorable",
        PREDICTED,
        "each metric has its value, or a reason why not",
        "no metric with a prediction has a value",
    ),
    Difference(
        "zero-denominator",
        "a rate's denominator is 0",
        QUOTIENTS,
        "0/0 is undefined, and so is x/0 but for DI, where it is infinite",
        "0/0 is 0 and x/0 infinite, with a sign; two infinite rates differ by 0",
    ),
    Difference(
        "label-categories",
        "the categories of the label",
        DISTRIBUTIONS,
        "every category that either group holds",
        "only positive and not; one that a group lacks is dropped from both, so that KL can be"
        " negative and a gap of 1 can vanish",
    ),
    Difference(
        "one-outcome-stratum",
        "a stratum in which one outcome never occurs",
        CONDITIONAL,
        "it is left out, and listed",
        "it takes part, and the missing share counts as 0",
    ),
    Difference(
        "missing-stratum",
        "the stratum's value is missing",
        CONDITIONAL,
        "missing is a stratum of its own",
        "numbers: the row is in no stratum; texts: CDDL and CDDPL have no value",
    ),
    Difference(
        "empty-group",
        "nobody is in one of the groups",
        ("CI", *CONDITIONAL),
        "CI is 1 or -1; CDDL and CDDPL are undefined",
        "CI has no value; CDDL and CDDPL have one: 0 where d is empty",
    ),
    Difference(
        "ge-everyone",
        "generalized entropy and the facet",
        ("GE",),
        "GE ignores the facet, and appears once",
        "the same number stands under every value of every facet",
    ),
    Difference(
        "flip-sign",
        "the sign of the fliptest",
        ("FT",),
        "positive is against d: (F+ - F-)/n_d",
        "positive is in favor of d: (F- - F+)/n_d",
        sign=-1,
    ),
    Difference(
        "flip-features",
        "what the fliptest compares",
        ("FT",),
        "the declared features without the columns of the audit, numbers in standard deviations,"
        " texts as categories; who lacks a number is left out",
        "every column but label, prediction and this facet, so the strata and the other facets"
        " too, as they are; a text or a missing value among them leaves FT without a value",
    ),
    Difference(
        "flip-neighbours",
        "whom the fliptest asks",
        ("FT",),
        "k neighbours and all that are as near as the last; a draw is no flip",
        "exactly 5 in the order of scikit-learn's search, or 1 if n_a is 9 or less",
    ),
)


def differences_of(metric: str) -> tuple[Difference, ...]:
    """Return the differences that concern a metric.

    >>> [difference.id for difference in differences_of("FT")][-3:]
    ['flip-sign', 'flip-features', 'flip-neighbours']
    """
    return tuple(d for d in DIFFERENCES if metric in d.metrics)
