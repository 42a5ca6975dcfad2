"""The interval of a change since a baseline: what chance alone may have done to it."""

from math import isclose, isinf
from typing import Any, NamedTuple

from biaspipe.metrics import METRICS, Needs, Value
from biaspipe.plan import EarlierTables
from biaspipe.report import ChangeRecord, CheckRecord, IntervalRecord
from biaspipe.statistics import (
    IntervalEstimate,
    change_interval,
    correlation,
    paired_tables,
)
from biaspipe.statistics.proportions import quantile

__all__ = ["BaselineValue", "change_record"]


ALIKE = 1e-9
"""How far values may be apart that are of the same people; weights are added up as floats."""


class BaselineValue(NamedTuple):
    """What a check came to in an earlier report.

    Parameters
    ----------
    value, interval : the value, and its interval.
    people : of the same rows with another prediction, the check's people by both predictions.
    """

    value: Value
    interval: IntervalRecord | None = None
    people: EarlierTables | None = None


def change_record(
    check: CheckRecord, before: BaselineValue, best: float, *, is_identical: bool
) -> ChangeRecord | None:
    """Return the interval of how much farther from its best value a check is than before.

    Parameters
    ----------
    check : as it is now.
    before, best : what it came to in the baseline, and the best value.
    is_identical : whether both are of the same rows and the same predictions.

    Returns
    -------
    None where a value or an interval is lacking, or the two have not the same confidence.
    """
    (value, interval, _), now = before, check.interval
    old, new = value.extended, check.extended
    if old is None or new is None or now is None or interval is None:
        return None
    if now.confidence != interval.confidence or check.compat is not None:
        return None
    deciding = check.simultaneous or now
    confidence = deciding.confidence
    if is_identical and isclose(old, new, rel_tol=ALIKE, abs_tol=ALIKE):
        return ChangeRecord(low=0.0, high=0.0, confidence=confidence, method="identical")
    r = _correlation(check, before) or None
    alone = quantile(now.confidence)
    z = check.simultaneous.critical if check.simultaneous else alone
    earlier = _from(best, old, interval, z / alone)
    found = change_interval(_from(best, new, deciding), earlier, r or 0.0, z)
    low, high = found.low + 0.0, found.high + 0.0
    return ChangeRecord(
        low=None if isinf(low) else low,
        high=None if isinf(high) else high,
        low_sign=-1 if isinf(low) else None,
        high_sign=1 if isinf(high) else None,
        confidence=deciding.confidence,
        method="mover" if r is None else "paired",
        correlation=r,
    )


def _correlation(check: CheckRecord, before: BaselineValue) -> float | None:
    """Return the correlation of a check's value with the earlier one, of the same people.

    None where the people by both predictions are not known, or do not come to the earlier value.
    """
    metric, parameters = METRICS[check.metric], dict[str, Any](check.parameters or {})
    if before.people is None or Needs.FEATURES in metric.needs or not metric.has_facet:
        return None
    earlier = metric(paired_tables(*before.people)[1], **parameters).extended
    if earlier is None or before.value.extended is None:
        return None
    if not isclose(earlier, before.value.extended, rel_tol=ALIKE, abs_tol=ALIKE):
        return None
    return correlation(metric, *before.people, **parameters)


def _from(
    best: float, value: float, interval: IntervalRecord, widening: float = 1.0
) -> IntervalEstimate:
    """Return a value and its limits as distances from the best value.

    The limits of what is decided together with other comparisons are farther from the value.
    """
    low, high = interval.ends
    if widening != 1 and not isinf(value):
        low, high = (value + widening * (end - value) for end in (low, high))
    return IntervalEstimate(low - best, value - best, high - best)
