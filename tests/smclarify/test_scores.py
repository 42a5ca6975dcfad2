"""Scores and whole numbers as smclarify would be handed them."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading import load
from biaspipe.pipeline import run

M, F = ("m,1,0.9\n", "m,0,0.5\n"), ("f,1,0.9\n", "f,0,0.5\n")
ROWS = M[0] * 10 + M[1] * 20 + F[0] * 20 + F[1] * 10
AT_MOST: dict[str, Any] = {"column": "score", "at_most": 0.5}


def value(
    folder: Path,
    rows: str,
    label: dict[str, Any],
    prediction: dict[str, Any] | None,
    metric: str = "DPPL",
    **parts: Any,
) -> float | None:
    """Return the value of a metric on the facet `sex`."""
    header = "sex,label,score,x\n" if metric == "FT" else "sex,label,score\n"
    (folder / "data.csv").write_text(header + rows, encoding="utf-8")
    columns: dict[str, Any] = {"label": {"column": "label", **label}}
    columns |= {"prediction": prediction} if prediction else {}
    columns |= {"features": {"exclude": []}} if metric == "FT" else {}
    spec = {
        "version": 1,
        "name": "scores",
        "compat": "smclarify",
        "data": {"path": "data.csv"},
        "columns": columns,
        "facets": {"sex": {"column": "sex", "disfavored": "f"}},
        "metrics": {metric: None},
        **parts,
    }
    spec = {key: part for key, part in spec.items() if part is not None}
    path = folder / "audit.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return run(load(path)).result.checks[0].value


@pytest.mark.parametrize("compat", ["smclarify", None])
def test_favorable_zero_is_at_most_the_threshold(tmp_path: Path, compat: str | None) -> None:
    """A score that is not above the threshold becomes 0: with compat and without it, favorable."""
    found = value(tmp_path, ROWS, {"positive": 0}, AT_MOST, compat=compat)
    assert found == pytest.approx(20 / 30 - 10 / 30)


def test_missing_score_becomes_zero(tmp_path: Path) -> None:
    """No missing score is above a threshold, so it is favorable where 0 is."""
    rows = ROWS + "f,0,\n" * 2
    found = value(tmp_path, rows, {"positive": 0}, AT_MOST)
    assert found == pytest.approx(20 / 30 - 12 / 32)


def test_missing_score_is_a_second_value(tmp_path: Path) -> None:
    """Among 30 rows, 1 and the 0 of a missing score are continuous as the labels are."""
    rows = "m,1,0.9\n" * 10 + "m,0,0.9\n" * 5 + "f,1,0.9\n" * 14 + "f,0,\n"
    found = value(tmp_path, rows, {"positive": 0}, {**AT_MOST, "constant": "allowed"})
    assert found == pytest.approx(15 / 15 - 14 / 15)


def test_neighbours_vote_for_the_favorable_zero(tmp_path: Path) -> None:
    """Members of d that are not above the threshold are favorable, their neighbours above not."""
    rows = "m,0,0.9,1\n" * 30 + "f,1,0.5,1\n" * 30
    assert value(tmp_path, rows, {"positive": 0}, AT_MOST, "FT") == 1


def test_few_rows_make_zero_a_threshold(tmp_path: Path) -> None:
    """Two values in 40 rows or fewer are continuous to smclarify: a positive 0 means above 0."""
    few = M[0] * 4 + M[1] * 8 + F[0] * 8 + F[1] * 4
    assert value(tmp_path, few, {"positive": 0}, AT_MOST) == pytest.approx(4 / 12 - 8 / 12)


def test_favorable_true_and_false(tmp_path: Path) -> None:
    """Beside labels of true and false a score becomes one of them."""
    rows = ROWS.replace(",1,", ",true,").replace(",0,", ",false,")
    above = {"column": "score", "above": 0.5}
    assert value(tmp_path, rows, {"positive": False}, AT_MOST) == pytest.approx(1 / 3)
    assert value(tmp_path, rows, {"positive": True}, above) == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("positive", "bound", "side"), [(0, "above", "at_most"), (1, "at_most", "above")]
)
def test_other_side_of_the_threshold_is_refused(
    tmp_path: Path, positive: int, bound: str, side: str
) -> None:
    """A prediction on the side that its label's value is not on could not be smclarify's."""
    prediction = {"column": "score", bound: 0.5}
    with pytest.raises(SpecError, match=f"expected: {side}, and no other bound"):
        value(tmp_path, ROWS, {"positive": positive}, prediction)


def test_threshold_among_few_whole_numbers_loses_its_decimals(tmp_path: Path) -> None:
    """Above 25.5 is 25 alone where smclarify takes whole numbers for categories."""
    rows = "m,25,\n" * 30 + "m,30,\n" * 10 + "f,25,\n" * 10 + "f,30,\n" * 30
    found = value(tmp_path, rows, {"above": 25.5}, None, "DPL")
    assert found == pytest.approx(30 / 40 - 10 / 40)
    assert value(tmp_path, rows, {"above": 25.5}, None, "DPL", compat=None) == pytest.approx(-0.5)
