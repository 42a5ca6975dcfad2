"""What to read, what to count and what to compare, decided before any data is read.

Audit -> Plan -> [engine] -> Counts -> tables of every comparison
"""

from biaspipe.plan.checks import PlannedCheck, not_computable, planned_checks
from biaspipe.plan.comparisons import REST, Comparison, FacetTables, GroupCount, tabulate
from biaspipe.plan.dimensions import OTHER, Bin, Dimension
from biaspipe.plan.engine_faults import no_draw
from biaspipe.plan.facet_faults import scalars
from biaspipe.plan.gaps import gaps
from biaspipe.plan.matching import Kind, is_missing, kind_of, literals, same
from biaspipe.plan.people import MISSING, group_names, own_dimensions
from biaspipe.plan.planning import (
    FliptestPlan,
    Plan,
    bound,
    is_pattern,
    make_plan,
    refuse_missing,
)
from biaspipe.plan.refusals import refusals
from biaspipe.plan.sides import ColumnSides, SideValues, counted_as, refuse_strays
from biaspipe.plan.tallies import PARTS
from biaspipe.plan.waivers import covers, covers_groups, refuse_unmatched

__all__ = [
    "MISSING",
    "OTHER",
    "PARTS",
    "REST",
    "Bin",
    "ColumnSides",
    "Comparison",
    "Dimension",
    "FacetTables",
    "FliptestPlan",
    "GroupCount",
    "Kind",
    "Plan",
    "PlannedCheck",
    "SideValues",
    "bound",
    "counted_as",
    "covers",
    "covers_groups",
    "gaps",
    "group_names",
    "is_missing",
    "is_pattern",
    "kind_of",
    "literals",
    "make_plan",
    "no_draw",
    "not_computable",
    "own_dimensions",
    "planned_checks",
    "refusals",
    "refuse_missing",
    "refuse_strays",
    "refuse_unmatched",
    "same",
    "scalars",
    "tabulate",
]
