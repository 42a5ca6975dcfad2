"""What is wrong with the label and the prediction of a spec."""

from collections.abc import Iterator

from biaspipe.errors import Fault
from biaspipe.plan.facet_faults import spellings
from biaspipe.spec import Audit

__all__ = ["outcome_faults"]


def outcome_faults(audit: Audit) -> Iterator[Fault]:
    """Yield outcomes that name a value as positive and as negative."""
    for name in ("label", "prediction"):
        outcome = getattr(audit.columns, name)
        if outcome and spellings(outcome.positive) & spellings(outcome.negative):
            words = "positive and negative name the same value"
            yield Fault(words, ("columns", name, "negative"))
