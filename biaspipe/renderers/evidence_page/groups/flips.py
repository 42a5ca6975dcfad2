"""What a fliptest rests on: whom it looked at, by which features, and what it found."""

from collections.abc import Iterator

from biaspipe.metrics.digits import digits_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import listed, pair_text
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.story import Items, Line, StoryPart
from biaspipe.renderers.text import counted_text
from biaspipe.report import FacetRecord, FlipsRecord, Report

__all__ = ["flip_lines"]


def flip_lines(report: Report, facet: FacetRecord) -> Iterator[StoryPart]:
    """Yield the facts of every fliptest of a facet.

    Parameters
    ----------
    report : the whole report.
    facet : the facet.
    """
    phrases = phrases_of_report(report)
    told = [
        f"{pair_text(check.favored, check.disfavored)}: "
        f"{_words(check.disfavored, check.flips, phrases)}"
        for check in report.result.checks
        if check.facet == facet.facet and check.flips
    ]
    if told:
        yield Line.of("The fliptest (FT) compares people with their likes in the other group:")
        yield Items.of(told)


def _words(name: str | None, flips: FlipsRecord, phrases: Phrases) -> str:
    looked = f"{flips.n_d:,} people of {escape(name)}"
    if flips.drawn is not None:
        looked = f"a sample of {flips.drawn.members:,} from {flips.n_d:,} people of {escape(name)}"
    distance = flips.median_distance
    near = "" if distance is None else f"; the median distance is {digits_text(distance)}"
    left = counted_text(flips.left_out, "person")
    fixed = (
        "takes the neighbours as they are"
        if flips.shared is None
        else "takes both groups for samples"
    )
    return (
        f"of {looked}, {flips.F_plus:,} are {escape(phrases.unpredicted)} while most of "
        f"their {flips.k} nearest likes are {escape(phrases.predicted)}, and {flips.F_minus:,} the "
        "reverse. "
        f"Alike is who is near by {listed(map(escape, flips.features))} "
        f"(scaling {escape(flips.scaling)}){near}; {left} left out for a missing number. "
        f"Its interval {fixed}"
    )
