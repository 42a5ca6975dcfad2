"""A selection as adverse impact is judged in practice, in a line, and what judges it."""

from collections.abc import Iterator

from biaspipe.metrics.digits import LEAST_P, SIGNIFICANT, digits_text
from biaspipe.printable_text import escape
from biaspipe.renderers.text import number_text
from biaspipe.report import CheckRecord, ImpactRecord, Report
from biaspipe.report.checks import SelectionRecord

__all__ = ["impact_rule", "selection_text"]


def impact_rule(report: Report) -> str | None:
    """Say what decides about adverse impact; None where nobody asks for it.

    Parameters
    ----------
    report : the whole report.
    """
    limits = [check.limits.impact for check in report.result.checks]
    asked = [impact.asked for impact in limits if impact]
    if not asked:
        return None
    words = ["the ratio of the selection rates"]
    words += ["its p-value"] if any(impact.significance is not None for impact in asked) else []
    words += ["the move of one selection"] if any(impact.flip for impact in asked) else []
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def selection_text(check: CheckRecord, impact: ImpactRecord) -> str:
    """Write the measures of a selection, each with the model that it rests on.

    Parameters
    ----------
    check : the check.
    impact : its adverse impact.
    """
    return "; ".join(_measures(check, impact))


def _measures(check: CheckRecord, impact: ImpactRecord) -> Iterator[str]:
    sides = ((check.disfavored, impact.disfavored), (check.favored, impact.favored))
    yield " and ".join(_selected(name, side) for name, side in sides)
    lacking = _number(abs(impact.shortfall))
    yield f"shortfall {lacking}" if impact.shortfall >= 0 else f"{lacking} more than expected"
    if impact.ratio_after_flip is not None:
        yield f"ratio {_number(impact.ratio_after_flip)} if one selection were moved"
    if impact.fisher_p_value is not None:
        yield f"Fisher's {_p_text(impact.fisher_p_value)}"
    if impact.z is not None and impact.z_p_value is not None:
        yield f"pooled z {_number(impact.z)} ({_p_text(impact.z_p_value)})"
    if impact.hypergeometric_sd is not None and impact.binomial_sd is not None:
        pool, share = _number(impact.hypergeometric_sd), _number(impact.binomial_sd)
        yield (
            f"{pool} standard deviations for a selection from this pool (hypergeometric), {share}"
            " against its share of the pool as a fixed availability (binomial)"
        )


def _selected(name: str | None, side: SelectionRecord) -> str:
    return f"{escape(name)} {number_text(side.selected)} of {number_text(side.applicants)} selected"


def _number(number: float) -> str:
    return digits_text(number, SIGNIFICANT)


def _p_text(p_value: float) -> str:
    return f"p < {LEAST_P}" if p_value < LEAST_P else f"p = {_number(p_value)}"
