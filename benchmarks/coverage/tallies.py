"""How often intervals hold the true value, and how often events happen, by cells of the grid."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from zlib import crc32

import numpy as np
import topics
from scenes import FROM_PEOPLE, Result, Scene, Target

__all__ = [
    "FEWEST_DEFINED",
    "NOISE",
    "Cell",
    "Place",
    "error",
    "places",
    "tally",
    "tally_all",
    "topic_names",
]

NOISE = 2.0
"""Standard errors beyond its bounds up to which a share may be there by chance."""
FEWEST_DEFINED = 0.1
"""The share of samples in which a metric has a value, from which on a cell says something."""

Place = tuple[str, int, int]
"""A topic, a scene of it, and a case of the scene, by their numbers."""


@dataclass(frozen=True)
class Cell:
    """What became of one target in one case.

    Parameters
    ----------
    place : where the case stands in the grid.
    name : the target's; the row of the tables.
    case : the case's words.
    target : what was expected.
    samples : how many were drawn.
    defined : those with a value, or in which an event could happen.
    held : those whose interval holds the true value, or in which the event happened.
    width : the median width of the intervals.
    method : what most of them are made by, where they say so.
    again : whether the cell was drawn again, with more samples.
    """

    place: Place
    name: str
    case: str
    target: Target
    samples: int
    defined: int
    held: int
    width: float
    method: str = ""
    again: bool = False

    @property
    def share(self) -> float:
        """The coverage, or the share of samples with the event."""
        return self.held / self.defined if self.defined else float("nan")

    @property
    def topic(self) -> str:
        """The topic."""
        return self.place[0]

    @property
    def counts(self) -> bool:
        """Whether there is a value often enough to say something."""
        return self.defined >= FEWEST_DEFINED * self.samples

    @property
    def is_judged(self) -> bool:
        """Whether the bounds are meant for it."""
        return self.counts and self.target.people >= FROM_PEOPLE

    @property
    def distance(self) -> float:
        """How far the share is outside of its bounds, in standard errors; not positive inside."""
        low, high = self.target.bounds
        return max(low - self.share, self.share - high) / error(self.defined)

    @property
    def is_below(self) -> bool:
        """Whether the share is below its bounds beyond chance, where they are meant for it."""
        return self.is_judged and self.distance > NOISE and self.share < self.target.bounds[0]

    @property
    def is_above(self) -> bool:
        """Whether the share is above its bounds beyond chance, where they are meant for it."""
        return self.is_judged and self.distance > NOISE and self.share > self.target.bounds[1]


def error(samples: int) -> float:
    """Return the standard error of a coverage of 95 % by chance of the simulation."""
    return sqrt(0.95 * 0.05 / samples) if samples else float("inf")


def topic_names() -> list[str]:
    """Return the topics: the modules of that folder."""
    return sorted(module.name for module in pkgutil.iter_modules(topics.__path__))


def _scenes(topic: str) -> Sequence[Scene]:
    scenes: Sequence[Scene] = importlib.import_module(f"topics.{topic}").SCENES
    return scenes


def places(topic: str) -> Iterator[Place]:
    """Yield every case of a topic."""
    for i, scene in enumerate(_scenes(topic)):
        yield from ((topic, i, j) for j in range(len(scene.cases)))


def tally_all(pool: Executor, where: Sequence[Place], number: int, seed: int) -> list[Cell]:
    """Count every target of many cases, in several processes."""
    found = pool.map(partial(tally, number=number, seed=seed), where)
    return [cell for cells in found for cell in cells]


def tally(place: Place, number: int, seed: int) -> list[Cell]:
    """Count every target of one case.

    Parameters
    ----------
    place : the case.
    number : samples, of scenes whose results do not take long.
    seed : the draws are the same ones every time.
    """
    topic, i, j = place
    scene = _scenes(topic)[i]
    case = scene.cases[j]
    random = np.random.default_rng([seed, crc32(topic.encode()), i, crc32(case.words.encode())])
    number = max(1, round(number * scene.samples))
    rows, times = np.unique(scene.draw(case, random, number), axis=0, return_counts=True)
    counted = [
        (scene.results(case, row), n) for row, n in zip(rows.tolist(), times.tolist(), strict=True)
    ]
    targets = scene.targets(case).items()
    return [_cell(place, case.words, name, target, counted) for name, target in targets]


def _cell(
    place: Place,
    words: str,
    name: str,
    target: Target,
    counted: Sequence[tuple[Mapping[str, Result], int]],
) -> Cell:
    found = [(results[name], n) for results, n in counted if results.get(name) is not None]
    held: Counter[bool] = Counter()
    for result, n in found:
        held[_holds(result, target.truth)] += n
    widths = [(r.high - r.low, n) for r, n in found if r is not None and not isinstance(r, bool)]
    methods: Counter[str] = Counter()
    for result, n in found:
        methods[getattr(result, "method", "")] += n
    samples, defined = sum(n for _, n in counted), sum(n for _, n in found)
    method = methods.most_common(1)[0][0] if methods else ""
    return Cell(place, name, words, target, samples, defined, held[True], _median(widths), method)


def _holds(result: Result, truth: float | None) -> bool:
    """Whether an event happened, or an interval holds the truth but for rounding."""
    if isinstance(result, bool):
        return result
    if result is None or truth is None:
        raise TypeError("an interval is held against a true value")
    slack = 1e-9 * max(1.0, abs(truth))
    return bool(result.low - slack <= truth <= result.high + slack)


def _median(widths: Sequence[tuple[float, int]]) -> float:
    """Return the median of widths that came so many times each."""
    if not widths:
        return float("nan")
    values, times = (np.array(part) for part in zip(*widths, strict=True))
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(times[order])
    return float(values[order][np.searchsorted(reached, (reached[-1] + 1) // 2)])
