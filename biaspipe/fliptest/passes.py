"""Passes over rows that may lie in many parts, on one machine or on several."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

import polars as pl

from biaspipe.plan import Dimension, Plan

__all__ = ["Gathered", "Pass", "key_of", "sized"]

S = TypeVar("S")
ROWS = 262_144
"""Rows that are looked at together."""


class Pass(Protocol[S]):
    """What is asked of rows in parts: a summary of each part, and one of them all.

    A pass can be pickled, a summary goes its way in bytes that are no code, and no result depends
    on how rows are parted.
    The batches have columns `key0`... with the codes of the plan's dimensions, `feature0`... with
    its features as the data holds them, `n`, the people of a row, and `id`, its key as text or a
    whole number.
    """

    def of(self, batches: Iterable[pl.DataFrame]) -> S:
        """Return the summary of some rows, of none as well."""

    def merged(self, parts: Iterable[S]) -> S:
        """Return the one summary of several parts, of none as well."""

    def packed(self, summary: S) -> bytes:
        """Return a summary as it is sent."""

    def unpacked(self, data: bytes) -> S:
        """Return a summary that anybody may have sent; an error if it was not asked for."""


class Gathered(Protocol):
    """What an engine gives: the summary of all rows that count."""

    def __call__(self, a_pass: Pass[S]) -> S:
        """Run a pass over all rows."""


def key_of(plan: Plan, dimension: Dimension) -> str:
    """Return the column with the codes of a dimension of the plan."""
    return f"key{plan.dimensions.index(dimension)}"


def sized(batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the rows of batches, small ones joined and large ones cut."""
    held: list[pl.DataFrame] = []
    for batch in batches:
        for piece in batch.iter_slices(ROWS):
            held.append(piece)
            if sum(frame.height for frame in held) >= ROWS:
                yield pl.concat(held)
                held = []
    if any(frame.height for frame in held):
        yield pl.concat(held)
