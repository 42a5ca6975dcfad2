"""Values beside those of a baseline: worse is farther from parity."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isinf
from typing import NamedTuple

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import METRICS, Needs, Value
from biaspipe.metrics.digits import DECISIVE, digits_text
from biaspipe.plan import REST
from biaspipe.report import (
    BaselineNote,
    BaselineRecord,
    CheckRecord,
    IntervalRecord,
    Report,
    Result,
)
from biaspipe.report.checks import Change, CheckKey, check_key
from biaspipe.verdict import Verdict

__all__ = [
    "BaselineInput",
    "BaselineValue",
    "BaselineValues",
    "compare",
    "judge_by_baseline",
]

Worsening = Fraction | float | None


class BaselineValue(NamedTuple):
    """What a check came to in an earlier report."""

    value: Value
    interval: IntervalRecord | None = None


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
        """Return the value of a check; None where the baseline does not have it."""
        return self.values.get(check_key(check)) or self._computed(check)

    def _computed(self, check: CheckRecord) -> BaselineValue | None:
        """Compute the earlier value of two groups that were compared otherwise than now.

        Their sides may have changed places, or another group be the best one by now.
        """
        metric, facet, favored, disfavored = check_key(check)
        is_known = any(key[:2] == (metric, facet) for key in self.values)
        if not is_known or Needs.FEATURES in METRICS[metric].needs:
            return None
        sides = [self._groups.get((facet, name)) for name in (favored, disfavored)]
        if sides[0] is None or sides[1] is None:
            return None
        return BaselineValue(
            METRICS[metric](_table(sides[0], sides[1]), **(check.parameters or {}))
        )

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
    """

    values: BaselineValues
    record: BaselineRecord


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


def compare(check: CheckRecord, before: BaselineValue, max_worsening: float) -> BaselineNote:
    """Compare a check with its value in the baseline.

    Parameters
    ----------
    check : as it is now.
    before : what it came to in the baseline.
    max_worsening : how much farther from parity it may be.
    """
    old, new, worsening = before.value.extended, check.extended, None
    if old is not None and new is not None:
        worsening = _worsening(_best(check), old, new)
    change = _change(old, new, worsening, max_worsening)
    return BaselineNote(
        value=before.value.number,
        status=before.value.status,
        sign=before.value.sign,
        interval=before.interval,
        worsening=None if worsening is None or isinf(worsening) else float(worsening),
        verdict=change,
        sentence=_sentence(check, old, worsening, change, max_worsening),
    )


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


def _change(old: float | None, new: float | None, worsening: Worsening, margin: float) -> Change:
    if worsening is None:
        return "same" if new is None and old is None else "undecided"
    if worsening > Fraction(repr(float(margin))):
        return "regressed"
    if worsening == 0:
        return "same"
    return "worse" if worsening > 0 else "better"


def _sentence(
    check: CheckRecord, old: float | None, worsening: Worsening, change: Change, margin: float
) -> str:
    before = "undefined" if old is None else digits_text(old, DECISIVE)
    if worsening is None:
        new = check.extended
        now = "undefined" if new is None else digits_text(new, DECISIVE)
        return f"was {before}; it is {now} now"
    best = "parity" if check.compat is None else "0"
    if change == "same":
        return f"was {before}, as far from {best} as now"
    way = "farther from" if worsening > 0 else "nearer to"
    size = digits_text(abs(float(worsening)))
    words = f"was {before}, now {size} {way} {best}"
    return f"{words}, more than {margin:g}" if change == "regressed" and margin else words


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
    elif note.verdict == "undecided" and reported:
        words = f"cannot be compared with the baseline: {note.sentence}"
        update |= {"verdict": Verdict.UNDECIDED, "reason": check.reason or words}
    elif reported and not undefined:
        update["verdict"] = Verdict.PASS
    return check.model_copy(update=update)
