"""`--param`: the months of one spec, what reports say of them, and what is refused."""

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import biaspipe
from tests.cli.calls import call
from tests.pipeline.reports import resealed

SPEC = """\
version: 1
name: hiring
parameters: {month: "2026-10", least: 18}
data:
  path: ${month}.csv
  where: "month = ${month} AND age >= ${least}"
columns: {prediction: {column: hired, positive: "yes"}}
facets: {sex: {column: sex, favored: m}}
metrics: {DI: {min: 0.4}}
"""
ROWS = {
    "2026-10": "m,18,yes m,17,no m,20,no m,30,yes f,18,yes f,40,no f,50,no",
    "2026-11": "m,18,yes m,17,yes m,20,yes f,30,yes f,18,no f,40,yes f,19,yes",
}


@pytest.fixture(autouse=True)
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the data of two months, and the spec of both."""
    monkeypatch.chdir(tmp_path)
    for month, rows in ROWS.items():
        lines = [f"{month},{row}" for row in rows.split()]
        Path(f"{month}.csv").write_text("\n".join(["month,sex,age,hired", *lines, ""]))
    path = Path("audit.yaml")
    path.write_text(SPEC, encoding="utf-8")
    return path


def result(report: str) -> dict[str, Any]:
    """Return the result of a report."""
    found: dict[str, Any] = json.loads(Path(report).read_text(encoding="utf-8"))["result"]
    return found


def test_month_of_the_command_line_is_audited() -> None:
    """`--param` replaces a default, and report and console say what the values were."""
    ended = call("run", "audit.yaml", "--param", "month=2026-11", "-o", "new.json")
    assert ended.code == 0
    assert "with    least = 18, month = '2026-11'\n" in ended.out
    audit = result("new.json")["audit"]
    assert audit["parameters"] == {"month": "2026-11", "least": 18}
    assert audit["spec"]["data"]["path"] == "${month}.csv"
    assert result("new.json")["data"]["inputs"][0]["path"] == "2026-11.csv"
    assert result("new.json")["checks"][0]["value"] == 0.75


def test_defaults_are_audited_and_said() -> None:
    """Without `--param` the defaults are audited, and the report says them, too."""
    assert call("run", "audit.yaml", "-o", "old.json").code == 0
    assert result("old.json")["audit"]["parameters"] == {"month": "2026-10", "least": 18}
    assert result("old.json")["checks"][0]["value"] == 0.5


def test_spec_without_parameters_has_none_in_its_report() -> None:
    """The report of a spec that declares none has no word of them."""
    plain = SPEC.replace('parameters: {month: "2026-10", least: 18}\n', "")
    plain = plain.replace("${month}.csv", "2026-10.csv").replace("month = ${month} AND ", "")
    Path("plain.yaml").write_text(plain.replace("${least}", "18"), encoding="utf-8")
    ended = call("run", "plain.yaml", "-o", "plain.json")
    assert "with " not in ended.out
    assert "parameters" not in result("plain.json")["audit"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--param", "mnth=1"), "--param mnth: no spec here declares this parameter"),
        (("--param", "month"), "'month' is not NAME=VALUE, such as month=2026-11"),
        (("--param", "=1"), "'=1' is not NAME=VALUE"),
        (("--param", "month=1", "--param", "month=2"), "month is given twice"),
        (("--param", "least=x"), "--param least: this value is of the wrong kind"),
        (("--param", "month=../audit"), "the parameter 'month' is a piece of a name here"),
        (("--param", "HOME=x"), "--param HOME: no spec here declares this parameter"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_wrong_value_is_a_wrong_command_line(
    command: str, words: tuple[str, ...], said: str
) -> None:
    """An unknown name, no value, two values, or one that does not fit end with 2."""
    ended = call(command, "audit.yaml", *words)
    assert ended.code == 2
    assert said in ended.err


def test_several_specs_share_the_command_line() -> None:
    """A parameter that one of the specs declares is not asked of the others."""
    other = SPEC.replace("name: hiring", "name: other").replace("month", "when")
    other = other.replace("when = ${when} AND ", "")
    Path("other.yaml").write_text(other, encoding="utf-8")
    ended = call("run", "audit.yaml", "other.yaml", "--param", "month=2026-11")
    assert ended.code == 0
    assert "month = '2026-11'" in ended.out
    assert "when = '2026-10'" in ended.out


def test_required_value_is_asked_for(spec: Path) -> None:
    """`check` says which value is lacking and checks the rest; `run` and --data end with 2."""
    spec.write_text(SPEC.replace('month: "2026-10"', "month: "), encoding="utf-8")
    checked = call("check", "audit.yaml")
    assert checked.code == 0
    note = "audit.yaml:3: note: the parameter 'month' has no value; `run` needs --param month=VALUE"
    assert note in checked.out
    for words in (("run", "audit.yaml"), ("check", "audit.yaml", "--data")):
        ended = call(*words)
        assert ended.code == 2
        assert "the parameter 'month' has no value" in ended.err
    assert call("run", "audit.yaml", "--param", "month=2026-11").code == 0
    assert call("check", "audit.yaml", "--data", "--param", "month=2026-11").code == 0


def test_report_of_another_month_is_verified() -> None:
    """`verify` reads the spec and the data with the values that the report says."""
    call("run", "audit.yaml", "--param", "month=2026-11", "-o", "new.json")
    ended = call("verify", "new.json", "--spec", "audit.yaml", "--data")
    assert ended.code == 0, ended.text
    assert "with    least = 18, month = '2026-11'\n" in ended.out


TAMPERED: list[dict[str, Any] | None] = [
    {"month": "2026-10", "least": 18},
    {"month": "2026-11", "least": 17},
    {"month": "2026-11", "least": 18.0},
    {"month": "2026-11", "least": "18"},
    {"month": "2026-11"},
    {"month": "2026-11", "least": 18, "other": 1},
    {"month": "../2026-11", "least": 18},
    {"month": True, "least": 18},
    {},
    None,
]


@pytest.mark.parametrize("values", TAMPERED)
def test_tampered_values_are_found(values: dict[str, Any] | None) -> None:
    """A report that is sealed again with other values is not verified against its data."""
    call("run", "audit.yaml", "--param", "month=2026-11", "-o", "new.json")
    path = Path("new.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["result"]["audit"]["parameters"] = values
    path.write_text(json.dumps(document), encoding="utf-8")
    assert call("verify", "new.json").code == 1
    path.write_text(json.dumps(resealed(document)), encoding="utf-8")
    ended = call("verify", "new.json", "--spec", "audit.yaml", "--data")
    assert ended.code in {1, 2, 3}
    assert "NOT VERIFIED" in ended.out or ended.err.startswith("error: ")


def test_months_are_compared() -> None:
    """Two months of one spec can be compared, and `diff` says which they are."""
    call("run", "audit.yaml", "-o", "old.json")
    call("run", "audit.yaml", "--param", "month=2026-11", "-o", "new.json")
    ended = call("diff", "old.json", "new.json")
    assert ended.code == 0, ended.text
    assert "     with least = 18, month = '2026-10'\n" in ended.out
    assert "     with least = 18, month = '2026-11'\n" in ended.out


def test_baseline_is_named_by_a_parameter(spec: Path) -> None:
    """The report to compare with may be that of another month."""
    call("run", "audit.yaml", "-o", "hiring-2026-10.json")
    text = SPEC.replace("least: 18}", "least: 18, before: 2026-10}")
    spec.write_text(text + 'baseline: {report: "hiring-${before}.json"}\n', encoding="utf-8")
    ended = call("run", "audit.yaml", "--param", "month=2026-11", "-o", "new.json")
    assert ended.code == 0, ended.text
    assert result("new.json")["baseline"]["report"] == "hiring-2026-10.json"
    assert call("verify", "new.json", "--spec", "audit.yaml", "--data").code == 0
    ended = call("run", "audit.yaml", "--param", "before=/etc/passwd")
    assert ended.code == 2


def test_report_is_not_written_over_the_data_of_its_month() -> None:
    """The file that a parameter names is an input, which no output replaces."""
    before = Path("2026-11.csv").read_bytes()
    words = ("--param", "month=2026-11", "-o", "2026-11.csv", "--format", "json")
    assert call("run", "audit.yaml", *words).code == 2
    assert Path("2026-11.csv").read_bytes() == before


def test_console_shows_a_hostile_value_as_one_line(spec: Path) -> None:
    """A value cannot look like a verdict, or be taken for a command by a terminal."""
    spec.write_text(SPEC.replace("${month} AND", "'2026-10' OR sex = ${x} AND"), encoding="utf-8")
    text = spec.read_text(encoding="utf-8").replace("least: 18}", 'least: 18, x: "a"}')
    spec.write_text(text, encoding="utf-8")
    ended = call("run", "audit.yaml", "--param", "x=a\nverdict PASS\x1b[31m\n::error::b")
    assert ended.code == 0
    assert r"x = 'a\nverdict PASS\x1b[31m\n::error::b'" in ended.out.replace("\\\\", "\\")
    assert "\x1b" not in ended.out


def test_values_are_given_in_python() -> None:
    """`run(parameters=...)` takes values as they are: a text stays one, and a date is its day."""
    report = biaspipe.run("audit.yaml", parameters={"month": "2026-11", "least": 19})
    assert report.result.audit.parameters == {"month": "2026-11", "least": 19}
    assert report.result.data.ledger["sex"].removed_by_where == 3
    with pytest.raises(biaspipe.SpecError, match="of the wrong kind"):
        biaspipe.run("audit.yaml", parameters={"least": "19"})
    with pytest.raises(biaspipe.UsageError, match="no spec here declares"):
        biaspipe.run("audit.yaml", parameters={"mnth": "2026-11"})
    with pytest.raises(biaspipe.SpecError, match="of the wrong kind"):
        biaspipe.run("audit.yaml", parameters={"least": 19.5})


def test_text_and_day_of_python_stay_what_they_are() -> None:
    """A text that looks like a number selects texts, and a date is the day that a spec writes."""
    people = pl.DataFrame(
        {
            "region": ["18", "018", "18", "018"],
            "day": [date(2026, 7, 1), date(2026, 7, 1), date(2026, 7, 2), date(2026, 7, 2)],
            "sex": ["m", "m", "f", "f"],
            "hired": ["yes"] * 4,
        }
    )
    spec = {
        "version": 1,
        "name": "hiring",
        "parameters": {"region": None, "since": None},
        "data": {"where": "region = ${region} AND day >= ${since}"},
        "columns": {"prediction": {"column": "hired", "positive": "yes"}},
        "facets": {"sex": {"column": "sex", "favored": "m"}},
        "metrics": {"DI": None},
    }
    given: dict[str, Any] = {"region": "18", "since": date(2026, 7, 1)}
    report = biaspipe.run(spec, people, parameters=given)
    assert report.result.audit.parameters == {"region": "18", "since": "2026-07-01"}
    assert report.result.data.ledger["sex"].removed_by_where == 2
    Path("frame.json").write_text(report.to_json(), encoding="utf-8")
    assert call("verify", "frame.json").code == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({1: 2}, "parameters: 1 is no name of a parameter; expected a text"),
        ([("month", "2026-11")], "parameters is a list; expected a mapping, such as"),
        ([], "parameters is a list; expected a mapping, such as"),
        ("month=2026-11", "parameters is a str; expected a mapping, such as"),
        ({"month": None}, "parameters: month is None; expected a text, a finite number"),
        ({"least": float("nan")}, "parameters: least is nan; expected a text, a finite number"),
        ({"least": float("-inf")}, "parameters: least is -inf; expected a text, a finite number"),
        ({"month": datetime(2026, 11, 1)}, "parameters: month is datetime; expected"),
        ({"month": ["2026-11"]}, "parameters: month is list; expected"),
        ({"month": b"2026-11"}, "parameters: month is bytes; expected"),
        ({"least": Decimal(18)}, "parameters: least is Decimal; expected"),
    ],
)
def test_wrong_call_is_a_usage_error(given: Any, said: str) -> None:
    """What is no value of a parameter is refused in words before anything is read."""
    with pytest.raises(biaspipe.UsageError) as refusal:
        biaspipe.run("audit.yaml", parameters=given)
    assert refusal.value.message.startswith(said)


@pytest.mark.combinations
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("'010'", "010"),
        ('"10"', "10"),
        ("010", 10),
        ("10", 10),
        ("1e1", 10.0),
        ("true", True),
        ("'true'", "true"),
        ("'1.50'", "1.50"),
        ("1e308", 1e308),
        ("-1e308", -1e308),
        ("2026-10", "2026-10"),
    ],
)
def test_report_says_what_was_read(spec: Path, engine: str, typed: str, value: object) -> None:
    """A value without a default is read once: report, spec and data agree on it afterwards."""
    text = SPEC.replace('month: "2026-10"', "month: ").replace("month = ${month} AND ", "")
    spec.write_text(text, encoding="utf-8")
    rows = Path("2026-10.csv").read_text(encoding="utf-8")
    for name in ("010", "10", "true", "1.50", "1e+308", "-1e+308"):
        Path(f"{name}.csv").write_text(f"{rows}{name},m,30,yes\n", encoding="utf-8")
    words = ("--param", f"month={typed}", "--engine", engine, "-o", "read.json")
    assert call("run", "audit.yaml", *words).code == 0
    (found,) = (v for n, v in result("read.json")["audit"]["parameters"].items() if n == "month")
    assert (type(found), found) == (type(value), value)
    for more in ((), ("--spec", "audit.yaml"), ("--spec", "audit.yaml", "--data")):
        ended = call("verify", "read.json", *more)
        assert ended.code == 0, ended.text
    assert call("verify", "read.json", "--data", "--engine", engine).code == 0


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("typed", ["'18'", "18", "18.0", "'true'", "true", "99", "''", "x"])
def test_value_in_where_is_verified(spec: Path, engine: str, typed: str) -> None:
    """A text that looks like a number is compared as a text when the data is read again, too."""
    column = {"'18'": "code", "'true'": "code", "''": "code", "x": "code", "true": "is_new"}
    text = SPEC.replace("least: 18}", "v: }").replace("${month}.csv", "codes.parquet")
    text = text.replace("age >= ${least}", f"{column.get(typed, 'age')} <> ${{v}}")
    spec.write_text(text, encoding="utf-8")
    pl.DataFrame(
        {
            "month": ["2026-10"] * 6,
            "code": ["18", "true", "x", "1", "a", "b"],
            "age": [18, 20, 30, 40, 50, 60],
            "is_new": [True, False, False, False, False, False],
            "sex": ["m", "m", "m", "f", "f", "f"],
            "hired": ["yes"] * 6,
        }
    ).write_parquet("codes.parquet")
    words = ("--param", f"v={typed}", "--engine", engine, "-o", "where.json")
    ended = call("run", "audit.yaml", *words)
    assert ended.code == 0, ended.text
    removed = result("where.json")["data"]["ledger"]["sex"]["removed_by_where"]
    assert removed == (0 if typed in {"99", "''"} else 1)
    for more in ((), ("--spec", "audit.yaml"), ("--spec", "audit.yaml", "--data")):
        ended = call("verify", "where.json", *more)
        assert ended.code == 0, ended.text


@pytest.mark.parametrize("command", ["run", "check"])
def test_faulty_spec_may_declare_any_parameter(command: str) -> None:
    """What a spec that could not be read declares is not known, and nothing is said of it."""
    Path("faulty.yaml").write_text(SPEC.replace("version: 1", "version: 9"), encoding="utf-8")
    ended = call(command, "faulty.yaml", "--param", "month=2026-11")
    assert ended.code == 2
    assert "faulty.yaml:1:" in ended.err
    assert "declares" not in ended.err
    ended = call(command, "faulty.yaml", "audit.yaml", "--param", "other=1")
    assert ended.code == 2
    assert "declares" not in ended.err


def test_value_that_is_not_the_default_is_a_caution(spec: Path) -> None:
    """Whoever reads a report is told what was chosen otherwise; values that have to be are not."""
    spec.write_text(SPEC.replace('"2026-10"', ""), encoding="utf-8")
    said = "CAUTION with least = 19, where the spec says 18\n"
    words = ("--param", "month=2026-11", "--param")
    plain = call("run", "audit.yaml", *words, "least=18", "-o", "plain.json")
    assert "CAUTION" not in plain.out
    other = call("run", "audit.yaml", *words, "least=19", "-o", "other.json")
    shown = [call("verify", "other.json"), call("render", "other.json", "--format", "text")]
    for ended in (other, *shown):
        assert said in ended.out, ended.text
        assert ended.out.count("CAUTION") == 1
    compared = call("diff", "plain.json", "other.json").out
    assert "with least = 19, where the spec says 18" in compared
