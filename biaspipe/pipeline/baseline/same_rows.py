"""Whether two results are of the same rows, and of which predictions."""

from typing import Any

from biaspipe.report import AuditRecord, ComparedRows, DataRecord, Result
from biaspipe.spec import Audit, Outcome

__all__ = ["compared_rows", "other_prediction"]

PLACES = {"path", "table", "connection", "expect"}
"""What a spec says of data that does not tell which rows they are: their digests do."""
NAMED = {"negative", "constant", "called"}
"""The keys of an outcome that say what a spec refuses, and what people are called."""


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
    """Return what a spec says of which rows count, and how much: who lacks an outcome does not."""
    audit = Audit.model_validate(record.spec)
    where = audit.data.where or ""
    weighting = audit.columns.weighting
    return (
        _without_places(audit.data.model_dump()),
        record.parameters if "${" in where else None,
        weighting.model_dump() if weighting else None,
        audit.columns.label and audit.columns.label.column,
        audit.columns.prediction is None,
    )


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_places(part) for key, part in value.items() if key not in PLACES}
    if isinstance(value, list | tuple):
        return [_without_places(part) for part in value]
    return value


def other_prediction(old: AuditRecord, audit: Audit) -> Outcome | None:
    """Return the prediction of an earlier audit where that is another one.

    It is another column, or another threshold of the same one; other values of the same column
    are no other prediction, but perhaps the opposite of it.

    Parameters
    ----------
    old, audit : the earlier audit, and this one.
    """
    before, now = Audit.model_validate(old.spec).columns.prediction, audit.columns.prediction
    if before is None or now is None:
        return None
    if before.model_dump(exclude=NAMED) == now.model_dump(exclude=NAMED):
        return None
    if before.column == now.column and _direction(before) != _direction(now):
        return None
    return None if before.column == now.column and before.positive is not None else before


def _direction(outcome: Outcome) -> tuple[bool, bool]:
    """Return whether a threshold bounds the favorable numbers from below, and from above."""
    is_from = outcome.above is not None or outcome.at_least is not None
    return is_from, outcome.below is not None or outcome.at_most is not None
