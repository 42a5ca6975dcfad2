"""Metrics that a spec reports only where its columns declare what they need."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading import load
from biaspipe.pipeline import run
from biaspipe.report import Result

ROWS = "sex,y,town\n" + "f,1,a\nf,0,a\nm,1,a\nm,1,b\nm,0,b\nf,0,b\n" * 5


def result(folder: Path, metrics: dict[str, Any], **columns: Any) -> Result:
    """Run an audit of labels."""
    (folder / "data.csv").write_text(ROWS, encoding="utf-8")
    spec = {
        "version": 1,
        "name": "labels",
        "data": {"path": "data.csv"},
        "columns": {"label": {"column": "y", "positive": 1}, **columns},
        "facets": {"sex": {"column": "sex", "disfavored": "f"}},
        "metrics": metrics,
    }
    path = folder / "audit.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return run(load(path)).result


OPTIONAL: dict[str, Any] = {"DPL": None, "CDDL": {"optional": True}}


def test_optional_metric_is_listed_with_the_reason(tmp_path: Path) -> None:
    """Without strata an optional CDDL is not computed, and the report says why."""
    found = result(tmp_path, OPTIONAL)
    assert [check.metric for check in found.checks] == ["DPL"]
    assert found.not_computed == {"CDDL": "needs columns.strata, which the spec does not declare"}


def test_optional_metric_is_computed_where_it_can_be(tmp_path: Path) -> None:
    """With strata an optional CDDL is a metric as any other."""
    found = result(tmp_path, OPTIONAL, strata=["town"])
    assert [check.metric for check in found.checks] == ["DPL", "CDDL"]
    assert found.not_computed == {}


@pytest.mark.parametrize("limits", [{"max_abs": 0.1}, {"warn": {"max_abs": 0.1}}])
def test_no_limit_is_optional(tmp_path: Path, limits: dict[str, Any]) -> None:
    """A limit never goes with its metric: an optional one has none."""
    with pytest.raises(SpecError, match="an optional metric would take its limit away"):
        result(tmp_path, {"CDDL": {"optional": True, **limits}}, strata=["town"])


def test_no_family_is_optional(tmp_path: Path) -> None:
    """A family takes no key but facets."""
    with pytest.raises(SpecError, match="reported without limits or parameters"):
        result(tmp_path, {"pre_training": {"optional": True}})
