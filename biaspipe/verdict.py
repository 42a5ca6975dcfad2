"""From a value and its limits to a verdict, from verdicts to an exit code."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Self

from biaspipe.counts import Flips, Group, Headcount, Table
from biaspipe.errors import Exit, FailOn
from biaspipe.metrics import Metric, Value
from biaspipe.metrics.digits import DECISIVE, SIGNIFICANT, confidence_text, digits_text
from biaspipe.metrics.phrases import GENERIC, Phrases
from biaspipe.metrics.sizes import kind_of, side_of, size_text, sizes
from biaspipe.spec import WITHOUT_DECISION, Check, Decision, Limits, WhenUndecided

__all__ = [
    "TALLIED",
    "Ruling",
    "Verdict",
    "exit_code",
    "judge",
    "overall",
    "percent",
    "tally",
    "too_few",
    "too_many_missing",
]


class Verdict(StrEnum):
    """What a check, or a whole audit, came to; the gravest first."""

    past: str
    """The verb of a check with this verdict, in the past tense."""
    exit: Exit
    """The exit code where nothing is graver, unless warnings are to fail."""
    waivable: bool
    """Whether a waiver may cover it."""
    gravity: int
    """Its rank among the verdicts, 0 for the gravest."""

    FAIL = "fail", "failed", Exit.FAILED, True
    UNDECIDED = "undecided", "undecided", Exit.UNDECIDED, True
    WARN = "warn", "warned"
    WAIVED = "waived", "waived"
    PASS = "pass", "passed"
    REPORTED = "reported", "reported", Exit.NOTHING_CHECKED

    def __new__(
        cls, value: str, past: str = "", code: Exit = Exit.PASSED, waivable: bool = False
    ) -> Self:
        """Make a verdict of its row."""
        verdict = str.__new__(cls, value)
        verdict._value_, verdict.past, verdict.exit, verdict.waivable = value, past, code, waivable
        verdict.gravity = len(cls.__members__)
        return verdict

    @property
    def of_audit(self) -> str:
        """What a whole audit is said to have come to."""
        return "nothing checked" if self is Verdict.REPORTED else self.value


TALLIED = (
    Verdict.PASS,
    Verdict.WARN,
    Verdict.FAIL,
    Verdict.UNDECIDED,
    Verdict.WAIVED,
    Verdict.REPORTED,
)
"""The verdicts in the order in which they are counted up for a reader."""

Ruling = tuple[Verdict, str | None]
"""A verdict, and the reason in words where nothing could be decided."""


def judge(  # noqa: PLR0913 - all but the first three by name
    value: Value,
    check: Check,
    rules: Decision = WITHOUT_DECISION,
    *,
    ends: tuple[float, float] | None = None,
    over: str | None = None,
    lacking: str | None = None,
) -> Ruling:
    """Decide one check.

    A value on its limit keeps it. What has no value is undecided, never a pass, and so is what
    too few people stand behind.

    Parameters
    ----------
    value : the metric's value.
    check : its limits.
    rules : what decides.
    ends : the ends of the interval that decides.
    over : over what it is simultaneous, in words, where it is.
    lacking : where people are lacking, in words.

    >>> judge(Value.of(0.79), Check(min=0.8)), judge(Value("undefined", reason="0/0"), Check(min=0))
    ((<Verdict.FAIL: 'fail'>, None), (<Verdict.UNDECIDED: 'undecided'>, '0/0'))
    """
    if not check.has_limit:
        return Verdict.REPORTED, value.reason
    number = value.extended
    if number is None:
        return Verdict.UNDECIDED, value.reason
    if lacking:
        return Verdict.UNDECIDED, lacking
    if rules.decide_by == "value" or ends is None:
        ends = (number, number)
    if check.breaks(*ends):
        return Verdict.FAIL, None
    if not check.holds(*ends):
        return Verdict.UNDECIDED, _straddles(ends, check, rules, over)
    return (Verdict.WARN if _warns(ends, check, rules) else Verdict.PASS), None


def _straddles(ends: tuple[float, float], check: Check, rules: Decision, over: str | None) -> str:
    bounds = [Limits(**{name: bound}) for name, bound in check.bounds.items()]
    broken = [words for bound in bounds if not bound.holds(*ends) for words in bound.words]
    low, high = (digits_text(end, DECISIVE, check.kept) for end in ends)
    interval = f"the {confidence_text(rules.confidence)} interval {low} to {high}"
    interval += f", {over}," if over else ""
    limits = f"the limit{'s' if len(broken) > 1 else ''} of {' and '.join(broken)}"
    return f"{interval} reaches across {limits}"


def _warns(ends: tuple[float, float], check: Check, rules: Decision) -> bool:
    """Whether the limits that warn are broken: by the whole interval, or with inside by a part."""
    if check.warn is None:
        return False
    if rules.decide_by == "outside":
        return check.warn.breaks(*ends)
    return not check.warn.holds(*ends)


def too_few(
    metric: Metric,
    evidence: Table | Group | Flips,
    least: int,
    sides: tuple[str, str] = ("a", "d"),
    phrases: Phrases = GENERIC,
) -> str | None:
    """Say which group, or which denominator of a rate, has fewer people than a decision takes.

    Where both groups have fewer, both are named. Under sampling weights people count by the
    effective number of the denominator that they are in.

    Parameters
    ----------
    metric, evidence : the metric, and what it is computed from.
    least : how many people it takes.
    sides : the names of the favored and the disfavored group.
    phrases : how the outcomes are named.

    >>> from biaspipe.metrics import find
    >>> cells = {(True, True): 9, (False, True): 40}
    >>> too_few(find("RD"), Table(Group(cells, name="a"), Group(cells, name="d")), 30)
    'of d, only 9 people with the favorable label, and of a, only 9; 30 are needed'
    """
    few = {name: size for name, size in sizes(metric, evidence) if size < least}
    if not few:
        return None
    first, *others = few
    words = size_text(first, _only(few[first]), sides, phrases)
    for name in others:
        if side_of(name) and kind_of(name) == kind_of(first):
            words += f", and of {sides['ad'.index(side_of(name))]}, {_only(few[name])}"
    return f"{words}; {least} are needed"


def _only(size: Headcount) -> str:
    """Say how few people there are: of a weighted sample how many would tell as much."""
    if isinstance(size, int):
        return f"only {size}"
    return f"a sample that tells only as much as {float(size):.1f}"


def too_many_missing(
    groups: Iterable[tuple[str, Group]], unplaced: Fraction, most: float | None
) -> str | None:
    """Say which group lost more of its people than a decision allows.

    Parameters
    ----------
    groups : the groups of a comparison, with their names.
    unplaced : the share of all people who have no value of the facet.
    most : the share that may be missing; None where that decides nothing.

    >>> too_many_missing([("men", Group({(None, True): 9}, missing=1))], Fraction(0), 0.05)
    '10% of men lack label or prediction, where at most 5% may'
    """
    if most is None:
        return None
    limit = Fraction(repr(most))
    for name, group in groups:
        if group.missing_share > limit:
            share = percent(group.missing_share, most)
            return f"{share} of {name} lack label or prediction, where at most {percent(limit)} may"
    if unplaced > limit:
        share = percent(unplaced, most)
        return (
            f"{share} of all people have no value of the facet, where at most {percent(limit)} may"
        )
    return None


def percent(share: Fraction, *apart: float) -> str:
    """Write a share in percent, in as many digits as keep it off limits that it is not on.

    >>> percent(Fraction(1, 3)), percent(Fraction(10_004, 100_000), 0.1)
    ('33.3%', '10.004%')
    """
    digits = SIGNIFICANT
    limits = [Fraction(repr(limit)) for limit in apart]
    while any(Fraction(f"{float(100 * share):.{digits}g}") / 100 == x != share for x in limits):
        digits += 1
    return f"{float(100 * share):.{digits}g}%"


def tally(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """Count the verdicts; every kind is named, those that did not occur with 0."""
    counted = Counter(verdicts)
    return {verdict.value: counted[verdict] for verdict in TALLIED}


COUNTED_AS: dict[WhenUndecided, Verdict] = {
    "fail": Verdict.UNDECIDED,
    "warn": Verdict.WARN,
    "pass": Verdict.PASS,
}
"""What an undecided check counts as, in the verdict of its audit and in the exit code."""


def overall(verdicts: Iterable[Verdict], undecided: WhenUndecided = "fail") -> Verdict:
    """Return the gravest verdict; an audit that decides nothing is only reported.

    >>> overall([Verdict.PASS, Verdict.REPORTED]).value, overall([]).value
    ('pass', 'reported')
    >>> overall([Verdict.PASS, Verdict.UNDECIDED], "warn").value
    'warn'
    """
    return min(_counted(verdicts, undecided), key=lambda v: v.gravity, default=Verdict.REPORTED)


def _counted(verdicts: Iterable[Verdict], undecided: WhenUndecided) -> set[Verdict]:
    return {COUNTED_AS[undecided] if v is Verdict.UNDECIDED else v for v in verdicts}


def exit_code(
    verdicts: Iterable[Verdict], fail_on: FailOn = "fail", undecided: WhenUndecided = "fail"
) -> Exit:
    """Return the exit code of a process that has come to these verdicts.

    Parameters
    ----------
    verdicts : of all checks of an audit.
    fail_on : the mildest verdict that counts as a failure.
    undecided : what an undecided check counts as.

    >>> exit_code([Verdict.WARN]), exit_code([Verdict.WARN], "warn")
    (<Exit.PASSED: 0>, <Exit.FAILED: 1>)
    """
    if fail_on == "never":
        return Exit.PASSED
    present = _counted(verdicts, undecided)
    codes = {Exit.FAILED if v is Verdict.WARN and fail_on == "warn" else v.exit for v in present}
    return Exit.worst(codes - {Exit.NOTHING_CHECKED})
