"""What `check --data` says of the people that the limits of a spec need."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from biaspipe.printable_text import escape
from biaspipe.renderers.text import counted_text
from biaspipe.spec import DecideBy

if TYPE_CHECKING:
    from biaspipe.pipeline.limit_needs import LimitNeed

__all__ = ["impact_lines", "need_lines"]

BY_INTERVAL = "people needed so that groups that are alike pass four times in five:"
BY_VALUE = "people needed so that groups that are alike keep a limit 19 times in 20:"

BY_IMPACT = "people needed so that a ratio of min_ratio is significant four times in five:"


def impact_lines(needs: Iterable["LimitNeed"]) -> Iterator[str]:
    """Yield what it takes to see adverse impact, as `need_lines` does of limits."""
    if found := list(needs):
        yield BY_IMPACT
        yield from _lines(found, "")


def need_lines(needs: Iterable["LimitNeed"], decide_by: DecideBy) -> Iterator[str]:
    """Yield what each limit needs: first where people are too few, then where they are enough.

    Each limit of a facet has a line for each of these, of the comparison that lacks the most.

    Parameters
    ----------
    needs : of every limit and comparison.
    decide_by : what decides.
    """
    if found := list(needs):
        yield BY_VALUE if decide_by == "value" else BY_INTERVAL
        yield from _lines(found, "keep it" if decide_by == "value" else "pass")


def _lines(found: Sequence["LimitNeed"], verb: str) -> Iterator[str]:
    lacking = _by_limit(need for need in found if need.is_enough is False)
    yield from (f"  {start} {_too_few(few, verb)}" for start, few in lacking.items())
    unknown = {_start(need): need for need in found if need.is_enough is None}
    yield from (f"  {start} {need.reason}" for start, need in unknown.items())
    enough = _by_limit(need for need in found if need.is_enough)
    yield from (f"  {start} {_enough(needs)}" for start, needs in enough.items())


def _by_limit(needs: Iterable["LimitNeed"]) -> dict[str, list["LimitNeed"]]:
    by_limit: dict[str, list[LimitNeed]] = {}
    for need in needs:
        by_limit.setdefault(_start(need), []).append(need)
    return by_limit


def _start(need: "LimitNeed") -> str:
    return f"{escape(need.facet)}: {need.metric} {need.limits}"


def _lacking(need: "LimitNeed", verb: str) -> str:
    if need.reason:
        return need.reason
    words = f"{_needed(need)}; there are {_there(need)}: too few"
    if need.lacking:
        words += f", {escape(need.lacking)}"
    elif need.chance is not None:
        words += f", of audits of groups that are alike {need.chance:.0%} would {verb}"
    if need.each is not None and need.needed is not None:
        words += f"; as they are split, {_split(need, need.needed)} would do"
    return words


def _too_few(needs: Sequence["LimitNeed"], verb: str) -> str:
    """Say that people are too few; of several comparisons by the one that has the least chance."""
    worst = min(needs, key=_chance)
    words, more = _lacking(worst, verb), len(needs) - 1
    if not more:
        return words
    also = "so too" if worst.reason else "too few"
    return f"{words}; {also} in {counted_text(more, 'comparison')} more"


def _chance(need: "LimitNeed") -> tuple[bool, float, int]:
    needed = sum(need.needed) if need.needed else 0
    return not (need.reason or need.lacking), need.chance or 0.0, -needed


def _needed(need: "LimitNeed") -> str:
    if need.each is not None:
        return f"needs about {need.each:,} people in each group"
    if need.needed is not None:
        return f"needs about {_split(need, need.needed)}"
    return "needs more than a billion people"


def _there(need: "LimitNeed") -> str:
    return _split(need, need.there)


def _split(need: "LimitNeed", people: tuple[int, int]) -> str:
    favored, disfavored = people
    return f"{favored:,} {escape(need.favored)} and {disfavored:,} {escape(need.disfavored)}"


def _enough(needs: Sequence["LimitNeed"]) -> str:
    """Say that people are enough; of several comparisons by the one that needs the most."""
    worst = min(needs, key=lambda need: need.chance or 0.0)
    words = f"{_needed(worst)}; there are {_there(worst)}: enough"
    more = len(needs) - 1
    return f"{words}, as in {counted_text(more, 'comparison')} more" if more else words
