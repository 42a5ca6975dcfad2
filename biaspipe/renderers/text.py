"""Values, limits and groups in the few characters that a line has room for."""

from collections.abc import Iterable, Iterator, Sequence

from biaspipe.metrics import METRICS
from biaspipe.metrics.digits import DECIMALS, LEAST_P, SIGNIFICANT, digits_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.printable_text import escape, list_values
from biaspipe.report import (
    BaselineNote,
    BaselineRecord,
    CheckRecord,
    CompatNote,
    GroupRecord,
    IntervalRecord,
    LimitsRecord,
    ParityRecord,
    Report,
    Result,
)
from biaspipe.spec import Bounds, format_value
from biaspipe.verdict import TALLIED, Verdict

__all__ = [
    "SAMPLED",
    "change_text",
    "compared_rows_text",
    "counted_text",
    "difference_text",
    "documented_text",
    "earlier_check",
    "ends_text",
    "finding_text",
    "gap_text",
    "interval_text",
    "limit_text",
    "number_text",
    "p_value_text",
    "parameters_text",
    "people_seen",
    "people_text",
    "positive_text",
    "probability_text",
    "rate_of",
    "rate_text",
    "sample_text",
    "sentence_text",
    "simultaneous_texts",
    "tally_text",
    "value_text",
    "verdict_counts",
    "verdict_text",
]


def verdict_text(report: Report) -> str:
    """Write the verdict of an audit."""
    return report.result.verdict.of_audit.upper()


def verdict_counts(report: Report) -> list[tuple[Verdict, int]]:
    """Return the verdicts that checks came to, each with how many did."""
    counted = {Verdict(name): n for name, n in report.result.tally.items()}
    return [(verdict, counted[verdict]) for verdict in TALLIED if counted.get(verdict)]


def tally_text(report: Report) -> str:
    """Write how many checks came to what."""
    baseline = report.result.baseline
    words = [f"{n:,} {verdict.past}" for verdict, n in verdict_counts(report)]
    words += [f"{len(baseline.vanished):,} vanished"] if baseline and baseline.fails else []
    return ", ".join(words) or "no checks"


def parameters_text(result: Result) -> str:
    """Write the parameters of an audit, each with its value."""
    pairs = sorted((result.audit.parameters or {}).items())
    return escape(", ".join(f"{name} = {list_values([value])}" for name, value in pairs))


def sentence_text(check: CheckRecord, report: Report) -> str:
    """Return what a check says; an earlier wording states findings of undecided checks, too."""
    if check.verdict is not Verdict.UNDECIDED or report.run.is_of_own_wording:
        return check.sentence
    pair = f" about {check.disfavored} against {check.favored}" if check.disfavored else ""
    return f"nothing is decided{pair}"


def finding_text(check: CheckRecord, report: Report) -> str:
    """Say what a check came to, and why it is no plain failure."""
    told = sentence_text(check, report)
    words = [told, *(part for part in (check.reason or "").split("; ") if part not in told)]
    if check.waiver and check.waiver.state == "waived":
        waiver = report.result.waiver_of(check.waiver)
        ticket = f", {waiver.ticket}" if waiver.ticket else ""
        words.append(
            f"waived by {waiver.approved_by} until {waiver.expires}{ticket}: {waiver.reason}"
        )
    return escape("; ".join(words))


def value_text(check: CheckRecord) -> str:
    """Write a value with its sign where the metric has one, four digits behind the point.

    More digits are written where fewer would show a value on a limit that it does not lie on.
    """
    value = check.value
    if value is None:
        return "undefined" if check.sign is None else ("+inf" if check.sign > 0 else "-inf")
    small = 0 < abs(value) < 0.001
    digits, kind = (DECIMALS - 2, "e") if small else (DECIMALS, "f")
    return digits_text(value, digits, check.limits.all_bounds, kind=kind, sign=_sign(check))


def interval_text(check: CheckRecord) -> str:
    """Write the interval that decides, with signs where the metric has one; empty without."""
    if check.deciding is None:
        return ""
    return ends_text(check.deciding, _sign(check), check.limits.all_bounds)


