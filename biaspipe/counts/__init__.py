"""The small tables that every metric is computed from, and the arithmetic that refuses 0/0.

Standard library only.
"""

from biaspipe.counts.effective_size import (
    EffectiveShare,
    WeightedTotal,
    n_eff,
    rounded,
    share_of,
)
from biaspipe.counts.flips import Drawn, Flips
from biaspipe.counts.joint import IN_NO_GROUP, MOST_JOINT_CELLS, NO_VALUE, JointCell, JointCells
from biaspipe.counts.tables import (
    Cell,
    Counts,
    Favorable,
    Group,
    Headcount,
    Listing,
    Real,
    Stratum,
    Table,
    Undefined,
    ratio,
    unbounded_ratio,
)

__all__ = [
    "IN_NO_GROUP",
    "MOST_JOINT_CELLS",
    "NO_VALUE",
    "Cell",
    "Counts",
    "Drawn",
    "EffectiveShare",
    "Favorable",
    "Flips",
    "Group",
    "Headcount",
    "JointCell",
    "JointCells",
    "Listing",
    "Real",
    "Stratum",
    "Table",
    "Undefined",
    "WeightedTotal",
    "n_eff",
    "ratio",
    "rounded",
    "share_of",
    "unbounded_ratio",
]
