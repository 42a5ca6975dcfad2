"""The order in which checks matter: the gravest verdict first, then how far beyond a limit."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.renderers.severity import farthest, ordered, worst
from biaspipe.report import Report
from tests.renderers.console.test_drawing import audited

ROWS = "sex,prediction,n\nm,1,60\nm,0,40\nf,1,30\nf,0,70\n"
"""DPPL is 0.3 and DI 0.5."""


def report(folder: Path, metrics: dict[str, Any], **parts: Any) -> Report:
    """Return the report of an audit."""
    return audited(folder, ROWS, metrics=metrics, **parts)


@pytest.mark.parametrize(
    ("metrics", "order"),
    [
        ({"DPPL": {"max_abs": 0.2}, "DI": {"min": 0.8}}, ["DI", "DPPL"]),
        ({"DPPL": {"max_abs": 0.05}, "DI": {"min": 0.8}}, ["DPPL", "DI"]),
        ({"DI": {"min": 0.8}, "DPPL": {"max_abs": 0}}, ["DPPL", "DI"]),
        ({"DPPL": {"warn": {"max_abs": 0.001}}, "DI": {"min": 0.55}}, ["DI", "DPPL"]),
        ({"CI": None, "DPPL": {"max_abs": 0.5}, "DI": {"min": 0.8}}, ["DI", "DPPL", "CI"]),
    ],
)
def test_order(metrics: dict[str, Any], order: list[str], tmp_path: Path) -> None:
    """Failures come before warnings, and what is farther beyond its limit before the rest."""
    found = report(tmp_path, metrics)
    assert [check.metric for check in ordered(found.result.checks, found)] == order


@pytest.mark.parametrize(
    "metrics",
    [{"DPPL": {"max_abs": 0}}, {"DI": {"min": 1}}, {"DI": {"min": 1, "max": 1}}],
)
def test_limit_at_parity_leaves_an_order(metrics: dict[str, Any], tmp_path: Path) -> None:
    """Where parity itself is required, what is farther from it stands first."""
    rows = "sex,prediction,n\nm,1,60\nm,0,40\na,1,55\na,0,45\nb,1,20\nb,0,80\nc,1,50\nc,0,50\n"
    facets = {"sex": {"column": "sex", "favored": "m"}}
    found = audited(tmp_path, rows, metrics=metrics, facets=facets)
    checks = found.result.checks
    assert [check.disfavored for check in ordered(checks, found)] == ["b", "c", "a"]
    assert getattr(farthest(checks), "disfavored", None) == "b"


def test_worst_is_one_that_did_not_pass(tmp_path: Path) -> None:
    """The worst check is a failure, or else an undecided one or a warning, and no other."""
    found = report(tmp_path, {"DPPL": {"max_abs": 0.2}, "DI": {"min": 0.8}, "CI": None})
    assert getattr(worst(found), "metric", None) == "DI"
    assert worst(report(tmp_path, {"DPPL": {"max_abs": 0.5}})) is None
    undecided = report(tmp_path, {"DI": {"min": 0.8}}, decision={"min_rows": 1000})
    assert worst(undecided) is undecided.result.checks[0]


def test_few_people_do_not_lead_what_is_undecided(tmp_path: Path) -> None:
    """Of undecided checks that of more people stands first, before an infinite one of three."""
    rows = "sex,prediction,n\nm,1,60\nm,0,40\nx,1,3\nf,1,12\nf,0,8\n"
    facets = {"sex": {"column": "sex", "favored": "m"}}
    columns = {
        "label": {"column": "prediction", "positive": 1},
        "weight": {"column": "n", "kind": "frequency"},
    }
    metrics = {"KL": {"max": 0.1}}
    parts: dict[str, Any] = {"facets": facets, "columns": columns, "decision": {}}
    found = audited(tmp_path, rows, metrics=metrics, **parts)
    assert {c.disfavored: c.verdict.value for c in found.result.checks} == {
        "f": "undecided",
        "x": "undecided",
    }
    assert getattr(worst(found), "disfavored", None) == "f"


def test_farthest_is_beyond_its_limit(tmp_path: Path) -> None:
    """Nothing is the farthest where every value keeps its limit."""
    assert farthest(report(tmp_path, {"DPPL": {"max_abs": 0.5}}).result.checks) is None
    found = report(tmp_path, {"DPPL": {"max_abs": 0.2}, "DI": {"min": 0.8}}).result.checks
    assert getattr(farthest(found), "metric", None) == "DI"
