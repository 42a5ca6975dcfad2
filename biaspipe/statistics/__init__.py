"""Intervals for the metrics and tests of parity, made from the count table alone.

>>> from biaspipe.counts import Group, Table
>>> from biaspipe.metrics import find
>>> a = Group({(None, True): 56, (None, False): 14})
>>> d = Group({(None, True): 48, (None, False): 32})
>>> table, DPPL = Table(a, d), find("DPPL")
>>> found = Intervals(table, 0.95).of(DPPL, DPPL(table))
>>> round(found.low, 4), round(found.high, 4), found.method
(0.0524, 0.3339, 'newcombe')
"""

from biaspipe.statistics.adverse_impact import AdverseImpact, adverse_impact
from biaspipe.statistics.change import change_interval
from biaspipe.statistics.group_rates import RateEstimate, estimate_rate
from biaspipe.statistics.intervals import ConfidenceInterval, Intervals
from biaspipe.statistics.methods import METHODS, OF_MANY_CATEGORIES, Method, metrics_of
from biaspipe.statistics.pairing import correlation, paired_tables, swapped_tables
from biaspipe.statistics.parity import ParityTest, adjust_p_values, parity_test, parity_test_of
from biaspipe.statistics.proportions import IntervalEstimate
from biaspipe.statistics.strata import StrataEffect, strata_effect, unstratified

__all__ = [
    "EDITION",
    "METHODS",
    "OF_MANY_CATEGORIES",
    "AdverseImpact",
    "ConfidenceInterval",
    "IntervalEstimate",
    "Intervals",
    "Method",
    "ParityTest",
    "RateEstimate",
    "StrataEffect",
    "adjust_p_values",
    "adverse_impact",
    "change_interval",
    "correlation",
    "estimate_rate",
    "metrics_of",
    "paired_tables",
    "parity_test",
    "parity_test_of",
    "strata_effect",
    "swapped_tables",
    "unstratified",
]

EDITION = 2
"""The edition of the methods: a number that grows where a release computes from the same counts
other intervals, tests or rules of decision than the one before."""
