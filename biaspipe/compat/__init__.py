"""smclarify 0.5, the code behind SageMaker Clarify, where it departs from its documentation.

The metrics stay what they are. Under `compat: smclarify` the same data is counted once more as
smclarify reads it, and each of its 21 values is computed from those counts in its own way.
`DIFFERENCES` says once, as data, what is done otherwise.
"""

from biaspipe.compat.arithmetic import METRICS, Ballot, value_of
from biaspipe.compat.differences import DIFFERENCES, NAME, VERSION, Difference, concerning
from biaspipe.compat.guessing import UNIQUENESS, Guess, Profile, is_continuous
from biaspipe.compat.reading import Reading, columns_of, features_of, reading_of
from biaspipe.compat.second import Second
from biaspipe.compat.tabulating import Compared, everyone_of, tabulated

__all__ = [
    "DIFFERENCES",
    "METRICS",
    "NAME",
    "UNIQUENESS",
    "VERSION",
    "Ballot",
    "Compared",
    "Difference",
    "Guess",
    "Profile",
    "Reading",
    "Second",
    "columns_of",
    "concerning",
    "everyone_of",
    "features_of",
    "is_continuous",
    "reading_of",
    "tabulated",
    "value_of",
]
