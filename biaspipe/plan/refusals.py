"""What a spec asks for that no data could give: found before any data is read."""

from biaspipe.errors import Fault
from biaspipe.plan.check_faults import check_faults
from biaspipe.plan.engine_faults import engine_faults
from biaspipe.plan.facet_faults import facet_faults
from biaspipe.plan.outcome_faults import outcome_faults
from biaspipe.plan.reach import idle_faults
from biaspipe.plan.smclarify_faults import compat_faults
from biaspipe.plan.waivers import waiver_faults
from biaspipe.spec import Audit

__all__ = ["refusals"]


def refusals(audit: Audit) -> list[Fault]:
    """Return every fault that lies in the spec alone, in no particular order."""
    faults = [*outcome_faults(audit), *facet_faults(audit)]
    faults += check_faults(audit, audit.metrics, ("metrics",))
    for name, facet in audit.facets.items():
        faults += check_faults(audit, facet.metrics or {}, ("facets", name, "metrics"))
    faults += [*idle_faults(audit), *waiver_faults(audit)]
    return [*faults, *compat_faults(audit), *engine_faults(audit)]
