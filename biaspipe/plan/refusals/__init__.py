"""What a spec asks for that no data could give: found before any data is read."""

from biaspipe.errors import Fault
from biaspipe.plan.refusals.checks import check_faults, idle_faults
from biaspipe.plan.refusals.columns import column_faults
from biaspipe.plan.refusals.engines import engine_faults
from biaspipe.plan.refusals.facets import facet_faults
from biaspipe.plan.refusals.smclarify import smclarify_faults
from biaspipe.plan.refusals.subgroups import subgroup_faults
from biaspipe.plan.refusals.waivers import waiver_faults
from biaspipe.spec import Audit

__all__ = ["refusals"]


def refusals(audit: Audit) -> list[Fault]:
    """Return every fault that lies in the spec alone, in no particular order."""
    faults = [*column_faults(audit), *facet_faults(audit)]
    faults += check_faults(audit, audit.metrics, ("metrics",))
    for name, facet in audit.facets.items():
        faults += check_faults(audit, facet.metrics or {}, ("facets", name, "metrics"))
    faults += [*idle_faults(audit), *waiver_faults(audit), *subgroup_faults(audit)]
    return [*faults, *smclarify_faults(audit), *engine_faults(audit)]
