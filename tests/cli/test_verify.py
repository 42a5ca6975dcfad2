"""`verify`: exit 0 for a sound report, 1 where something was changed, and what it says."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, start, write_audit
from tests.examples import is_thorough
from tests.pipeline.reports import resealed

Parts = dict[str, Any]
PARTS: Parts = {"metrics": {"DI": {"min": 0.5}, "DPPL": {"max_abs": 0.9}}}


def made(**parts: Any) -> Path:
    """Run an audit and return the file of its report."""
    call("run", write_audit(**{**PARTS, **parts}), "-o", "report.json")
    return Path("report.json")


def replace(path: Path, old: str, new: str) -> None:
    """Replace a text of a file that occurs in it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_sound_report_is_verified() -> None:
    """A sound report ends with 0 and says what was looked at, and what was not."""
    ended = call("verify", made())
    assert (ended.code, ended.err) == (0, "")
    assert ended.last == "VERIFIED, and the verdict is PASS  exit 0"
    assert "digests hold; 2 values with interval and verdict follow from the counts" in ended.out
    assert "not compared (--spec FILE)" in ended.out
    assert "not read again (--data)" in ended.out


def test_sound_report_is_verified_with_spec_and_data() -> None:
    """With the spec and the data a sound report ends with 0 too."""
    ended = call("verify", made(), "--spec", "audit.yaml", "--data")
    assert ended.code == 0
    assert "audit.yaml is the one that was run" in ended.out
    assert "a new run gives the same bytes" in ended.out


def test_changed_digit_is_named() -> None:
    """A changed digit ends with 1 and is named first."""
    path = made()
    replace(path, '"TP": 0', '"TP": 1')
    ended = call("verify", path)
    assert (ended.code, ended.last) == (1, "NOT VERIFIED  exit 1")
    assert "WRONG result.facets[0].comparisons[0].counts.disfavored.TP: this place was" in ended.out


def test_forged_report_is_found() -> None:
    """A verdict that was changed, with all digests made anew, is found by arithmetic."""
    path = made(metrics={"DI": {"min": 0.9}})
    values = json.loads(path.read_text(encoding="utf-8"))
    values["result"]["checks"][0]["verdict"] = values["result"]["verdict"] = "pass"
    values["result"]["tally"].update({"pass": 1, "fail": 0})
    path.write_text(json.dumps(resealed(values)), encoding="utf-8")
    ended = call("verify", path)
    assert ended.code == 1
    assert 'result.checks[0].verdict: "pass" stands here, "fail" follows' in ended.out


@pytest.mark.parametrize("code", [1, 4, 5])
def test_sound_report_of_a_failed_audit_is_verified(code: int) -> None:
    """Verification is about the report: a failure that is truly reported is sound."""
    metrics = {1: {"DI": {"min": 0.9}}, 4: {"RD": {"max_abs": 0.1}}, 5: {"DI": None}}[code]
    assert call("run", write_audit(metrics=metrics), "-o", "report.json").code == code
    assert call("verify", "report.json", "--data").code == 0


@pytest.mark.parametrize("name", ["missing.json", ".", "audit.yaml", "data.csv"])
def test_what_is_no_report_ends_with_3(name: str) -> None:
    """A file that is no report, and one that is not there, end with 3 and no traceback."""
    made()
    ended = call("verify", name)
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith(f"error: {name}: ")
    assert "Traceback" not in ended.err


def test_other_spec_is_found() -> None:
    """A spec that is not the one that was run ends with 1 and names digest and keys."""
    path = made()
    other = write_audit("audit", metrics={"DI": {"min": 0.4}, "DPPL": {"max_abs": 0.9}})
    ended = call("verify", path, "--spec", other)
    assert ended.code == 1
    assert "WRONG result.audit.sha256: the digest of audit.yaml is " in ended.out
    assert "result.audit.spec.metrics.DI.min: 0.5 stands here, 0.4 in the spec" in ended.out


GROUPS = "sex,label,prediction\n" + "\n".join(
    f"{sex},{i % 2},{i % 3 % 2}" for i, sex in enumerate("mmmmmffffxxxyy")
)


