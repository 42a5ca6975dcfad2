"""What DuckDB says of faulty data, in words."""

from collections.abc import Iterator
from contextlib import contextmanager

from biaspipe.errors import BiaspipeError, DataError, first_line
from biaspipe.extras import import_extra

__all__ = ["translate_errors"]


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
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
