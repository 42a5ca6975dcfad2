"""The first pass of a sampled fliptest: how many there are, how far apart, and who is drawn."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.errors import DataError
from biaspipe.fliptest.exact_moments import Moments, Numbers
from biaspipe.fliptest.features import is_known, is_number, origin, values
from biaspipe.fliptest.hash_sample import drawn, hashed
from biaspipe.fliptest.messages import (
    Head,
    Key,
    Tagged,
    Whole,
    packed,
    refuse_other,
    tagged,
    unpacked,
    untagged,
)
from biaspipe.fliptest.passes import sized
from biaspipe.plan import OTHER

__all__ = ["Drawing", "Group", "Key", "Rows", "Survey", "Surveyed", "grouped"]

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Drawing:
    """What a facet's fliptest asks of the first pass.

    Parameters
    ----------
    facet : its name.
    own : the columns with the codes of its groups.
    sample, seed : how many to draw, and how.
    scaling : "standard", "range" or "none".
    """

    facet: str
    own: tuple[str, ...]
    sample: int
    seed: int
    scaling: str


@dataclass(frozen=True)
class Group:
    """The people of a group.

    Parameters
    ----------
    people : those that take part, with an unfavorable and with a favorable prediction.
    left_out : those that lack a numeric feature.
    moments : of each numeric feature.
    drawn : the rows with the smallest hashes among each of `people`.
    """

    people: tuple[int, int]
    left_out: int
    moments: tuple[Moments, ...]
    drawn: tuple[pl.DataFrame, pl.DataFrame]

    def merged(self, other: "Group", number: int) -> "Group":
        """Put two groups together, of whom so many may be drawn."""
        pairs = zip(self.drawn, other.drawn, strict=True)
        first, second = (drawn(pl.concat(frames), number) for frames in pairs)
        return Group(
            (self.people[0] + other.people[0], self.people[1] + other.people[1]),
            self.left_out + other.left_out,
            tuple(a + b for a, b in zip(self.moments, other.moments, strict=True)),
            (first, second),
        )


@dataclass(frozen=True)
class Surveyed:
    """What a survey has found.

    Parameters
    ----------
    numeric : which features are numbers.
    origins : the least of each feature of whole numbers, None for the others.
    groups : by facet and codes, everybody whose outcomes are known.
    is_known : whether anybody has a value in any feature.
    """

    numeric: tuple[bool, ...] = ()
    origins: tuple[int | None, ...] = ()
    groups: Mapping[tuple[str, Key], Group] = field(default_factory=dict)
    is_known: bool = False


@dataclass(frozen=True)
class Rows:
    """Some rows whose outcomes are known: features, predictions, and who lacks a number."""

    frame: pl.DataFrame
    favorable: NDArray[np.bool_]
    numeric: tuple[bool, ...]
    columns: tuple[Numbers, ...]
    complete: NDArray[np.bool_]

    @property
    def features(self) -> list[pl.Series]:
        """The features."""
        return [self.frame[f"feature{i}"] for i in range(len(self.numeric))]


class GroupHead(Head):
    """What is sent of a group; its rows stand in the table, one stratum after the other."""

    drawing: Whole
    key: tuple[Tagged, ...]
    people: tuple[Whole, Whole]
    left_out: Whole
    moments: tuple[tuple[Whole, int | float | None, int | float | None, int, int], ...]


class SurveyHead(Head):
    """What is sent of a survey."""

    numeric: tuple[bool, ...]
    origins: tuple[int | None, ...]
    is_known: bool
    groups: tuple[GroupHead, ...]


@dataclass(frozen=True)
class Survey:
    """A pass that counts the groups of facets, and draws from each as many as may be needed.

    Parameters
    ----------
    features : how many there are.
    prediction : the column with the code of the prediction.
    known : columns with codes, of which none may be missing.
    drawings : of each facet.
    """

    features: int
    prediction: str
    known: tuple[str, ...]
    drawings: tuple[Drawing, ...]

    def of(self, batches: Iterable[pl.DataFrame]) -> Surveyed:
        """Survey some rows."""
        found = Surveyed()
        for frame in sized(batches):
            found = self.merged([found, self._of(self.rows(frame))])
        return found

    def merged(self, parts: Iterable[Surveyed]) -> Surveyed:
        """Put surveys of different rows together."""
        seen = [part for part in parts if part.numeric]
        return reduce(self._both, seen) if seen else Surveyed()

    def packed(self, summary: Surveyed) -> bytes:
        """Return a survey as it is sent."""
        facets = [drawing.facet for drawing in self.drawings]
        groups = tuple(
            GroupHead(
                drawing=facets.index(facet),
                key=tuple(map(tagged, key)),
                people=group.people,
                left_out=group.left_out,
                moments=tuple(m.parts for m in group.moments),
            )
            for (facet, key), group in summary.groups.items()
        )
        head = SurveyHead(
            numeric=summary.numeric,
            origins=summary.origins,
            is_known=summary.is_known,
            groups=groups,
        )
        frames = [frame for group in summary.groups.values() for frame in group.drawn]
        return packed(head, pl.concat(frames) if frames else pl.DataFrame())

    def unpacked(self, data: bytes) -> Surveyed:
        """Return a survey that anybody may have sent."""
        head, frame = unpacked(SurveyHead, data)
        if {len(head.numeric), len(head.origins)} not in ({0}, {self.features}):
            raise ValueError(head.numeric)
        if head.groups:
            self._refuse_other(frame, head.numeric)
        groups, start = {}, 0
        for found in head.groups:
            drawing = self.drawings[found.drawing]
            sizes = [min(people, drawing.sample) for people in found.people]
            no, yes = frame[start : start + sizes[0]], frame[start + sizes[0] : start + sum(sizes)]
            start += sum(sizes)
            key, moments = tuple(map(untagged, found.key)), found.moments
            sums = tuple(Moments.received(m, sum(found.people)) for m in moments)
            if len(key) != len(drawing.own) or len(moments) != sum(head.numeric):
                raise ValueError(key)
            groups[drawing.facet, key] = Group(found.people, found.left_out, sums, (no, yes))
        if start != frame.height:
            raise ValueError(start)
        return Surveyed(head.numeric, head.origins, groups, head.is_known)

    def _refuse_other(self, frame: pl.DataFrame, numeric: tuple[bool, ...]) -> None:
        features = [f"feature{i}" for i in range(self.features)]
        types: dict[str, type[pl.DataType] | None] = dict.fromkeys(["id", *features])
        refuse_other(frame, {**types, "hash": pl.UInt64})
        own = frame["id"]
        if own.null_count() or not (own.dtype.is_integer() or own.dtype == pl.String):
            raise ValueError(own.dtype)
        if numeric != tuple(is_number(frame[name].dtype) for name in features):
            raise ValueError(numeric)

    def rows(self, frame: pl.DataFrame) -> Rows:
        """Return the rows of a batch whose outcomes are known."""
        frame = frame.drop_nulls(list(self.known))
        features = [frame[f"feature{i}"] for i in range(self.features)]
        numeric = tuple(is_number(series.dtype) for series in features)
        numbers = [s for s, is_numeric in zip(features, numeric, strict=True) if is_numeric]
        columns = tuple(values(series) for series in numbers)
        complete = np.ones(frame.height, dtype=np.bool_)
        for series, column in zip(numbers, columns, strict=True):
            complete &= series.is_not_null().to_numpy()
            complete &= np.isfinite(column)
        favorable = (frame[self.prediction] != OTHER).to_numpy()
        return Rows(frame, favorable, numeric, columns, complete)

    def _of(self, rows: Rows) -> Surveyed:
        if rows.frame["id"].null_count():
            raise DataError("the key of a row is missing, so that nobody can be drawn by it")
        origins = tuple(
            origin(series) if is_numeric else None
            for series, is_numeric in zip(rows.features, rows.numeric, strict=True)
        )
        groups = {
            (drawing.facet, key): _group(rows, places, drawing)
            for drawing in self.drawings
            for key, places in grouped(rows.frame, drawing.own)
        }
        return Surveyed(rows.numeric, origins, groups, any(map(is_known, rows.features)))

    def _both(self, one: Surveyed, other: Surveyed) -> Surveyed:
        groups = {**one.groups}
        samples = {drawing.facet: drawing.sample for drawing in self.drawings}
        for key, group in other.groups.items():
            known = groups.get(key)
            groups[key] = known.merged(group, samples[key[0]]) if known else group
        pairs = zip(one.origins, other.origins, strict=True)
        origins = tuple(min((x for x in pair if x is not None), default=None) for pair in pairs)
        return Surveyed(one.numeric, origins, groups, one.is_known or other.is_known)


def grouped(frame: pl.DataFrame, own: tuple[str, ...]) -> Iterator[tuple[Key, Places]]:
    """Yield the codes of each group, and the places of its rows."""
    places = frame.select(own).with_row_index("place").group_by(own).agg("place")
    for *key, found in places.iter_rows():
        yield tuple(key), np.array(found, dtype=np.int64)


def _group(rows: Rows, places: Places, drawing: Drawing) -> Group:
    taking = places[rows.complete[places]]
    sums = drawing.scaling == "standard"
    ones = np.ones(len(taking), dtype=np.int64)
    yes = taking[rows.favorable[taking]]
    no = taking[~rows.favorable[taking]]
    return Group(
        (len(no), len(yes)),
        len(places) - len(taking),
        tuple(Moments.of(column[taking], ones, sums=sums) for column in rows.columns),
        (_drawn(rows, no, drawing), _drawn(rows, yes, drawing)),
    )


def _drawn(rows: Rows, places: Places, drawing: Drawing) -> pl.DataFrame:
    hashes = hashed(rows.frame["id"][places], drawing.seed)
    if len(hashes) > drawing.sample:
        last = np.partition(hashes, drawing.sample - 1)[drawing.sample - 1]
        places, hashes = places[hashes <= last], hashes[hashes <= last]
    chosen = rows.frame[places].select("id", *(series.name for series in rows.features))
    return drawn(chosen.with_columns(hash=pl.Series(hashes, dtype=pl.UInt64)), drawing.sample)
