"""Intervals and tests of an audit as records; each comparison is estimated once."""

from collections.abc import Mapping
from math import isinf

from biaspipe.counts import Real
from biaspipe.metrics import Metric, Value
from biaspipe.metrics.digits import digits_text, points_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.metrics.rates import label_rate, selection_rate
from biaspipe.pipeline.evidence import MetricInput
from biaspipe.plan import Comparison
from biaspipe.report import IntervalRecord, ModelBiasRecord
from biaspipe.spec import Audit, phrases_of
from biaspipe.statistics import ConfidenceInterval, Intervals

__all__ = ["Estimates", "interval_record"]


class Estimates:
    """The intervals of an audit, at the confidence that its spec asks for."""

    def __init__(self, audit: Audit) -> None:
        self.confidence = audit.rules.confidence
        self._phrases = phrases_of(audit.columns)
        self._known: dict[int, tuple[MetricInput, Intervals]] = {}

    def _of(self, counts: MetricInput) -> Intervals:
        if id(counts) not in self._known:  # the counts are kept, so that no others have their id
            self._known[id(counts)] = counts, Intervals(counts, self.confidence)
        return self._known[id(counts)][1]

    def interval(
        self,
        metric: Metric,
        counts: MetricInput,
        value: Value,
        parameters: Mapping[str, float | str],
        confidence: float | None = None,
    ) -> IntervalRecord | None:
        """Return the interval of a value; None where it is undefined.

        Parameters
        ----------
        metric, counts, value, parameters : the metric, and what it came to on what.
        confidence : another one than the spec asks for.
        """
        intervals = self._of(counts) if confidence is None else Intervals(counts, confidence)
        found = intervals.of(metric, value, **parameters)
        return None if found is None else interval_record(found, self.confidence)

    def model_bias(self, comparison: Comparison) -> ModelBiasRecord | None:
        """Return the bias that the model adds to that of the labels; None where it is undefined."""
        found = self._of(comparison.table).model_bias()
        if found is None:
            return None
        value, interval = found
        sentence = _model_bias_sentence(value, interval, comparison, self._phrases)
        return ModelBiasRecord(
            value=value, interval=interval_record(interval, self.confidence), sentence=sentence
        )


def interval_record(interval: ConfidenceInterval, confidence: float) -> IntervalRecord:
    """Write an interval.

    Parameters
    ----------
    interval : the interval.
    confidence : its confidence.
    """
    low, high = interval.low, interval.high
    return IntervalRecord(
        low=None if isinf(low) else low,
        high=None if isinf(high) else high,
        low_sign=-1 if isinf(low) else None,
        high_sign=1 if isinf(high) else None,
        confidence=confidence,
        method=interval.method,
        clamped=interval.clamped or None,
    )


def _model_bias_sentence(
    value: float, interval: ConfidenceInterval, comparison: Comparison, phrases: Phrases
) -> str:
    """Say whether the model adds bias to that of the labels, or chance may have."""
    predictions = f"the predictions ({phrases.predicted})"
    labels = f"the labels ({phrases.observed})"
    if not value:
        return f"{predictions} differ between the groups just as {labels} do"
    favored, disfavored = comparison.table.favored, comparison.table.disfavored
    before = label_rate(favored) - label_rate(disfavored)
    after = selection_rate(favored) - selection_rate(disfavored)
    if before and before * after >= 0:  # who is ahead in the labels is not behind by the model
        side = comparison.favored if before > 0 else comparison.disfavored
        words = f"{side} are ahead by {_points(before)} in {labels} and by {_points(after)} in"
        words += (
            f" {predictions}: {_points(value)} {'more' if abs(after) > abs(before) else 'less'}"
        )
    else:
        side = comparison.favored if value > 0 else comparison.disfavored
        words = f"{predictions} favor {side} by {_points(value)} more than {labels} do"
    return f"{words}, which may be chance" if interval.low <= 0 <= interval.high else words


def _points(difference: Real) -> str:
    return points_text(digits_text(abs(float(difference))))
