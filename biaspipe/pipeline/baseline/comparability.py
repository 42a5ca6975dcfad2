"""Why two results cannot be compared, and a baseline refused that measures something else.

Two predictions can be, where they are of the same rows.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from biaspipe.errors import Fault, SpecError
from biaspipe.metrics import METRICS, Needs
from biaspipe.pipeline.baseline.same_rows import compared_rows, other_prediction
from biaspipe.pipeline.baseline.worsening import BaselineInput, BaselineValues
from biaspipe.report import Result
from biaspipe.report.checks import check_key
from biaspipe.spec import Audit, Facet

__all__ = ["incomparable", "refuse_other"]

USED: dict[str, Needs] = {
    "label": Needs.OBSERVED,
    "prediction": Needs.PREDICTED,
    "strata": Needs.STRATA,
    "weight": Needs.FACET,
    "features": Needs.FEATURES,
}
"""The columns that define a metric which needs them."""
BESIDE_GROUPS = {"others", "metrics"}
"""The keys of a facet that do not say which groups are compared."""

UNLIKE_ROWS = {
    "other": " (two predictions are compared on the same rows, and these are not: a file has"
    " another digest, or where, joins or weight differ)",
    "unknown": " (two predictions are compared on the same rows, which nobody can tell of rows"
    " without a digest, as those of a frame or a database: write them to a file)",
}
"""Why two predictions are not compared, by what is known of their rows."""


def incomparable(old: Result, new: Result, *, selected: bool = False) -> Iterator[str]:
    """Yield why two results cannot be compared: other columns, other definitions, nothing shared.

    Parameters
    ----------
    old, new : the results; only what both of them compute has to be defined alike.
    selected : whether the new one holds a selection, which may share nothing with the old one.
    """
    now = {check_key(check) for check in new.checks}
    then = {check_key(check) for check in old.checks}
    shared = {key[:2] for key in now} & {key[:2] for key in then}
    if not selected and not shared:
        yield "they have no metric on the same facet in common"
    elif not selected and now.isdisjoint([*then, *((m, f, d, a) for m, f, a, d in then)]):
        yield "they have no groups in common"
    needs = [METRICS[metric].needs for metric, _ in shared]
    columns = [key for key, need in USED.items() if any(need in needed for needed in needs)]
    before, after = (Audit.model_validate(result.audit.spec) for result in (old, new))
    rows, unlike = compared_rows(old, new.audit, new.data), ""
    if other_prediction(old.audit, after):
        columns = [key for key in columns if key != "prediction" or rows != "same"]
        unlike = UNLIKE_ROWS.get(rows, "")
    yield from _differ("the spec", old.audit.spec, new.audit.spec, ["compat"])
    for key in columns:
        why = unlike if key == "prediction" else ""
        for words in _differ("columns", _columns(before), _columns(after), [key]):
            yield words + why
    for name in dict.fromkeys(check.facet for check in new.checks):
        if name is not None and any(facet == name for _, facet in shared):
            yield from _facet(name, before.facets, after.facets)
    yield from _parameters(old, new)


def _columns(audit: Audit) -> dict[str, Any]:
    """Return the columns as plain values; a weight in full, however short the spec says it.

    What a spec refuses, `negative` and `constant` say, and not what is measured.
    """
    refused = {name: {"negative", "constant"} for name in ("label", "prediction")}
    plain = audit.columns.model_dump(exclude_none=True, exclude=refused)
    weighting = audit.columns.weighting
    return {**plain, "weight": weighting.model_dump()} if weighting else plain


def _facet(name: str, before: dict[str, Facet], after: dict[str, Facet]) -> Iterator[str]:
    """Yield what differs between the definitions of a facet, or of those that it crosses."""
    keys = [key for key in Facet.model_fields if key not in BESIDE_GROUPS]
    yield from _differ(f"facets.{name}", _sides(before[name]), _sides(after[name]), keys)
    for part in after[name].cross or ():
        if part in before:
            parts = _sides(before[part]), _sides(after[part])
            yield from _differ(f"facets.{part}", *parts, ("column", "groups"))


def _sides(facet: Facet) -> dict[str, Any]:
    """Return a facet as plain values, with the comparison that its sides may only imply."""
    return {**facet.model_dump(exclude_none=True), "compare": facet.mode}


def _differ(
    where: str, before: dict[str, Any], after: dict[str, Any], keys: Iterable[str]
) -> Iterator[str]:
    for key in keys:
        old, new = before.get(key), after.get(key)
        if old != new:
            yield f"{where}.{key} was {_shown(old)} and is {_shown(new)}"


def _shown(value: object) -> str:
    if value is None:
        return "not declared"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return repr(value)


def _parameters(old: Result, new: Result) -> Iterator[str]:
    before = {(check.metric, check.facet): check.parameters for check in old.checks}
    after = {(check.metric, check.facet): check.parameters for check in new.checks}
    for key, parameters in after.items():
        if key in before and before[key] != parameters:
            on = f" on {key[1]}" if key[1] else ""
            yield f"{key[0]}{on} had {_shown(before[key])} and has {_shown(parameters)}"


def refuse_other(baseline: BaselineInput, result: Result, *, selected: bool) -> None:
    """Refuse a baseline that measures something else.

    Parameters
    ----------
    baseline : what it is.
    result : what is compared with it.
    selected : whether it holds a selection of the audit's checks.

    Raises
    ------
    SpecError
        With every reason.
    """
    refusals = _refusals(baseline.values, result, selected=selected)
    if faults := [Fault(words, ("baseline", "report")) for words in refusals]:
        raise SpecError(faults)


def _refusals(values: BaselineValues, result: Result, *, selected: bool) -> Iterator[str]:
    from biaspipe.pipeline.baseline.clarify_baseline import ClarifyBaseline  # noqa: PLC0415 - fast start

    if isinstance(values, ClarifyBaseline):
        if labels := "; ".join(values.other_labels()):
            yield f"the baseline cannot be compared: {labels}"
        elif not any(check.baseline for check in result.checks):
            yield "the baseline has no value of any of these checks"
    elif values.result is not None:
        for reason in incomparable(values.result, result, selected=selected):
            yield f"the baseline cannot be compared: {reason}"
