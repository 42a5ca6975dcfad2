"""What a report says of its baseline: whole, possible, and as the baseline has it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.loading import load
from biaspipe.pipeline.verification.reruns import against_spec
from biaspipe.report import Report
from tests.pipeline.reports import COLUMNS, ROWS, WORSE, Values, forged, found, report, table

Forge = Callable[[Values], object]


def note(values: Values, number: int = 0) -> Values:
    """Return what a check was in the baseline."""
    was: Values = values["result"]["checks"][number]["baseline"]
    return was


def baseline(values: Values) -> Values:
    """Return what a report says of its baseline."""
    told: Values = values["result"]["baseline"]
    return told


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sound report of other people than those of its baseline."""
    folder = tmp_path_factory.mktemp("compared")
    parts: Values = {
        "columns": COLUMNS,
        "metrics": {"DPPL": {"max_abs": 0.9}, "DI": None},
        "decision": {"min_rows": 3, "decide_by": "inside"},
    }
    report(folder, ROWS, "old", **parts)
    return report(folder, WORSE, **parts, baseline={"report": "old.json", "max_worsening": 0.1})


def test_report_with_a_baseline_is_sound(compared: Path) -> None:
    """Nothing is found in a report, nor in it beside its spec and baseline."""
    assert found(compared) == []
    assert beside(compared, lambda _: None) == []


def beside(path: Path, forge: Forge) -> list[str]:
    """Return what a forged report says otherwise than the spec and the baseline beside it."""
    values = json.loads(path.read_text(encoding="utf-8"))
    forge(values)
    forged_report = Report.model_validate(values)
    return [where for where, _ in against_spec(forged_report, load(path.with_name("audit.yaml")))]


FORGERIES: dict[str, tuple[Forge, str]] = {
    "whether it is of the same rows, left out": (
        lambda v: baseline(v).pop("rows"),
        "result.baseline.rows",
    ),
    "whether it is of the same rows, null": (
        lambda v: baseline(v).update(rows=None),
        "result.baseline.rows",
    ),
    "what may vanish, left out": (
        lambda v: baseline(v).pop("allowed"),
        "result.baseline.allowed",
    ),
    "the same rows, which came to another value": (
        lambda v: baseline(v).update(rows="same"),
        "result.checks[0].baseline.value",
    ),
    "a value outside of its interval": (
        lambda v: note(v).update(value=0.9),
        "result.checks[0].baseline.interval",
    ),
    "a value without its interval": (
        lambda v: note(v).pop("interval"),
        "result.checks[0].baseline.interval",
    ),
    "an interval of an undefined value": (
        lambda v: note(v).update(value=None, status="undefined"),
        "result.checks[0].baseline.interval",
    ),
    "a value that is both a number and infinite": (
        lambda v: note(v).update(sign=1),
        "result.checks[0].baseline.status",
    ),
    "a method that there is not": (
        lambda v: note(v)["interval"].update(method="by heart"),
        "result.checks[0].baseline.interval.method",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_baselines_are_found(name: str, compared: Path) -> None:
    """What no baseline can be, or a report has to say of it, is found without the baseline."""
    forge, place = FORGERIES[name]
    assert place in forged(compared, forge)


def shift(values: Values) -> None:
    """Say of a check that it was as much farther from parity as nobody would worry about."""
    was = note(values)
    was.update(value=was["value"] + 0.3)
    was["interval"].update(low=was["interval"]["low"] + 0.3, high=was["interval"]["high"] + 0.3)


OTHERWISE: dict[str, tuple[Forge, str]] = {
    "a value": (shift, "result.checks[0].baseline.value"),
    "an end": (
        lambda v: note(v)["interval"].update(low=-0.9),
        "result.checks[0].baseline.interval.low",
    ),
    "a state": (
        lambda v: note(v, 1).update(value=None, status="undefined"),
        "result.checks[1].baseline.status",
    ),
    "the rows": (lambda v: baseline(v).update(rows="same"), "result.baseline.rows"),
    "what may vanish": (lambda v: baseline(v).pop("allowed"), "result.baseline.allowed"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_baseline_beside_a_report_is_believed(name: str, compared: Path) -> None:
    """With the spec, what each check was is read from the baseline where that is still there."""
    forge, place = OTHERWISE[name]
    assert place in beside(compared, forge)


BOTH = table(
    "sex,label,then,now",
    *(
        f"{sex},{y},{then},{now} x {n}"
        for sex, yes in (("m", 9), ("f", 5))
        for y, then, now, n in [(1, 1, 1, yes), (0, 0, 1, 4), (1, 1, 0, 3), (0, 0, 0, 14 - yes)]
    ),
)


@pytest.fixture(scope="module")
def challenged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sound report of another prediction of the same people than that of its baseline."""
    folder = tmp_path_factory.mktemp("challenged")
    label = {"label": {"column": "label", "positive": 1}}
    then, now = (
        {**label, "prediction": {"column": name, "positive": 1}} for name in ("then", "now")
    )
    metrics = {"DPPL": None, "DPL": None, "DI": None}
    report(folder, BOTH, "old", columns=then, metrics=metrics)
    return report(folder, BOTH, columns=now, metrics=metrics, baseline={"report": "old.json"})


PAIRED: dict[str, tuple[Forge, str]] = {
    "a value": (shift, "result.checks[0].baseline.value"),
    "a value of labels": (
        lambda v: note(v, 1).update(value=note(v, 1)["value"] + 0.01),
        "result.checks[1].baseline.value",
    ),
    "an interval": (
        lambda v: note(v)["interval"].update(high=note(v)["interval"]["high"] + 0.01),
        "result.checks[0].baseline.interval",
    ),
    "a state": (
        lambda v: note(v).update(value=None, status="undefined", interval=None),
        "result.checks[0].baseline.value",
    ),
}


@pytest.mark.parametrize("name", PAIRED)
def test_forged_values_of_an_earlier_prediction_are_found(name: str, challenged: Path) -> None:
    """What a check was by an earlier prediction follows from the people counted by both."""
    assert found(challenged) == []
    forge, place = PAIRED[name]
    assert place in forged(challenged, forge)


def test_same_rows_with_another_label_are_not_the_same_people(tmp_path: Path) -> None:
    """People who lack a label are not counted once it is declared: these are other rows."""
    rows = BOTH.replace("m,1,1,1\n", "m,,1,1\n", 3)
    prediction = {"prediction": {"column": "now", "positive": 1}}
    columns = {**prediction, "label": {"column": "label", "positive": 1}}
    report(tmp_path, rows, "old", columns=prediction, metrics={"DPPL": None})
    path = report(
        tmp_path, rows, columns=columns, metrics={"DPPL": None}, baseline={"report": "old.json"}
    )
    assert found(path) == []
    assert baseline(json.loads(path.read_text(encoding="utf-8")))["rows"] == "other"
