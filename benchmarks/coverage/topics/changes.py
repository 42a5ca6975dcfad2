"""Changes since a baseline: other people or the same ones, and how many audits they fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scenes import BOUNDS, CONFIDENCE, Result, Scene, Target

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import IntervalEstimate, Intervals, change_interval, correlation

__all__ = ["SCENES"]

CELLS = [(y, now, then) for y in (True, False) for now in (True, False) for then in (True, False)]
"""A person's label, prediction and earlier prediction."""
STRATA = ("0", "1")
METRICS_OF_CHANGE = ("DPPL", "DI", "RD", "EOD", "CDDPL", "KL")
AUDITED = ("DPPL", "DI", "RD", "SD", "DAR", "DRR", "AD", "DPL", "ACCR", "EOD")
MODELS = {"independent": (0.5, 0.5), "good": (0.8, 0.2), "perfect": (1.0, 0.0)}
"""The shares predicted favorable of people with the favorable label, and of the others."""


@dataclass(frozen=True)
class ChangeCase:
    """A model before and now: how far the groups were apart, and how much farther they are."""

    people: int
    model: str
    gap: float
    change: float
    paired: bool

    @property
    def words(self) -> str:
        """The case as it is printed."""
        whose = "the same people" if self.paired else "other people"
        return (
            f"{self.people} of each group, {self.model}, gap {self.gap:g} and {self.change:g} more,"
            f" {whose}"
        )

    def joint(self, *, favored: bool) -> NDArray[Any]:
        """Return the shares of a group by label, prediction and earlier prediction."""
        shares = []
        label_rate = 0.5 - (0 if favored else self.gap / 2)
        for label, rate in zip((label_rate, 1 - label_rate), MODELS[self.model], strict=True):
            then = rate if favored else max(0.0, rate - self.gap)
            now = rate if favored else max(0.0, rate - self.gap - self.change)
            differ = min(max(0.05, then - now), 2 * min(then, 1 - now))
            lost, gained = (differ + then - now) / 2, (differ - then + now) / 2
            shares += [label * share for share in (then - lost, gained, lost, 1 - then - gained)]
        return np.array(shares)


def tables(row: Sequence[Any], *, earlier: bool) -> Table:
    """Return the comparison by one of two predictions, with two strata."""
    sides = []
    for side, letter in enumerate("ad"):
        parts = []
        for stratum in range(len(STRATA)):
            start = (side * len(STRATA) + stratum) * len(CELLS)
            cells: dict[tuple[bool | None, bool | None], Any] = {}
            for (label, now, then), n in zip(CELLS, row[start : start + len(CELLS)], strict=True):
                key = label, then if earlier else now
                cells[key] = cells.get(key, 0) + n
            parts.append(_group(cells, letter))
        sides.append(parts)
    whole = [_group(_sum([p.cells for p in parts]), parts[0].name) for parts in sides]
    strata = tuple(Stratum(n, a, d) for n, a, d in zip(STRATA, *sides, strict=True))
    return Table(whole[0], whole[1], strata)


def people_with(row: Sequence[Any], *, then_favorable: bool) -> Table:
    """Return the people with an earlier prediction, by label and prediction."""
    kept = [n if CELLS[i % len(CELLS)][2] == then_favorable else 0 for i, n in enumerate(row)]
    return tables(kept, earlier=False)


