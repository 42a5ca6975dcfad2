"""smclarify 0.5, the code behind SageMaker Clarify, where it departs from its documentation.

The metrics stay what they are. Under `compat: smclarify` the same data is counted once more as
smclarify reads it, and each of its 21 values is computed from those counts in its own way.
`DIFFERENCES` says once, as data, what is done otherwise.
"""

from biaspipe.smclarify.arithmetic import METRICS, SmclarifyFlips, value_of
from biaspipe.smclarify.column_types import (
    UNIQUENESS,
    PandasColumn,
    SmclarifyColumn,
    is_continuous,
)
from biaspipe.smclarify.differences import DIFFERENCES, NAME, VERSION, differences_of
from biaspipe.smclarify.plan import SmclarifyPlan, features_of, guessed_columns, plan_of
from biaspipe.smclarify.tables import (
    SmclarifyComparison,
    SmclarifyCounts,
    comparisons_of,
    everyone_of,
)

__all__ = [
    "DIFFERENCES",
    "METRICS",
    "NAME",
    "UNIQUENESS",
    "VERSION",
    "PandasColumn",
    "SmclarifyColumn",
    "SmclarifyComparison",
    "SmclarifyCounts",
    "SmclarifyFlips",
    "SmclarifyPlan",
    "comparisons_of",
    "differences_of",
    "everyone_of",
    "features_of",
    "guessed_columns",
    "is_continuous",
    "plan_of",
    "value_of",
]
