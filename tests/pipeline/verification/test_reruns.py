"""Reruns: a report against the spec and the data that it was made from."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import DataError, SpecError, UsageError
from biaspipe.loading import load
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.selection import selected_checks
from biaspipe.pipeline.verification import verify
from biaspipe.pipeline.verification.reruns import against_data, against_spec, spec_of
from biaspipe.report import Report, seal_report
from tests.engines.builders import prepare, write
from tests.pipeline.reports import report, table

Parts = dict[str, Any]
ROWS = table("sex,prediction", "m,1 x 6", "m,0 x 4", "f,1 x 3", "f,0 x 7")
PARTS: Parts = {
    "columns": {"prediction": {"column": "prediction", "positive": 1}},
    "metrics": {"DI": {"min": 0.8}, "DPPL": None},
}


@pytest.fixture
def made(tmp_path: Path) -> Report:
    """Return a report beside its spec and data."""
    return read(report(tmp_path, ROWS, **PARTS))


def read(path: Path) -> Report:
    """Return a report from its file."""
    found = verify(path).report
    assert found
    return found


def on_spec(made: Report, folder: Path) -> list[str]:
    """Return what differs from the spec in a folder."""
    return [finding.where for finding in against_spec(made, load(folder / "audit.yaml"))]


def on_data(made: Report, folder: Path) -> list[str]:
    """Return what differs from a new run of the spec in a folder."""
    loaded = load(folder / "audit.yaml")
    return [finding.where for finding in against_data(made, loaded, print).findings]


def test_nothing_differs_where_nothing_was_changed(made: Report, tmp_path: Path) -> None:
    """The same spec and data give the same bytes."""
    assert on_spec(made, tmp_path) == []
    assert on_data(made, tmp_path) == []


def test_report_without_rates_is_that_of_its_data(made: Report, tmp_path: Path) -> None:
    """A report from before there were rates of groups comes out of a new run but for them."""
    values = made.model_dump(mode="json", by_alias=True)
    groups = values["result"]["facets"][0]["groups"]
    for group in groups:
        group["counts"] = group["rates"] = None
    assert on_data(Report.model_validate(values), tmp_path) != []
    values["run"]["wording"] = None
    assert on_data(Report.model_validate(values), tmp_path) == []
    groups[0]["rows"] = 11
    where = "result.facets[0].groups[0].rows"
    assert on_data(Report.model_validate(values), tmp_path) == [where]


def test_report_of_which_one_group_lacks_rates_is_not_that_of_its_data(
    made: Report, tmp_path: Path
) -> None:
    """Where only one group lacks its rates, a new run shows what is lacking."""
    values = made.model_dump(mode="json", by_alias=True)
    group = values["result"]["facets"][0]["groups"][0]
    group["counts"] = group["rates"] = None
    found = on_data(Report.model_validate(values), tmp_path)
    assert found == [f"result.facets[0].groups[0].{key}" for key in ("counts", "rates")]


def test_changed_spec_is_named_key_by_key(made: Report, tmp_path: Path) -> None:
    """A spec with another limit differs in its digest and in that limit."""
    prepare(tmp_path, data={"path": "data.csv"}, **{**PARTS, "metrics": {"DI": {"min": 0.1}}})
    assert on_spec(made, tmp_path) == [
        "result.audit.sha256",
        "result.audit.spec.metrics.DI.min",
        "result.audit.spec.metrics.DPPL",
    ]


def test_spec_that_only_looks_different_has_another_digest(made: Report, tmp_path: Path) -> None:
    """A spec that was written anew with the same meaning is not the one that was run."""
    path = tmp_path / "audit.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "# a comment\n", encoding="utf-8")
    assert on_spec(made, tmp_path) == ["result.audit.sha256"]


def test_lines_are_those_of_the_spec(tmp_path: Path) -> None:
    """A check and a waiver whose line was changed in the report are named."""
    made = read(report(tmp_path, ROWS, **PARTS, waivers=[WAIVER]))
    assert on_spec(made, tmp_path) == []
    checks = tuple(check.model_copy(update={"line": 1}) for check in made.result.checks)
    waivers = tuple(waiver.model_copy(update={"line": 1}) for waiver in made.result.waivers)
    result = made.result.model_copy(update={"checks": checks, "waivers": waivers})
    assert on_spec(made.model_copy(update={"result": result}), tmp_path) == [
        "result.checks[0].line",
        "result.checks[1].line",
        "result.waivers[0].line",
    ]


def test_changed_data_is_named(made: Report, tmp_path: Path) -> None:
    """Data that changed has another digest, other counts and other values."""
    write(tmp_path / "data.csv", ROWS.replace("f,0\n", "f,1\n", 1))
    found = on_data(made, tmp_path)
    assert "result.data.inputs[0].sha256" in found
    assert "result.checks[0].value" in found


def test_data_of_other_bytes_is_named_though_all_values_are_the_same(
    made: Report, tmp_path: Path
) -> None:
    """The order of rows changes no value; the digest of the input names the file."""
    lines = ROWS.splitlines()
    write(tmp_path / "data.csv", "\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    assert on_data(made, tmp_path) == ["result.data.inputs[0].sha256"]


def test_data_that_is_gone_cannot_be_compared(made: Report, tmp_path: Path) -> None:
    """Data that was moved or deleted is faulty data."""
    (tmp_path / "data.csv").rename(tmp_path / "moved.csv")
    with pytest.raises(DataError):
        on_data(made, tmp_path)


def test_data_without_the_group_cannot_be_compared(made: Report, tmp_path: Path) -> None:
    """Data in which a group of the spec does not occur any more is told as a run tells it."""
    write(tmp_path / "data.csv", ROWS.replace("m,", "x,"))
    with pytest.raises(SpecError):
        on_data(made, tmp_path)


WAIVER = {"metric": "DI", "reason": "known", "approved_by": "Ada", "expires": "2027-03-31"}


@pytest.mark.parametrize("day", [date(2027, 3, 31), date(2027, 4, 1)])
@pytest.mark.parametrize("waive", [True, False])
def test_waivers_are_judged_as_they_were(day: date, waive: bool, tmp_path: Path) -> None:
    """A new run judges waivers on the day of the old one, and applies them if it did."""
    options = Options(as_of=day, waive=waive)
    made = read(report(tmp_path, ROWS, options=options, **PARTS, waivers=[WAIVER]))
    assert made.result.checks[0].verdict == ("waived" if waive and day.day == 31 else "fail")
    assert on_data(made, tmp_path) == []


def test_selection_is_repeated(tmp_path: Path) -> None:
    """A new run computes what the old one had selected."""
    write(tmp_path / "data.csv", ROWS)
    loaded = prepare(tmp_path, data={"path": "data.csv"}, **PARTS)
    made = run(loaded, Options(selected_checks(loaded.audit, ["DPPL"]), ("DPPL",)))
    assert [check.metric for check in made.result.checks] == ["DPPL"]
    assert on_data(made, tmp_path) == []


def test_baseline_is_compared_again(tmp_path: Path) -> None:
    """A baseline that was exchanged since then is named, with the values that it had."""
    report(tmp_path, ROWS, "old", **PARTS)
    parts: Parts = {**PARTS, "baseline": {"report": "old.json"}}
    made = read(report(tmp_path, ROWS, **parts))
    assert on_data(made, tmp_path) == []
    (tmp_path / "other").mkdir()
    worse = report(tmp_path / "other", ROWS.replace("f,0\n", "f,1\n", 1), "old", **PARTS)
    (tmp_path / "old.json").write_bytes(worse.read_bytes())
    found = on_data(made, tmp_path)
    assert "result.baseline.result_sha256" in found
    assert "result.checks[0].baseline.value" in found


def test_spec_is_where_the_report_says(
    made: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a word the spec is the file that was run, below this folder; else it is named."""
    with pytest.raises(UsageError, match="is not below this folder"):
        spec_of(made, None)
    monkeypatch.chdir(tmp_path)
    assert spec_of(made, None).document.values == json.loads(
        (tmp_path / "audit.yaml").read_text(encoding="utf-8")
    )
    moved = (tmp_path / "audit.yaml").rename(tmp_path / "moved.yaml")
    with pytest.raises(UsageError, match=r"there is no spec at .*audit\.yaml"):
        spec_of(made, None)
    assert spec_of(made, moved).audit.name == "test"


@pytest.mark.parametrize("earlier", [{"biaspipe": "0.0.9"}, {"wording": None}])
def test_sentences_of_another_wording_are_its_own(
    earlier: dict[str, Any], made: Report, tmp_path: Path
) -> None:
    """A report with the sentences of an earlier wording verifies, and so does a new run of it."""
    checks = [c.model_copy(update={"sentence": "in other words"}) for c in made.result.checks]
    result = made.result.model_copy(update={"checks": tuple(checks)})
    told = seal_report(result, made.run.model_copy(update=earlier))
    path = tmp_path / "earlier.json"
    path.write_text(told.to_json(), encoding="utf-8")
    assert verify(path).findings == ()
    assert on_data(told, tmp_path) == []
    own = seal_report(result, made.run)
    path.write_text(own.to_json(), encoding="utf-8")
    places = ["result.checks[0].sentence", "result.checks[1].sentence"]
    assert [finding.where for finding in verify(path).findings] == places
    assert on_data(own, tmp_path) == places
