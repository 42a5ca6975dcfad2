"""The order in which checks matter: the gravest verdict first, then how far beyond a limit."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.renderers.severity import farthest, ordered, worst
from biaspipe.report import CheckRecord
from tests.renderers.console.test_drawing import audited

ROWS = "sex,prediction,n\nm,1,60\nm,0,40\nf,1,30\nf,0,70\n"
"""DPPL is 0.3 and DI 0.5."""


def checks(folder: Path, metrics: dict[str, Any], **parts: Any) -> tuple[CheckRecord, ...]:
    """Return the checks of an audit."""
    return audited(folder, ROWS, metrics=metrics, **parts).result.checks


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
    assert [check.metric for check in ordered(checks(tmp_path, metrics))] == order


def test_worst_is_one_that_did_not_pass(tmp_path: Path) -> None:
    """The worst check is a failure, or else an undecided one or a warning, and no other."""
    found = checks(tmp_path, {"DPPL": {"max_abs": 0.2}, "DI": {"min": 0.8}, "CI": None})
    assert getattr(worst(found), "metric", None) == "DI"
    assert worst(checks(tmp_path, {"DPPL": {"max_abs": 0.5}})) is None
    (undecided,) = checks(tmp_path, {"DI": {"min": 0.8}}, decision={"min_rows": 1000})
    assert worst([undecided]) is undecided


def test_farthest_is_beyond_its_limit(tmp_path: Path) -> None:
    """Nothing is the farthest where every value keeps its limit."""
    assert farthest(checks(tmp_path, {"DPPL": {"max_abs": 0.5}})) is None
    found = checks(tmp_path, {"DPPL": {"max_abs": 0.2}, "DI": {"min": 0.8}})
    assert getattr(farthest(found), "metric", None) == "DI"
