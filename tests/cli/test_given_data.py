"""`run --data`: other data than a spec names, what reports say of it, and what is refused."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.calls import Ended, call
from tests.pipeline.reports import resealed

SPEC = """\
version: 1
name: hiring
data:
  path: october.csv
  where: "age >= 18"
  csv: {separator: ";"}
columns: {prediction: {column: hired, positive: "yes"}}
facets: {sex: {column: sex, favored: m}}
metrics: {DI: {min: 0.8}}
"""
OCTOBER = "m,18,yes m,20,no f,18,yes f,40,no"
NOVEMBER = "m,18,yes m,20,yes f,30,yes f,18,no f,17,no"


def table(rows: str, separator: str = ";") -> str:
    """Return the text of a table."""
    lines = ["sex,age,hired", *rows.split(), ""]
    return "\n".join(lines).replace(",", separator)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a spec with its data, and data that it does not name elsewhere."""
    monkeypatch.chdir(tmp_path)
    for name in ("audits", "new"):
        Path(name).mkdir()
    Path("audits/hiring.yaml").write_text(SPEC, encoding="utf-8")
    Path("audits/october.csv").write_text(table(OCTOBER), encoding="utf-8")
    Path("new/november.csv").write_text(table(NOVEMBER), encoding="utf-8")
    return tmp_path


def run_on(data: object, *words: object) -> Ended:
    """Run the audit on other data, and write its report."""
    return call("run", "audits/hiring.yaml", "--data", data, "-o", "report.json", *words)


def report() -> dict[str, Any]:
    """Return the report."""
    found: dict[str, Any] = json.loads(Path("report.json").read_text(encoding="utf-8"))
    return found


def test_given_data_is_audited() -> None:
    """`--data` takes the place of the spec's data, and what the spec says besides still holds."""
    assert call("run", "audits/hiring.yaml").code == 0
    ended = run_on("new/november.csv")
    assert ended.code == 1
    result = report()["result"]
    assert result["checks"][0]["value"] == 0.5
    assert result["data"]["ledger"]["sex"]["removed_by_where"] == 1


def test_report_names_given_data() -> None:
    """Result, run and console say what was read; no folder of the machine is in the result."""
    ended = run_on(Path("new/november.csv").absolute())
    found = report()
    assert found["result"]["audit"]["data"] == "november.csv"
    assert found["result"]["data"]["inputs"][0]["path"] == "november.csv"
    assert found["result"]["audit"]["spec"]["data"]["path"] == "october.csv"
    assert found["run"]["data"] == Path("new/november.csv").absolute().as_posix()
    assert str(Path.cwd()) not in json.dumps(found["result"])
    assert "CAUTION run on november.csv (--data), where the spec says october.csv\n" in ended.out
    assert "data    november.csv  5 rows\n" in ended.out


def test_plain_report_has_no_new_key() -> None:
    """A report of the spec's own data is as it was before data could be given."""
    assert call("run", "audits/hiring.yaml", "-o", "report.json").code == 0
    assert "data" not in report()["result"]["audit"]
    assert "data" not in report()["run"]


def test_result_is_the_same_from_any_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result tells nothing of the folder that the data or the command was in."""
    run_on("new/november.csv")
    first = report()["result_sha256"]
    monkeypatch.chdir("new")
    assert call("run", "../audits/hiring.yaml", "--data", "november.csv", "-o", "n.json").code == 1
    found = json.loads(Path("n.json").read_text(encoding="utf-8"))
    assert found["result_sha256"] == first


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_report_on_given_data_verifies(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify --data` reads the data of the report again, from whatever folder it is asked."""
    assert run_on("new/november.csv", "--engine", engine).code == 1
    words = ("verify", "report.json", "--spec", "audits/hiring.yaml", "--data")
    assert "a new run gives the same bytes" in call(*words).out
    assert call("verify", "report.json", "--data").code == 0
    monkeypatch.chdir("new")
    words = ("verify", "../report.json", "--spec", "../audits/hiring.yaml", "--data")
    assert call(*words).code == 0
    Path("november.csv").write_text(table(OCTOBER), encoding="utf-8")
    assert "WRONG result.data.inputs[0].sha256" in call(*words).out


