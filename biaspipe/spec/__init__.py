"""The audit spec as frozen pydantic models; unknown keys are forbidden everywhere."""

from biaspipe.spec.audit import Audit, Columns, Compare, Excluded, Facet, Outcome
from biaspipe.spec.checks import Check, Limits
from biaspipe.spec.data import Csv, Data, Format, Join, Source
from biaspipe.spec.values import Interval, Scalar, Side, written

__all__ = [
    "Audit",
    "Check",
    "Columns",
    "Compare",
    "Csv",
    "Data",
    "Excluded",
    "Facet",
    "Format",
    "Interval",
    "Join",
    "Limits",
    "Outcome",
    "Scalar",
    "Side",
    "Source",
    "written",
]
