"""An interval for each metric, from the counts alone."""

from math import isclose
from typing import Any, NamedTuple

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import Metric, Value
from biaspipe.statistics import closed_form
from biaspipe.statistics.effective_size import categories
from biaspipe.statistics.methods import IF_NEIGHBOURS_ARE_FIXED, METHODS, OF_MANY_CATEGORIES
from biaspipe.statistics.proportions import quantile

__all__ = ["ConfidenceInterval", "Intervals"]


class ConfidenceInterval(NamedTuple):
    """The numbers that the counts do not exclude.

    Parameters
    ----------
    low, high : its ends, which may be infinite; the metric's value lies between them.
    method : the key of the method in `METHODS`.
    clamped : whether the method's own limits did not hold the value, so that the nearer one was
        moved to it.
    """

    low: float
    high: float
    method: str
    clamped: bool = False


class Intervals:
    """The intervals of all metrics that share their evidence.

    Parameters
    ----------
    evidence : a comparison's Table; for GE the Group of all people; for FT the Flips.
    confidence : between 0 and 1, such as 0.95.
    """

    def __init__(self, evidence: Table | Group | Flips, confidence: float) -> None:
        self.evidence = evidence
        self.confidence = confidence
        self.z = quantile(confidence)

    def of(self, metric: Metric, value: Value, **parameters: Any) -> ConfidenceInterval | None:
        """Return a metric's interval, or None where its value is undefined.

        Parameters
        ----------
        metric : the metric.
        value : what it came to on the evidence.
        parameters : those that the value was computed with.
        """
        number = value.extended
        if number is None:
            return None
        method = self._method(metric)
        low, _, high = METHODS[method].closed_form(self.evidence, metric, self.z, **parameters)
        clamped = _is_above(low, number) or _is_above(number, high)
        return ConfidenceInterval(min(low, number) + 0.0, max(high, number) + 0.0, method, clamped)

    def _method(self, metric: Metric) -> str:
        if isinstance(self.evidence, Flips) and self.evidence.drawn and metric.interval_of_sample:
            return metric.interval_of_sample
        if isinstance(self.evidence, Flips) and self.evidence.shared is None:
            return IF_NEIGHBOURS_ARE_FIXED.get(metric.interval, metric.interval)
        if metric.distance and len(self._categories) > 2:
            return OF_MANY_CATEGORIES[metric.distance]
        return metric.interval

    def model_bias(self) -> tuple[float, ConfidenceInterval] | None:
        """Return DPPL - DPL, the bias that the model adds to that of the labels.

        Returns
        -------
        tuple or None
            The difference and its interval; None where a group is empty, or somebody lacks a
            label or a prediction.
        """
        if not isinstance(self.evidence, Table):
            return None
        limits = closed_form.model_bias(self.evidence, self.z)
        if limits is None:
            return None
        return limits.estimate, ConfidenceInterval(limits.low, limits.high, "newcombe-paired")

    @property
    def _categories(self) -> tuple[str, ...]:
        return categories(self.evidence) if isinstance(self.evidence, Table) else ()


def _is_above(one: float, other: float) -> bool:
    """Whether a number is above another by more than rounding."""
    return one > other and not isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
