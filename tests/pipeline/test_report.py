"""What a report says: evidence, statuses, tally, and no more than it should."""

import json
import platform
import re
import subprocess
import sys
from getpass import getuser
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import polars as pl
import pytest

from biaspipe.pipeline import run
from biaspipe.report import Report
from tests.engines.builders import audited, by_metric, comparisons, prepare, write

PEOPLE = pl.DataFrame(
    [
        ("männlich", "yes", 1, "day", 30, "Ulm"),
        ("männlich", "yes", 1, "day", 31, "Ulm"),
        ("männlich", "no", 1, "day", 44, "Bonn"),
        ("männlich", "late", 0, "night", 52, None),
        ("weiblich", "yes", 0, "day", 30, "Ulm"),
        ("weiblich", "no", 0, "day", 45, "Bonn"),
        ("weiblich", "no", 0, "night", None, "Ulm"),
        (None, "yes", 1, "night", 20, "Ulm"),
    ],
    schema=["sex", "repaid", "granted", "shift", "age", "town"],
    orient="row",
)
PARTS: dict[str, Any] = {
    "data": {"path": "sub/data.parquet", "where": "age IS NULL OR age > 0"},
    "columns": {
        "label": {"column": "repaid", "positive": "yes"},
        "prediction": {"column": "granted", "positive": 1},
        "strata": ["shift"],
        "features": ["age", "town"],
    },
    "facets": {"sex": {"column": "sex", "favored": "männlich"}},
    "metrics": {
        "all": None,
        "CI": {"max_abs": 0.5},
        "DPL": {"max_abs": 0.1, "warn": {"max_abs": 0.05}},
        "AD": {"max_abs": 0.99, "warn": {"max_abs": 0.01}},
        "KL": {"max": 1},
        "DAR": {"max_abs": 0.1},
        "FT": {"k": 2},
    },
}


def report(folder: Path) -> Report:
    """Run the audit of this file in a folder."""
    write(folder / "sub/data.parquet", PEOPLE)
    return run(prepare(folder, **PARTS))


def written(folder: Path) -> dict[str, Any]:
    """Return what the audit's artifact holds, as any program reads it."""
    found: dict[str, Any] = json.loads(report(folder).to_json())
    return found


