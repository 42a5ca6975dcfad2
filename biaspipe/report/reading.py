"""Reports from files, as they were written."""

import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from biaspipe.errors import DataError, Loc, printable
from biaspipe.metrics import METRICS
from biaspipe.report.documents import Report, seal_of, text_digest
from biaspipe.report.locator import leaves
from biaspipe.spec import Audit

__all__ = ["CHANGED", "Finding", "faults_of", "misspelt", "read_report", "read_values"]


def read_report(path: Path) -> Report:
    """Read a report.

    Parameters
    ----------
    path : the JSON artifact of a run.

    Raises
    ------
    DataError
        If the file cannot be read, is no report, or was changed since it was written.
    """
    values = read_values(path)
    try:
        report = Report.model_validate(values)
        audit = Audit.model_validate(values["result"]["audit"]["spec"])
    except ValidationError as error:
        faults = "; ".join(f"{where}: {what}" for where, what in faults_of(error))
        raise DataError(f"{path}: not a whole report: {faults}") from None
    digests = text_digest(values["result"]), seal_of(values)
    if digests != (report.result_sha256, report.run.sha256):
        hint = f"`biaspipe verify {path}` names the place"
        raise DataError(f"{path}: was changed since it was written", hint=hint)
    for check in report.result.checks:
        if check.metric not in METRICS or check.facet not in {None, *audit.facets}:
            words = f"its spec asks for no {check.metric} on {check.facet}"
            raise DataError(f"{path}: not a report of biaspipe: {words}")
    return report


def read_values(path: Path) -> dict[str, Any]:
    """Read the plain values of a report.

    Raises
    ------
    DataError
        If the file cannot be read, or is no report.
    """
    try:
        text = path.read_bytes().decode("utf-8")
        values = json.loads(
            text, object_pairs_hook=_once, parse_float=_finite, parse_constant=_finite
        )
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not a JSON document: {printable(error)}", hint=HINT) from None
    if not isinstance(values, dict) or "schema" not in values:
        raise DataError(f"{path}: not a report of biaspipe", hint=HINT)
    return values


HINT = "a report is what `biaspipe run audit.yaml -o report.json` writes"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return values


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is no number of a report")
    return number


CHANGED = "this place was changed since the report was written"
"""What is said of the one place that the check sums tell."""


class Finding(NamedTuple):
    """A place in a report that is not as it has to be, and what is wrong there."""

    where: str
    what: str


class _Spelled(str):
    """A number as it is written in a file."""


def misspelt(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the numbers of a report that are not written as such a number is.

    Two texts may stand for one number; only one of them is what `run` writes.

    Yields
    ------
    tuple of str
        The place, the number as it is written there, and as it has to be.
    """
    values = json.loads(path.read_bytes(), parse_float=_Spelled, parse_int=_Spelled)
    for where, text in leaves(values):
        if isinstance(text, _Spelled):
            number = int(text) if text.lstrip("-").isdigit() else float(text)
            if repr(number) != text:
                yield where, text, repr(number)


def faults_of(error: ValidationError) -> list[tuple[str, str]]:
    """Return where a document is not as a report is, and what is wrong there."""
    return [(path_of(e["loc"]), _said(e["type"], e["msg"])) for e in error.errors()]


def _said(kind: str, words: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "no report has this"
    return words.replace("Input should be", "has to be")


def path_of(loc: Loc) -> str:
    """Write a path as `verify` names places.

    >>> path_of(("result", "checks", 3, "value"))
    'result.checks[3].value'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
    return text.removeprefix(".")