def _sum(parts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    return {key: sum(part.get(key, 0) for part in parts) for key in {k for p in parts for k in p}}


def _group(cells: Mapping[Any, Any], letter: str) -> Group:
    labels = {"yes": 0, "no": 0}
    for (label, _), n in cells.items():
        labels["yes" if label else "no"] += n
    return Group(dict(cells), labels, name=letter)


def limits(name: str, table: Table) -> IntervalEstimate | None:
    """Return a metric with its limits, as distances from its best value."""
    metric = METRICS[name]
    value = metric(table)
    found = Intervals(table, CONFIDENCE).of(metric, value)
    if found is None or value.number is None:
        return None
    best = metric.ideal
    return IntervalEstimate(found.low - best, value.number - best, found.high - best)


def changes(
    names: Sequence[str], row: list[Any], *, paired: bool
) -> dict[str, IntervalEstimate | None]:
    """Return the interval of each metric's change; of other people two samples stand in a row."""
    half = len(row) // 2
    now = tables(row[:half], earlier=False)
    then = tables(row[:half] if paired else row[half:], earlier=True)
    found: dict[str, IntervalEstimate | None] = {}
    for name in names:
        new, old = limits(name, now), limits(name, then)
        r = None
        if paired and name != "KL":
            people = (people_with(row[:half], then_favorable=flag) for flag in (True, False))
            r = correlation(METRICS[name], *people)
        found[name] = None if new is None or old is None else change_interval(new, old, r or 0.0)
    return found


def draw(case: ChangeCase, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw two samples of both groups in two strata; of the same people the second is idle."""
    shares = [case.joint(favored=favored) / len(STRATA) for favored in (True, False)] * 2
    parts = [random.multinomial(case.people, np.tile(p, len(STRATA)), number) for p in shares]
    return np.hstack(parts)


def results(case: ChangeCase, row: list[Any]) -> dict[str, Result]:
    """Return the interval of every metric's change."""
    names = METRICS_OF_CHANGE[:-1] if case.paired else METRICS_OF_CHANGE
    found = changes(names, row, paired=case.paired)
    return {f"change of {name}": interval for name, interval in found.items()}


def targets(case: ChangeCase) -> dict[str, Target]:
    """Return the changes of the population; near parity and the ends intervals hold it oftener."""
    shares = [case.joint(favored=favored) / len(STRATA) for favored in (True, False)]
    row = [Fraction(case.people * p) for part in shares for p in np.tile(part, len(STRATA))]
    now, then = (tables(row, earlier=flag) for flag in (False, True))
    names = METRICS_OF_CHANGE[:-1] if case.paired else METRICS_OF_CHANGE
    found = {}
    for name in names:
        metric = METRICS[name]
        new, old = (abs(float(metric.compute(table)) - metric.ideal) for table in (now, then))
        truth = new - old
        found[f"change of {name}"] = Target(case.people / 4, truth, (BOUNDS[0], 1.0))
    return found


CASES = [
    ChangeCase(people, model, gap, change, paired)
    for people in (400, 2_000)
    for model in MODELS
    for gap in (0.0, 0.2)
    for change in (0.0, 0.1)
    for paired in (False, True)
]


@dataclass(frozen=True)
class AuditCase:
    """An unchanged model, audited by ten checks on fresh people."""

    people: int
    most: float

    @property
    def words(self) -> str:
        """The case as it is printed."""
        return f"{self.people} of each group twice, ten checks, max_worsening {self.most:g}"

    def joint(self, *, favored: bool) -> NDArray[Any]:
        """Return the shares of a group, as of a good model near parity."""
        return ChangeCase(self.people, "good", 0.05, 0.0, False).joint(favored=favored)


def audit_results(case: AuditCase, row: list[Any]) -> dict[str, Result]:
    """Say whether an audit fails by its values, and by its intervals, or is left undecided."""
    found = [interval for interval in changes(AUDITED, row, paired=False).values() if interval]
    return {
        f"fails by value beyond {case.most:g}": any(i.estimate > case.most for i in found),
        f"fails by interval beyond {case.most:g}": any(i.low > case.most for i in found),
        f"undecided by interval at {case.most:g}": any(i.low <= case.most < i.high for i in found),
    }


def audit_targets(case: AuditCase) -> dict[str, Target]:
    """Ask that intervals fail few audits; what values do is shown."""
    people = case.people / 4
    return {
        f"fails by value beyond {case.most:g}": Target(people, None, (0.0, 1.0)),
        f"fails by interval beyond {case.most:g}": Target(people, None, (0.0, 0.25)),
        f"undecided by interval at {case.most:g}": Target(people, None, (0.0, 1.0)),
    }


SCENES = (
    Scene(CASES, draw, results, targets, samples=0.1),
    Scene(
        [AuditCase(1_000, most) for most in (0.0, 0.02, 0.05, 0.1)],
        draw,
        audit_results,
        audit_targets,
        samples=0.1,
    ),
)
