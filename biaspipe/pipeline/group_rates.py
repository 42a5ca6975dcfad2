"""The rates of every group of a facet as records, from its counts alone."""

from biaspipe.counts import Group
from biaspipe.metrics import GROUP_RATES, Needs, Rate
from biaspipe.report import FacetGroupRecord, FacetRecord, OutcomesRecord, RateRecord, Result
from biaspipe.report.counts import people_number
from biaspipe.spec import Audit
from biaspipe.statistics import estimate_rate

__all__ = ["listed_as_in", "with_rates"]


def with_rates(record: FacetGroupRecord, audit: Audit) -> FacetGroupRecord:
    """Write the rates of a group beside its counts; none where it is not counted by outcome.

    Parameters
    ----------
    record : the group, with its counts.
    audit : the spec, which declares a label, a prediction or both.
    """
    group, declared = record.to_group(), _declared(audit)
    if group is None or not declared:
        return record.model_copy(update={"counts": None, "rates": None})
    rates = {
        name: _record(one.rate, group, audit.rules.confidence)
        for name, one in GROUP_RATES.items()
        if one.needs in declared
    }
    counts = OutcomesRecord.counted(group, audit)
    return record.model_copy(update={"counts": counts, "rates": rates})


def listed_as_in(report: Result, result: Result) -> Result:
    """Return a result without the rates of groups where a report is from before they were listed.

    Parameters
    ----------
    report : the result that stands in the report.
    result : the result of the same spec and data, with rates.
    """
    if any(group.counts is not None for facet in report.facets for group in facet.groups):
        return result
    return result.model_copy(update={"facets": tuple(map(_without_rates, result.facets))})


def _without_rates(facet: FacetRecord) -> FacetRecord:
    lacking = {"effective": None, "counts": None, "rates": None}
    groups = tuple(group.model_copy(update=lacking) for group in facet.groups)
    return facet.model_copy(update={"groups": groups})


def _declared(audit: Audit) -> Needs:
    declared = Needs.OBSERVED if audit.columns.label else Needs(0)
    return declared | Needs.PREDICTED if audit.columns.prediction else declared


def _record(rate: Rate, group: Group, confidence: float) -> RateRecord:
    value, low, high, n = estimate_rate(rate, group, confidence)
    return RateRecord(value=value, low=low, high=high, n=people_number(n))
