"""What each check could have seen, and how many people more an undecided one would take."""

from collections.abc import Collection, Sequence
from math import ceil, isfinite, log10

from biaspipe.counts import Flips, Group
from biaspipe.metrics import Metric
from biaspipe.metrics.digits import digits_text, points_text
from biaspipe.pipeline.evidence import CheckInput, Evidence, MetricInput
from biaspipe.report import (
    CheckRecord,
    IntervalRecord,
    PeopleNeededRecord,
    PowerRecord,
    SimultaneousRecord,
    SmallestGapRecord,
)
from biaspipe.statistics import Intervals
from biaspipe.statistics.multiplicity import pointwise
from biaspipe.statistics.power import POWER, Gap, smallest_gap
from biaspipe.statistics.proportions import quantile
from biaspipe.statistics.sample_size import Undecided, decisive_factors, people_seen
from biaspipe.verdict import Verdict

__all__ = ["MOST_PEOPLE", "gap_sentence", "people_needed", "rounded_up", "with_power"]

FOUR_IN_FIVE = "four times in five"
DECIDES = f"would decide it {FOUR_IN_FIVE} if it stays what it is"
DIGITS = 2
"""Digits of a gap in a sentence, and of a number of people that it would take."""
ALIKE = 1.05
"""How much larger the gap on one side may be before both sides are told."""
MOST_PEOPLE = 1_000_000_000
SIDES = ("favored", "disfavored")
TOO_MANY = "so near to the limit that more than a billion people would not tell"
ON_LIMIT = "the value is on the limit, where no number of people decides it"


def with_power(evidence: Evidence, checks: Sequence[CheckRecord]) -> list[CheckRecord]:
    """Return the checks with what they could have seen, and whom undecided ones lack.

    Parameters
    ----------
    evidence : what the checks were computed from.
    checks : as they were judged by their limits, in the order of the evidence.
    """
    pairs = zip(checks, evidence.inputs(), strict=True)
    return [_with_power(evidence, check, check_input) for check, check_input in pairs]


def _with_power(evidence: Evidence, check: CheckRecord, check_input: CheckInput) -> CheckRecord:
    value, interval = check.extended, check.simultaneous or check.interval
    if value is None or interval is None or not isfinite(value):
        return check
    planned, counts, _ = check_input
    metric, z = planned.metric, _critical_value(interval)
    parameters = {} if isinstance(counts, Flips) else planned.check.parameters(metric)
    gap = smallest_gap(counts, metric, value, interval.ends, z, **parameters)
    people, words = None, None
    straddles = check.verdict is Verdict.UNDECIDED and check.limits.bounds
    if straddles and check.compat is None and evidence.shortage(check_input) is None:
        people, words = _lacking(check_input, value, interval, z)
    if gap is None and people is None and words is None:
        return check
    update: dict[str, object] = {"power": _record(metric, gap, people)}
    if words:
        update["reason"] = f"{check.reason}; {words}"
    return check.model_copy(update=update)


def _critical_value(interval: IntervalRecord) -> float:
    """Return the critical value of an interval, simultaneous or of one check alone."""
    if isinstance(interval, SimultaneousRecord):
        return interval.critical
    return quantile(interval.confidence)


def _record(metric: Metric, gap: Gap | None, people: PeopleNeededRecord | None) -> PowerRecord:
    found = SmallestGapRecord(low=gap.low, high=gap.high) if gap else None
    return PowerRecord(
        power=POWER,
        smallest_gap=found,
        approximate=True if gap and gap.approximate else None,
        sentence=gap_sentence(metric, gap) if gap else None,
        people_needed=people,
    )


def gap_sentence(metric: Metric, gap: Gap) -> str:
    """Say how large a gap would have been seen.

    Parameters
    ----------
    metric : the metric.
    gap : the values nearest to parity that would be told from it.

    >>> from biaspipe.metrics import find
    >>> gap_sentence(find("DPPL"), Gap(-0.0413, 0.0409))
    'with these people a gap of 4.1 percentage points would be told from chance four times in five'
    """
    told = f"would be told from chance {FOUR_IN_FIVE}"
    if gap.low is None and gap.high is None:
        return f"these people are too few: no gap that is possible {told}"
    about = "about " if gap.approximate else ""
    words = f"with these people {_gap_text(metric, gap, about)} {told}"
    unseen = _unseen_text(metric, gap)
    return f"{words}, {unseen}" if unseen else words


def _unseen_text(metric: Metric, gap: Gap) -> str:
    """Say on which side of parity no gap would be seen, where the metric has values there."""
    if metric.ideal in metric.range or None not in (gap.low, gap.high):
        return ""
    side = "below" if gap.low is None else "above"
    if "{points}" in metric.positive:
        return f"none {side} parity"
    return f"no {'ratio' if metric.is_ratio else 'value'} {side} {metric.ideal:g}"


