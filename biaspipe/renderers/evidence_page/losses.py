"""Who lacks an outcome, and so is in no number of the page: the groups that lost most of theirs."""

from typing import NamedTuple

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import listed, share_text
from biaspipe.report import Report

__all__ = ["greatest_loss", "losses_text", "outcomes_text"]

SHOWN = 3
"""Groups of a facet that are named, those that lost most."""
APART = 0.05
"""How much more of a group than of another may lack an outcome before the head of a page says."""


class Loss(NamedTuple):
    """The part of a group that lacks an outcome."""

    share: float
    facet: str
    group: str


def _losses(report: Report) -> list[list[Loss]]:
    """Return for each facet what its compared groups lost, the greatest first.

    Parameters
    ----------
    report : the whole report.
    """
    found = []
    for facet in report.result.facets:
        lost = [
            Loss(float(g.lost_people / (g.people + g.lost_people)), facet.facet, g.group)
            for g in facet.groups
            if g.compared and g.people + g.lost_people
        ]
        if any(loss.share for loss in lost):
            found.append(sorted(lost, key=lambda loss: -loss.share))
    return found


def losses_text(report: Report) -> str:
    """Say of each facet which groups lack outcomes most; nothing where all have them."""
    told = []
    for lost in _losses(report):
        named = [f"{share_text(loss.share)} of {escape(loss.group)}" for loss in lost[:SHOWN]]
        more = f" and less of {len(lost) - SHOWN:,} more" if len(lost) > SHOWN else ""
        told.append(f"{escape(lost[0].facet)}: {', '.join(named)}{more}")
    return "; ".join(told)


def greatest_loss(report: Report) -> str:
    """Say where a group lost far more of its people than another, if one did."""
    apart = [lost for lost in _losses(report) if lost[0].share - lost[-1].share > APART]
    if not apart:
        return ""
    most, *_, least = max(apart, key=lambda lost: lost[0].share)
    shares = f"{share_text(most.share)} of {escape(most.group)} ({escape(most.facet)})"
    against = f"{share_text(least.share)} of {escape(least.group)}"
    return (
        f"{shares} lack {outcomes_text(report)}, against {against}; they are in no value, so that "
        "who is compared is not who there is."
    )


def outcomes_text(report: Report) -> str:
    """Name the outcomes that are declared."""
    audit = report.result.audit
    declared = [role for role in ("label", "prediction") if audit.entry("columns", role)]
    return listed(declared or ["label", "prediction"], "or")