def test_data_that_moved_is_looked_for_where_it_was(folder: Path) -> None:
    """`verify --data` names the whole path that the report says, and takes the data there again."""
    run_on("new/november.csv")
    Path("new/november.csv").rename("november.csv")
    ended = call("verify", "report.json", "--data")
    assert ended.code == 3
    place = folder / "new/november.csv"
    assert f"error: {place}: there is no such file, and the report says that its" in ended.err
    Path("november.csv").rename("new/november.csv")
    assert call("verify", "report.json", "--data").code == 0


def test_data_of_a_forged_report_is_not_shown(folder: Path) -> None:
    """A report that names a file elsewhere has no value of that file told."""
    secret = folder.parent / "secret.csv"
    secret.write_text("token\n12345\n", encoding="utf-8")
    run_on("new/november.csv")
    forged = report()
    forged["result"]["audit"]["data"] = "secret.csv"
    forged["run"]["data"] = str(secret)
    Path("report.json").write_text(json.dumps(resealed(forged)), encoding="utf-8")
    ended = call("verify", "report.json", "--spec", "audits/hiring.yaml", "--data")
    assert ended.code == 2
    assert "token" not in ended.text
    assert "where the report says it was, cannot be audited" in ended.err
    forged["run"]["data"] = None
    Path("report.json").write_text(json.dumps(resealed(forged)), encoding="utf-8")
    ended = call("verify", "report.json")
    assert "WRONG run.data: this is not the data that the result names" in ended.out


def test_format_is_told_by_the_new_ending() -> None:
    """Parquet in place of a text table is read without the options of one."""
    frame = pl.read_csv("new/november.csv", separator=";")
    frame.write_parquet("new/november.parquet")
    assert run_on("new/november.parquet").code == 1
    assert report()["result"]["checks"][0]["value"] == 0.5
    frame.write_ndjson("new/november.jsonl")
    assert run_on("new/november.jsonl").code == 1


def test_files_of_a_folder_and_a_glob_are_named_in_it() -> None:
    """A glob in place of the data names its files without the folder above them."""
    Path("new/december.csv").write_text(table(OCTOBER), encoding="utf-8")
    run_on("new/*.csv")
    assert report()["result"]["audit"]["data"] == "*.csv"
    paths = [each["path"] for each in report()["result"]["data"]["inputs"]]
    assert paths == ["december.csv", "november.csv"]
    assert call("verify", "report.json", "--data").code == 0
    run_on("new")
    paths = [each["path"] for each in report()["result"]["data"]["inputs"]]
    assert paths == ["new/december.csv", "new/november.csv"]


def test_pin_of_the_spec_holds_for_given_data() -> None:
    """`expect` is of the data that counts: other bytes than the spec pins are refused."""
    pinned = SPEC.replace("  where:", "  expect: {rows: {min: 5}}\n  where:")
    Path("audits/hiring.yaml").write_text(pinned, encoding="utf-8")
    assert run_on("new/november.csv").code == 1
    pin = f"  expect: {{sha256: {'0f' * 32}}}\n  where:"
    Path("audits/hiring.yaml").write_text(SPEC.replace("  where:", pin), encoding="utf-8")
    ended = run_on("new/november.csv")
    assert ended.code == 3
    assert "expect" in ended.err


