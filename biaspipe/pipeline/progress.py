"""What a run tells of how far it is, to whoever shows it."""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

__all__ = ["Measure", "Progress", "Unit", "silent"]

Unit = Literal["bytes", "people"]


class Measure(NamedTuple):
    """How far a step is, for whoever asks while it goes on.

    Parameters
    ----------
    unit : what is counted.
    read : returns how many are done, and of how many; None where nobody knows.
    """

    unit: Unit
    read: Callable[[], tuple[int, int] | None]


class Progress(Protocol):
    """Is told each step of a run when it begins."""

    def __call__(self, step: str, measure: Measure | None = None, /) -> None:
        """Take note of a step, and of how far it is if that can be told."""


def silent(step: str, measure: Measure | None = None, /) -> None:
    """Show no progress."""
