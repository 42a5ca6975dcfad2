"""Reports from files, as they were written."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from biaspipe.errors import DataError
from biaspipe.printable_text import escape
from biaspipe.report.documents import SCHEMA, Report, plain_values, seal_of, text_digest
from biaspipe.report.locator import check_sums, differences, leaves, lines, path_of
from biaspipe.report.untrusted_json import content_of, parse_json

__all__ = [
    "CHANGED",
    "SCHEMAS",
    "Finding",
    "faults_of",
    "files_behind",
    "misspelt",
    "mistyped",
    "read_content",
    "summed_parts",
    "unsealed",
]

HINT = "a report is what `biaspipe run audit.yaml -o report.json` writes"
MAX_DIGITS = 40
SCHEMAS = SCHEMA.removesuffix("1")
"""How the name of every version of the document begins."""
CHANGED = "this place was changed since the report was written"
"""What is said of the one place that the check sums tell."""


class Finding(NamedTuple):
    """A place in a report that is not as it has to be, and what is wrong there."""

    where: str
    what: str


def read_content(path: Path) -> tuple[dict[str, Any], bytes]:
    """Read the plain values of a report, and the text that they stand in.

    Raises
    ------
    DataError
        If the file cannot be read, or is no report.
    """
    try:
        content = content_of(path)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{path}: {error}", hint=HINT) from None
    try:
        values = parse_json(content)
    except ValueError as error:
        raise DataError(f"{path}: not a JSON document: {escape(error)}", hint=HINT) from None
    if not isinstance(values, dict) or "schema" not in values:
        raise DataError(f"{path}: not a report of biaspipe", hint=HINT)
    return values, content


def files_behind(report: Report, *folders: Path) -> Iterator[tuple[str, Path]]:
    """Yield what a report was made from, wherever it may stand: what it is, and the file.

    Parameters
    ----------
    report : the report.
    folders : where to look, beside the folder of the spec and the current one.
    """
    spec, baseline = Path(report.run.spec), report.result.baseline
    inputs = [("data", record.path) for record in report.result.data.inputs]
    inputs += [("baseline", baseline.report)] if baseline else []
    yield "spec", spec
    yield from (("spec", folder / spec.name) for folder in folders)
    for folder in (spec.parent, *folders, Path()):
        yield from ((what, folder / name) for what, name in inputs)


class _Spelled(str):
    """A number as it is written in a file."""


def misspelt(content: bytes) -> Iterator[Finding]:
    """Yield the numbers of a report that are not written as such a number is.

    Two texts may stand for one number; only one of them is what `run` writes.

    Parameters
    ----------
    content : the text of the report.
    """
    for where, text in leaves(parse_json(content, _Spelled, _Spelled)):
        if isinstance(text, _Spelled):
            number = int(text) if text.lstrip("-").isdigit() else float(text)
            if repr(number) != text:
                words = f"the number is written {text[:MAX_DIGITS]}, not {number!r}"
                yield Finding(where, words)


def mistyped(values: dict[str, Any], report: Report) -> Iterator[Finding]:
    """Yield what stands in a report as another kind of value than a run writes.

    Parameters
    ----------
    values : the report as it stands in its file.
    report : the same, as it was understood.
    """
    rest = report.model_dump(mode="json", exclude={"result"}, exclude_unset=True)
    for where, stands, meant in differences(
        values, {**rest, "result": plain_values(report.result)}
    ):
        yield Finding(where, f"{stands} stands here, and a run writes {meant}")


def unsealed(values: dict[str, Any]) -> Iterator[Finding]:
    """Yield a digest or check sums that are not those of a report.

    Parameters
    ----------
    values : the report as it stands in its file.
    """
    run, result = values["run"], text_digest(values["result"])
    sound = result == values["result_sha256"]
    if not sound:
        yield Finding("result_sha256", f"is not the digest of the result, which is {result}")
    if seal_of(values) != run.get("sha256"):
        yield Finding("run.sha256", "is not the digest of the rest of `run`")
    elif run.get("locator") is None:
        yield Finding("run.locator", "is missing")
    elif sound and [*check_sums(lines(summed_parts(values)))] != run["locator"]:
        yield Finding("run.locator", "these are not the check sums of this report")


def summed_parts(values: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a report that its check sums cover."""
    run = {key: part for key, part in values["run"].items() if key not in ("locator", "sha256")}
    return {"result": values.get("result"), "run": run}


def faults_of(error: ValidationError) -> list[tuple[str, str]]:
    """Return where a document is not as a report is, and what is wrong there."""
    return [(path_of(e["loc"]), _said(e["type"], e["msg"])) for e in error.errors()]


def _said(kind: str, words: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "no report has this"
    return re.sub(r" or instance of \w+", "", words.replace("Input should be", "has to be"))
