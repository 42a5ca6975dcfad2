"""Summaries on their way from a worker: a line of JSON and a table, neither of which is code.

Whoever sends them may be anybody, so that each is held against what was asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Literal, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from biaspipe.errors import BiaspipeError, DataError
from biaspipe.sources.extras import needed

__all__ = ["Head", "Key", "Tagged", "Whole", "answered", "packed", "refuse_other", "unpacked"]
__all__ += ["tagged", "untagged"]

MOST_HEAD = 2**27
"""Bytes of JSON, of which no summary has nearly as many."""
MOST_EXPONENT = 76
"""Digits before or behind the point of a decimal."""

READ: Mapping[str, Callable[[str], object]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}
Key = tuple[object, ...]
Whole = Annotated[int, Field(ge=0, lt=2**62)]
Tagged = (
    None
    | bool
    | int
    | float
    | str
    | tuple[Literal["date", "datetime", "time", "Decimal"], Annotated[str, Field(max_length=200)]]
)
"""A value as JSON holds it; with the name of its type where JSON has none such."""


class Head(BaseModel):
    """What a summary says beside its table."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


H = TypeVar("H", bound=Head)


def packed(head: Head, frame: pl.DataFrame) -> bytes:
    """Return a summary as it is sent.

    Parameters
    ----------
    head : what it says.
    frame : its table.
    """
    pyarrow = needed("pyarrow", "spark")
    table, sink = frame.to_arrow(), pyarrow.BufferOutputStream()
    with needed("pyarrow.ipc", "spark").new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return b"\n".join([head.model_dump_json().encode(), sink.getvalue().to_pybytes()])


def unpacked(kind: type[H], data: bytes) -> tuple[H, pl.DataFrame]:
    """Return what a summary that was sent says, and its table.

    Parameters
    ----------
    kind : what it is to say.
    data : as it came back.

    Raises
    ------
    DataError, ValueError
        And whatever Arrow and polars make of what is no summary; `answered` turns it into words.
    """
    pyarrow = needed("pyarrow", "spark")
    end = data.index(b"\n", 0, MOST_HEAD)
    head = kind.model_validate_json(data[:end])
    body = pyarrow.py_buffer(data).slice(end + 1)
    with needed("pyarrow.ipc", "spark").open_stream(body) as stream:
        for column in stream.schema:
            _refuse_type(column.type)
        table = stream.read_all()
    table.validate(full=True)
    return head, pl.DataFrame(table)


def _refuse_type(dtype: object) -> None:
    """Refuse all types but those of single values; some of the others come with code."""
    types = needed("pyarrow.types", "spark")
    single = ("primitive", "boolean", "string", "large_string", "string_view", "null", "decimal")
    binary = ("binary", "large_binary", "binary_view")
    if not any(getattr(types, f"is_{name}")(dtype) for name in (*single, *binary)):
        raise ValueError(dtype)


def refuse_other(frame: pl.DataFrame, types: Mapping[str, type[pl.DataType] | None]) -> None:
    """Refuse a table that has other columns than were asked for.

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
def answered(name: str) -> Iterator[None]:
    """Turn what is wrong with summaries into words.

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


def tagged(value: object) -> Tagged:
    """Return a value of the data as JSON holds it.

    >>> tagged(7), tagged(date(2026, 7, 1))
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


def untagged(value: Tagged) -> object:
    """Return the value that `tagged` was given.

    >>> untagged(("date", "2026-07-01"))
    datetime.date(2026, 7, 1)
    """
    if not isinstance(value, tuple):
        return value
    kind, text = value
    if kind == "Decimal":
        number = Decimal(text)
        if not number.is_finite() or abs(number.adjusted()) > MOST_EXPONENT:
            raise ValueError(text)
        return number
    return READ[kind](text)
