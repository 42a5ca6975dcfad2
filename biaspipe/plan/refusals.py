"""What a spec asks for that no data could give: found before any data is read."""

from collections.abc import Iterator

from biaspipe.errors import Fault
from biaspipe.plan.check_faults import check_faults
from biaspipe.plan.compat_faults import compat_faults
from biaspipe.plan.engine_faults import engine_faults
from biaspipe.plan.facet_faults import facet_faults
from biaspipe.plan.reach import idle_faults
from biaspipe.plan.waivers import waiver_faults
from biaspipe.spec import Audit

__all__ = ["refusals"]


def refusals(audit: Audit) -> list[Fault]:
    """Return every fault that lies in the spec alone, in no particular order."""
    faults = [*_same_column(audit), *facet_faults(audit)]
    faults += check_faults(audit, audit.metrics, ("metrics",))
    for name, facet in audit.facets.items():
        faults += check_faults(audit, facet.metrics or {}, ("facets", name, "metrics"))
    faults += [*idle_faults(audit), *waiver_faults(audit)]
    return [*faults, *compat_faults(audit), *engine_faults(audit)]


def _same_column(audit: Audit) -> Iterator[Fault]:
    """Yield a prediction that is the label itself, by which every model would be right."""
    label, prediction = audit.columns.label, audit.columns.prediction
    if label and prediction and label.column == prediction.column:
        words = f"label and prediction are the same column {label.column!r}"
        hint = "name the column of the predictions, or leave one of the two out"
        yield Fault(words, ("columns", "prediction", "column"), hint=hint)