@pytest.mark.parametrize(
    "facet",
    [
        {"favored": "m"},
        {"favored": ["m", "f"], "disfavored": "x"},
        {"compare": "rest"},
        {"compare": "rest", "disfavored": "m"},
        {"compare": "rest", "disfavored": ["m", "f"]},
        {"compare": "over_rest"},
        {"compare": "over_rest", "favored": "m"},
        {"compare": "over_rest", "favored": ["m", "f"]},
        {"compare": "pairs"},
        {"compare": "best"},
    ],
    ids=str,
)
def test_sound_report_is_verified_however_groups_are_compared(facet: dict[str, Any]) -> None:
    """A report of any comparison that a spec may ask for follows from its own counts."""
    audit = write_audit(rows=GROUPS, facets={"sex": {"column": "sex", **facet}})
    assert call("run", audit, "-o", "report.json").code in (0, 1)
    assert call("verify", "report.json").code == 0


def test_spec_that_cannot_be_read_ends_with_2() -> None:
    """A wrong spec, or none where the report says it was, ends with 2."""
    path = made()
    Path("wrong.yaml").write_text("version: 1\n")
    assert call("verify", path, "--spec", "wrong.yaml").code == 2
    assert call("verify", path, "--spec", "missing.yaml").code == 2
    Path("audit.yaml").unlink()
    ended = call("verify", path, "--data")
    assert ended.code == 2
    assert "there is no spec at audit.yaml, where the report says it was" in ended.err
    assert "hint: name it with --spec FILE" in ended.err


def test_changed_data_is_found() -> None:
    """Data that is not what it was ends with 1 and names input and values."""
    path = made()
    replace(Path("data.csv"), "f,0,0", "f,1,0")
    ended = call("verify", path, "--data")
    assert ended.code == 1
    assert "WRONG result.data.inputs[0].sha256: " in ended.out
    assert "comes out of a new run" in ended.out
    assert call("verify", path).code == 0


def test_data_that_is_gone_ends_with_3() -> None:
    """Data that is not there any more ends with 3."""
    path = made()
    Path("data.csv").rename("moved.csv")
    assert call("verify", path, "--data").code == 3


def test_report_is_verified_from_anywhere(folder: Path) -> None:
    """From another folder the spec has to be named; then spec and data are found."""
    path = made().resolve()
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    os.chdir(elsewhere)
    assert call("verify", path).code == 0
    assert call("verify", path, "--data").code == 2
    assert call("verify", path, "--data", "--spec", "../audit.yaml").code == 0


@pytest.mark.parametrize("day", ["2026-99-99", "2026-W01-1", "", "soon"])
def test_day_that_there_is_not_is_found(day: str) -> None:
    """A report of a day that there is not is wrong, also where the data is read again."""
    path = made()
    values = json.loads(path.read_text(encoding="utf-8"))
    values["run"]["as_of"] = day
    path.write_text(json.dumps(resealed(values)), encoding="utf-8")
    for words in ((), ("--data",)):
        ended = call("verify", path, *words)
        assert ended.code == 1
        assert "WRONG run.as_of: " in ended.out
        assert "Traceback" not in ended.text


def test_strange_texts_do_not_disturb() -> None:
    """Half characters, control characters and markup in a report are found and only shown."""
    for text in ("\ud83d", "\x1b[31m", "[/b]"):
        path = made()
        values = json.loads(path.read_text(encoding="utf-8"))
        values["result"]["audit"]["name"] = text
        path.write_text(json.dumps(values), encoding="utf-8")
        ended = call("verify", path)
        assert ended.code == 1
        assert "WRONG result.audit.name" in ended.out
        assert "\x1b" not in ended.out


def many_groups() -> Ended:
    """Run an audit of 250 groups, or of a hundred where not everything is tried."""
    people = range(500 if is_thorough() else 200)
    rows = ["sex,prediction,label", *(f"g{i},{i % 2},{i % 3 % 2}" for i in people)]
    rows = [*rows[:1], *(row.replace(f"g{i}", f"g{i // 2}") for i, row in enumerate(rows[1:]))]
    facets = {"sex": {"column": "sex"}}
    path = write_audit(rows="\n".join(rows) + "\n", facets=facets, metrics={"all": None})
    return call("run", path, "-o", "report.json")


def test_report_of_many_groups_is_verified() -> None:
    """A report of hundreds of groups is verified; a change in it is named by itself."""
    assert many_groups().code == 5
    assert call("verify", "report.json").code == 0
    replace(Path("report.json"), '"group": "g99"', '"group": "g98"')
    ended = call("verify", "report.json")
    assert ended.code == 1
    assert "this place was changed since the report was written" in ended.out


def test_process_ends_with_the_code(folder: Path) -> None:
    """The process itself ends with what was found."""
    path = made()
    assert start("verify", path, cwd=folder).code == 0
    replace(path, '"verdict": "pass"', '"verdict": "warn"')
    assert start("verify", path, cwd=folder).code == 1