def simultaneous_texts(checks: Iterable[CheckRecord]) -> Iterator[str]:
    """Say of which metrics the intervals hold for how many comparisons, and by whom.

    Parameters
    ----------
    checks : those whose intervals are shown.
    """
    from biaspipe.statistics.multiplicity import PROCEDURES  # noqa: PLC0415 - fast start of check

    found: dict[str, list[str]] = {}
    for check in checks:
        if record := check.simultaneous:
            words = f"{record.words}, by {PROCEDURES[record.procedure].name}"
            words += " and Holm's shares" if record.families else ""
            found.setdefault(words, []).append(check.metric)
    for words, metrics in found.items():
        yield f"intervals of {', '.join(dict.fromkeys(metrics))}: {words}"


def _sign(check: CheckRecord) -> str:
    return "+" if METRICS[check.metric].range[0] < 0 else ""


def ends_text(interval: IntervalRecord, sign: str, bounds: Sequence[float] = ()) -> str:
    """Write an interval from its lower to its upper end.

    Parameters
    ----------
    interval : the interval.
    sign : "+" where numbers above 0 have a sign.
    bounds : limits, which no end must be rounded to.
    """
    return " to ".join(digits_text(end, SIGNIFICANT, bounds, sign=sign) for end in interval.ends)


def difference_text(difference: float) -> str:
    """Write how far two values are apart, and in which direction.

    >>> difference_text(-0.0123456)
    '-0.0123'
    """
    return f"{difference:+.{DECIMALS}f}"


def gap_text(check: CheckRecord) -> str:
    """Write which values of a metric a check would have told from parity; empty without.

    A side of parity that no value would be seen on is named where the metric has values there.
    """
    gap, metric = check.power.smallest_gap if check.power else None, METRICS[check.metric]
    if gap is None:
        return ""
    ends = {"below": gap.low, "above": gap.high}
    told = [
        f"{side} {digits_text(end, SIGNIFICANT)}" for side, end in ends.items() if end is not None
    ]
    if not told:
        return f"no {check.metric} that is possible"
    words = f"{check.metric} {' or '.join(told)}"
    if len(told) == 2 or metric.ideal in metric.range:
        return words
    unseen = next(side for side, end in ends.items() if end is None)
    return f"{words} (none {unseen} {metric.ideal:g})"


def change_text(note: BaselineNote) -> str:
    """Write how much farther from parity a value is than before, and the interval of that."""
    worsening = "" if note.worsening is None else difference_text(note.worsening)
    if note.change is None or note.change.method == "identical":
        return worsening
    return f"{worsening} ({ends_text(note.change, '+')})".strip()


COMPARED_ROWS = {
    "same": "the same rows",
    "other": "other rows",
    "unknown": "no digest tells whether it is of the same rows, so they count as other ones",
}
"""Of which rows a baseline is, in words."""


def compared_rows_text(baseline: BaselineRecord) -> str:
    """Say of which rows a baseline is; empty where the report does not."""
    words = COMPARED_ROWS.get(baseline.rows or "", "")
    return f"{words}, another prediction" if baseline.other_prediction else words


def p_value_text(parity: ParityRecord | None) -> str:
    """Write a corrected p-value; empty without one."""
    return "" if parity is None or parity.adjusted is None else probability_text(parity.adjusted)


def probability_text(p_value: float) -> str:
    """Write a p-value in three decimals; a small one is not nothing.

    >>> probability_text(0.0421), probability_text(0.0001)
    ('0.042', '<0.001')
    """
    return f"<{LEAST_P:g}" if p_value < LEAST_P else f"{p_value:.3f}"


def earlier_check(check: CheckRecord, note: BaselineNote) -> CheckRecord:
    """Return a check with what it came to in the earlier report."""
    parts = {name: getattr(note, name) for name in ("value", "status", "sign", "interval")}
    return check.model_copy(update={**parts, "simultaneous": None})


