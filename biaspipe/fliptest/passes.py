"""Passes over rows that may lie in many parts, on one machine or on several.

Each part is summarized where it lies, and the summaries are put together.
A summary travels as a line of JSON and an Arrow table, neither of which is code.
It may come from anywhere, so that it is checked against what was asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Literal, Protocol, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from biaspipe.errors import BiaspipeError, DataError
from biaspipe.extras import import_extra
from biaspipe.plan import Dimension, Plan

__all__ = [
    "Count",
    "GroupKey",
    "Header",
    "JsonValue",
    "Pass",
    "RunPass",
    "S",
    "check_columns",
    "code_column",
    "from_json",
    "pack",
    "rebatch",
    "to_json",
    "translate_summary_errors",
    "unpack",
]

ROWS = 262_144
"""Rows that are looked at together."""
MAX_HEADER = 2**27
"""Bytes of JSON, of which no summary has nearly as many."""
MAX_EXPONENT = 76
"""Digits before or behind the point of a decimal."""
FROM_TEXT: Mapping[str, Callable[[str], object]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}

GroupKey = tuple[object, ...]
"""The codes of a group, one for each dimension of its facet."""
Count = Annotated[int, Field(ge=0, lt=2**62)]
JsonValue = (
    None
    | bool
    | int
    | float
    | str
    | tuple[Literal["date", "datetime", "time", "Decimal"], Annotated[str, Field(max_length=200)]]
)
"""A value as JSON holds it; with the name of its type where JSON has no such type."""
S = TypeVar("S")


class Pass(Protocol[S]):
    """A question to rows in parts: a summary of each part, and one of them all.

    A pass can be pickled, and no result depends on how rows are parted.
    The batches have columns `key0`... with the codes of the plan's dimensions, `feature0`... with
    its features as the data holds them, `n`, the people of a row, and `id`, its key as text or a
    whole number.
    """

    def of(self, batches: Iterable[pl.DataFrame]) -> S:
        """Return the summary of some rows, of none as well."""

    def merged(self, parts: Iterable[S]) -> S:
        """Return the one summary of several parts, of none as well."""

    def pack(self, summary: S) -> bytes:
        """Return a summary as bytes."""

    def unpack(self, data: bytes) -> S:
        """Return the summary that bytes hold; an error if it is not what was asked for."""


class RunPass(Protocol):
    """A function of an engine: runs a pass over all rows that count."""

    def __call__(self, a_pass: Pass[S]) -> S:
        """Return the summary of all rows."""


def code_column(plan: Plan, dimension: Dimension) -> str:
    """Return the column with the codes of a dimension of the plan."""
    return f"key{plan.dimensions.index(dimension)}"


def rebatch(batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
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


class Header(BaseModel):
    """The line of JSON before the table of a summary."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


H = TypeVar("H", bound=Header)


def pack(header: Header, frame: pl.DataFrame) -> bytes:
    """Return a summary as bytes.

    Parameters
    ----------
    header : what it says.
    frame : its table.
    """
    pyarrow = import_extra("pyarrow", "spark")
    table, sink = frame.to_arrow(), pyarrow.BufferOutputStream()
    with import_extra("pyarrow.ipc", "spark").new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return b"\n".join([header.model_dump_json().encode(), sink.getvalue().to_pybytes()])


def unpack(kind: type[H], data: bytes) -> tuple[H, pl.DataFrame]:
    """Return the header and the table of a summary.

    Parameters
    ----------
    kind : the model of the header.
    data : the summary, from anywhere.

    Raises
    ------
    DataError, ValueError
        And whatever Arrow and polars make of what is no summary: see `translate_summary_errors`.
    """
    pyarrow = import_extra("pyarrow", "spark")
    end = data.index(b"\n", 0, MAX_HEADER)
    header = kind.model_validate_json(data[:end])
    body = pyarrow.py_buffer(data).slice(end + 1)
    with import_extra("pyarrow.ipc", "spark").open_stream(body) as stream:
        for column in stream.schema:
            _refuse_type(column.type)
        table = stream.read_all()
    table.validate(full=True)
    return header, pl.DataFrame(table)


def _refuse_type(dtype: object) -> None:
    """Refuse all types but those of single values; some of the others come with code."""
    types = import_extra("pyarrow.types", "spark")
    single = ("primitive", "boolean", "string", "large_string", "string_view", "null", "decimal")
    binary = ("binary", "large_binary", "binary_view")
    if not any(getattr(types, f"is_{name}")(dtype) for name in (*single, *binary)):
        raise ValueError(dtype)


def check_columns(frame: pl.DataFrame, types: Mapping[str, type[pl.DataType] | None]) -> None:
    """Raise ValueError if the table of a summary has other columns than were asked for.

    Parameters
    ----------
    frame : the table.
    types : of its columns, none of whose values is missing; None for those of the data's.
    """
    if frame.columns != list(types):
        raise ValueError(frame.columns)
    for name, dtype in types.items():
        if dtype and (frame[name].dtype != dtype or frame[name].null_count()):
            raise ValueError(name)


@contextmanager
def translate_summary_errors(name: str) -> Iterator[None]:
    """Raise a DataError that names the data for whatever is wrong with a summary.

    Parameters
    ----------
    name : what messages call the data.

    Raises
    ------
    DataError
        If a summary is none, or not the one that was asked for.
    """
    try:
        yield
    except BiaspipeError:
        raise
    except (Exception, pl.exceptions.PanicException):  # noqa: BLE001 - of Arrow, polars or numpy, by what is wrong
        words = f"{name}: a worker hands back what it was not asked for"
        raise DataError(words, hint="is it the Spark that you meant?") from None


def to_json(value: object) -> JsonValue:
    """Return a value of the data as JSON holds it.

    >>> to_json(7), to_json(date(2026, 7, 1))
    (7, ('date', '2026-07-01'))
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Decimal):
        return "Decimal", str(value)
    if isinstance(value, datetime):
        return "datetime", value.isoformat()
    if isinstance(value, date):
        return "date", value.isoformat()
    if isinstance(value, time):
        return "time", value.isoformat()
    raise TypeError(type(value))


def from_json(value: JsonValue) -> object:
    """Return the value that `to_json` was given.

    >>> from_json(("date", "2026-07-01"))
    datetime.date(2026, 7, 1)
    """
    if not isinstance(value, tuple):
        return value
    kind, text = value
    if kind == "Decimal":
        number = Decimal(text)
        if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT:
            raise ValueError(text)
        return number
    return FROM_TEXT[kind](text)
