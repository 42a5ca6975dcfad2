"""The interval of a change since a baseline: what chance alone may have done to it."""

from math import isinf
from typing import Any

from biaspipe.metrics import Value
from biaspipe.report import (
    AuditRecord,
    ChangeRecord,
    CheckRecord,
    ComparedRows,
    DataRecord,
    IntervalRecord,
    Result,
)
from biaspipe.spec import Audit
from biaspipe.statistics import IntervalEstimate, change_interval

__all__ = ["change_record", "compared_rows"]

PLACES = {"path", "table", "connection", "expect"}
"""What a spec says of data that does not tell which rows they are: their digests do."""


def change_record(
    check: CheckRecord,
    earlier: Value,
    interval: IntervalRecord | None,
    best: float,
    rows: ComparedRows | None,
) -> ChangeRecord | None:
    """Return the interval of how much farther from its best value a check is than before.

    Parameters
    ----------
    check : as it is now.
    earlier, interval : what it came to in the baseline, and the interval of that.
    best : the best value.
    rows : whether both are of the same rows.

    Returns
    -------
    None where a value or an interval is lacking, or the two have not the same confidence.
    """
    old, new, now = earlier.extended, check.extended, check.interval
    if rows is None or old is None or new is None or now is None or interval is None:
        return None
    if now.confidence != interval.confidence or check.compat is not None:
        return None
    if rows == "same" and old == new:
        return ChangeRecord(low=0.0, high=0.0, confidence=now.confidence, method="identical")
    found = change_interval(_from(best, new, now), _from(best, old, interval))
    low, high = found.low + 0.0, found.high + 0.0
    return ChangeRecord(
        low=None if isinf(low) else low,
        high=None if isinf(high) else high,
        low_sign=-1 if isinf(low) else None,
        high_sign=1 if isinf(high) else None,
        confidence=now.confidence,
        method="mover",
    )


def _from(best: float, value: float, interval: IntervalRecord) -> IntervalEstimate:
    """Return a value and its limits as distances from the best value."""
    low, high = interval.ends
    return IntervalEstimate(low - best, value - best, high - best)


def compared_rows(old: Result, audit: AuditRecord, data: DataRecord) -> ComparedRows:
    """Say whether a result is of the same rows as data, read and chosen alike.

    Parameters
    ----------
    old : the earlier result.
    audit, data : the spec that is run now, and what it read.

    Returns
    -------
    unknown where something was read that has no digest, as rows in hand have none.
    """
    before, now = ([read.sha256 for read in d.inputs] for d in (old.data, data))
    if None in [*before, *now]:
        return "unknown"
    is_same = before == now and _reading(old.audit) == _reading(audit)
    return "same" if is_same else "other"


def _reading(record: AuditRecord) -> tuple[object, ...]:
    """Return what a spec says of which rows count, and how much."""
    audit = Audit.model_validate(record.spec)
    where = audit.data.where or ""
    weighting = audit.columns.weighting
    return (
        _without_places(audit.data.model_dump()),
        record.parameters if "${" in where else None,
        weighting.model_dump() if weighting else None,
    )


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_places(part) for key, part in value.items() if key not in PLACES}
    if isinstance(value, list | tuple):
        return [_without_places(part) for part in value]
    return value
