"""Audits in a few words: a spec and its data written to a folder, loaded, run, and read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines import counting, input_checks
from biaspipe.engines.counting import Engine
from biaspipe.engines.frames import backend_of_frame
from biaspipe.loading import Loaded, load
from biaspipe.pipeline import run
from biaspipe.report import CheckRecord, ComparisonRecord, GroupRecord, Result
from biaspipe.sources import open_sources
from biaspipe.spec import Data

__all__ = [
    "WAYS",
    "Content",
    "audited",
    "by_metric",
    "comparisons",
    "confusion",
    "count_as_large",
    "found",
    "labels",
    "ledger",
    "names",
    "opened",
    "prepare",
    "with_labels",
    "write",
]

Content = pl.DataFrame | str | bytes
"""A frame is written as parquet, a text as UTF-8, bytes as they are."""

USUAL: dict[str, Any] = {
    "version": 1,
    "name": "test",
    "columns": {"label": {"column": "label", "positive": 1}},
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"CI": None},
}

LARGE = {"SMALL_FILES": 0}
WAYS: dict[str, dict[str, int]] = {
    "usual": {},
    "few values learned": LARGE,
    "a later value new": {**LARGE, "PROBE": 3},
    "each facet by itself": {**LARGE, "MAX_JOINT_CELLS": 0},
    "both": {**LARGE, "MAX_JOINT_CELLS": 0, "PROBE": 3},
}
"""How the engine can be brought to count: what it takes for large, and how far it looks first."""


def write(path: Path, content: Content) -> None:
    """Write a file, and the folders that it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, pl.DataFrame):
        content.write_parquet(path)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def prepare(folder: Path, **parts: Any) -> Loaded:
    """Write a spec with these parts in place of the usual ones, and load it."""
    spec = folder / "audit.yaml"
    spec.write_text(json.dumps({**USUAL, **parts}, indent=1), encoding="utf-8")
    return load(spec)


def audited(
    folder: Path,
    content: Content | None = None,
    name: str | None = None,
    *,
    data: Mapping[str, Any] | None = None,
    **parts: Any,
) -> Result:
    """Write data and a spec that reads it, and run the audit.

    Parameters
    ----------
    folder : where spec and data are written.
    content : the data; None where the test has written it.
    name : the data's file name.
    data : further keys of the spec's `data`.
    parts : parts of the spec that take the place of the usual ones.
    """
    chosen = name or ("data.parquet" if isinstance(content, pl.DataFrame) else "data.csv")
    if content is not None:
        write(folder / chosen, content)
    return run(prepare(folder, data={"path": chosen, **(data or {})}, **parts)).result


def opened(frame: object, data: Data) -> Engine:
    """Return an engine that has rows in hand open."""
    with open_sources(data, Path(), in_hand=True) as inputs:
        return Engine(backend_of_frame(frame, inputs), data, inputs)


def comparisons(result: Result, facet: str = "sex") -> tuple[ComparisonRecord, ...]:
    """Return the comparisons of a facet."""
    return next(f.comparisons for f in result.facets if f.facet == facet)


def names(result: Result, facet: str = "sex") -> list[tuple[str, str]]:
    """Return favored and disfavored name of each comparison, in order."""
    return [(c.favored, c.disfavored) for c in comparisons(result, facet)]


def ledger(result: Result, facet: str = "sex") -> dict[str, int]:
    """Return what became of the rows, without what happened to none."""
    return {reason: n for reason, n in result.data.ledger[facet].model_dump().items() if n}


def labels(result: Result) -> tuple[float, float, int]:
    """Return people with a favorable and an unfavorable label, and rows without a label."""
    everyone = result.data.everyone
    missing = next(iter(result.data.ledger.values())).label_missing
    return everyone.positives or 0, everyone.negatives or 0, missing


def confusion(group: GroupRecord) -> tuple[float | None, ...]:
    """Return TP, FN, FP and TN of a group."""
    return group.TP, group.FN, group.FP, group.TN


def by_metric(result: Result, facet: str | None = "sex") -> dict[str, CheckRecord]:
    """Return the checks of a facet's first comparison, by metric."""
    checks = [c for c in result.checks if c.facet in (facet, None)]
    return {check.metric: check for check in reversed(checks)}


def with_labels(values: pl.Series) -> pl.DataFrame:
    """Return rows of two groups with these labels."""
    sex = pl.Series(["m", "f"] * len(values)).head(len(values))
    return pl.DataFrame({"sex": sex, "label": values})


def found(
    folder: Path, values: pl.Series, metric: str = "CI", /, **outcome: object
) -> tuple[float, float, int]:
    """Return how many labels a spec's words find favorable, unfavorable and missing."""
    columns = {"label": {"column": "label", **outcome}}
    return labels(audited(folder, with_labels(values), columns=columns, metrics={metric: None}))


def count_as_large(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Have the engine count as it does large data: in one of the `WAYS`."""
    for name, value in WAYS[way].items():
        monkeypatch.setattr(input_checks if name == "SMALL_FILES" else counting, name, value)
