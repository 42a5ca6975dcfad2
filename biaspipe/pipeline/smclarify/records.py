"""What smclarify counts, as a report writes it, and read back from a report."""

from collections.abc import Sequence
from dataclasses import asdict

from biaspipe.report import ComparisonRecord, FacetRecord, Result
from biaspipe.report.counts import sides_of, strata_of
from biaspipe.report.smclarify import BallotRecord, ComparedRecord
from biaspipe.smclarify import SmclarifyComparison, SmclarifyCounts, SmclarifyFlips
from biaspipe.spec import Audit

__all__ = ["recovered_counts", "with_counts"]


def with_counts(
    facets: Sequence[FacetRecord], counts: SmclarifyCounts, audit: Audit
) -> tuple[FacetRecord, ...]:
    """Put smclarify's counts beside those that the spec asks for.

    Parameters
    ----------
    facets : with their comparisons.
    counts : what smclarify counts.
    audit : the spec.
    """

    def counted(comparison: ComparisonRecord, facet: str) -> ComparisonRecord:
        compat = _compat(counts, (facet, comparison.disfavored), audit)
        return comparison.model_copy(update={"compat": compat})

    return tuple(
        facet.model_copy(
            update={"comparisons": tuple(counted(c, facet.facet) for c in facet.comparisons)}
        )
        for facet in facets
    )


def _compat(counts: SmclarifyCounts, key: tuple[str, str], audit: Audit) -> ComparedRecord | None:
    comparison, flips = counts.comparisons.get(key), counts.flips.get(key)
    if comparison is None:
        return None
    return ComparedRecord(
        text=comparison.text,
        counts=sides_of(comparison.table, audit, categories=False),
        strata=strata_of(comparison.table, audit),
        ballot=BallotRecord(**asdict(flips)) if flips else None,
    )


def recovered_counts(result: Result) -> SmclarifyCounts | None:
    """Read smclarify's counts back from a report; None where its arithmetic was not asked for.

    Parameters
    ----------
    result : the report's result.
    """
    record = result.compat
    if record is None:
        return None
    pairs = [
        ((facet.facet, c.disfavored), c.compat)
        for facet in result.facets
        for c in facet.comparisons
        if c.compat is not None
    ]
    return SmclarifyCounts(
        record.everyone.to_group(""),
        {key: SmclarifyComparison(c.text, c.to_table(), ()) for key, c in pairs},
        {key: SmclarifyFlips(**dict(c.ballot)) for key, c in pairs if c.ballot},
        {name: guess.refused for name, guess in record.facets.items() if guess.refused},
        record.no_prediction,
        record.no_strata,
    )
