"""The second count of an audit: everything that smclarify's values are computed from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaspipe.counts import Group, Table
from biaspipe.metrics import FAMILIES, Metric, Needs, Value
from biaspipe.smclarify.arithmetic import SmclarifyFlips, value_of
from biaspipe.smclarify.tables import Compared

__all__ = ["SmclarifyCounts"]

Key = tuple[str, str]
"""A facet and its disfavored group."""


@dataclass(frozen=True)
class SmclarifyCounts:
    """The tables that smclarify compares, and what it gives up on.

    Parameters
    ----------
    everyone : all people, those without a label or prediction among the negative ones.
    compared : the comparisons, by facet and disfavored group.
    ballots : the fliptests, by the same.
    refused : by facet, why nothing is computed on it.
    no_prediction : why nothing is computed from the predictions, if nothing is.
    no_strata : why nothing is computed in strata, if nothing is.
    """

    everyone: Group
    compared: Mapping[Key, Compared] = field(default_factory=dict)
    ballots: Mapping[Key, SmclarifyFlips] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    no_prediction: str | None = None
    no_strata: str | None = None

    def value(self, metric: Metric, facet: str | None, disfavored: str | None) -> Value | None:
        """Return what smclarify makes of a check; None for a metric that it does not know.

        Parameters
        ----------
        metric : the metric.
        facet, disfavored : the comparison, None for a metric without one.
        """
        if metric not in FAMILIES["clarify"]:
            return None
        if refused := self._refused(metric, facet):
            return Value("undefined", reason=f"{refused}: {metric.id} has no value in smclarify")
        if facet is None:
            return value_of(metric.id, Table(self.everyone, Group({})))
        key = facet, str(disfavored)
        if Needs.FEATURES in metric.needs:
            return value_of(metric.id, self.ballots[key])
        return value_of(metric.id, self.compared[key].table)

    def _refused(self, metric: Metric, facet: str | None) -> str | None:
        if facet in self.refused:
            return self.refused[str(facet)]
        if Needs.PREDICTED in metric.needs:
            if self.no_prediction:
                return self.no_prediction
            if not self.everyone.predicted_positives:
                return "nobody is predicted positive"
        return self.no_strata if Needs.STRATA in metric.needs else None
