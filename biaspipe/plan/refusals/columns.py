"""What is wrong with the label, the prediction and the weight of a spec."""

from collections.abc import Iterator

from biaspipe.errors import Fault
from biaspipe.plan.refusals.facets import spellings
from biaspipe.spec import Audit

__all__ = ["column_faults"]


def column_faults(audit: Audit) -> Iterator[Fault]:
    """Yield outcomes that contradict themselves, or that are one and the same column."""
    yield from _same_column(audit)
    yield from _weight(audit)
    for name in ("label", "prediction"):
        outcome = getattr(audit.columns, name)
        if outcome and spellings(outcome.positive) & spellings(outcome.negative):
            words = "positive and negative name the same value"
            yield Fault(words, ("columns", name, "negative"))


def _weight(audit: Audit) -> Iterator[Fault]:
    """Yield a weight that is an outcome, by which only one of the two outcomes would count."""
    columns = audit.columns
    for name in ("label", "prediction"):
        outcome = getattr(columns, name)
        if outcome and columns.weight_column == outcome.column:
            words = f"weight and {name} are the same column {outcome.column!r}"
            yield Fault(words, ("columns", "weight"), hint="name the column of the weights")


def _same_column(audit: Audit) -> Iterator[Fault]:
    """Yield a prediction that is the label itself, by which every model would be right."""
    label, prediction = audit.columns.label, audit.columns.prediction
    if label and prediction and label.column == prediction.column:
        words = f"label and prediction are the same column {label.column!r}"
        hint = "name the column of the predictions, or leave one of the two out"
        yield Fault(words, ("columns", "prediction", "column"), hint=hint)
