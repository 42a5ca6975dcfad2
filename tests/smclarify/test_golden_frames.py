"""Fifty random frames with the answers that smclarify 0.5 gave; benchmarks/parity.py kept them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biaspipe.loading import load
from biaspipe.pipeline import run
from biaspipe.pipeline.verification import verify
from biaspipe.renderers.sagemaker.analysis import analysis_values
from biaspipe.report import Report

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
Values = dict[str, Any]


def report_of(kept: Values, folder: Path) -> Report:
    """Run the audit of a frame."""
    (folder / kept["spec"]["data"]["path"]).write_text(kept["csv"], encoding="utf-8")
    spec = folder / "audit.yaml"
    spec.write_text(json.dumps(kept["spec"]), encoding="utf-8")
    return run(load(spec))


def entries(section: Values, column: str) -> Iterator[tuple[str, str, str, object]]:
    """Yield group, metric, description and value of every entry of a facet."""
    for group in section["facets"][column]:
        for entry in group["metrics"]:
            value = entry["value"]
            number = None if value is None else pytest.approx(float(value), abs=1e-9)
            yield group["value_or_threshold"], entry["name"], entry["description"], number


def plain(section: Values, column: str) -> Iterator[tuple[str, str, str, object]]:
    """Yield the same with plain numbers."""
    for group in section["facets"][column]:
        for entry in group["metrics"]:
            value = entry["value"]
            number = None if value is None else float(value)
            yield group["value_or_threshold"], entry["name"], entry["description"], number


def test_there_are_fifty() -> None:
    """Fifty frames are kept."""
    assert len(GOLDEN) == 50


@pytest.mark.combinations
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, id=p.stem, marks=[pytest.mark.locked] if p.stem == "44" else [])
        for p in GOLDEN
    ],
)  # in 44, numpy decides between neighbours that are equally near
def test_analysis_is_that_of_smclarify(path: Path, tmp_path: Path) -> None:
    """Every group, description, interval, value and missing value is the one of smclarify."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    own, other = analysis_values(report_of(kept, tmp_path)), kept["analysis"]
    assert list(own) == ["version", "post_training_bias_metrics", "pre_training_bias_metrics"]
    for name in list(own)[1:]:
        mine, theirs = own[name], other[name]
        if "error" in theirs:
            assert all(e[3] is None for column in mine["facets"] for e in plain(mine, column))
            continue
        assert mine["label_value_or_threshold"] == theirs["label_value_or_threshold"]
        for column, groups in theirs["facets"].items():
            if "error" in groups:
                assert all(entry[3] is None for entry in plain(mine, column))
            else:
                assert list(plain(mine, column)) == list(entries(theirs, column))


@pytest.mark.parametrize("path", GOLDEN[::5], ids=lambda path: path.stem)
def test_report_proves_its_values(path: Path, tmp_path: Path) -> None:
    """A report under compat is verified from the counts that stand in it."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    file = tmp_path / "report.json"
    file.write_text(report_of(kept, tmp_path).to_json(), encoding="utf-8")
    assert verify(file).findings == ()
