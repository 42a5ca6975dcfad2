"""What is drawn in the benchmark of coverage, what is computed from it, and what is expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["BOUNDS", "CONFIDENCE", "FROM_PEOPLE", "Case", "Ends", "Result", "Scene", "Target"]

CONFIDENCE = 0.95
BOUNDS, FROM_PEOPLE = (0.93, 0.99), 50
"""The coverage that is asked for, from so many people in each denominator."""


class Ends(Protocol):
    """An interval, such as a ConfidenceInterval or an IntervalEstimate."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


Result = Ends | bool | None
"""Of one sample: an interval, None where there is none, or whether an event happened."""


class Case(Protocol):
    """A population and the numbers of people drawn from it; its words are its name."""

    @property
    def words(self) -> str:
        """The case as it is printed."""


class Target(NamedTuple):
    """What is counted over many samples, and what is expected of it.

    Parameters
    ----------
    people : expected in the smallest denominator, effective ones under weights.
    truth : the value of the population, which intervals are to hold; None where events are counted.
    bounds : the least and the greatest share of samples that is well.
    """

    people: float
    truth: float | None = None
    bounds: tuple[float, float] = BOUNDS


@dataclass(frozen=True)
class Scene:
    """One kind of audit, with its own grid of cases.

    Parameters
    ----------
    cases : the populations.
    draw : draws so many samples of a case, each a row of an array; rows that are alike are
        computed once. A row may be a seed, where a sample is more than numbers.
    results : computes from one row what the targets are about, by their names, with the product.
    targets : says of a case what is expected, by names that are rows of the tables.
    samples : the share of the samples that is drawn, where results take long.
    """

    cases: Sequence[Case]
    draw: Callable[[Any, np.random.Generator, int], NDArray[Any]]
    results: Callable[[Any, list[Any]], Mapping[str, Result]]
    targets: Callable[[Any], Mapping[str, Target]]
    samples: float = 1.0
