"""The audit spec as frozen pydantic models; unknown keys are forbidden everywhere."""

from biaspipe.spec.audit import Audit, Columns, Excluded, Facet, Outcome, Weight
from biaspipe.spec.checks import Bounds, Check, Limits
from biaspipe.spec.data import IN_HAND, Csv, Data, Format, Join, Source, steps_of
from biaspipe.spec.decision import (
    WITHOUT_DECISION,
    Baseline,
    Correction,
    DecideBy,
    Decision,
    WhenUndecided,
)
from biaspipe.spec.engine import DEFAULT_ENGINE, KEEPS_ORDER, READS_JSON, EngineName, Spark
from biaspipe.spec.expect import joint_digest
from biaspipe.spec.impact import Impact
from biaspipe.spec.outcome_phrases import phrases_of
from biaspipe.spec.parameters import is_day, parameter_value
from biaspipe.spec.subgroups import Subgroups
from biaspipe.spec.values import FacetSide, Interval, Scalar, format_value, scalars
from biaspipe.spec.waivers import Waiver, day, today

__all__ = [
    "DEFAULT_ENGINE",
    "IN_HAND",
    "KEEPS_ORDER",
    "READS_JSON",
    "WITHOUT_DECISION",
    "Audit",
    "Baseline",
    "Bounds",
    "Check",
    "Columns",
    "Correction",
    "Csv",
    "Data",
    "DecideBy",
    "Decision",
    "EngineName",
    "Excluded",
    "Facet",
    "FacetSide",
    "Format",
    "Impact",
    "Interval",
    "Join",
    "Limits",
    "Outcome",
    "Scalar",
    "Source",
    "Spark",
    "Subgroups",
    "Waiver",
    "Weight",
    "WhenUndecided",
    "day",
    "format_value",
    "is_day",
    "joint_digest",
    "parameter_value",
    "phrases_of",
    "scalars",
    "steps_of",
    "today",
]
