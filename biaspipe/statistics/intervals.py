"""An interval for each metric, from the counts alone."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import Metric, Value
from biaspipe.statistics import closed_form
from biaspipe.statistics.effective_size import categories
from biaspipe.statistics.methods import METHODS
from biaspipe.statistics.proportions import quantile

if TYPE_CHECKING:
    from biaspipe.statistics.dirichlet import Draws

__all__ = ["ConfidenceInterval", "Intervals"]


class ConfidenceInterval(NamedTuple):
    """The numbers that the counts do not exclude.

    Parameters
    ----------
    low, high : its ends, which may be infinite; the metric's value lies between them.
    method : the key of the method in `METHODS`.
    """

    low: float
    high: float
    method: str


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
        self._drawn_by = self

    def at(self, confidence: float) -> "Intervals":
        """Return the intervals of another confidence, from the same draws."""
        other = Intervals(self.evidence, confidence)
        other._drawn_by = self
        return other

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
        form = METHODS[method].closed_form
        if form is None:
            low, high = self._drawn(metric, number, parameters)
        else:
            low, _, high = form(self.evidence, metric, self.z, **parameters)
        return ConfidenceInterval(min(low, number) + 0.0, max(high, number) + 0.0, method)

    def _method(self, metric: Metric) -> str:
        if isinstance(self.evidence, Flips) and self.evidence.drawn and metric.interval_of_sample:
            return metric.interval_of_sample
        return "dirichlet" if metric.distance and len(self._categories) > 2 else metric.interval

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

    @cached_property
    def _draws(self) -> "Draws":
        from biaspipe.statistics.dirichlet import draws_of

        if not isinstance(self.evidence, Table):
            raise TypeError("only a comparison's intervals are drawn")
        return draws_of(self.evidence)

    def _drawn(
        self, metric: Metric, number: float, parameters: dict[str, Any]
    ) -> tuple[float, float]:
        from biaspipe.statistics.dirichlet import interval

        draws, table = self._drawn_by._draws, cast("Table", self.evidence)
        return interval(draws, table, metric, self.confidence, number, **parameters)
