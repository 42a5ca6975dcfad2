"""Whether two reports measure the same thing, so that their values can be compared."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biaspipe.errors import Fault, SpecError
from biaspipe.metrics import METRICS, Needs
from biaspipe.pipeline.baselines import Earlier, key_of
from biaspipe.pipeline.kept import Kept
from biaspipe.report import BaselineRecord, Result, read_analysis, read_report
from biaspipe.spec import Audit, Baseline

__all__ = ["baseline_of", "incomparable", "refuse_other"]

USED: dict[str, Needs] = {
    "label": Needs.OBSERVED,
    "prediction": Needs.PREDICTED,
    "strata": Needs.STRATA,
    "weight": Needs.FACET,
    "features": Needs.FEATURES,
}
"""The columns that define a metric which needs them."""
OF_A_FACET = ("column", "groups", "cross", "favored", "disfavored", "compare")


def incomparable(old: Result, new: Result) -> Iterator[str]:
    """Yield why two results cannot be compared: other columns, other definitions, nothing shared.

    Parameters
    ----------
    old, new : the results; only what both of them compute has to be defined alike.
    """
    now = {key_of(check)[:2] for check in new.checks}
    shared = {key_of(check)[:2] for check in old.checks} & now
    if not shared:
        yield "they have no metric on the same facet in common"
    needs = [METRICS[metric].needs for metric, _ in shared]
    columns = [key for key, need in USED.items() if any(need in needed for needed in needs)]
    before, after = old.audit.spec, new.audit.spec
    yield from _differ("the spec", before, after, ["compat"])
    yield from _differ("columns", before.get("columns"), after.get("columns"), columns)
    for name in dict.fromkeys(check.facet for check in new.checks):
        if name is not None and any(facet == name for _, facet in shared):
            yield from _facet(name, before["facets"], after["facets"])
    yield from _parameters(old, new)


def _facet(name: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Yield what differs between the definitions of a facet, or of those that it crosses."""
    yield from _differ(f"facets.{name}", before[name], after[name], OF_A_FACET)
    for part in after[name].get("cross") or ():
        if part in before:
            yield from _differ(f"facets.{part}", before[part], after[part], ("column", "groups"))


def _differ(where: str, before: Any, after: Any, keys: Any) -> Iterator[str]:
    for key in keys:
        was, has = ((spec or {}).get(key) for spec in (before, after))
        if was != has:
            yield f"{where}.{key} was {_shown(was)} and is {_shown(has)}"


def _shown(value: object) -> str:
    if value is None:
        return "not declared"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(part)}" for key, part in value.items()) + "}"
    return repr(value)


def _parameters(old: Result, new: Result) -> Iterator[str]:
    before = {(check.metric, check.facet): check.parameters for check in old.checks}
    after = {(check.metric, check.facet): check.parameters for check in new.checks}
    for key, parameters in after.items():
        if key in before and before[key] != parameters:
            on = f" on {key[1]}" if key[1] else ""
            yield f"{key[0]}{on} had {_shown(before[key])} and has {_shown(parameters)}"


def baseline_of(audit: Audit, folder: Path) -> tuple[Earlier | None, BaselineRecord | None]:
    """Read the baseline of a spec, if it names one.

    Parameters
    ----------
    audit : the spec.
    folder : what the baseline's path is relative to.

    Raises
    ------
    DataError
        If the baseline cannot be read, or is neither a report nor an analysis of Clarify.
    """
    if audit.baseline is None:
        return None, None
    path = folder / audit.baseline.report
    analysis = read_analysis(path)
    if analysis is not None:
        kept = Kept({}, analysis=analysis, audit=audit)
        return kept, _record(audit.baseline, analysis.sha256)
    report = read_report(path)
    return Earlier.of(report), _record(audit.baseline, report.result_sha256)


def _record(baseline: Baseline, sha256: str) -> BaselineRecord:
    return BaselineRecord(
        report=baseline.report,
        result_sha256=sha256,
        max_worsening=baseline.max_worsening,
        new=(),
        vanished=(),
    )


def refuse_other(earlier: Earlier | None, result: Result) -> None:
    """Refuse a baseline that measures something else.

    Raises
    ------
    SpecError
        With every reason.
    """
    if isinstance(earlier, Kept) and not any(check.baseline for check in result.checks):
        words = "the baseline has no value of any of these checks"
        raise SpecError([Fault(words, ("baseline", "report"))])
    if earlier is not None and earlier.result is not None:
        reasons = list(incomparable(earlier.result, result))
        loc = ("baseline", "report")
        if reasons:
            raise SpecError(
                Fault(f"the baseline cannot be compared: {reason}", loc) for reason in reasons
            )
