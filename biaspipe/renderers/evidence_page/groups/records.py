"""The groups of a facet in their order, with counts and rates that older reports have elsewhere."""

from biaspipe.metrics import RateName
from biaspipe.report import FacetGroupRecord, FacetRecord, GroupRecord, OutcomesRecord, RateRecord

__all__ = ["PARTS", "outcomes_of", "rates_of", "worth_of"]

PARTS = {
    "favored": "reference",
    "disfavored": "compared",
    "both": "compared, and a reference",
    "not compared": "not compared",
    "empty": "empty: nobody is in it",
    "in no group": "in no declared group, not compared",
    "missing": "no value of the facet, not compared",
}
"""What part a group plays."""


def outcomes_of(facet: FacetRecord, group: FacetGroupRecord) -> OutcomesRecord | None:
    """Return the outcomes of a group; of an older report those of a comparison with its name.

    Parameters
    ----------
    facet : the facet.
    group : one of its groups.
    """
    return group.counts or _compared(facet, group)


def worth_of(facet: FacetRecord, group: FacetGroupRecord) -> float | None:
    """Return how many people a group is worth as a weighted sample; None where it is none.

    Parameters
    ----------
    facet : the facet.
    group : one of its groups.
    """
    compared = _compared(facet, group)
    return group.effective or (compared.effective if compared else None)


def rates_of(facet: FacetRecord, group: FacetGroupRecord) -> dict[RateName, RateRecord]:
    """Return the rates of a group; of an older report those that a comparison has.

    Parameters
    ----------
    facet : the facet.
    group : one of its groups.
    """
    compared = _compared(facet, group)
    if group.rates is not None or compared is None:
        return group.rates or {}
    known: dict[RateName, float | None] = {
        "label_rate": compared.label_rate,
        "selection_rate": compared.selection_rate,
    }
    return {
        name: RateRecord(value=rate, low=None, high=None, n=compared.n)
        for name, rate in known.items()
        if rate is not None
    }


def _compared(facet: FacetRecord, group: FacetGroupRecord) -> GroupRecord | None:
    """Return a group as a comparison has it that is of the group alone."""
    for comparison in facet.comparisons if group.compared else ():
        if comparison.favored == group.group:
            return comparison.counts["favored"]
        if comparison.disfavored == group.group:
            return comparison.counts["disfavored"]
    return None
