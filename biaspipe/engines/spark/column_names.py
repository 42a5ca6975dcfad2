"""Columns of Spark by their whole names: with dots and quotes in them, and told apart by case.

pyspark takes a name for an expression, `a.b` for a field of `a`, and narwhals hands it on as it is,
with nothing in its public API by which it would be quoted.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Self

import narwhals as nw
from narwhals._spark_like.dataframe import SparkLikeLazyFrame
from narwhals._spark_like.utils import import_functions

from biaspipe.engines.backend import Frame
from biaspipe.engines.spark.session import Session
from biaspipe.sources import columns
from biaspipe.sources.quoting import backticked

__all__ = ["narwhals_frame", "refuse_alike"]


def narwhals_frame(native: Any) -> Frame:
    """Return a frame of Spark as one of narwhals.

    Parameters
    ----------
    native : the frame, classic or Connect.
    """
    plain: Any = nw.from_native(native)._compliant_frame
    frame = WholeNames(native, version=plain._version, implementation=plain._implementation)
    found: Frame = frame.to_narwhals()
    return found


def refuse_alike(session: Session, tables: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Refuse columns that are one to a session since they differ in case only.

    Parameters
    ----------
    session : which may tell them apart.
    tables : what messages call them, and the columns of each.

    Raises
    ------
    DataError
        With both columns.
    """
    if session.folds_case:
        hint = "rename one; spark.sql.caseSensitive is false"
        columns.refuse_case_duplicates(tables, "this session", hint)


class Functions:
    """The functions of Spark, of which `col` takes a name as it is.

    Parameters
    ----------
    functions : the module that holds them.
    """

    def __init__(self, functions: ModuleType) -> None:
        self.functions = functions

    def __getattr__(self, name: str) -> Any:
        return getattr(self.functions, name)

    def col(self, name: str) -> Any:
        """Return a column."""
        return self.functions.col(backticked(name))


class WholeNames(SparkLikeLazyFrame):
    """What narwhals has for Spark, which takes a name with a dot for a field of a column."""

    @property
    def _F(self) -> Any:  # noqa: N802 - narwhals calls it so
        return Functions(import_functions(self._implementation))

    def simple_select(self, *column_names: str) -> Self:
        """Return some columns."""
        native: Any = self.native
        return self._with_native(native.select(*map(backticked, column_names)))

    def join(self, other: Self, *, left_on: Sequence[str] | None, **how: Any) -> Self:
        """Join from the left by keys that are named alike; no other column is in both."""
        keys = list(left_on or ())
        native: Any = self.native
        both = native.join(other.native, on=keys, how="left")
        names = [*self.columns, *(name for name in other.columns if name not in keys)]
        return self._with_native(both.select(*map(backticked, names)))
