"""An interval for each metric, from the counts alone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import Metric, Value
from biaspipe.statistics import closed
from biaspipe.statistics.methods import OF_SAMPLES, OF_TWO_CATEGORIES, method_of
from biaspipe.statistics.people import categories
from biaspipe.statistics.proportions import Limits, quantile

if TYPE_CHECKING:
    from biaspipe.statistics.draws import Draws

__all__ = ["ConfidenceInterval", "Intervals"]

CLOSED: dict[str, Callable[..., Limits]] = {
    "newcombe": closed.share_difference,
    "mover-ratio": closed.share_ratio,
    "wilson": closed.imbalance,
    "newcombe-folded": closed.label_distance,
    "newcombe-stratified": closed.average,
    "propimp": closed.propagated_imprecision,
    "newcombe-paired": closed.flip_share,
    "mover-drawn": closed.drawn_flips,
    "bonett-price": closed.conditional,
    "wilson-odds": closed.error_odds,
}


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
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
    proof : a comparison's Table; for GE the Group of all people; for FT the Flips.
    confidence : between 0 and 1, such as 0.95.
    """

    def __init__(self, proof: Table | Group | Flips, confidence: float) -> None:
        self.proof = proof
        self.confidence = confidence
        self.z = quantile(confidence)

    def of(self, metric: Metric, value: Value, **parameters: Any) -> ConfidenceInterval | None:
        """Return a metric's interval, or None where its value is undefined.

        Parameters
        ----------
        metric : the metric.
        value : what it came to on the proof.
        parameters : those that the value was computed with.
        """
        number = value.extended
        if number is None:
            return None
        method = method_of(metric)
        if method in OF_TWO_CATEGORIES and len(self._categories) > 2:
            method = "dirichlet"
        if isinstance(self.proof, Flips) and self.proof.drawn:
            method = OF_SAMPLES[metric.id]
        if method in CLOSED:
            low, _, high = CLOSED[method](self.proof, metric, self.z, **parameters)
        else:
            low, high = self._drawn(metric, number, parameters)
        return ConfidenceInterval(min(low, number) + 0.0, max(high, number) + 0.0, method)

    def model_bias(self) -> tuple[float, ConfidenceInterval] | None:
        """Return DPPL - DPL, the bias that the model adds to that of the labels.

        Returns
        -------
        tuple or None
            The difference and its interval; None where a group is empty, or somebody lacks a
            label or a prediction.
        """
        limits = closed.model_bias(self.proof, self.z) if isinstance(self.proof, Table) else None
        if limits is None:
            return None
        return limits.value, ConfidenceInterval(limits.low, limits.high, "newcombe-paired")

    @property
    def _categories(self) -> tuple[str, ...]:
        return categories(self.proof) if isinstance(self.proof, Table) else ()

    @cached_property
    def _draws(self) -> "Draws":
        from biaspipe.statistics.drawn import draws_of

        if not isinstance(self.proof, Table):
            raise TypeError("only a comparison's intervals are drawn")
        return draws_of(self.proof)

    def _drawn(
        self, metric: Metric, number: float, parameters: dict[str, Any]
    ) -> tuple[float, float]:
        from biaspipe.statistics.drawn import interval

        draws, table = self._draws, cast("Table", self.proof)
        return interval(draws, table, metric, self.confidence, number, **parameters)
