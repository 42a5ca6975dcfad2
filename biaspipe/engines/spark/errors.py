"""Spark's errors, about data or itself, in words."""

import logging
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from biaspipe.errors import BiaspipeError, DataError
from biaspipe.extras import import_extra
from biaspipe.printable_text import first_line

__all__ = ["reason", "translate_errors"]

NATIVE = {"py4j.protocol": "Py4JError", "grpc": "RpcError"}
"""The errors of the libraries that connect pyspark with Spark."""
LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""They print what is raised as well, with the stack of Java."""
LOUD_LOGGERS = ("", "py4j.clientserver", "py4j.java_gateway")
"""Loggers by which py4j says that an interrupt cut it short: the root, and its own."""
NOTICES = {
    "PySpark does not yet fully support pandas": FutureWarning,
    "Unable to cleanly shutdown Spark JVM process": RuntimeWarning,
}
"""Warnings that say nothing of the audit; a process of Java that lingers is ended by us."""
CONDITION = re.compile(r"\[[A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*\] ([^\n]+)")
CAUSE = re.compile(r"^(?:Caused by|): (?:[\w$]+\.)+[\w$]+: ([^\n]+)", re.M)
PYTHON = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt): [^\n]+)", re.M)
STATE = re.compile(r"\s*SQLSTATE: \w+\s*$")
MISSING_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Turn what Spark says of faulty data, or of itself, into words that name the table.

    Parameters
    ----------
    name : what messages call the table.
    """
    for logger in LOGGERS:
        logging.getLogger(logger).disabled = True
    logs = [log for log in map(logging.getLogger, LOUD_LOGGERS) if _is_of_others not in log.filters]
    for log in logs:
        log.addFilter(_is_of_others)
    base = import_extra("pyspark.errors", "spark").PySparkException
    loaded = [getattr(sys.modules[m], e) for m, e in NATIVE.items() if m in sys.modules]
    native: tuple[type[Exception], ...] = (base, ConnectionError, EOFError, *loaded)
    try:
        with warnings.catch_warnings():
            for message, category in NOTICES.items():
                warnings.filterwarnings("ignore", message, category)
            yield
    except BiaspipeError:
        raise
    except native as error:
        raise _fault(name, str(error)) from None
    finally:
        for log in logs:
            log.removeFilter(_is_of_others)


def _is_of_others(record: logging.LogRecord) -> bool:
    """Whether a record is none of py4j's on an interrupt, which is no error."""
    return not str(record.msg).endswith(("while sending command.", "shutting down connection"))


def _fault(name: str, message: str) -> DataError:
    if lacking := MISSING_MODULE.search(message):
        words = f"{name}: the workers of Spark lack the Python module {lacking[1]}"
        return DataError(words, hint=f"install it there: pip install {lacking[1].split('.')[0]}")
    return DataError(f"{name}: cannot be read: {reason(message)}")


def reason(message: str) -> str:
    """Return the one line of a message of Spark that says what is wrong.

    Parameters
    ----------
    message : all that Spark says, with the stack of Java.

    >>> reason("Job aborted: java.lang.E: [PATH_NOT_FOUND] Path does not exist. SQLSTATE: 42K03")
    'Path does not exist.'
    >>> reason("An error occurred while calling o1.load. : a.b.CException: No FileSystem: x")
    'An error occurred while calling o1.load. : a.b.CException: No FileSystem: x'
    """
    if "Traceback (most recent" in message and (raised := PYTHON.findall(message)):
        return f"a worker's Python raises {raised[-1]}"
    if "[ARITHMETIC_OVERFLOW]" in message:
        return "numbers are too large to be added up"
    if found := CONDITION.search(message):
        return STATE.sub("", found[1])
    causes = CAUSE.findall(message)
    return causes[-1] if causes else first_line(message)
