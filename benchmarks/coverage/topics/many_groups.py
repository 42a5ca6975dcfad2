"""Audits of many groups: whether all their intervals hold together, and what limits make of them.

Each audit is run whole, from a table of counts to its verdicts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scenes import Scene, Target

import biaspipe
from biaspipe.report import CheckRecord, IntervalRecord
from biaspipe.verdict import Verdict

__all__ = ["SCENES"]


@dataclass(frozen=True)
class ManyGroups:
    """Groups that are all alike, or of which the first has another rate.

    Parameters
    ----------
    groups, people : how many there are, and people in each.
    rate : of all of them.
    favored : people of a reference that was fixed beforehand; none where the best is picked.
    ratio : the rate of the others, times that of the reference.
    """

    groups: int
    people: int
    rate: float
    favored: int | None = None
    ratio: float = 1.0

    @property
    def words(self) -> str:
        """The case as it is printed."""
        beside = f" beside {self.favored:,}" if self.favored else ""
        parity = "" if self.ratio == 1 else f", ratio {self.ratio:g}"
        return f"{self.groups} groups of {self.people:,}{beside}, rate {self.rate:g}{parity}"

    @property
    def sizes(self) -> list[int]:
        """The people of each group, the reference first where there is one."""
        others = [self.people] * (self.groups - (self.favored is not None))
        return others if self.favored is None else [self.favored, *others]

    @property
    def rates(self) -> list[float]:
        """The rate of each group."""
        first, *others = (self.rate for _ in self.sizes)
        return [first, *(rate * self.ratio for rate in others)]


def draw(case: ManyGroups, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw who is selected in each group."""
    return random.binomial(case.sizes, case.rates, (number, len(case.sizes)))


def checks(
    case: ManyGroups, selected: list[int], metrics: Mapping[str, object], **decision: object
) -> tuple[CheckRecord, ...]:
    """Run an audit of one sample."""
    counted = list(enumerate(zip(selected, case.sizes, strict=True)))
    rows = [(f"g{i:03}", True, yes) for i, (yes, _) in counted]
    rows += [(f"g{i:03}", False, n - yes) for i, (yes, n) in counted]
    sides = {"favored": "g000"} if case.favored else {"compare": "best"}
    spec = {
        "version": 1,
        "name": "many-groups",
        "columns": {"prediction": {"column": "selected", "positive": True}, "weight": "n"},
        "facets": {"group": {"column": "group", **sides}},
        "metrics": metrics,
        "decision": decision,
    }
    frame = pl.DataFrame(rows, schema=["group", "selected", "n"], orient="row")
    return biaspipe.run(spec, frame).result.checks


def hold(found: list[CheckRecord], truth: float, *, together: bool) -> bool:
    """Whether all intervals hold the true value: each alone, or those that decide."""
    intervals = [check.deciding if together else check.interval for check in found]
    return all(_holds(interval, truth) for interval in intervals)


def _holds(interval: IntervalRecord | None, truth: float) -> bool:
    return interval is None or interval.ends[0] <= truth <= interval.ends[1]


def some_fail(found: tuple[CheckRecord, ...]) -> bool:
    """Whether anything fails."""
    return any(check.verdict is Verdict.FAIL for check in found)


PARITY = {"DPPL": 0.0, "DI": 1.0}
LIMITS = {"DPPL": {"max_abs": 0}, "DI": {"min": 1, "max": 1}}
FOUR_FIFTHS = {"DI": {"min": 0.8}}


def of_best(case: ManyGroups, selected: list[int]) -> Mapping[str, bool]:
    """Compare the groups with the best one."""
    found = checks(case, selected, dict.fromkeys(PARITY))
    each = {name: [c for c in found if c.metric == name] for name in PARITY}
    results = {
        f"{name} of the best: all hold": hold(each[name], PARITY[name], together=True)
        for name in PARITY
    }
    return results | {
        f"{name} of the best: all hold, each alone": hold(each[name], PARITY[name], together=False)
        for name in PARITY
    }


