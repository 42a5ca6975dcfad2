"""How the outcomes of a report are named in sentences, tables and pictures."""

from pydantic import ValidationError

from biaspipe.metrics.phrases import GENERIC, Phrases
from biaspipe.report import Report
from biaspipe.spec import Columns, phrases_of

__all__ = ["phrases_of_report"]


def phrases_of_report(report: Report) -> Phrases:
    """Return how the outcomes of a report are named, also where its spec cannot be read.

    Parameters
    ----------
    report : the report; older ones call no outcome, and theirs are named by their values.
    """
    try:
        return phrases_of(Columns.model_validate(report.result.audit.spec.get("columns") or {}))
    except ValidationError:
        return GENERIC
