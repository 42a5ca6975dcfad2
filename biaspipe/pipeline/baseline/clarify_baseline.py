"""An `analysis.json` of Clarify as the baseline of an audit."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from biaspipe.pipeline.baseline.change_intervals import BaselineValue
from biaspipe.pipeline.baseline.worsening import BaselineValues
from biaspipe.report import CheckRecord
from biaspipe.report.analysis import Analysis, AnalysisValue
from biaspipe.spec import Audit, FacetSide, Interval, format_value

__all__ = ["ClarifyBaseline"]


@dataclass(frozen=True)
class ClarifyBaseline(BaselineValues):
    """The values of an analysis, found by a facet's column and the values that Clarify writes.

    Parameters
    ----------
    analysis : the analysis.
    audit : the spec whose facets are compared with it.
    """

    analysis: Analysis = field(kw_only=True)
    audit: Audit = field(kw_only=True)

    def value_of(self, check: CheckRecord) -> BaselineValue | None:
        """Return the value of a check; None where the analysis does not have it."""
        facet = check.facet and self.audit.facets[check.facet].column
        for entry in self._by_metric.get((check.metric, facet), ()):
            if self._is_of(check, entry.column, entry.text):
                return BaselineValue(entry.value)
        return None

    @cached_property
    def _by_metric(self) -> dict[tuple[str, str | None], list[AnalysisValue]]:
        """The values of each metric, by column and, under None, all of them."""
        found: dict[tuple[str, str | None], list[AnalysisValue]] = {}
        for entry in self.analysis.values:
            found.setdefault((entry.metric, entry.column), []).append(entry)
            found.setdefault((entry.metric, None), []).append(entry)
        return found

    def other_labels(self) -> Iterator[str]:
        """Yield why the analysis is of another label, or calls something else positive."""
        label = self.audit.columns.label
        for name, positive in self.analysis.labels if label else ():
            if label and name != label.column:
                yield f"its label is {name!r} and is {label.column!r} here"
            elif label and label.positive and _bound(positive) is None:
                texts = {
                    ",".join(map(str, label.positive)),
                    ",".join(map(format_value, label.positive)),
                }
                if positive not in texts | {text.capitalize() for text in texts}:
                    yield f"its positive label is {positive!r} and is {min(texts)!r} here"

    def _is_of(self, check: CheckRecord, column: str, text: str) -> bool:
        """Whether an entry is about the groups of a check; one without groups is in each."""
        if check.facet is None:
            return True
        facet = self.audit.facets[check.facet]
        if facet.column != column:
            return False
        if text in _texts(facet.disfavored, str(check.disfavored)):
            return True
        bound = _bound(text)
        side = facet.disfavored
        return bound is not None and side is not None and bound == _threshold(side)


def _texts(side: FacetSide | None, name: str) -> set[str]:
    """Return how Clarify may write a group.

    >>> sorted(_texts(True, "true")), sorted(_texts(("a", "b"), "a, b"))
    (['True', 'true'], ['a, b', 'a,b'])
    """
    if side is None:
        return {name, {"true": "True", "false": "False"}.get(name, name)}
    if isinstance(side, Interval):
        return {name}
    values = side if isinstance(side, tuple) else (side,)
    return {name, ",".join(map(str, values)), ",".join(map(format_value, values))}


def _threshold(side: FacetSide) -> float | None:
    """Return the exclusive lower bound that a side stands for, if Clarify made an interval of it.

    >>> _threshold(Interval(above=40)), _threshold("1"), _threshold("a")
    (40.0, 1.0, None)
    """
    if isinstance(side, Interval):
        return side.above
    try:
        return None if isinstance(side, tuple) else float(side)
    except ValueError:
        return None


def _bound(text: str) -> float | None:
    """Return the lower end of an interval that Clarify wrote.

    >>> _bound("(40.0, 68.6]"), _bound("Male")
    (40.0, None)
    """
    low, comma, _ = text.removeprefix("(").partition(", ")
    try:
        return float(low) if comma and text.startswith("(") and text.endswith("]") else None
    except ValueError:
        return None
