"""What workers hand back of a fliptest is held against what was asked; none of it is run."""

import json
import os
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from math import inf, nan
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from biaspipe.errors import DataError
from biaspipe.fliptest.exact import DistinctPass
from biaspipe.fliptest.passes import GroupKey, translate_summary_errors
from biaspipe.fliptest.sample_pass import GroupSample, SamplePass, SampleRequest
from biaspipe.fliptest.search import Members, Scales
from biaspipe.fliptest.search_pass import MemberSearch, SearchPass
from tests.fliptest.test_sampled import rows

SAMPLE = SamplePass(5, "key1", ("key1",), (SampleRequest("sex", ("key0",), 4, 7, "standard"),))
WORDS = "d.parquet: a worker hands back what it was not asked for"


def searching() -> SearchPass:
    """Return a pass that searches for two members by one number."""
    members = Members(
        np.array([[0.0], [1.0]]),
        np.zeros((2, 0), dtype=np.int64),
        np.array([1, 1]),
        np.ones(2, bool),
    )
    scales = Scales(np.zeros(1), np.ones(1))
    one = MemberSearch(("key0",), ((0,),), scales, members, (), 3)
    return SearchPass(SAMPLE, (None,), (one, one))


DISTINCT = DistinctPass(100, ("key0", "key1", *(f"feature{i}" for i in range(5))))


def refused(a_pass: Any, data: bytes) -> None:
    """Hold an answer against a pass: it has to end as an error of the data, in words."""
    with pytest.raises(DataError) as error, translate_summary_errors("d.parquet"):
        a_pass.merged(map(a_pass.unpack, [data, data]))
    assert WORDS in str(error.value)


def parted(data: bytes) -> tuple[Any, bytes]:
    """Return what an answer says, and its table as it is sent."""
    head, _, body = data.partition(b"\n")
    return json.loads(head), body


def joined(head: Any, body: bytes) -> bytes:
    """Return an answer."""
    return json.dumps(head).encode() + b"\n" + body


def stream(frame: Any) -> bytes:
    """Return a table as it is sent."""
    table = frame.to_arrow() if isinstance(frame, pl.DataFrame) else frame
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def sample() -> bytes:
    """Return the answer of an honest worker to the first pass."""
    return SAMPLE.pack(SAMPLE.of([rows(3, 60)]))


class Malice:
    """What leaves a trace where it is unpickled."""

    def __reduce__(self) -> Any:
        """Return a call."""
        return os.putenv, ("BIASPIPE_UNPICKLED", "yes")


def nonsense() -> Iterator[bytes]:
    """Yield bytes that are no answer to anything."""
    yield pickle.dumps(Malice())
    yield pickle.dumps(Malice(), protocol=0)
    yield from (b"", b"\n", b"{}", b"{}\n", b"null\nnull", b"\x00" * 100, b"[" * 100_000 + b"\n")
    yield b'{"a":' * 50_000 + b"\n"
    yield b"9" * 1_000_000 + b"\n"
    yield b'{"too_many": false}\n' + b"\xff\xff\xff\xff\xff\xff\xff\x7f" * 4
    yield b'{"too_many": false}\n' + b"ARROW1\x00\x00" + b"\xff" * 64
    yield b"\x80\x04" + b"\n" + pickle.dumps(Malice())