def _gap_text(metric: Metric, gap: Gap, about: str) -> str:
    ends = {"below": gap.low, "above": gap.high}
    seen = {side: end for side, end in ends.items() if end is not None}
    if "{points}" not in metric.positive:
        what = "a ratio" if metric.is_ratio else "a value"
        texts = (f"{side} {about}{digits_text(end, DIGITS + 1)}" for side, end in seen.items())
        return f"{what} {' or '.join(texts)}"
    sizes = {side: digits_text(abs(end - metric.ideal), DIGITS) for side, end in seen.items()}
    greatest = points_text(max(sizes.values(), key=float))
    if metric.ideal in metric.range or (len(sizes) == 2 and _are_alike(seen.values())):
        return f"a gap of {about}{greatest}"
    texts = (f"{points_text(size)} {side}" for side, size in sizes.items())
    return f"a gap of {about}{' or '.join(texts)} parity"


def _are_alike(ends: Collection[float]) -> bool:
    """Whether gaps on both sides are told as one, the larger of them."""
    small, large = sorted(map(abs, ends))
    return large <= ALIKE * small


def _lacking(
    check: CheckInput, value: float, interval: IntervalRecord, z: float
) -> tuple[PeopleNeededRecord | None, str]:
    """Return how many people would decide a check, and in words that more would, or cannot."""
    planned, counts, _ = check
    metric, limits = planned.metric, planned.check
    if value in limits.kept:
        return None, ON_LIMIT
    parameters = {} if isinstance(counts, Flips) else limits.parameters(metric)
    known = metric(counts, **parameters)
    is_one = not isinstance(interval, SimultaneousRecord)
    confidence = interval.confidence if is_one else pointwise(z)

    def ends(evidence: MetricInput) -> tuple[float, float] | None:
        found = Intervals(evidence, confidence).of(metric, known, **parameters)
        return (found.low, found.high) if found else None

    factors = decisive_factors(counts, Undecided(metric, value, limits.kept, z), ends)
    if factors.both is None:
        return None, TOO_MANY
    return people_needed(check, factors.both, factors.smaller)


def people_needed(
    check: CheckInput, both: float, smaller: float | None = None, does: str = DECIDES
) -> tuple[PeopleNeededRecord | None, str]:
    """Return how many people it takes, in all and more than there are, and say it.

    Parameters
    ----------
    check : the check, with the people there are.
    both, smaller : how many times as many people of both groups, or of the smaller one alone.
    does : what so many people would do.
    """
    there = _people(check.counts)
    more = {name: rounded_up(n * (both - 1)) for name, n in there.items()}
    total = rounded_up(sum(more.values()))
    if total > MOST_PEOPLE:
        return None, TOO_MANY
    fewer = min(there, key=lambda name: (there[name], name))
    alone = None if smaller is None else rounded_up(there[fewer] * (smaller - 1))
    alone = alone if alone is not None and alone <= MOST_PEOPLE else None
    needed = PeopleNeededRecord(
        favored=_total(there, more, "favored"),
        disfavored=_total(there, more, "disfavored"),
        more=total,
        smaller_group_alone=alone,
    )
    words = f"about {total:,} more people {does}"
    return needed, f"{words}{_who_text(check, more, (fewer, alone))}"


def _total(there: dict[str, float], more: dict[str, int], side: str) -> int | None:
    return rounded_up(ceil(there[side]) + more[side]) if side in more else None


def _who_text(check: CheckInput, more: dict[str, int], alone: tuple[str, int | None]) -> str:
    """Say of which groups the people are who would decide a check."""
    if len(more) < 2:
        return ""
    names = dict(zip(SIDES, check.sides, strict=True))
    words = ": " + " and ".join(f"{n:,} of {names[side]}" for side, n in more.items())
    return words if alone[1] is None else f"{words}, or {alone[1]:,} of {names[alone[0]]} alone"


def _people(counts: MetricInput) -> dict[str, float]:
    """Return the people there are, by side; under sampling weights the rows that were seen."""
    if isinstance(counts, Group):
        return {"all": people_seen(counts)}
    if isinstance(counts, Flips):
        return {"favored": counts.n_a, "disfavored": counts.n_d}
    return {"favored": people_seen(counts.favored), "disfavored": people_seen(counts.disfavored)}


def rounded_up(people: float) -> int:
    """Round a number of people up to two digits.

    >>> rounded_up(5123.4), rounded_up(7.2), rounded_up(99.1)
    (5200, 8, 100)
    """
    grain: int = 10 ** max(0, int(log10(max(people, 1))) + 1 - DIGITS)
    return ceil(ceil(people) / grain) * grain
