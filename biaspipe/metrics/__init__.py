"""The registry: every metric by id, the families, and the look-up by any name.

>>> find("DCA").id
'DCAcc'
"""

from biaspipe.metrics.equalized_odds import EQUALIZED_ODDS
from biaspipe.metrics.group_rates import GROUP_RATES, GroupRate, RateName
from biaspipe.metrics.post_training import POST_TRAINING
from biaspipe.metrics.pre_training import PRE_TRAINING
from biaspipe.metrics.rate_differences import RATE_DIFFERENCES
from biaspipe.metrics.rate_ratios import RATE_RATIOS
from biaspipe.metrics.rates import Rate, label_rate, selection_rate
from biaspipe.metrics.record import Metric, Needs, Parameter, Value
from biaspipe.metrics.vertex import VERTEX
from biaspipe.printable_text import did_you_mean

__all__ = [
    "ALIASES",
    "FAMILIES",
    "GROUP_RATES",
    "METRICS",
    "GroupRate",
    "Metric",
    "Needs",
    "Parameter",
    "Rate",
    "RateName",
    "UnknownMetricError",
    "Value",
    "find",
    "label_rate",
    "selection_rate",
]

RATES = (*RATE_DIFFERENCES, *RATE_RATIOS, *EQUALIZED_ODDS)

METRICS: dict[str, Metric] = {m.id: m for m in (*PRE_TRAINING, *POST_TRAINING, *VERTEX, *RATES)}

CLARIFY = tuple(
    m for m in (*PRE_TRAINING, *POST_TRAINING) if m.source.startswith("AWS SageMaker Clarify")
)

FAMILIES: dict[str, tuple[Metric, ...]] = {
    "pre_training": PRE_TRAINING,
    "post_training": POST_TRAINING,
    "clarify": CLARIFY,
    "vertex": VERTEX,
    "rates": RATES,
    "all": tuple(METRICS.values()),
}

ALIASES: dict[str, str] = {alias: m.id for m in METRICS.values() for alias in m.aliases}


class UnknownMetricError(LookupError):
    """No metric has this id or alias; `hint` names the nearest one."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no metric {name!r}; the metrics are {', '.join(METRICS)}")
        self.hint = did_you_mean(name, [*METRICS, *ALIASES, *FAMILIES])


def find(name: str) -> Metric:
    """Return the metric with this id or alias.

    Raises
    ------
    UnknownMetricError
        If there is none.
    """
    try:
        return METRICS[ALIASES.get(name, name)]
    except KeyError:
        raise UnknownMetricError(name) from None
