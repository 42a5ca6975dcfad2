"""Reports that the files for other systems are made from: kept, hostile, and of many groups."""

import csv
from collections.abc import Sequence
from functools import cache
from io import StringIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from biaspipe.metrics import METRICS
from biaspipe.metrics.record import Needs
from biaspipe.report import Report
from tests.renderers.console.test_drawing import audited
from tests.renderers.evidence_page.reports import CORPUS, any_report
from tests.renderers.page.stories import HOSTILE

__all__ = ["ALL", "COMMANDS", "sample", "small"]

COMMANDS = (
    *HOSTILE,
    "[text](https://example.com)",
    "{0} {verdict}",
    "[[ATTACHMENT|/etc/passwd]]",
    "]]></failure><!-- -->",
    "::error file=a.yaml::b",
    "x" * 3_000,
    "a, b against c",
)
"""Names of groups that a reader could take for commands, slots, links or markup."""
ALL = (*CORPUS, "hostile", "forty", "unchecked")
ROWS = "sex,prediction,n\nm,1,60\nm,0,40\nf,1,30\nf,0,70\n"
"""DPPL is 0.3 and DI 0.5."""
COUNTED = Needs.FACET | Needs.OBSERVED | Needs.PREDICTED


def small(metrics: dict[str, Any], rows: str = ROWS, **parts: Any) -> Report:
    """Return the report of an audit of two groups."""
    with TemporaryDirectory() as folder:
        return audited(Path(folder), rows, metrics=metrics, **parts)


@cache
def sample(name: str) -> Report:
    """Return a report by its name: one that is kept, or one that is made here.

    `hostile` has groups with the names of COMMANDS, and a waiver that says the same;
    `forty` has forty groups and a limit for every metric of labels and predictions;
    `unchecked` has no limit.
    """
    if name in CORPUS:
        return any_report(name)
    if name == "unchecked":
        return small({"DI": None})
    if name == "hostile":
        waiver = {
            "metric": "DPPL",
            "reason": " ".join(COMMANDS),
            "approved_by": COMMANDS[0],
            "expires": "9999-12-31",
        }
        metrics = {"DI": {"max": 1.001}, "DPPL": limit_of(is_ratio=False)}
        return small(metrics, rows_of(COMMANDS), waivers=[waiver])
    columns = {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "prediction", "positive": 1},
        "weight": "n",
    }
    metrics = {m.id: limit_of(m.is_ratio) for m in METRICS.values() if m.needs in COUNTED}
    rows = rows_of([f"group {number}" for number in range(40)])
    return small(metrics, rows, columns=columns)


def limit_of(is_ratio: bool) -> dict[str, float]:
    """Return a limit that hardly any value keeps."""
    return {"min": 0.999} if is_ratio else {"max_abs": 0.001}


def rows_of(groups: Sequence[str]) -> str:
    """Return a table in which each group is predicted otherwise."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(["sex", "label", "prediction", "n"])
    writer.writerows(["m", label, predicted, 200] for label in (0, 1) for predicted in (0, 1))
    for number, group in enumerate(groups, start=1):
        cells = product((0, 1), (0, 1))
        writer.writerows([group, *cell, 10 + n * number] for n, cell in enumerate(cells))
    return text.getvalue()
