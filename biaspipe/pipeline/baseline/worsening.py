"""Values beside those of a baseline: worse is farther from parity."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, isfinite, isinf
from typing import Any, NamedTuple

from biaspipe.counts import Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS, Metric, Needs, Value
from biaspipe.metrics.digits import DECISIVE, confidence_text, digits_text
from biaspipe.pipeline.baseline.change_intervals import BaselineValue, change_record
from biaspipe.pipeline.baseline.same_rows import compared_rows, other_prediction
from biaspipe.pipeline.evidence import MetricInput
from biaspipe.pipeline.intervals import interval_record
from biaspipe.pipeline.power_records import MOST_PEOPLE, rounded_up
from biaspipe.plan import REST
from biaspipe.report import (
    AuditRecord,
    BaselineNote,
    BaselineRecord,
    ChangeRecord,
    CheckRecord,
    ComparedRows,
    DataRecord,
    Report,
    Result,
)
from biaspipe.report.checks import Change, CheckKey, check_key
from biaspipe.spec import Audit, DecideBy
from biaspipe.statistics import Intervals
from biaspipe.statistics.power import Z_OF_POWER
from biaspipe.statistics.proportions import quantile
from biaspipe.verdict import Verdict

__all__ = [
    "BaselineInput",
    "BaselineValues",
    "ChangeRules",
    "compare",
    "judge_by_baseline",
]

Worsening = Fraction | float | None
TOLD_WHOLE = 10
"""From so many times on as many people, their number is told whole."""
OPEN = (Verdict.REPORTED, Verdict.PASS, Verdict.WARN)
"""What a check may have come to by its limits, for a change that is undecided to matter."""


ByStratum = dict[str | None, Group]
"""A group of an earlier report: the whole of it under None, its part in each stratum by name."""


@dataclass(frozen=True)
class BaselineValues:
    """The values of an earlier report.

    Parameters
    ----------
    values : what its checks came to, by key.
    result : its result, for groups that are compared otherwise by now.
    """

    values: Mapping[CheckKey, BaselineValue]
    result: Result | None = None

    @classmethod
    def of(cls, report: Report) -> "BaselineValues":
        """Return the values of a report."""
        values = {
            check_key(c): BaselineValue(Value(c.status, c.value, c.sign, c.reason), c.interval)
            for c in report.result.checks
        }
        return cls(values, report.result)

    def value_of(self, check: CheckRecord) -> BaselineValue | None:
        """Return the value of a check; None where the baseline does not have it.

        Its interval has the confidence of the check's, where the baseline has what it takes.
        """
        found = self.values.get(check_key(check)) or self._computed(check)
        now = check.interval
        if found is None or now is None or self.result is None or found.value.extended is None:
            return found
        if found.interval and found.interval.confidence == now.confidence:
            return found
        counts = self._evidence(check)
        if counts is None or check.compat is not None:
            return found
        parameters = {} if isinstance(counts, Flips) else check.parameters or {}
        intervals = Intervals(counts, now.confidence)
        interval = intervals.of(METRICS[check.metric], found.value, **parameters)
        return (
            found
            if interval is None
            else found._replace(interval=interval_record(interval, now.confidence))
        )

    def sameness(self, audit: AuditRecord, data: DataRecord) -> dict[str, Any]:
        """Say whether the values are of the same rows as data, and of another prediction of them.

        Parameters
        ----------
        audit, data : the spec that is run now, and what it read.

        Returns
        -------
        The keys of a `BaselineRecord` that hold it.
        """
        if self.result is None:
            return {"rows": "unknown"}
        rows = compared_rows(self.result, audit, data)
        now = Audit.model_validate(audit.spec)
        is_other = rows == "same" and other_prediction(self.result.audit, now) is not None
        return {"rows": rows, "other_prediction": is_other or None}

    def _computed(self, check: CheckRecord) -> BaselineValue | None:
        """Compute the earlier value of two groups that were compared otherwise than now.

        Their sides may have changed places, or another group be the best one by now.
        """
        metric, facet, *_ = check_key(check)
        is_known = any(key[:2] == (metric, facet) for key in self.values)
        if not is_known or Needs.FEATURES in METRICS[metric].needs:
            return None
        table = self._table(check)
        if table is None:
            return None
        return BaselineValue(METRICS[metric](table, **(check.parameters or {})))

    def _evidence(self, check: CheckRecord) -> MetricInput | None:
        """Return what the earlier value was computed from."""
        if self.result is None or (check.facet is not None and check.flips is None):
            return self._table(check)
        if check.facet is None:
            return self.result.data.everyone.to_group("")
        key = check_key(check)
        return next(
            (c.flips.to_flips() for c in self.result.checks if check_key(c) == key and c.flips),
            None,
        )

    def _table(self, check: CheckRecord) -> Table | None:
        """Put the groups of a check side by side, as they were."""
        _, facet, favored, disfavored = check_key(check)
        sides = [self._groups.get((facet, name)) for name in (favored, disfavored)]
        if sides[0] is None or sides[1] is None:
            return None
        return _table(sides[0], sides[1])

    @cached_property
    def _groups(self) -> dict[tuple[str | None, str | None], ByStratum]:
        """The groups that were compared, whole and by stratum; the rest is never the same one."""
        if self.result is None:
            return {}
        groups: dict[tuple[str | None, str | None], ByStratum] = {}
        for facet in self.result.facets:
            for c in facet.comparisons:
                table = c.to_table()
                for name, side in ((c.favored, "favored"), (c.disfavored, "disfavored")):
                    inside = {s.name: getattr(s, side) for s in table.strata}
                    groups.setdefault((facet.facet, name), {}).update(inside)
                    groups[facet.facet, name][None] = getattr(table, side)
        return {key: group for key, group in groups.items() if key[1] != REST}


class BaselineInput(NamedTuple):
    """What an audit is compared with.

    Parameters
    ----------
    values : its values.
    record : what a report says of it; before a comparison nothing is new and nothing vanished.
    is_read_back : whether both are read from a report that was compared with it.
    """

    values: BaselineValues
    record: BaselineRecord
    is_read_back: bool = False


def _table(favored: ByStratum, disfavored: ByStratum) -> Table:
    """Put two groups of an earlier report side by side."""

    def side(group: Group | None, letter: str) -> Group:
        return replace(group or Group({}), name=letter)

    strata = tuple(
        Stratum(name, side(favored.get(name), "a"), side(disfavored.get(name), "d"))
        for name in sorted({*favored, *disfavored} - {None}, key=str)
        if name is not None
    )
    return Table(side(favored[None], "a"), side(disfavored[None], "d"), strata)


class ChangeRules(NamedTuple):
    """What a change is decided by.

    Parameters
    ----------
    max_worsening : how much farther from parity a value may be.
    decide_by : whether the value decides, or the whole interval of the change has to.
    rows : whether both results are of the same rows.
    other_prediction : whether they are of different predictions of the same rows.
    """

    max_worsening: float
    decide_by: DecideBy = "value"
    rows: ComparedRows = "unknown"
    other_prediction: bool | None = None

    def is_identical(self, metric: Metric) -> bool:
        """Whether a metric has been computed from the same rows and predictions."""
        is_other = self.other_prediction and Needs.PREDICTED in metric.needs
        return self.rows == "same" and not is_other

    @property
    def by_interval(self) -> bool:
        """Whether intervals decide."""
        return self.decide_by != "value"


def compare(check: CheckRecord, before: BaselineValue, rules: ChangeRules) -> BaselineNote:
    """Compare a check with its value in the baseline.

    Parameters
    ----------
    check : as it is now.
    before : what it came to in the baseline.
    rules : what decides.
    """
    old, new, worsening = before.value.extended, check.extended, None
    if old is not None and new is not None:
        worsening = _worsening(_best(check), old, new)
    identical = rules.is_identical(METRICS[check.metric])
    interval = change_record(check, before, _best(check), is_identical=identical)
    found = _Found(worsening, interval)
    verdict = _change(old, new, found, rules)
    words = _sentence(check, old, found)
    if verdict == "regressed" and rules.max_worsening:
        words += f", more than {rules.max_worsening:g}"
    if worsening and found.may_be_chance:
        words += ", which may be chance"
    if verdict == "undecided" and worsening is not None:
        words += f"; {_straddles(check, found, rules)}"
    return BaselineNote(
        value=before.value.number,
        status=before.value.status,
        sign=before.value.sign,
        interval=before.interval,
        worsening=None if worsening is None or isinf(worsening) else float(worsening),
        change=interval,
        verdict=verdict,
        sentence=words,
    )


class _Found(NamedTuple):
    """How much farther from its best a value is, and the interval of that."""

    worsening: Worsening
    interval: ChangeRecord | None

    @property
    def may_be_chance(self) -> bool:
        return self.interval is not None and self.interval.ends[0] <= 0 <= self.interval.ends[1]


def _best(check: CheckRecord) -> float:
    """Return the best value: parity, or for the values of smclarify 0, as Model Monitor has it."""
    return METRICS[check.metric].ideal if check.compat is None else 0.0


def _worsening(best: float, old: float, new: float) -> Fraction | float:
    """Return how much farther from the best a value is, exact as the decimals of its text.

    >>> float(_worsening(1.0, 0.9, 0.8)), float(_worsening(0.0, -0.1, 0.05))
    (0.1, -0.05)
    """
    if isinf(old) or isinf(new):
        return 0.0 if old == new else (inf if isinf(new) else -inf)
    ideal, before, now = (Fraction(repr(x)) for x in (best, old, new))
    return abs(now - ideal) - abs(before - ideal)


def _change(old: float | None, new: float | None, found: _Found, rules: ChangeRules) -> Change:
    worsening, margin = found.worsening, rules.max_worsening
    if worsening is None:
        return "same" if new is None and old is None else "undecided"
    if rules.by_interval:
        low, high = found.interval.ends if found.interval else (-inf, inf)
        if low <= margin < high:
            return "undecided"
        if low > margin:
            return "regressed"
    elif worsening > Fraction(repr(float(margin))):
        return "regressed"
    if worsening == 0:
        return "same"
    return "worse" if worsening > 0 else "better"


def _sentence(check: CheckRecord, old: float | None, found: _Found) -> str:
    before, worsening = "undefined" if old is None else digits_text(old, DECISIVE), found.worsening
    if worsening is None:
        new = check.extended
        now = "undefined" if new is None else digits_text(new, DECISIVE)
        return f"was {before}; it is {now} now"
    best = "parity" if check.compat is None else "0"
    if worsening == 0:
        return f"was {before}, as far from {best} as now"
    way = "farther from" if worsening > 0 else "nearer to"
    return f"was {before}, now {digits_text(abs(float(worsening)))} {way} {best}"


def _straddles(check: CheckRecord, found: _Found, rules: ChangeRules) -> str:
    """Say why the interval of a change decides nothing, and how many people would."""
    change, allowed = found.interval, f"{rules.max_worsening:g}"
    if change is None:
        return "without an interval in both reports nobody can tell what chance did"
    low, high = (digits_text(end, DECISIVE, (rules.max_worsening,)) for end in change.ends)
    interval = f"the {confidence_text(change.confidence)} interval of the change {low} to {high}"
    return (
        f"{interval} reaches across the {allowed} that is allowed; {_people(check, found, rules)}"
    )


def _people(check: CheckRecord, found: _Found, rules: ChangeRules) -> str:
    """Say how many times as many people in both reports would tell.

    The width of an interval goes with the root of their number.
    """
    change, worsening = found.interval, float(found.worsening or 0)
    apart = worsening - rules.max_worsening
    if change is None or not apart or not isfinite(apart):
        return "no number of people is known that would tell"
    low, high = change.ends
    reach = worsening - low if apart > 0 else high - worsening
    z = check.simultaneous.critical if check.simultaneous else quantile(change.confidence)
    longer = (z + Z_OF_POWER) / z * reach / apart
    times = longer * longer
    if not times <= MOST_PEOPLE:
        return "more than a billion times as many people would not tell"
    about = f"{rounded_up(times):,}" if times > TOLD_WHOLE else f"{ceil(10 * times) / 10:g}"
    words = "would tell four times in five if the change stays what it is"
    return f"about {about} times as many people in both reports {words}"


def judge_by_baseline(
    check: CheckRecord, note: BaselineNote, *, shortage: str | None
) -> CheckRecord:
    """Judge a check, which is judged by its limits, by its baseline too.

    Parameters
    ----------
    check : the check.
    note : its comparison with the baseline.
    shortage : where people are lacking for a decision, in words.
    """
    update: dict[str, object] = {"baseline": note}
    reported = check.verdict is Verdict.REPORTED
    undefined = "undefined" in (check.status, note.status)
    if shortage and reported:
        update |= {"verdict": Verdict.UNDECIDED, "reason": check.reason or shortage}
    elif note.verdict == "regressed" and not shortage:
        also = "also " if check.verdict is Verdict.FAIL else ""
        words = f"{also}worse than in the baseline: {note.sentence}"
        update |= {"verdict": Verdict.FAIL, "reason": words}
    elif note.verdict == "undecided" and undefined and reported:
        words = f"cannot be compared with the baseline: {note.sentence}"
        update |= {"verdict": Verdict.UNDECIDED, "reason": check.reason or words}
    elif note.verdict == "undecided" and not undefined and check.verdict in OPEN:
        words = f"may be worse than in the baseline: {note.sentence}"
        update |= {"verdict": Verdict.UNDECIDED, "reason": words}
    elif reported and not undefined:
        update["verdict"] = Verdict.PASS
    return check.model_copy(update=update)
