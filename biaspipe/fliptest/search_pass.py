"""The second pass of a sampled fliptest: all rows of a, searched for the nearest of those drawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from biaspipe.fliptest.nearest import Nearest
from biaspipe.fliptest.passes import Count, GroupKey, Header, check_columns, pack, rebatch, unpack
from biaspipe.fliptest.sample_pass import SamplePass, rows_by_group
from biaspipe.fliptest.search import Members, Scales, members_of, search

__all__ = ["MemberSearch", "SearchPass"]

Categories = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class MemberSearch:
    """The search of one comparison.

    Parameters
    ----------
    columns : those with the codes of the facet's groups.
    keys : the codes of the favored groups.
    scales : of the numeric features.
    members : those drawn, scaled.
    categories : of each other feature, those that the members have.
    k : the people wanted.
    """

    columns: tuple[str, ...]
    keys: tuple[GroupKey, ...]
    scales: Scales
    members: Members
    categories: Categories
    k: int

    @property
    def start(self) -> Nearest:
        """The result before any row is searched."""
        return Nearest.nobody(len(self.members.people))


class SearchHeader(Header):
    """The header of searches: how many rows of the table belong to each."""

    heights: tuple[Count, ...]


@dataclass(frozen=True)
class SearchPass:
    """A pass that searches every row for the nearest of all comparisons' members.

    Parameters
    ----------
    first : the pass before.
    origins : the least of each feature of whole numbers.
    searches : one of each comparison.
    """

    first: SamplePass
    origins: tuple[int | None, ...]
    searches: tuple[MemberSearch, ...]

    def of(self, batches: Iterable[pl.DataFrame]) -> tuple[Nearest, ...]:
        """Search some rows."""
        found = [one.start for one in self.searches]
        for batch in rebatch(batches):
            rows = self.first.rows(batch)
            frame = self._distinct(rows.frame, rows.favorable, rows.complete)
            facets = dict.fromkeys(one.columns for one in self.searches)
            groups = {columns: dict(rows_by_group(frame, columns)) for columns in facets}
            for i, one in enumerate(self.searches):
                own = groups[one.columns]
                places = [own[key] for key in one.keys if key in own]
                if places:
                    a = members_of(frame[np.concatenate(places)], self.origins, one.categories)
                    found[i] = search(found[i], one.scales.of(a), one.members, one.k)
        return tuple(found)

    def merged(self, parts: Iterable[tuple[Nearest, ...]]) -> tuple[Nearest, ...]:
        """Put searches of different rows together."""
        lists = list(parts)
        return tuple(
            one.start.merged([part[i] for part in lists], one.k)
            for i, one in enumerate(self.searches)
        )

    def pack(self, summary: tuple[Nearest, ...]) -> bytes:
        """Return searches as bytes."""
        found = Nearest.stacked(summary)
        columns = {"rows": found.rows, "squared": found.squared, "yes": found.yes, "no": found.no}
        heights = tuple(len(part.rows) for part in summary)
        return pack(SearchHeader(heights=heights), pl.DataFrame(columns))

    def unpack(self, data: bytes) -> tuple[Nearest, ...]:
        """Return the searches that bytes hold; an error if they are not what was asked for."""
        header, frame = unpack(SearchHeader, data)
        whole = dict.fromkeys(("yes", "no"), pl.Int64)
        check_columns(frame, {"rows": pl.Int64, "squared": pl.Float64, **whole})
        rows, squared, yes, no = (column.to_numpy() for column in frame)
        sizes = [one.start.size for one in self.searches]
        found = Nearest.of(sum(sizes), rows, squared, yes, no)
        if len(header.heights) != len(sizes) or not found.is_sound:
            raise ValueError(header.heights)
        ends = np.cumsum([0, *sizes])
        parts = [found.part(*span) for span in pairwise(ends.tolist())]
        if tuple(len(part.rows) for part in parts) != header.heights:
            raise ValueError(header.heights)
        return tuple(parts)

    def _distinct(
        self, frame: pl.DataFrame, favorable: np.ndarray, complete: np.ndarray
    ) -> pl.DataFrame:
        """Return the distinct rows that have every number, with their prediction and people."""
        own = dict.fromkeys(name for one in self.searches for name in one.columns)
        features = [f"feature{i}" for i in range(self.first.features)]
        rows = frame.select(*own, *features, "n", favorable=pl.Series(favorable))
        return rows.filter(complete).group_by(*own, *features, "favorable").agg(pl.col("n").sum())
