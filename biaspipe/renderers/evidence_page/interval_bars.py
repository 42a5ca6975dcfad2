"""Values against their limits as figures, on one scale for all values of a metric."""

from collections.abc import Iterable
from math import exp, inf, isfinite, log

from biaspipe.metrics import METRICS
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import everything
from biaspipe.renderers.figures import IntervalBar, IntervalBars, Scale
from biaspipe.renderers.text import value_text
from biaspipe.report import BaselineNote, CheckRecord

__all__ = ["bars_of", "scale_of", "scales_of"]

MARGIN = 0.06
"""The part of a scale that is left free on either side."""
REACH, FAR_REACH = 4.0, 50.0
"""How far beyond values and limits the ends of intervals widen a scale, in its own length: at
least, and where most intervals are as wide as that."""


def scales_of(checks: Iterable[CheckRecord]) -> dict[str, Scale]:
    """Return the scale of every metric, on which all of its checks are drawn.

    Parameters
    ----------
    checks : all checks of a report.
    """
    found: dict[str, list[CheckRecord]] = {}
    for check in checks:
        found.setdefault(check.metric, []).append(check)
    return {metric: scale_of(metric, each) for metric, each in found.items()}


def scale_of(metric: str, checks: Iterable[CheckRecord]) -> Scale:
    """Return a scale that holds values, limits and parity, and intervals that are not much wider.

    Parameters
    ----------
    metric : its id.
    checks : its checks.
    """
    record, checks = METRICS[metric], list(checks)
    marks = [record.ideal]
    for check in checks:
        marks += [each for each in (check.extended, *check.limits.band) if each is not None]
        marks += [check.baseline.value or record.ideal] if check.baseline else []
    ends = [end for check in checks if check.deciding for end in check.deciding.ends]
    logarithmic = record.is_ratio
    marks, ends = (_drawable(each, logarithmic=logarithmic) for each in (marks, ends))
    low, high = min(marks), max(marks)
    spread = (high - low) or (log(2) if logarithmic else 0.1)
    reach = _reach(ends, spread)
    near = [end for end in ends if low - reach <= end <= high + reach]
    low, high = min([low, *near]), max([high, *near])
    room = MARGIN * ((high - low) or spread)
    least, greatest = (-inf, log(record.range[1])) if logarithmic else record.range
    return _scale(max(low - room, least), min(high + room, greatest), logarithmic=logarithmic)


def _reach(ends: list[float], spread: float) -> float:
    """Return how far beyond values and limits the ends of intervals widen a scale."""
    usual = sorted(map(abs, ends))[len(ends) * 3 // 4] if ends else 0.0
    return max(REACH * spread, min(usual, FAR_REACH * spread))


def bars_of(check: CheckRecord, scale: Scale) -> IntervalBars:
    """Return the figure of one check.

    Parameters
    ----------
    check : the check.
    scale : that of its metric.
    """
    record, limits = METRICS[check.metric], check.limits
    bar = IntervalBar(
        f"{check.metric}, {everything(check.favored, check.disfavored)}",
        value_text(check),
        check.extended,
        check.deciding.ends if check.deciding else None,
        limits.band if limits.is_set else None,
        limits.warn.kept if limits.warn else None,
        record.ideal,
        check.verdict,
        _earlier(check.baseline),
    )
    return IntervalBars(f"{escape(check.name)} against its limit", (bar,), scale)


def _earlier(note: BaselineNote | None) -> float | None:
    if note is None:
        return None
    return note.sign * inf if note.sign else note.value


def _drawable(numbers: Iterable[float], *, logarithmic: bool) -> list[float]:
    """Return the numbers that a scale can hold, their logarithms where it has those."""
    finite = [number for number in numbers if isfinite(number)]
    return [log(number) for number in finite if number > 0] if logarithmic else finite


def _scale(low: float, high: float, *, logarithmic: bool) -> Scale:
    if not logarithmic:
        return Scale(low, high)
    return Scale(exp(low), exp(high), logarithmic=True)