def of_reference(case: ManyGroups, selected: list[int]) -> Mapping[str, bool]:
    """Compare the groups with a fixed one, by limits that parity alone keeps."""
    found = checks(case, selected, LIMITS, decide_by="outside", correction="holm")
    return {"a fixed reference, holm: something fails": some_fail(found)}


def by_four_fifths(case: ManyGroups, selected: list[int]) -> Mapping[str, bool]:
    """Judge by the four fifths rule: by the values, and by intervals."""
    what = "the best" if case.favored is None else "a fixed reference"
    by_value = checks(case, selected, FOUR_FIFTHS)
    by_interval = checks(case, selected, FOUR_FIFTHS, decide_by="outside", correction="holm")
    return {
        f"DI below 0.8 of {what}: by value": some_fail(by_value),
        f"DI below 0.8 of {what}: outside, holm": some_fail(by_interval),
    }


def at_the_limit(case: ManyGroups, selected: list[int]) -> Mapping[str, bool]:
    """Judge one group whose true ratio lies on the limit."""
    (check,) = checks(case, selected, FOUR_FIFTHS, decide_by="inside")
    return {
        "at the limit: passes": check.verdict is Verdict.PASS,
        "at the limit: fails": check.verdict is Verdict.FAIL,
    }


def best_targets(case: ManyGroups) -> Mapping[str, Target]:
    """Say how often all intervals are to hold; those of each alone are for information."""
    people = case.people * case.rate
    names = {": all hold": (0.93, 1.0), ": all hold, each alone": (0.0, 1.0)}
    return {
        f"{metric} of the best{name}": Target(people, bounds=bounds)
        for metric in PARITY
        for name, bounds in names.items()
    }


def reference_targets(case: ManyGroups) -> Mapping[str, Target]:
    """Say how often anything may fail where all groups are alike."""
    name = "a fixed reference, holm: something fails"
    return {name: Target(case.people * case.rate, bounds=(0.0, 0.07))}


def four_fifths_targets(case: ManyGroups) -> Mapping[str, Target]:
    """Say the same of the four fifths rule; what values come to is for information."""
    what = "the best" if case.favored is None else "a fixed reference"
    return {
        f"DI below 0.8 of {what}: by value": Target(case.people * case.rate, bounds=(0.0, 1.0)),
        f"DI below 0.8 of {what}: outside, holm": Target(
            case.people * case.rate, bounds=(0.0, 0.07)
        ),
    }


def limit_targets(case: ManyGroups) -> Mapping[str, Target]:
    """Say how often a check passes or fails whose true value lies on the limit."""
    names = ("at the limit: passes", "at the limit: fails")
    return {name: Target(case.people * case.rate, bounds=(0.01, 0.04)) for name in names}


BEST = [
    *(ManyGroups(groups, 300, 0.3) for groups in (5, 10, 20)),
    *(ManyGroups(groups, 100, 0.5) for groups in (5, 10, 20)),
    ManyGroups(20, 1_000, 0.06),
]
REFERENCE = [
    ManyGroups(250, 100, 0.06, favored=20_000),
    ManyGroups(250, 100, 0.3, favored=20_000),
    ManyGroups(21, 300, 0.3, favored=300),
    ManyGroups(11, 1_000, 0.06, favored=300),
]
FIFTHS = [
    *(ManyGroups(groups, 300, 0.3, favored=300) for groups in (11, 21)),
    *(ManyGroups(groups, 300, 0.3) for groups in (10, 20)),
]
ON_LIMIT = [ManyGroups(2, n, rate, favored=n, ratio=0.8) for n, rate in ((500, 0.5), (2_000, 0.1))]
SCENES = (
    Scene(BEST, draw, of_best, best_targets, samples=0.2),
    Scene(REFERENCE, draw, of_reference, reference_targets, samples=0.1),
    Scene(FIFTHS, draw, by_four_fifths, four_fifths_targets, samples=0.2),
    Scene(ON_LIMIT, draw, at_the_limit, limit_targets),
)