def documented_text(check: CheckRecord, note: CompatNote, apart: str = "") -> str:
    """Write the documented value of a check whose value is another tool's, and why it differs.

    Parameters
    ----------
    check : the check.
    note : what is documented.
    apart : how far the two are apart, in words.
    """
    values = {"value": note.value, "status": note.status, "sign": note.sign}
    why = f" ({', '.join(note.why)})" if note.why else ""
    return f"{value_text(check.model_copy(update=values))}{apart}{why}"


def sample_text(group: GroupRecord, about: str = "") -> str:
    """Say how many people there are; of a weighted sample also whom they stand for.

    Parameters
    ----------
    group : the people.
    about : what stands behind their number.
    """
    if group.effective is None:
        return counted_text(group.n, "person") + about
    words = f"{counted_text(group.rows, 'person')}{about}, standing for {number_text(group.n)}"
    if group.effective == group.rows:
        return words
    return f"{words}, in effect {number_text(group.effective)} of equal weight"


def people_seen(group: GroupRecord) -> float:
    """Return how many people were seen: of a weighted sample its own, not whom they stand for."""
    return group.n if group.effective is None else group.rows


def counted_text(n: float, one: str) -> str:
    """Write how many rows or people there are.

    >>> counted_text(1, "row"), counted_text(1200, "person")
    ('1 row', '1,200 people')
    """
    many = "people" if one == "person" else f"{one}s"
    return f"{number_text(n)} {one if n == 1 else many}"


def number_text(n: float) -> str:
    """Write a number of people; sampling weights may make a broken one.

    >>> number_text(12000), number_text(1234.56)
    ('12,000', '1,234.6')
    """
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


SAMPLED = "people: those stood for, in brackets how many of equal weight they are in effect"
"""What numbers of people are under sampling weights."""


def people_text(people: float, effective: float | None) -> str:
    """Write how many people a group has, and in brackets how many of equal weight a sample is.

    `SAMPLED` says what stands in the brackets.
    """
    return number_text(people) + ("" if effective is None else f" ({number_text(effective)})")


def rate_of(group: GroupRecord) -> str | None:
    """Write the selection rate of a group, or without predictions the rate of its labels."""
    rate = group.label_rate if group.selection_rate is None else group.selection_rate
    return None if rate is None else rate_text(rate)


def rate_text(rate: float) -> str:
    """Write a share of people in percent.

    Few are not nobody, and nearly all are not all: neither is rounded away.

    >>> rate_text(0.25), rate_text(0.0001), rate_text(0)
    ('25.0%', '<0.1%', '0.0%')
    """
    if rate in (0, 1):
        return f"{rate:.1%}"
    return "<0.1%" if rate < 0.001 else (">99.9%" if rate > 0.999 else f"{rate:.1%}")


def positive_text(group: GroupRecord, phrases: Phrases) -> str:
    """Say behind a share of a group what it is the share of.

    Parameters
    ----------
    group : the group.
    phrases : how the outcomes are named.
    """
    return phrases.observed if group.selection_rate is None else phrases.predicted


def limit_text(limits: Bounds, warn: Bounds | None = None) -> str:
    """Write limits as a person would.

    Parameters
    ----------
    limits : those whose breach fails a check.
    warn : those whose breach warns.

    >>> from biaspipe.spec import Limits
    >>> limit_text(Limits(min=0.8, max=1.25), Limits(max_abs=0.1))
    '0.8 to 1.25, warn within 0.1'
    """
    low, high = limits.min, limits.max
    words = []
    if low is not None and high is not None:
        words.append(f"{format_value(low)} to {format_value(high)}")
    elif low is not None:
        words.append(f"from {format_value(low)}")
    elif high is not None:
        words.append(f"to {format_value(high)}")
    if limits.max_abs is not None:
        words.append(f"within {format_value(limits.max_abs)}")
    if isinstance(limits, LimitsRecord) and limits.impact:
        words.append(limits.impact.asked.words)
    if warn is not None:
        words.append(f"warn {limit_text(warn)}")
    return ", ".join(words)
