"""smclarify 0.5, the code behind SageMaker Clarify, where it departs from its documentation.

The metrics stay what they are. Under `compat: smclarify` the same data is counted once more as
smclarify reads it, and each of its 21 values is computed from those counts in its own way.
`DIFFERENCES` says once, as data, what is done otherwise.
"""

from biaspipe.smclarify.arithmetic import METRICS, SmclarifyFlips, value_of
from biaspipe.smclarify.column_types import UNIQUENESS, Guess, Profile, is_continuous
from biaspipe.smclarify.counts import SmclarifyCounts
from biaspipe.smclarify.differences import DIFFERENCES, NAME, VERSION, Difference, concerning
from biaspipe.smclarify.plan import Reading, columns_of, features_of, reading_of
from biaspipe.smclarify.tables import Compared, everyone_of, tabulated

__all__ = [
    "DIFFERENCES",
    "METRICS",
    "NAME",
    "UNIQUENESS",
    "VERSION",
    "Compared",
    "Difference",
    "Guess",
    "Profile",
    "Reading",
    "SmclarifyCounts",
    "SmclarifyFlips",
    "columns_of",
    "concerning",
    "everyone_of",
    "features_of",
    "is_continuous",
    "reading_of",
    "tabulated",
    "value_of",
]