def test_digest_is_three_lines_of_any_language(tmp_path: Path) -> None:
    """The digest is the SHA-256 of the result as JSON with sorted keys, no spaces, in UTF-8."""
    document = written(tmp_path)
    text = json.dumps(document["result"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert document["result_sha256"] == sha256(text.encode()).hexdigest()


def test_artifact_fits_its_schema(tmp_path: Path) -> None:
    """The artifact is valid by the schema that `biaspipe schema report` prints."""
    command = [sys.executable, "-m", "biaspipe", "schema", "report"]
    schema = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(written(tmp_path), schema, cls=jsonschema.Draft202012Validator)


def test_artifact_is_read_back_as_the_same_report(tmp_path: Path) -> None:
    """The artifact alone makes the report again."""
    made = report(tmp_path)
    again = Report.model_validate_json(made.to_json())
    assert again.to_json() == made.to_json()


def test_artifact_has_no_number_that_json_has_not(tmp_path: Path) -> None:
    """No NaN and no Infinity stand in the artifact."""

    def refuse(token: str) -> None:
        raise AssertionError(token)

    json.loads(report(tmp_path).to_json(), parse_constant=refuse)


def test_result_tells_nothing_of_the_machine(tmp_path: Path) -> None:
    """No folder, user or host stands in the result."""
    text = json.dumps(written(tmp_path)["result"], ensure_ascii=False)
    assert str(tmp_path) not in text
    for name in (getuser(), platform.node(), tmp_path.name):
        assert not re.search(rf"\b{re.escape(name)}\b", text)


def test_result_does_not_depend_on_the_folder(tmp_path: Path) -> None:
    """The same spec and data in another folder give the same digest."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    assert report(tmp_path / "here").result_sha256 == report(tmp_path / "there").result_sha256


def test_audit_is_recorded(tmp_path: Path) -> None:
    """The report holds the spec as it was read, and the digest of its file."""
    result = report(tmp_path).result
    content = (tmp_path / "audit.yaml").read_bytes()
    assert result.audit.name == "test"
    assert result.audit.spec == json.loads(content)
    assert result.audit.sha256 == sha256(content).hexdigest()


def test_paths_stand_as_the_spec_writes_them(tmp_path: Path) -> None:
    """An input has the path of the spec, its size and its digest."""
    (file,) = report(tmp_path).result.data.inputs
    content = (tmp_path / "sub/data.parquet").read_bytes()
    assert (file.path, file.bytes) == ("sub/data.parquet", len(content))
    assert file.sha256 == sha256(content).hexdigest()


def test_counts_are_the_evidence(tmp_path: Path) -> None:
    """Each comparison has the counts of both sides and of each stratum."""
    found = written(tmp_path)["result"]["facets"][0]["comparisons"][0]
    assert found["counts"]["favored"] == {
        "rows": 4,
        "n": 4,
        "TP": 2,
        "FP": 1,
        "FN": 0,
        "TN": 1,
        "labels": {"late": 1, "no": 1, "yes": 2},
        "label_rate": 0.5,
        "selection_rate": 0.75,
    }
    assert [s["stratum"] for s in found["strata"]] == ["day", "night"]
    assert [s["disfavored"]["rows"] for s in found["strata"]] == [2, 1]


def test_infinite_value_is_tagged(tmp_path: Path) -> None:
    """An infinite value is null with its sign, and breaks its limit."""
    check = next(c for c in written(tmp_path)["result"]["checks"] if c["metric"] == "KL")
    assert {key: check[key] for key in ("value", "status", "sign", "reason", "verdict")} == {
        "value": None,
        "status": "infinite",
        "sign": 1,
        "reason": None,
        "verdict": "fail",
    }


def test_undefined_value_has_its_reason(tmp_path: Path) -> None:
    """An undefined value is null with the reason in words, and never passes."""
    check = next(c for c in written(tmp_path)["result"]["checks"] if c["metric"] == "DAR")
    assert (check["value"], check["status"], check["verdict"]) == (None, "undefined", "undecided")
    assert check["reason"].startswith("n'_d(1) = 0")


def test_check_has_everything_that_is_promised(tmp_path: Path) -> None:
    """Each check has metric, names, value, status, limits, verdict, sentence and line."""
    promised = {"metric", "name", "facet", "favored", "disfavored", "value", "status", "reason"}
    promised |= {"limits", "verdict", "sentence", "line"}
    for check in written(tmp_path)["result"]["checks"]:
        assert promised <= set(check)


def test_line_is_that_of_the_spec(tmp_path: Path) -> None:
    """A check's line is the line of the spec that asks for it."""
    checks = by_metric(report(tmp_path).result)
    lines = (tmp_path / "audit.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[checks["KL"].line - 1].strip() == '"KL": {'
    assert lines[checks["TE"].line - 1].strip() == '"all": null,'


def test_tally_adds_up(tmp_path: Path) -> None:
    """The tally counts each check once, and the gravest verdict is the audit's."""
    result = report(tmp_path).result
    assert result.tally == {
        "pass": 1,
        "warn": 1,
        "fail": 2,
        "undecided": 1,
        "waived": 0,
        "reported": 43,
    }
    assert sum(result.tally.values()) == len(result.checks) == 48
    assert result.verdict == "fail"


def test_metric_without_a_facet_appears_once(tmp_path: Path) -> None:
    """GE has no facet and no groups, and stands once whatever the facets."""
    facets = {**PARTS["facets"], "shift": {"column": "shift"}}
    result = audited(tmp_path, PEOPLE, **{**PARTS, "data": {}, "facets": facets})
    found = [c for c in result.checks if c.metric == "GE"]
    assert [(c.facet, c.favored, c.disfavored) for c in found] == [(None, None, None)]


def test_metrics_that_cannot_be_computed_are_listed(tmp_path: Path) -> None:
    """What `all` leaves out is listed with what it needs."""
    columns = {"label": {"column": "repaid", "positive": "yes"}}
    facets = PARTS["facets"]
    result = audited(tmp_path, PEOPLE, columns=columns, facets=facets, metrics={"all": None})
    words = "which the spec does not declare"
    assert result.not_computed["DI"] == f"needs columns.prediction, {words}"
    assert result.not_computed["CDDL"] == f"needs columns.strata, {words}"
    assert result.not_computed["FT"] == f"needs columns.prediction and columns.features, {words}"
    assert len(result.checks) + len(result.not_computed) == 48


def test_strata_left_out_are_listed(tmp_path: Path) -> None:
    """Strata in which one outcome never occurs are listed with their rows and people."""
    rows = [
        ("m", 1, "a", 2),
        ("f", 0, "a", 1),
        ("m", 1, "b", 3),
        ("f", 1, "b", 1),
        ("m", 0, "c", 4),
    ]
    frame = pl.DataFrame(rows, schema=["sex", "label", "part", "people"], orient="row")
    columns = {"label": {"column": "label", "positive": 1}, "strata": ["part"], "weight": "people"}
    result = audited(tmp_path, frame, columns=columns, metrics={"CDDL": None})
    (check,) = result.checks
    assert [s.model_dump() for s in check.strata_left_out or ()] == [
        {"stratum": "b", "rows": 2, "n": 4},
        {"stratum": "c", "rows": 1, "n": 4},
    ]
    assert check.value == 1.0


@pytest.mark.parametrize("empty", ["", None, "(missing)"])
def test_every_stratum_takes_part(empty: str | None, tmp_path: Path) -> None:
    """An empty text and a missing value are strata of their own."""
    halves = [(1, 0, empty), (0, 1, empty), (1, 1, "x"), (0, 0, "x")]
    rows = [(sex, label, part) for m, f, part in halves for sex, label in (("m", m), ("f", f))]
    frame = pl.DataFrame(rows, schema=["sex", "label", "part"], orient="row")
    columns = {"label": {"column": "label", "positive": 1}, "strata": ["part"]}
    result = audited(tmp_path, frame, columns=columns, metrics={"CDDL": None})
    (found,) = comparisons(result)
    assert [s.favored.rows for s in found.strata or ()] == [2, 2]


def test_strata_that_read_alike_are_not_merged(tmp_path: Path) -> None:
    """A missing value and a text that reads like one are two strata."""
    rows = [("m", 1, None), ("f", 0, None), ("m", 0, "(missing)"), ("f", 1, "(missing)")]
    frame = pl.DataFrame(rows, schema=["sex", "label", "part"], orient="row")
    columns = {"label": {"column": "label", "positive": 1}, "strata": ["part"]}
    (found,) = comparisons(audited(tmp_path, frame, columns=columns, metrics={"CDDL": None}))
    assert len(found.strata or ()) == 2


@pytest.mark.parametrize(("content", "code"), [("sex,label\nm,1\n", 2), ("sex,label\n", 3)])
def test_failed_run_leaves_nothing_open(content: str, code: int, tmp_path: Path) -> None:
    """A run that ends in an error leaves no process and no file open."""
    write(tmp_path / "data.csv", content)
    prepare(tmp_path, data={"path": "data.csv"})
    command = [sys.executable, "-X", "dev", "-m", "biaspipe", "run", str(tmp_path / "audit.yaml")]
    ended = subprocess.run(command, capture_output=True, check=False, text=True)
    assert ended.returncode == code
    assert "ResourceWarning" not in ended.stderr
