"""Spark's answers, kept from being code: pyspark itself unpickles some of them.

A Spark Connect server may hand back updates of accumulators, which nobody asks for here, and types
of users, which come with their class. A Parquet file may hold such a type too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from biaspipe.errors import DataError
from biaspipe.extras import import_extra

__all__ = ["channel_to", "without_code"]

CODE = "spark.connect.DataType.UDT"
LOCK = Lock()


def channel_to(remote: str) -> Any:
    """Return the builder of the channel to a Spark Connect server, whose answers bring no code.

    Parameters
    ----------
    remote : its URL.
    """
    grpc = import_extra("grpc", "spark")
    for kind in (grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
        kind.register(Answers)
    builder = import_extra("pyspark.sql.connect.client", "spark").DefaultChannelBuilder(remote)
    builder.add_interceptor(Answers())
    return builder


class Answers:
    """Looks at every answer before pyspark does; gRPC calls it."""

    def intercept_unary_unary(
        self, continuation: Callable[[Any, Any], Any], details: Any, request: Any
    ) -> Any:
        """Return a call with one answer."""
        call = continuation(details, request)
        refuse_code(call.result())
        return call

    def intercept_unary_stream(
        self, continuation: Callable[[Any, Any], Any], details: Any, request: Any
    ) -> Iterator[Any]:
        """Return a call with many answers."""
        return map(_plain, continuation(details, request))


def _plain(answer: Any) -> Any:
    if hasattr(answer, "observed_metrics"):
        answer.ClearField("observed_metrics")
    refuse_code(answer)
    return answer


def refuse_code(answer: Any) -> None:
    """Refuse a type that comes with its class, however deep in an answer.

    Parameters
    ----------
    answer : a message of protobuf.

    Raises
    ------
    DataError
        Before anything is made of it.
    """
    if answer.DESCRIPTOR.full_name == CODE:
        raise _code("Spark Connect")
    for field, value in answer.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            parts = [part for part in value.values() if hasattr(part, "ListFields")]
        else:
            parts = [value] if hasattr(value, "ListFields") else list(value)
        for part in parts:
            refuse_code(part)


def _code(name: str) -> DataError:
    words = f"{name}: a column has a type that comes with code of its own, which is not run"
    return DataError(words, hint="write the column in one of Spark's own types")


@contextmanager
def without_code(name: str) -> Iterator[None]:
    """Refuse the types of users for as long as the schema of a file is looked at.

    Parameters
    ----------
    name : what messages call the file.

    Raises
    ------
    DataError
        If it has such a type, which pyspark would unpickle.
    """
    own = import_extra("pyspark.sql.types", "spark").UserDefinedType

    found = []

    def refuse(_: Any, __: Any) -> Any:
        found.append(_code(name))
        raise found[0]

    with LOCK:
        before = own.__dict__["fromJson"]
        own.fromJson = classmethod(refuse)
        try:
            yield
        except Exception:
            if found:  # which pyspark has put into words of its own
                raise found[0] from None
            raise
        finally:
            own.fromJson = before