@pytest.mark.parametrize("data", list(nonsense()), ids=len)
@pytest.mark.parametrize(
    "a_pass", [SAMPLE, searching(), DISTINCT], ids=["sample", "search", "distinct"]
)
def test_nonsense_is_refused_and_not_run(
    a_pass: Any, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pickles, deep or long JSON and broken tables end as an error, and nothing unpickles."""

    def loads(*_: object, **__: object) -> None:
        raise SystemExit("unpickled")

    for name in ("loads", "load", "Unpickler"):
        monkeypatch.setattr(pickle, name, loads)
    refused(a_pass, data)


CHANGES: dict[str, Callable[[Any], object]] = {
    "no features": lambda h: h.update(numeric=[]),
    "more features": lambda h: h.update(numeric=[*h["numeric"], True]),
    "other features": lambda h: h.update(numeric=[not n for n in h["numeric"]]),
    "a number as truth": lambda h: h.update(has_values=1),
    "origins missing": lambda h: h.update(origins=[]),
    "an origin of text": lambda h: h.update(origins=["0"] * 5),
    "a key more": lambda h: h.update(more=1),
    "groups lost": lambda h: h.update(groups=[]),
    "no such facet": lambda h: h["groups"][0].update(request=1),
    "a facet from behind": lambda h: h["groups"][0].update(request=-1),
    "a key of two": lambda h: h["groups"][0].update(key=[0, 0]),
    "a key of lists": lambda h: h["groups"][0].update(key=[[0]]),
    "a key of code": lambda h: h["groups"][0].update(key=[["os.system", "id"]]),
    "a date that is none": lambda h: h["groups"][0].update(key=[["date", "2026-13-01"]]),
    "a huge decimal": lambda h: h["groups"][0].update(key=[["Decimal", "1e999999999"]]),
    "a decimal that traps": lambda h: h["groups"][0].update(key=[["Decimal", "sNaN"]]),
    "people below 0": lambda h: h["groups"][0].update(people=[-1, 2]),
    "people beyond all": lambda h: h["groups"][0].update(people=[2**62, 2**62]),
    "people of 10^4000": lambda h: h["groups"][0].update(people=[10**4000, 1]),
    "halves of people": lambda h: h["groups"][0].update(people=[0.5, 1.5]),
    "people as text": lambda h: h["groups"][0].update(people=["1", "1"]),
    "fewer people": lambda h: h["groups"][0].update(people=[0, 0]),
    "left out below 0": lambda h: h["groups"][0].update(left_out=-1),
    "no moments": lambda h: h["groups"][0].update(moments=[]),
    "a lowest of nobody": lambda h: h["groups"][0]["moments"][0].__setitem__(1, None),
    "a lowest of NaN": lambda h: h["groups"][0]["moments"][0].__setitem__(1, nan),
    "a lowest of infinity": lambda h: h["groups"][0]["moments"][0].__setitem__(1, -inf),
    "a highest beyond all": lambda h: h["groups"][0]["moments"][0].__setitem__(2, 10**400),
    "sums that no numbers have": lambda h: h["groups"][0]["moments"][0].__setitem__(4, -1),
    "a total too large": lambda h: h["groups"][0]["moments"][0].__setitem__(3, 10**4000),
    "other people in moments": lambda h: h["groups"][0]["moments"][0].__setitem__(0, 3),
}


@pytest.mark.parametrize("change", list(CHANGES.values()), ids=list(CHANGES))
def test_changed_samples_are_refused(change: Callable[[Any], object]) -> None:
    """A sample that says what it cannot have found is refused."""
    head, body = parted(sample())
    change(head)
    refused(SAMPLE, joined(head, body))


def tables(honest: pl.DataFrame) -> Iterator[tuple[str, Any]]:
    """Yield tables that are not the one that was asked for, by what is wrong with them."""
    first = honest.columns[0]
    yield "a row more", pl.concat([honest, honest.head(1)])
    yield "a row less", honest.head(-1)
    yield "no row", honest.clear()
    yield "no column", pl.DataFrame()
    yield "a column less", honest.drop(first)
    yield "a column more", honest.with_columns(x=1)
    yield "columns in another order", honest.select(reversed(honest.columns))
    yield "a column of other values", honest.with_columns(pl.lit(None).alias(first))
    yield "a column of lists", honest.with_columns(pl.lit([1]).alias(first))
    yield "a column of records", honest.with_columns(pl.struct(pl.lit(1).alias("a")).alias(first))
    coded = pa.array(["x"] * honest.height).dictionary_encode()
    yield "a column of codes", honest.drop(first).to_arrow().add_column(0, first, coded)


def body_of(data: bytes) -> pl.DataFrame:
    """Return the table of an answer."""
    with pa.ipc.open_stream(data.partition(b"\n")[2]) as reader:
        return pl.DataFrame(reader.read_all())


@pytest.mark.parametrize("wrong", range(11))
def test_changed_tables_of_samples_are_refused(wrong: int) -> None:
    """A table of a sample of other rows, columns or types is refused."""
    head, _ = parted(sample())
    name, frame = list(tables(body_of(sample())))[wrong]
    assert name
    refused(SAMPLE, joined(head, stream(frame)))


@pytest.mark.parametrize(
    "columns",
    [
        {"rows": [0, 4], "squared": [0.0, 1.0], "yes": [1, 1], "no": [0, 0]},
        {"rows": [-1, 1], "squared": [0.0, 1.0], "yes": [1, 1], "no": [0, 0]},
        {"rows": [1, 0], "squared": [0.0, 1.0], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 2**62], "squared": [0.0, 1.0], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0.0, nan], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0.0, -1.0], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0.0, None], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0, 1], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0.0, 1.0], "yes": [-1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0.0, 1.0], "yes": [2**62, 2**62], "no": [2**62, 0]},
        {"rows": [0, 3], "squared": [0.0, 1.0], "yes": [1.0, 1.0], "no": [0, 0]},
        {"rows": ["0", "3"], "squared": [0.0, 1.0], "yes": [1, 1], "no": [0, 0]},
        {"rows": [0, 3], "squared": [0.0, 1.0], "yes": [1, 1]},
    ],
    ids=str,
)
def test_changed_searches_are_refused(columns: dict[str, list[Any]]) -> None:
    """Neighbours of nobody, out of order, at no distance, or too many are refused."""
    refused(searching(), joined({"heights": [1, 1]}, stream(pl.DataFrame(columns))))


@pytest.mark.parametrize("heights", [[], [2], [2, 0], [1, 1, 0], [-1, 3], [1.0, 1.0], [10**30, 1]])
def test_searches_of_other_heights_are_refused(heights: list[Any]) -> None:
    """Searches that do not belong to the members that they are said to are refused."""
    columns = {"rows": [0, 3], "squared": [0.0, 1.0], "yes": [1, 1], "no": [0, 0]}
    honest = searching().unpack(joined({"heights": [1, 1]}, stream(pl.DataFrame(columns))))
    assert [part.rows.tolist() for part in honest] == [[0], [1]]
    refused(searching(), joined({"heights": heights}, stream(pl.DataFrame(columns))))


@pytest.mark.parametrize("people", [[-1], [2**62], [2**62, 2**62], [None], [1.5], ["1"]], ids=str)
def test_changed_distinct_rows_are_refused(people: list[Any]) -> None:
    """Distinct rows of fewer than nobody, of too many people or of other columns are refused."""
    frame = rows(1, len(people)).drop("id", "n").with_columns(n=pl.Series(people))
    refused(DISTINCT, joined({"too_many": False}, stream(frame)))
    refused(DISTINCT, joined({"too_many": False}, stream(frame.with_columns(n=1).drop("feature0"))))
    refused(DISTINCT, joined({"too_many": 0}, stream(frame)))


def test_a_buffer_that_unpacks_to_more_is_refused() -> None:
    """A table that says it unpacks to 2^62 bytes is an error, and takes none of them."""
    table = rows(1, 1_000).drop("id").to_arrow()
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    data = bytearray(sink.getvalue().to_pybytes())
    start = data.index(b"\x28\xb5\x2f\xfd") - 8
    data[start : start + 8] = (2**62).to_bytes(8, "little")
    refused(DISTINCT, joined({"too_many": False}, bytes(data)))


def test_bits_of_an_answer_flip() -> None:
    """An answer with a byte changed is refused, or is an answer; it never ends otherwise."""
    answers = {sample(): SAMPLE, DISTINCT.pack(DISTINCT.of([rows(1, 20)])): DISTINCT}
    held = 0
    for honest, a_pass in answers.items():
        for place in range(0, len(honest), 23):
            data = bytearray(honest)
            data[place] ^= 1 << place % 8
            try:
                with translate_summary_errors("d.parquet"):
                    a_pass.merged(map(a_pass.unpack, [bytes(data), honest]))  # type: ignore[attr-defined] # of either
            except DataError as error:
                held += WORDS in str(error)
    assert held > 100


KEYS: list[Any] = [
    *(None, True, 7, -(2**63), 2**64 - 1, 0.1, -0.0, 5e-324, "", "f\n'\x00", "é", "9" * 300),
    *(date(2026, 7, 1), datetime(2026, 7, 1, 10, 30, 0, 7), datetime(2026, 7, 1, tzinfo=UTC)),
    *(Decimal("1.50"), Decimal("-0.00000000000000000001"), Decimal(10**37)),
]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_keys_come_back_as_they_were(key: Any) -> None:
    """A group's value of any type comes back with its type, to the bit."""
    found = SAMPLE.of([rows(3, 60)])
    groups: dict[tuple[str, GroupKey], GroupSample] = {
        ("sex", (key,)): next(iter(found.groups.values()))
    }
    back = SAMPLE.unpack(SAMPLE.pack(replace(found, groups=groups)))
    ((_, (value,)),) = back.groups
    assert (type(value), repr(value)) == (type(key), repr(key))


def test_an_honest_sample_comes_back_as_it_was() -> None:
    """Moments of thousands of digits, and the rows drawn, come back to the bit."""
    extreme = [5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 0.1, 2.0**-1000, 1e300]
    frame = rows(3, 60).with_columns(feature0=pl.Series(extreme * 10))
    found = SAMPLE.of([frame])
    back = SAMPLE.unpack(SAMPLE.pack(found))
    assert back.groups.keys() == found.groups.keys()
    for key, group in found.groups.items():
        assert back.groups[key].moments == group.moments
        for one, other in zip(back.groups[key].drawn, group.drawn, strict=True):
            assert one.equals(other)
            assert one.schema == other.schema
    assert max(abs(m.squares) for g in back.groups.values() for m in g.moments) > 10**1000
