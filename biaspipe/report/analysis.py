"""An `analysis.json` of SageMaker Clarify, read back as the values that stand in it."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from biaspipe.errors import DataError
from biaspipe.metrics import ALIASES, METRICS, Value
from biaspipe.printable_text import escape_lines
from biaspipe.report.documents import text_digest
from biaspipe.report.untrusted_json import content_of, parse_json

__all__ = ["SECTIONS", "Analysis", "AnalysisValue", "read_analysis"]

SECTIONS = {
    "post_training_bias_metrics": "post_training",
    "pre_training_bias_metrics": "pre_training",
}
"""The sections of an analysis, and the families of metrics that stand in them."""


class AnalysisValue(NamedTuple):
    """A value of an analysis: the facet's column, its values as Clarify writes them, the metric."""

    column: str
    text: str
    metric: str
    value: Value


class Analysis(NamedTuple):
    """An analysis: its values, its label and what is positive, and the digest of the document."""

    values: tuple[AnalysisValue, ...]
    labels: tuple[tuple[str, str], ...]
    sha256: str


def read_analysis(path: Path) -> Analysis | None:
    """Read an `analysis.json`; None where the file is something else.

    Parameters
    ----------
    path : the file.

    Raises
    ------
    DataError
        If it is an analysis, but not one that Clarify could have written.
    """
    try:
        document = parse_json(content_of(path))
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict) or not any(name in document for name in SECTIONS):
        return None
    try:
        values = tuple(_values(document))
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise DataError(f"{path}: not a whole analysis of Clarify: {escape_lines(error)}") from None
    sections = [document[name] for name in SECTIONS if name in document]
    labels = [
        (str(section["label"]), str(section["label_value_or_threshold"]))
        for section in sections
        if {"label", "label_value_or_threshold"} <= set(section)
    ]
    return Analysis(values, tuple(dict.fromkeys(labels)), text_digest(document))


def _values(document: dict[str, Any]) -> Iterator[AnalysisValue]:
    for section in SECTIONS:
        for column, groups in document.get(section, {}).get("facets", {}).items():
            for group in groups:
                for entry in group["metrics"]:
                    metric = ALIASES.get(entry["name"], entry["name"])
                    if metric in METRICS:
                        text = str(group["value_or_threshold"])
                        yield AnalysisValue(column, text, metric, _value(entry))


def _value(entry: dict[str, Any]) -> Value:
    """Read a value; an infinite one is a text.

    >>> _value({"value": "-Infinity"}).sign, _value({"value": None, "error": "empty"}).reason
    (-1, 'empty')
    """
    value = entry["value"]
    if value is None:
        return Value("undefined", reason=str(entry.get("error", "no value was kept")))
    if isinstance(value, bool):
        raise TypeError(f"{entry['name']} is no number")
    words = {"Infinity": inf, "-Infinity": -inf}
    return Value.of(words[value] if isinstance(value, str) else float(value))
