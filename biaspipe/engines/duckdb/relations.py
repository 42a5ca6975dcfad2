"""Relations of DuckDB: their types, rows, and faults in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from biaspipe.engines.coding import kind
from biaspipe.engines.joining import Frame
from biaspipe.engines.rows import BATCH
from biaspipe.errors import BiaspipeError, DataError, first_line
from biaspipe.plan import Kind
from biaspipe.sources.extras import import_extra
from biaspipe.sources.quoting import identifier

__all__ = [
    "faults_of",
    "kind_in",
    "relation_batches",
    "without_nan",
]


def kind_in(frame: Frame, column: str) -> Kind:
    """Return what kind of values a column of a relation of DuckDB holds.

    Parameters
    ----------
    frame : the relation.
    column : the column's name.
    """
    relation = frame.to_native()
    native = relation.types[relation.columns.index(column)]
    found = kind(frame.collect_schema()[column])
    return Kind.OTHER if found is Kind.MISSING and str(native) != '"NULL"' else found


def without_nan(relation: Any) -> Any:
    """Return a relation with NaN as missing.

    DuckDB compares by the statistics of Parquet files, which leave NaN out, and so overlooks it.

    Parameters
    ----------
    relation : of DuckDB.
    """
    types = zip(relation.columns, map(str, relation.types), strict=True)
    quoted = [identifier(name) for name, t in types if t in ("FLOAT", "DOUBLE")]
    floats = [f"CASE WHEN isfinite({n}) OR abs({n}) = 'inf' THEN {n} END AS {n}" for n in quoted]
    return relation.project(f"* REPLACE ({', '.join(floats)})") if floats else relation


def relation_batches(rows: Frame) -> Iterator[pl.DataFrame]:
    """Yield the rows of a relation of DuckDB a few at a time.

    Parameters
    ----------
    rows : the relation.
    """
    for batch in rows.to_native().to_arrow_reader(BATCH):
        yield pl.DataFrame(pl.from_arrow(batch))


@contextmanager
def faults_of(name: str) -> Iterator[None]:
    """Turn what DuckDB says of faulty data into words that name the table.

    Parameters
    ----------
    name : what messages call the table.
    """
    duckdb = import_extra("duckdb", "duckdb")
    try:
        yield
    except BiaspipeError:
        raise
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise DataError(f"{name}: cannot be read: {_first(error)}") from None


def _first(error: Exception) -> str:
    """Return the line that says what is wrong; below a traceback it is the last one."""
    lines = str(error).strip().splitlines()
    is_stack = any(line.strip().startswith("Traceback") for line in lines)
    return lines[-1].strip() if is_stack else first_line(error)
