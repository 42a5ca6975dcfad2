"""What a report says of its baseline that does not fit the rest of it."""

from collections.abc import Iterator

from biaspipe.metrics import ALIASES
from biaspipe.pipeline.verification.earlier_values import forged_values, impossible_values
from biaspipe.pipeline.verification.squared_weights import counted_people
from biaspipe.pipeline.verification.sums import is_same
from biaspipe.report import BaselineRecord, ComparisonRecord, Finding, Result
from biaspipe.report.checks import check_key, check_text
from biaspipe.report.counts import Sides, StratumRecord
from biaspipe.spec import Audit

__all__ = ["baseline_inconsistencies"]


def baseline_inconsistencies(result: Result, audit: Audit) -> Iterator[Finding]:
    """Yield what the spec says of a baseline and the report does not, or not of these people.

    Parameters
    ----------
    result : what is to be verified.
    audit : the spec that stands in it.
    """
    if (audit.baseline is None) != (result.baseline is None):
        yield Finding("result.baseline", "the spec and the report do not both have a baseline")
    for f, facet in enumerate(result.facets):
        for c, comparison in enumerate(facet.comparisons):
            where = f"result.facets[{f}].comparisons[{c}].earlier"
            yield from _earlier(where, comparison, result)
    if result.baseline is None:
        return
    yield from _rows(result)
    allow = audit.baseline.allowed if audit.baseline else ()
    for name in result.baseline.allowed or ():
        if not any(ALIASES.get(entry, entry) in name for entry in allow):
            words = f"{name} may vanish, and the spec does not allow it"
            yield Finding("result.baseline.allowed", words)
    yield from _checks(result, result.baseline)


def _checks(result: Result, baseline: BaselineRecord) -> Iterator[Finding]:
    """Yield checks that cannot have been what is said of them, or are neither compared nor new."""
    new, comparisons = set(baseline.new), result.comparisons
    for i, check in enumerate(result.checks):
        if check.baseline is not None:
            where, compared = f"result.checks[{i}].baseline", (check, check.baseline)
            yield from impossible_values(where, *compared, baseline)
            found = comparisons.get((check.facet, check.favored, check.disfavored))
            if found is not None:
                yield from forged_values(where, *compared, found)
        name = check_text(check_key(check))
        if (check.baseline is None) != (name in new):
            words = f"{name} has to be compared with the baseline, or to be new"
            yield Finding(f"result.checks[{i}].baseline", words)


def _rows(result: Result) -> Iterator[Finding]:
    """Yield a word on which rows the baseline is of that nobody can know."""
    baseline = result.baseline
    if baseline is None:
        return
    digests = [read.sha256 for read in result.data.inputs]
    if baseline.rows in ("same", "other") and None in digests:
        words = f"{baseline.rows} stands here, and not all that was read has a digest"
        yield Finding("result.baseline.rows", words)
    if baseline.other_prediction and baseline.rows != "same":
        yield Finding("result.baseline.other_prediction", "it is not of the same rows")


def _earlier(where: str, comparison: ComparisonRecord, result: Result) -> Iterator[Finding]:
    """Yield people by an earlier prediction that are not those of their comparison."""
    earlier, baseline = comparison.earlier, result.baseline
    if earlier is None:
        return
    if baseline is None or not baseline.other_prediction:
        yield Finding(where, "no baseline is of another prediction of the same rows")
    parts = (earlier.favorable, earlier.unfavorable)
    yield from _sums(where, comparison.counts, [part.counts for part in parts])
    inside = [{s.stratum: s for s in part.strata or ()} for part in parts]
    for stratum in comparison.strata or ():
        found = [_sides(strata[stratum.stratum]) for strata in inside if stratum.stratum in strata]
        yield from _sums(where, _sides(stratum), found)


def _sides(stratum: StratumRecord) -> Sides:
    return {"favored": stratum.favored, "disfavored": stratum.disfavored}


def _sums(where: str, whole: Sides, parts: list[Sides]) -> Iterator[Finding]:
    """Yield numbers of people, by outcome, that their parts do not add up to."""
    for side, group in whole.items():
        among = [counted_people(part[side]) for part in parts]
        for name, number in counted_people(group).items():
            numbers = [part[name] for part in among]
            if any(n < 0 for n in numbers) or not is_same(sum(numbers), number):
                words = f"{name} of {side} adds up to {sum(numbers):,}, not {number:,}"
                yield Finding(where, words)
