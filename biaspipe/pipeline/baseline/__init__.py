"""Values against those of an earlier report: worse is farther from parity."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isinf
from typing import Literal

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import METRICS, Needs, Value
from biaspipe.pipeline.evidence import recovered
from biaspipe.plan import REST
from biaspipe.report import BaselineNote, CheckRecord, IntervalRecord, Report, Result
from biaspipe.spec import Audit
from biaspipe.verdict import Verdict

__all__ = ["BaselineValue", "Earlier", "Key", "compared", "key_of", "name_of", "regressed"]

Key = tuple[str, str | None, str | None, str | None]
Outcome = Literal["better", "same", "worse", "regressed", "undecided"]


def key_of(check: CheckRecord) -> Key:
    """Return what a check is found by in another report."""
    return check.metric, check.facet, check.favored, check.disfavored


def name_of(key: Key) -> str:
    """Write which check it is.

    >>> name_of(("DI", "sex", "male", "female")), name_of(("GE", None, None, None))
    ('DI on sex, female against male', 'GE')
    """
    metric, facet, favored, disfavored = key
    return metric if facet is None else f"{metric} on {facet}, {disfavored} against {favored}"


@dataclass(frozen=True)
class BaselineValue:
    """What a check came to in an earlier report."""

    value: Value
    interval: IntervalRecord | None = None


ByStratum = dict[str | None, Group]
"""A group of an earlier report: the whole of it under None, its part in each stratum by name."""


@dataclass(frozen=True)
class Earlier:
    """The checks of an earlier report.

    Parameters
    ----------
    checks : what they came to, by key.
    result : the earlier result, for groups that are compared otherwise by now.
    """

    checks: Mapping[Key, BaselineValue]
    result: Result | None = None

    @classmethod
    def of(cls, report: Report) -> "Earlier":
        """Return the checks of a report."""
        checks = {key_of(c): BaselineValue(_value(c), c.interval) for c in report.result.checks}
        return cls(checks, report.result)

    def was(self, check: CheckRecord) -> BaselineValue | None:
        """Return what a check came to; None where the earlier report does not have it."""
        return self.checks.get(key_of(check)) or self._rebuilt(check)

    def _rebuilt(self, check: CheckRecord) -> BaselineValue | None:
        """Compute the earlier value of two groups that were compared otherwise than now.

        Their sides may have changed places, or another group be the best one by now.
        """
        metric, facet, favored, disfavored = key_of(check)
        computed = any(key[:2] == (metric, facet) for key in self.checks)
        if not computed or Needs.FEATURES in METRICS[metric].needs:
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
        evidence = recovered(Audit.model_validate(self.result.audit.spec), (), self.result)
        groups: dict[tuple[str | None, str | None], ByStratum] = {}
        for facet, comparisons in evidence.comparisons.items():
            for c in comparisons:
                for name, side in ((c.favored, "favored"), (c.disfavored, "disfavored")):
                    inside = {s.name: getattr(s, side) for s in c.table.strata}
                    groups.setdefault((facet, name), {}).update(inside)
                    groups[facet, name][None] = getattr(c.table, side)
        return {key: group for key, group in groups.items() if key[1] != REST}


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


def _value(check: CheckRecord) -> Value:
    return Value(check.status, check.value, check.sign, check.reason)


def compared(check: CheckRecord, was: BaselineValue, most: float) -> BaselineNote:
    """Compare a check with what it was.

    Parameters
    ----------
    check : as it is now.
    was : what it came to in the earlier report.
    most : how much farther from parity it may be.
    """
    now, before = check.extended, was.value.extended
    worsening = None if now is None or before is None else _farther(_origin(check), before, now)
    outcome = _outcome(now, before, worsening, most)
    return BaselineNote(
        value=was.value.number,
        status=was.value.status,
        sign=was.value.sign,
        interval=was.interval,
        worsening=None if worsening is None or isinf(worsening) else float(worsening),
        verdict=outcome,
        sentence=_sentence(check, was, worsening, outcome, most),
    )


def _origin(check: CheckRecord) -> float:
    """Return what is best: parity, or for the values of smclarify 0, as Model Monitor has it."""
    return METRICS[check.metric].ideal if check.compat is None else 0.0


def _farther(ideal: float, before: float, now: float) -> Fraction | float:
    """Return how much farther from parity a value is, exact as the decimals that it is written in.

    >>> float(_farther(1.0, 0.9, 0.8)), float(_farther(0.0, -0.1, 0.05))
    (0.1, -0.05)
    """
    if isinf(before) or isinf(now):
        return 0.0 if before == now else (inf if isinf(now) else -inf)
    best, old, new = (Fraction(repr(x)) for x in (ideal, before, now))
    return abs(new - best) - abs(old - best)


def _outcome(
    now: float | None, before: float | None, worsening: Fraction | float | None, most: float
) -> Outcome:
    if worsening is None:
        return "same" if now is None and before is None else "undecided"
    if worsening > Fraction(repr(float(most))):
        return "regressed"
    if worsening == 0:
        return "same"
    return "worse" if worsening > 0 else "better"


def _sentence(
    check: CheckRecord,
    was: BaselineValue,
    worsening: Fraction | float | None,
    outcome: Outcome,
    most: float,
) -> str:
    before = was.value.extended
    old = f"{before:.4g}" if before is not None else "undefined"
    if worsening is None:
        now = "it is undefined now" if check.extended is None else f"it is {check.extended:.4g} now"
        return f"was {old}; {now}"
    best = "parity" if check.compat is None else "0"
    if outcome == "same":
        return f"was {old}, as far from {best} as now"
    way = "farther from" if worsening > 0 else "nearer to"
    words = f"was {old}, now {abs(float(worsening)):.3g} {way} {best}"
    return f"{words}, more than {most:g}" if outcome == "regressed" else words


def regressed(check: CheckRecord, note: BaselineNote, lacking: str | None) -> CheckRecord:
    """Return a check with its baseline and what follows from it for the verdict.

    Parameters
    ----------
    check : a check, judged by its limits.
    note : its comparison with the baseline.
    lacking : where people are lacking for a decision, in words.
    """
    update: dict[str, object] = {"baseline": note}
    reported, undefined = (
        check.verdict is Verdict.REPORTED,
        "undefined" in (check.status, note.status),
    )
    if lacking and reported:
        update |= {"verdict": Verdict.UNDECIDED, "reason": check.reason or lacking}
    elif note.verdict == "regressed" and not lacking:
        also = "also " if check.verdict is Verdict.FAIL else ""
        words = f"{also}worse than in the baseline: {note.sentence}"
        update |= {"verdict": Verdict.FAIL, "reason": words}
    elif note.verdict == "undecided" and reported:
        words = f"cannot be compared with the baseline: {note.sentence}"
        update |= {"verdict": Verdict.UNDECIDED, "reason": check.reason or words}
    elif reported and not undefined:
        update["verdict"] = Verdict.PASS
    return check.model_copy(update=update)
