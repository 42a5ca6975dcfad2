"""What to read, what to count and what to compare, decided before any data is read.

Audit -> Plan -> [engine] -> Counts -> tables of every comparison
"""

from biaspipe.plan.comparisons import Comparison, EarlierTables, FacetTables, tabulate
from biaspipe.plan.counted_as import (
    ColumnSides,
    SideValues,
    counted_as,
    refuse_undeclared_values,
)
from biaspipe.plan.dimensions import OTHER, Bin, Dimension
from biaspipe.plan.earlier_predictions import with_earlier_predictions, with_earlier_tables
from biaspipe.plan.kinds import Kind, is_missing, kind_of, literals, same
from biaspipe.plan.members import PARTS_PER_PERSON
from biaspipe.plan.missing_limits import missing_limits
from biaspipe.plan.people import (
    AND,
    MISSING,
    REST,
    group_names,
    own_dimensions,
    unmistakable,
)
from biaspipe.plan.planned_checks import PlannedCheck, asks_for_all, not_computable, planned_checks
from biaspipe.plan.planning import (
    Plan,
    bind_plan,
    is_pattern,
    make_plan,
    refuse_missing,
)
from biaspipe.plan.refusals import refusals
from biaspipe.plan.refusals.engines import sample_needs_key
from biaspipe.plan.subgroup_cells import subgroup_cells, subgroup_rate
from biaspipe.plan.waiver_matches import covers, covers_groups, refuse_unmatched

__all__ = [
    "AND",
    "MISSING",
    "OTHER",
    "PARTS_PER_PERSON",
    "REST",
    "Bin",
    "ColumnSides",
    "Comparison",
    "Dimension",
    "EarlierTables",
    "FacetTables",
    "Kind",
    "Plan",
    "PlannedCheck",
    "SideValues",
    "asks_for_all",
    "bind_plan",
    "counted_as",
    "covers",
    "covers_groups",
    "group_names",
    "is_missing",
    "is_pattern",
    "kind_of",
    "literals",
    "make_plan",
    "missing_limits",
    "not_computable",
    "own_dimensions",
    "planned_checks",
    "refusals",
    "refuse_missing",
    "refuse_undeclared_values",
    "refuse_unmatched",
    "same",
    "sample_needs_key",
    "subgroup_cells",
    "subgroup_rate",
    "tabulate",
    "unmistakable",
    "with_earlier_predictions",
    "with_earlier_tables",
]
