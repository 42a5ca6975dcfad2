"""A random draw that is the same everywhere: by a hash of each row's key.

The key's text is taken as UTF-8, whole numbers as decimals. Beginning with 1, what has been read
is multiplied by 0x9E3779B97F4A7C15 and the next byte added, modulo 2^64; then (seed + 1) times
0xD1B54A32D192ED03 is added, and the result mixed as by SplitMix64. The smallest are drawn, among
equal ones by the key, and among equal keys by the row's features.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["allocation", "key_hashes", "smallest_hashes"]

Hashes = NDArray[np.uint64]

FACTOR = 0x9E3779B97F4A7C15
INCREMENT = 0xD1B54A32D192ED03
ROUNDS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
LAST_SHIFT = 31


def key_hashes(keys: pl.Series, seed: int) -> Hashes:
    """Return the hashes of keys.

    Parameters
    ----------
    keys : texts or whole numbers, none missing.
    seed : a whole number that is not negative.

    Examples
    --------
    >>> int(key_hashes(pl.Series(["7"]), 0)[0]), int(key_hashes(pl.Series([7]), 0)[0])
    (4506445122905060640, 4506445122905060640)
    """
    mixed = _read(keys.cast(pl.String).cast(pl.Binary)) + np.uint64((seed + 1) * INCREMENT % 2**64)
    for shift, factor in ROUNDS:
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(LAST_SHIFT)))


def _read(keys: pl.Series) -> Hashes:
    """Return the polynomial of each key's bytes."""
    lengths = keys.bin.size().to_numpy().astype(np.int64)
    data = np.frombuffer(b"".join(keys.to_list()), dtype=np.uint8)
    start = np.cumsum(lengths) - lengths
    found = np.ones(len(lengths), dtype=np.uint64)
    for place in range(int(lengths.max(initial=0))):
        longer = lengths > place
        at = start[longer] + place
        found[longer] = found[longer] * np.uint64(FACTOR) + data[at]
    return found


def smallest_hashes(frame: pl.DataFrame, number: int) -> pl.DataFrame:
    """Return the rows with the smallest hashes.

    Parameters
    ----------
    frame : rows with `hash`, `id` and features.
    number : how many to draw; all if there are fewer.
    """
    if frame.height > number:
        hashes = frame["hash"].to_numpy()
        frame = frame.filter(hashes <= np.partition(hashes, number - 1)[number - 1])
    features = [name for name in frame.columns if name not in ("hash", "id")]
    return frame.sort(["hash", "id", *features]).head(number)


def allocation(sample: int, people: tuple[int, int]) -> tuple[int, int]:
    """Share out a sample over two strata as they share the people, at least 1 to each that has any.

    >>> allocation(10, (60, 40)), allocation(10, (1, 999)), allocation(10, (3, 4))
    ((6, 4), (1, 9), (3, 4))
    """
    everybody = sum(people)
    if sample >= everybody:
        return people
    first = (2 * sample * people[0] + everybody) // (2 * everybody)
    first = min(max(first, min(1, people[0])), sample - min(1, people[1]))
    return first, sample - first
