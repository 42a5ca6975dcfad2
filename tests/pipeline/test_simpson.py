"""Simpson's paradox: a report says where strata tell something else than all people."""

from pathlib import Path

import pytest

from tests.engines.builders import audited, by_metric
from tests.pipeline.reports import table

COLUMNS = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
    "strata": ["dept"],
}
TURNED = table(
    "sex,dept,label",
    "m,A,1 x 60",
    "m,A,0 x 30",
    "m,B,1 x 2",
    "m,B,0 x 8",
    "f,A,1 x 8",
    "f,A,0 x 2",
    "f,B,1 x 30",
    "f,B,0 x 60",
)
"""Within each department women fare better, over all people men do."""
MANY = TURNED + "".join(TURNED.splitlines(keepends=True)[1:]) * 19
"""The same of twenty times the people."""
ALIKE = TURNED.replace("B", "A")
WEAKER = table(
    "sex,dept,label",
    "m,A,1 x 80",
    "m,A,0 x 20",
    "m,B,1 x 10",
    "m,B,0 x 40",
    "f,A,1 x 40",
    "f,A,0 x 20",
    "f,B,1 x 10",
    "f,B,0 x 90",
)


def predicted(rows: str) -> str:
    """Return the rows with a prediction that is the label."""
    head, *lines = rows.splitlines()
    return "\n".join([f"{head},prediction", *(f"{line},{line[-1]}" for line in lines)]) + "\n"


def note(folder: Path, rows: str, metric: str) -> str | None:
    """Return the note of a check."""
    result = audited(folder, predicted(rows), columns=COLUMNS, metrics={metric: {"max_abs": 0.9}})
    return by_metric(result)[metric].note


@pytest.mark.parametrize("metric", ["CDDL", "CDDPL"])
def test_other_sign_is_a_paradox(metric: str, tmp_path: Path) -> None:
    """A disparity that changes its sign within strata is called by its name, with both numbers."""
    assert note(tmp_path, MANY, metric) == (
        "Simpson's paradox: the disparity is +0.24 over all people and -0.0551 within strata,"
        " so that it changes its sign"
    )


@pytest.mark.parametrize("metric", ["CDDL", "CDDPL"])
def test_other_sign_by_chance_is_near_a_paradox(metric: str, tmp_path: Path) -> None:
    """Where 0 lies in the interval within strata, there may be no disparity, as the note says."""
    assert note(tmp_path, TURNED, metric) == (
        "near Simpson's paradox: the disparity is +0.24 over all people and -0.0551 within strata,"
        " where there may be none"
    )


@pytest.mark.parametrize("metric", ["CDDL", "CDDPL"])
def test_other_size_depends_on_the_strata(metric: str, tmp_path: Path) -> None:
    """A disparity of the same sign but another size says by how much it may differ."""
    assert note(tmp_path, WEAKER, metric) == (
        "the disparity depends on the strata: the disparity is +0.29 over all people and +0.179"
        " within strata, more than 0.05 apart"
    )


@pytest.mark.parametrize("metric", ["CDDL", "CDDPL"])
def test_one_stratum_tells_what_all_people_tell(metric: str, tmp_path: Path) -> None:
    """Where both tell the same there is no note."""
    assert note(tmp_path, ALIKE, metric) is None


def test_other_metrics_have_no_paradox(tmp_path: Path) -> None:
    """Only conditional disparities can differ from an unconditional one."""
    assert note(tmp_path, TURNED, "DPL") is None


def test_note_does_not_decide(tmp_path: Path) -> None:
    """The warning changes no verdict."""
    result = audited(
        tmp_path, predicted(TURNED), columns=COLUMNS, metrics={"CDDL": {"max_abs": 0.9}}
    )
    assert by_metric(result)["CDDL"].verdict == "pass"
