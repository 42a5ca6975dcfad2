"""The second pass of a sampled fliptest: all rows of a, searched for the nearest of those drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from biaspipe.fliptest.features import is_number, numbers, texts
from biaspipe.fliptest.messages import Head, Whole, packed, refuse_other, unpacked
from biaspipe.fliptest.nearest import Nearest
from biaspipe.fliptest.neighbours import Members, Scales, searched
from biaspipe.fliptest.passes import sized
from biaspipe.fliptest.surveying import Key, Survey, grouped

__all__ = ["Categories", "Hunt", "Hunting", "members_of"]

Categories = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Hunt:
    """What one comparison searches for.

    Parameters
    ----------
    own : the columns with the codes of the facet's groups.
    keys : the codes of the favored groups.
    scales : of the numeric features.
    members : those drawn, scaled.
    known : the categories of each other feature that they have.
    k : the people wanted.
    """

    own: tuple[str, ...]
    keys: tuple[Key, ...]
    scales: Scales
    members: Members
    known: Categories
    k: int

    @property
    def start(self) -> Nearest:
        """What is known before any row is searched."""
        return Nearest.nobody(len(self.members.people))


class HuntingHead(Head):
    """What is sent of searches: how many rows of the table belong to each."""

    heights: tuple[Whole, ...]


@dataclass(frozen=True)
class Hunting:
    """A pass that searches every row for the nearest of all comparisons' members.

    Parameters
    ----------
    survey : the pass before.
    origins : the least of each feature of whole numbers.
    hunts : of each comparison.
    """

    survey: Survey
    origins: tuple[int | None, ...]
    hunts: tuple[Hunt, ...]

    def of(self, batches: Iterable[pl.DataFrame]) -> tuple[Nearest, ...]:
        """Search some rows."""
        found = [hunt.start for hunt in self.hunts]
        for batch in sized(batches):
            rows = self.survey.rows(batch)
            frame = self._folded(rows.frame, rows.favorable, rows.complete)
            groups = {
                own: dict(grouped(frame, own)) for own in dict.fromkeys(h.own for h in self.hunts)
            }
            for i, hunt in enumerate(self.hunts):
                places = [groups[hunt.own][key] for key in hunt.keys if key in groups[hunt.own]]
                if places:
                    a = members_of(frame[np.concatenate(places)], self.origins, hunt.known)
                    found[i] = searched(found[i], hunt.scales.of(a), hunt.members, hunt.k)
        return tuple(found)

    def merged(self, parts: Iterable[tuple[Nearest, ...]]) -> tuple[Nearest, ...]:
        """Put searches of different rows together."""
        lists = list(parts)
        return tuple(
            hunt.start.merged([part[i] for part in lists], hunt.k)
            for i, hunt in enumerate(self.hunts)
        )

    def packed(self, summary: tuple[Nearest, ...]) -> bytes:
        """Return searches as they are sent."""
        found = Nearest.stacked(summary)
        columns = {"rows": found.rows, "squared": found.squared, "yes": found.yes, "no": found.no}
        heights = tuple(len(part.rows) for part in summary)
        return packed(HuntingHead(heights=heights), pl.DataFrame(columns))

    def unpacked(self, data: bytes) -> tuple[Nearest, ...]:
        """Return searches that anybody may have sent."""
        head, frame = unpacked(HuntingHead, data)
        whole = dict.fromkeys(("yes", "no"), pl.Int64)
        refuse_other(frame, {"rows": pl.Int64, "squared": pl.Float64, **whole})
        rows, squared, yes, no = (column.to_numpy() for column in frame)
        sizes = [hunt.start.size for hunt in self.hunts]
        found = Nearest(sum(sizes), rows, squared, yes, no)
        if len(head.heights) != len(sizes) or not found.is_sound:
            raise ValueError(head.heights)
        ends = np.cumsum([0, *sizes])
        parts = [found.part(*span) for span in pairwise(ends.tolist())]
        if tuple(len(part.rows) for part in parts) != head.heights:
            raise ValueError(head.heights)
        return tuple(parts)

    def _folded(
        self, frame: pl.DataFrame, favorable: np.ndarray, complete: np.ndarray
    ) -> pl.DataFrame:
        """Return the distinct rows that take part, with their prediction and people."""
        own = dict.fromkeys(name for hunt in self.hunts for name in hunt.own)
        features = [f"feature{i}" for i in range(self.survey.features)]
        rows = frame.select(*own, *features, "n", favorable=pl.Series(favorable))
        return rows.filter(complete).group_by(*own, *features, "favorable").agg(pl.col("n").sum())


def members_of(
    frame: pl.DataFrame, origins: Sequence[int | None], known: Sequence[Sequence[str]]
) -> Members:
    """Return rows as the search takes them, numbers not yet scaled.

    Parameters
    ----------
    frame : `feature0`..., `favorable` and `n`.
    origins : the least of each feature of whole numbers.
    known : the categories of each feature that is no number.
    """
    columns, codes, categories = [], [], iter(known)
    for i, zero in enumerate(origins):
        series = frame[f"feature{i}"]
        if is_number(series.dtype):
            columns.append(numbers(series, zero))
        else:
            codes.append(texts(series, next(categories)))
    rows = frame.height
    return Members(
        np.column_stack([np.empty((rows, 0)), *columns]),
        np.column_stack([np.empty((rows, 0), dtype=np.int64), *codes]),
        frame["n"].cast(pl.Int64).to_numpy(),
        frame["favorable"].to_numpy(),
    )
