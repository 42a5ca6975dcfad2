"""The registry: every metric by id, the families, and the look-up by any name.

>>> find("DCA").id
'DCAcc'
"""

from biaspipe.metrics.group_rates import GROUP_RATES, GroupRate, RateName
from biaspipe.metrics.lookup import UnknownMetricError, called, find, meaning_of
from biaspipe.metrics.rates import Rate, label_rate, selection_rate
from biaspipe.metrics.record import Metric, Needs, Parameter, Value
from biaspipe.metrics.registry import ALIASES, EDITION, EDITIONS, FAMILIES, METRICS

__all__ = [
    "ALIASES",
    "EDITION",
    "EDITIONS",
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
    "called",
    "find",
    "label_rate",
    "meaning_of",
    "selection_rate",
]