def test_table_of_a_database_gives_way() -> None:
    """A file takes the place of a table, and its connection is not asked."""
    database = 'table: decisions\n  connection: "postgresql://localhost/none"\n  where:'
    spec = SPEC.replace("path: october.csv\n  where:", database).replace(
        '  csv: {separator: ";"}\n', ""
    )
    Path("audits/hiring.yaml").write_text(spec, encoding="utf-8")
    Path("new/november.csv").write_text(table(NOVEMBER, ","), encoding="utf-8")
    ended = run_on("new/november.csv")
    assert ended.code == 1
    assert "(--data), where the spec says decisions" in ended.out


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        ("new/december.csv", 3, "--data new/december.csv: there is no such file or folder"),
        ("", 2, "--data '': names no data"),
        ("new/m\udce4rz.csv", 2, "the name is not UTF-8"),
        ("new/${month}.csv", 2, "'${' begins a parameter in a spec"),
        ("report.txt", 2, "--data ../report.txt: the ending of '../report.txt' does not tell"),
        ("/etc/passwd", 2, "--data /etc/passwd: "),
    ],
)
def test_what_cannot_be_read_is_told_as_what_was_given(data: str, code: int, words: str) -> None:
    """Faults of given data name `--data`, and no line of the spec."""
    Path("report.txt").write_text("x", encoding="utf-8")
    Path("new/${month}.csv").write_text(table(NOVEMBER), encoding="utf-8")
    ended = run_on(data)
    assert ended.code == code
    assert words in ended.err
    assert "hiring.yaml:" not in ended.err


def test_table_of_another_separator_is_told_once() -> None:
    """One column whose name holds another sign than the separator leads to `separator`, once."""
    names = ",".join(f"feature_{number}" for number in range(200))
    comma = f"sex,age,hired,{names}\nm,18,yes{',1' * 200}\n"
    Path("new/comma.csv").write_text(comma, encoding="utf-8")
    ended = run_on("new/comma.csv")
    assert ended.code == 2
    assert ended.err.count("has no column") == 1
    assert 'hint: if "," separates its fields, the spec\'s data says so: csv: {separator: ","}' in (
        ended.err
    )
    assert max(map(len, ended.err.splitlines())) < 120


def test_given_data_is_not_written_over() -> None:
    """`-o` refuses the file that `--data` names, and `render` that of the report."""
    before = Path("new/november.csv").read_bytes()
    ended = call(
        "run", "audits/hiring.yaml", "--data", "new/november.csv", "-o", "new/november.csv"
    )
    assert ended.code == 2
    assert "is the data of audits/hiring.yaml, and would be written over" in ended.err
    run_on("new/november.csv")
    assert call("render", "report.json", "-o", "new/november.csv").code == 2
    assert Path("new/november.csv").read_bytes() == before


def test_one_table_does_not_stand_for_several() -> None:
    """Specs of one table share what is given; those of different tables are refused."""
    other = SPEC.replace("name: hiring", "name: other")
    Path("audits/other.yaml").write_text(other, encoding="utf-8")
    assert call("run", "audits", "--data", "new/november.csv").code == 1
    Path("audits/other.yaml").write_text(other.replace("october", "may"), encoding="utf-8")
    ended = call("run", "audits", "--data", "new/november.csv")
    assert ended.code == 2
    assert "audits/hiring.yaml names october.csv; audits/other.yaml names may.csv" in ended.err


def test_reports_on_other_data_can_be_compared() -> None:
    """`diff` compares the report of given data with that of the spec's."""
    call("run", "audits/hiring.yaml", "-o", "old.json")
    run_on("new/november.csv")
    ended = call("diff", "old.json", "report.json")
    assert ended.code == 1
    assert "CAUTION" not in ended.err


def test_parameters_still_reach_the_condition() -> None:
    """A parameter of `where` is filled in where the data is another one."""
    spec = SPEC.replace("18", "${least}").replace("data:", "parameters: {least: 30}\ndata:", 1)
    Path("audits/hiring.yaml").write_text(spec, encoding="utf-8")
    run_on("new/november.csv", "--param", "least=18")
    assert report()["result"]["data"]["ledger"]["sex"]["removed_by_where"] == 1
    assert call("verify", "report.json", "--data").code == 0


def test_data_that_is_not_there_makes_no_spec_wrong() -> None:
    """In a run of several specs each is not audited where the fault is that of `--data`."""
    other = SPEC.replace("name: hiring", "name: other")
    Path("audits/other.yaml").write_text(other, encoding="utf-8")
    ended = call("run", "audits", "--data", "nope.csv")
    assert ended.code == 3
    assert "wrong spec" not in ended.text
    assert ended.out.count("not audited     3  audits/") == 2
    assert "wrong spec" not in call("run", "audits", "--data", "audits").text
