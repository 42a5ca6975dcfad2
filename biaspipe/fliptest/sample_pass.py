"""The first pass of a sampled fliptest: counts the groups, sums up features, draws members."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.errors import DataError
from biaspipe.fliptest.exact_moments import Moments, Numbers
from biaspipe.fliptest.features import has_values, is_number, origin, values
from biaspipe.fliptest.hash_sample import key_hashes, smallest_hashes
from biaspipe.fliptest.passes import (
    Count,
    GroupKey,
    Header,
    JsonValue,
    check_columns,
    from_json,
    pack,
    rebatch,
    to_json,
    unpack,
)
from biaspipe.plan import OTHER

__all__ = [
    "GroupSample",
    "SamplePass",
    "SampleRequest",
    "SampleSummary",
    "rows_by_group",
]

Places = NDArray[np.int64]


@dataclass(frozen=True)
class SampleRequest:
    """The sample that a facet's fliptest asks for.

    Parameters
    ----------
    facet : its name.
    columns : those with the codes of its groups.
    sample, seed : how many to draw, and how.
    scaling : "standard", "range" or "none".
    """

    facet: str
    columns: tuple[str, ...]
    sample: int
    seed: int
    scaling: str


@dataclass(frozen=True)
class GroupSample:
    """The people of a group, and those of them that may be drawn.

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

    def merged(self, other: "GroupSample", number: int) -> "GroupSample":
        """Return both groups as one, of which `number` may be drawn."""
        pairs = zip(self.drawn, other.drawn, strict=True)
        first, second = (smallest_hashes(pl.concat(frames), number) for frames in pairs)
        return GroupSample(
            (self.people[0] + other.people[0], self.people[1] + other.people[1]),
            self.left_out + other.left_out,
            tuple(a + b for a, b in zip(self.moments, other.moments, strict=True)),
            (first, second),
        )


@dataclass(frozen=True)
class SampleSummary:
    """The result of the first pass.

    Parameters
    ----------
    numeric : which features are numbers.
    origins : the least of each feature of whole numbers, None for the others.
    groups : by facet and codes, everybody whose label and prediction are known.
    has_values : whether anybody has a value in any feature.
    """

    numeric: tuple[bool, ...] = ()
    origins: tuple[int | None, ...] = ()
    groups: Mapping[tuple[str, GroupKey], GroupSample] = field(default_factory=dict)
    has_values: bool = False


@dataclass(frozen=True)
class KnownRows:
    """Rows whose label and prediction are known, and which of them have every number."""

    frame: pl.DataFrame
    favorable: NDArray[np.bool_]
    numeric: tuple[bool, ...]
    columns: tuple[Numbers, ...]
    complete: NDArray[np.bool_]

    @property
    def features(self) -> list[pl.Series]:
        """The features."""
        return [self.frame[f"feature{i}"] for i in range(len(self.numeric))]


class GroupHeader(Header):
    """The part of the header about a group, whose rows stand in the table by prediction."""

    request: Count
    key: tuple[JsonValue, ...]
    people: tuple[Count, Count]
    left_out: Count
    moments: tuple[tuple[Count, int | float | None, int | float | None, int, int], ...]


class SampleHeader(Header):
    """The header of a sample."""

    numeric: tuple[bool, ...]
    origins: tuple[int | None, ...]
    has_values: bool
    groups: tuple[GroupHeader, ...]


