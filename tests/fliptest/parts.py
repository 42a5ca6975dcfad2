"""A local stand-in for an engine's passes: rows in any number of parts and batches."""

import pickle
from collections.abc import Iterator
from random import Random
from typing import TypeVar

import polars as pl

from biaspipe.fliptest.passes import Pass, RunPass

__all__ = ["parted"]

S = TypeVar("S")


def parted(frame: pl.DataFrame, seed: int, parts: int) -> RunPass:
    """Return what runs a pass over shuffled rows, each part as if in a process of its own.

    Parameters
    ----------
    frame : the rows, with `key0`..., `feature0`..., `n` and `id`.
    seed : of the shuffle.
    parts : how many parts the rows are put in, some of them empty.
    """
    random = Random(seed)
    places = pl.Series([random.randrange(parts) for _ in range(frame.height)], dtype=pl.Int64)
    rows = frame.with_columns(part=places).sample(fraction=1, shuffle=True, seed=seed)
    pieces = [rows.filter(pl.col("part") == i).drop("part") for i in range(parts)]

    def run_pass(a_pass: Pass[S]) -> S:
        answers = [_sent(a_pass).pack(_sent(a_pass).of(_batches(piece))) for piece in pieces]
        return a_pass.merged(map(a_pass.unpack, answers))

    return run_pass


def _sent(value: S) -> S:
    """Return what is left of an object that goes from one process to another."""
    copy: S = pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled in this very line
    return copy


def _batches(piece: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield the rows of a part, a few at a time."""
    return piece.iter_slices(7) if piece.height else iter([])
