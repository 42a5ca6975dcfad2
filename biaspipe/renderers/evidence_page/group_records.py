"""The groups of a facet in their order, with counts and rates that older reports have elsewhere."""

from biaspipe.report import FacetRecord, GroupRecord
from biaspipe.report.evidence import FacetGroupRecord, RateName, RateRecord

__all__ = ["PARTS", "counts_of", "in_order", "rates_of"]

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


def in_order(facet: FacetRecord) -> list[FacetGroupRecord]:
    """Return the groups of a facet: references, those compared with them, the others.

    Parameters
    ----------
    facet : the facet.
    """
    order = list(PARTS)
    return sorted(facet.groups, key=lambda group: order.index(group.part))


def counts_of(facet: FacetRecord, group: FacetGroupRecord) -> GroupRecord | None:
    """Return the counts of a group; of an older report those of a comparison with its name.

    Parameters
    ----------
    facet : the facet.
    group : one of its groups.
    """
    if group.counts is not None:
        return group.counts
    for comparison in facet.comparisons if group.compared else ():
        if comparison.favored == group.group:
            return comparison.counts["favored"]
        if comparison.disfavored == group.group:
            return comparison.counts["disfavored"]
    return None


def rates_of(facet: FacetRecord, group: FacetGroupRecord) -> dict[RateName, RateRecord]:
    """Return the rates of a group; of an older report those that its counts hold.

    Parameters
    ----------
    facet : the facet.
    group : one of its groups.
    """
    if group.rates is not None:
        return group.rates
    counts = counts_of(facet, group)
    if counts is None:
        return {}
    known: dict[RateName, float | None] = {
        "label_rate": counts.label_rate,
        "selection_rate": counts.selection_rate,
    }
    return {
        name: RateRecord(value=rate, low=None, high=None, n=counts.n)
        for name, rate in known.items()
        if rate is not None
    }