@dataclass(frozen=True)
class SamplePass:
    """A pass that counts the groups of facets, and draws from each as many as may be needed.

    Parameters
    ----------
    features : how many there are.
    prediction : the column with the code of the prediction.
    required : columns with codes, of which none may be missing.
    requests : of each facet.
    """

    features: int
    prediction: str
    required: tuple[str, ...]
    requests: tuple[SampleRequest, ...]

    def of(self, batches: Iterable[pl.DataFrame]) -> SampleSummary:
        """Return the sample of some rows."""
        found = SampleSummary()
        for frame in rebatch(batches):
            found = self.merged([found, self._of(self.rows(frame))])
        return found

    def merged(self, parts: Iterable[SampleSummary]) -> SampleSummary:
        """Put samples of different rows together."""
        seen = [part for part in parts if part.numeric]
        return reduce(self._both, seen) if seen else SampleSummary()

    def pack(self, summary: SampleSummary) -> bytes:
        """Return a sample as bytes."""
        facets = [request.facet for request in self.requests]
        groups = tuple(
            GroupHeader(
                request=facets.index(facet),
                key=tuple(map(to_json, key)),
                people=group.people,
                left_out=group.left_out,
                moments=tuple(m.parts for m in group.moments),
            )
            for (facet, key), group in summary.groups.items()
        )
        header = SampleHeader(
            numeric=summary.numeric,
            origins=summary.origins,
            has_values=summary.has_values,
            groups=groups,
        )
        frames = [frame for group in summary.groups.values() for frame in group.drawn]
        return pack(header, pl.concat(frames) if frames else pl.DataFrame())

    def unpack(self, data: bytes) -> SampleSummary:
        """Return the sample that bytes hold; an error if it is not what was asked for."""
        header, frame = unpack(SampleHeader, data)
        if {len(header.numeric), len(header.origins)} not in ({0}, {self.features}):
            raise ValueError(header.numeric)
        if header.groups:
            self._check_table(frame, header.numeric)
        groups, start = {}, 0
        for found in header.groups:
            request = self.requests[found.request]
            sizes = [min(people, request.sample) for people in found.people]
            no, yes = frame[start : start + sizes[0]], frame[start + sizes[0] : start + sum(sizes)]
            start += sum(sizes)
            key, moments = tuple(map(from_json, found.key)), found.moments
            sums = tuple(Moments.from_parts(m, sum(found.people)) for m in moments)
            if len(key) != len(request.columns) or len(moments) != sum(header.numeric):
                raise ValueError(key)
            groups[request.facet, key] = GroupSample(found.people, found.left_out, sums, (no, yes))
        if start != frame.height:
            raise ValueError(start)
        return SampleSummary(header.numeric, header.origins, groups, header.has_values)

    def _check_table(self, frame: pl.DataFrame, numeric: tuple[bool, ...]) -> None:
        features = [f"feature{i}" for i in range(self.features)]
        types: dict[str, type[pl.DataType] | None] = dict.fromkeys(["id", *features])
        check_columns(frame, {**types, "hash": pl.UInt64})
        own = frame["id"]
        if own.null_count() or not (own.dtype.is_integer() or own.dtype == pl.String):
            raise ValueError(own.dtype)
        if numeric != tuple(is_number(frame[name].dtype) for name in features):
            raise ValueError(numeric)

    def rows(self, frame: pl.DataFrame) -> KnownRows:
        """Return the rows of a batch whose label and prediction are known."""
        frame = frame.drop_nulls(list(self.required))
        features = [frame[f"feature{i}"] for i in range(self.features)]
        numeric = tuple(is_number(series.dtype) for series in features)
        numbers = [s for s, is_numeric in zip(features, numeric, strict=True) if is_numeric]
        columns = tuple(values(series) for series in numbers)
        complete = np.ones(frame.height, dtype=np.bool_)
        for series, column in zip(numbers, columns, strict=True):
            complete &= series.is_not_null().to_numpy()
            complete &= np.isfinite(column)
        favorable = (frame[self.prediction] != OTHER).to_numpy()
        return KnownRows(frame, favorable, numeric, columns, complete)

    def _of(self, rows: KnownRows) -> SampleSummary:
        if rows.frame["id"].null_count():
            raise DataError("the key of a row is missing, so that nobody can be drawn by it")
        origins = tuple(
            origin(series) if is_numeric else None
            for series, is_numeric in zip(rows.features, rows.numeric, strict=True)
        )
        groups = {
            (request.facet, key): _group(rows, places, request)
            for request in self.requests
            for key, places in rows_by_group(rows.frame, request.columns)
        }
        return SampleSummary(rows.numeric, origins, groups, any(map(has_values, rows.features)))

    def _both(self, one: SampleSummary, other: SampleSummary) -> SampleSummary:
        groups = {**one.groups}
        samples = {request.facet: request.sample for request in self.requests}
        for key, group in other.groups.items():
            before = groups.get(key)
            groups[key] = before.merged(group, samples[key[0]]) if before else group
        pairs = zip(one.origins, other.origins, strict=True)
        origins = tuple(min((x for x in pair if x is not None), default=None) for pair in pairs)
        return SampleSummary(one.numeric, origins, groups, one.has_values or other.has_values)


def rows_by_group(
    frame: pl.DataFrame, columns: tuple[str, ...]
) -> Iterator[tuple[GroupKey, Places]]:
    """Yield the codes of each group, and the positions of its rows."""
    places = frame.select(columns).with_row_index("place").group_by(columns).agg("place")
    for *key, found in places.iter_rows():
        yield tuple(key), np.array(found, dtype=np.int64)


def _group(rows: KnownRows, places: Places, request: SampleRequest) -> GroupSample:
    taking = places[rows.complete[places]]
    sums = request.scaling == "standard"
    ones = np.ones(len(taking), dtype=np.int64)
    yes = taking[rows.favorable[taking]]
    no = taking[~rows.favorable[taking]]
    return GroupSample(
        (len(no), len(yes)),
        len(places) - len(taking),
        tuple(Moments.of(column[taking], ones, sums=sums) for column in rows.columns),
        (_smallest(rows, no, request), _smallest(rows, yes, request)),
    )


def _smallest(rows: KnownRows, places: Places, request: SampleRequest) -> pl.DataFrame:
    hashes = key_hashes(rows.frame["id"][places], request.seed)
    if len(hashes) > request.sample:
        last = np.partition(hashes, request.sample - 1)[request.sample - 1]
        places, hashes = places[hashes <= last], hashes[hashes <= last]
    chosen = rows.frame[places].select("id", *(series.name for series in rows.features))
    return smallest_hashes(
        chosen.with_columns(hash=pl.Series(hashes, dtype=pl.UInt64)), request.sample
    )
