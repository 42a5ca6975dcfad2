"""Hostile and unlucky inputs: each ends with its code and in words, never in a traceback."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.calls import Ended, call, write_audit
from tests.cli.terminals import on_a_terminal

Parts = dict[str, Any]

PREDICTION: Parts = {"columns": {"prediction": {"column": "prediction", "positive": 1}}}
FAIR = "sex,prediction\nm,1\nm,0\nf,1\nf,0\n"


def run(*words: object, **parts: Any) -> Ended:
    """Write an audit and run it; whatever happens, it ends in words."""
    ended = call("run", write_audit(**{**PREDICTION, **parts}), *words)
    assert "Traceback" not in ended.text
    assert "bug in biaspipe" not in ended.text
    return ended


def assert_said(ended: Ended, code: int, *words: str) -> None:
    """Check an exit code and that the essential words are said."""
    missing = [part for part in words if part not in ended.text]
    assert (ended.code, missing) == (code, [])


@pytest.mark.parametrize("data", ["data.csv", "data.tsv", "data.ndjson", "data.parquet"])
def test_empty_file(data: str) -> None:
    """A data file of 0 bytes ends with 3 and is named."""
    assert_said(run(rows="", data=data), 3, data)


@pytest.mark.parametrize("rows", ["sex,prediction", "sex,prediction\n", "sex,prediction\r\n"])
def test_header_without_rows(rows: str) -> None:
    """A table that is only a header ends with 3."""
    assert_said(run(rows=rows), 3, "data.csv: there are no rows")


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        ("sex,prediction\nm,1\n", 2, "nothing to compare: only 'm' occurs"),
        ("sex,prediction\nm,1\nm,0\nm,1\n", 2, "nothing to compare: only 'm' occurs"),
        ("sex,prediction\nm,0\n", 2, "1 does not occur in column 'prediction'"),
        ("sex,prediction\nf,1\n", 2, "'m' does not occur in sex"),
    ],
)
def test_one_row_or_one_group(rows: str, code: int, words: str) -> None:
    """A single row, or a facet with a single value, ends with 2 and shows what occurs."""
    assert_said(run(rows=rows), code, words)


def test_facet_without_any_value() -> None:
    """A facet whose values are all missing ends with 2 and says that they are."""
    ended = run(rows="sex,prediction\n,1\n,0\n")
    assert_said(ended, 2, "sex")
    assert "whole numbers" not in ended.err
    assert "missing" in ended.err or "no value" in ended.err


def test_group_without_a_positive_prediction() -> None:
    """A group of twenty with no positive prediction fails and is shown with its size."""
    rows = "sex,prediction\n" + "m,1\nm,0\n" * 50 + "f,0\n" * 20
    assert_said(
        run(rows=rows),
        1,
        "f, 20 people, 0.0% predicted 'prediction = 1'",
        "FAIL     DI      0.0000",
    )


@pytest.mark.parametrize("positive", [1, "1", 1.0])
def test_labels_as_floating_numbers(positive: object) -> None:
    """Labels 0.0 and 1.0 are found by `positive: 1`."""
    columns = {"prediction": {"column": "prediction", "positive": positive}}
    rows = "sex,prediction\nm,1.0\nm,0.0\nf,1.0\nf,0.0\n"
    assert_said(run(rows=rows, columns=columns), 0, "50.0% predicted 'prediction = 1'", "PASS")


@pytest.mark.parametrize("written", ['"yes"', "yes"])
def test_labels_as_yes_and_no(written: str) -> None:
    """Labels yes and no are texts, in the data and in the spec, quoted or not."""
    path = write_audit(rows="sex,prediction\nm,yes\nm,no\nf,yes\nf,no\n", **PREDICTION)
    spec = path.read_text(encoding="utf-8").replace('"positive": 1', f'"positive": {written}')
    path.write_text(spec, encoding="utf-8")
    assert_said(call("run", path), 0, "50.0% predicted 'prediction = yes'", "PASS")


def test_nulls_in_every_column() -> None:
    """Rows with a null are left out and accounted for, each by the first reason that applies."""
    columns = {**PREDICTION["columns"], "label": {"column": "label", "positive": 1}}
    rows = "sex,prediction,label\nm,1,1\nm,0,0\nf,1,1\nf,0,0\n,1,1\nm,,1\nf,1,\n,,\nm,,\n"
    words = (
        "4 of 9 rows compared; 2 without a value of the facet, 2 without a label, "
        "1 without a prediction"
    )
    assert_said(run(rows=rows, columns=columns), 0, words)


@pytest.mark.parametrize("nan", ["NaN", "nan"])
def test_scores_that_are_no_number(nan: str) -> None:
    """Scores that are NaN are missing, in text and in binary tables."""
    columns = {"prediction": {"column": "score", "above": 0.5, "constant": "allowed"}}
    rows = f"sex,score\nm,0.9\nm,{nan}\nf,0.9\nf,{nan}\n"
    assert_said(run(rows=rows, columns=columns), 0, "2 of 4 rows compared; 2 without a prediction")
    frame = pl.DataFrame({"sex": [*"mmff"], "score": [0.9, float("nan")] * 2})
    frame.write_parquet("data.parquet")
    ended = run(rows=None, data="data.parquet", columns=columns)
    assert_said(ended, 0, "2 of 4 rows compared; 2 without a prediction")


@pytest.mark.parametrize(
    ("weight", "found"),
    [("-3", "-3"), ("", "missing"), ("1.5", "1.5"), ("NaN", "missing"), ("1e30", "1e+30")],
)
def test_weight_that_is_no_number_of_people(weight: str, found: str) -> None:
    """A negative, missing or broken weight ends with 3 and names column, value, rows and file."""
    columns = {**PREDICTION["columns"], "weight": "n"}
    rows = f"sex,prediction,n\nm,1,5\nm,0,5\nf,1,{weight}\nf,0,5\n"
    ended = run(rows=rows, columns=columns)
    assert_said(ended, 3, "data.csv: column 'n': 1 row with a weight", f"such as {found}")


def test_weight_that_is_no_number() -> None:
    """A weight column of texts ends with 2."""
    columns = {**PREDICTION["columns"], "weight": "sex"}
    assert_said(run(rows=FAIR, columns=columns), 2, "the weight is not a number")


def test_weight_of_nought() -> None:
    """A row of weight 0 is a row of nobody: it is read and counts no one."""
    columns = {**PREDICTION["columns"], "weight": "n"}
    rows = "sex,prediction,n\nm,1,5\nm,0,5\nf,1,5\nf,0,5\nf,0,0\n"
    assert_said(run(rows=rows, columns=columns), 0, "5 rows, 20 people", "f, 10 people, 50.0%")


def test_duplicate_column_names() -> None:
    """A header that names a needed column twice ends with 3; another column does not matter."""
    twice = "sex,prediction,prediction\nm,1,0\nf,1,0\n"
    assert_said(run(rows=twice), 3, "data.csv: the header names the column 'prediction' twice")
    other = "sex,prediction,other,other\nm,1,0,0\nf,1,0,0\n"
    assert_said(run(rows=other), 0, "PASS")


def test_table_in_latin_1() -> None:
    """A table in Latin-1 ends with 3 and says how to convert it."""
    rows = "sex,prediction\nm,1\nf,1\nfém,1\n".encode("latin-1")
    assert_said(run(rows=rows), 3, "data.csv: the text is not UTF-8", "iconv -f latin1")


@pytest.mark.parametrize("share", [0.5, 0.9, 0.01])
def test_file_cut_off(share: float) -> None:
    """A Parquet file cut off anywhere ends with 3 and is named."""
    pl.DataFrame({"sex": ["m", "f"] * 500, "prediction": [1, 0] * 500}).write_parquet(
        "data.parquet"
    )
    whole = Path("data.parquet").read_bytes()
    half = whole[: int(len(whole) * share)]
    assert_said(run(rows=half, data="data.parquet"), 3, "data.parquet: cannot be read")


def test_text_table_cut_off_within_a_quote() -> None:
    """A text table that ends within a quote does not end in a traceback."""
    assert run(rows='sex,prediction\nm,1\nf,1\n"f').code in (0, 3)


@pytest.mark.parametrize("rows", [b"\x00" * 100, b"PK\x03\x04junk", b"\xff\xfe\x00s"])
@pytest.mark.parametrize("data", ["data.csv", "data.parquet", "data.ndjson", "data.arrow"])
def test_file_of_another_kind(rows: bytes, data: str) -> None:
    """A file that is not what its name says ends with 2 or 3 and is named."""
    ended = run(rows=rows, data=data)
    assert ended.code in (2, 3)
    assert data in ended.err


@pytest.mark.parametrize("name", ["DI", "all", "vertex.dpppl", "GE"])
def test_column_and_facet_named_like_a_metric(name: str) -> None:
    """A column, a facet and a group may be named like a metric or a family."""
    rows = f"{name},prediction\nDI,1\nDI,0\nall,1\nall,0\n"
    facets = {name: {"column": name, "favored": "DI"}}
    assert_said(run(rows=rows, facets=facets), 0, f"\n{name}\n", "favored:     DI, 2 people")


STRANGE = {
    "brackets": "[red]",
    "closing": "[/b]",
    "link": "[link=https://example.org]x[/link]",
    "quotes": 'it\'s "so"',
    "emoji": "🙂",
    "colon": ":smile:",
    "wide": "男性",
    "backslash": "a\\nb",
    "braces": "{favored}",
    "percent": "%s %d",
    "comma": "a, b",
    "ampersand": "a & b",
}
CONTROL = {
    "escape": ("\x1b[31mred", r"\x1b[31mred"),
    "title": ("\x1b]0;x\x07", r"\x1b]0;x\x07"),
    "bell": ("a\x07", r"a\x07"),
    "backspace": ("ab\x08", r"ab\x08"),
    "newline": ("a\nb", r"a\nb"),
    "return": ("a\rb", r"a\rb"),
    "csi": ("\x9b31m", r"\x9b31m"),
    "right to left": ("\u202eab", r"\u202eab"),
}
each_strange = pytest.mark.parametrize("name", STRANGE.values(), ids=list(STRANGE))
each_control = pytest.mark.parametrize(("name", "spelled"), CONTROL.values(), ids=list(CONTROL))


def grouped(name: str, **parts: Any) -> Ended:
    """Run an audit in which the disfavored group has this name."""
    frame = pl.DataFrame({"sex": ["m", "m", name, name], "prediction": [1, 1, 1, 0]})
    frame.write_parquet("data.parquet")
    return run(rows=None, data="data.parquet", metrics={"DI": {"min": 0.8}}, **parts)


@each_strange
def test_strange_group_name_is_shown_as_it_is(name: str) -> None:
    """A group's name is shown as it stands in the data, whatever it means to other programs."""
    ended = grouped(name)
    assert_said(
        ended,
        1,
        f"disfavored:  {name}, 2 people, 50.0% predicted 'prediction = 1'",
        f" times as large among {name} as among m",
    )


@each_strange
def test_strange_group_name_can_be_favored(name: str) -> None:
    """A spec finds a group of any name."""
    ended = grouped(name, facets={"sex": {"column": "sex", "favored": name, "disfavored": "m"}})
    assert_said(ended, 0, f"favored:     {name}, 2 people, 50.0% predicted 'prediction = 1'")


@each_control
def test_control_characters_are_spelled_out(name: str, spelled: str) -> None:
    """Control characters in a group's name are spelled out in reports and in messages."""
    ended = grouped(name)
    assert_said(ended, 1, f"disfavored:  {spelled}, 2 people")
    assert clean(ended)
    assert clean(grouped(name, facets={"sex": {"column": "sex", "favored": "w"}}))


def clean(ended: Ended) -> bool:
    """Tell whether a text holds nothing that a terminal could take for a command."""
    return re.search(r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ended.text) is None


def test_control_characters_in_a_header_reach_no_terminal(folder: Path) -> None:
    """A message that lists the columns of the data spells out control characters in their names."""
    columns = {name: [1, 1] for name, _ in CONTROL.values()}
    frame = pl.DataFrame({"sex": ["m", "f"], "prediction": [1, 1], **columns})
    frame.write_parquet("data.parquet")
    path = write_audit(
        rows=None, data="data.parquet", facets={"sex": {"column": "gender"}}, **PREDICTION
    )
    shown = on_a_terminal("run", path, cwd=folder).replace("\r\n", "\n")
    assert "data.parquet has no column 'gender'" in shown
    assert [spelled for _, spelled in CONTROL.values() if spelled not in shown] == []
    assert [name for name in columns if name in shown] == []


def test_control_characters_in_a_spec_reach_no_terminal(folder: Path) -> None:
    """A spec with an escape sequence is refused without repeating the sequence."""
    Path("audit.yaml").write_text("\x1b[31mversion: 1\n", encoding="utf-8")
    shown = on_a_terminal("run", "audit.yaml", cwd=folder)
    assert "a control character in the text, U+001B" in shown
    assert "\x1b[31m" not in shown


@pytest.mark.parametrize("facet", [{"column": "who"}, {"column": "who", "favored": "p1"}])
def test_ten_thousand_groups(facet: Parts) -> None:
    """A facet of ten thousand values ends with 2, says how many, and how to group them."""
    rows = "who,prediction\n" + "".join(f"p{i},{i % 2}\n" for i in range(10_000))
    ended = run(rows=rows, facets={"who": facet})
    assert_said(ended, 2, "facet who has 10,000 distinct values", "declare groups")
    assert len(ended.text) < 1_000


def test_ten_thousand_values_in_a_message() -> None:
    """A value that is none of ten thousand ends with 2 in a short message."""
    rows = "who,prediction\n" + "".join(f"p{i},{i % 2}\n" for i in range(10_000))
    facets = {"who": {"column": "who", "groups": {"a": "p1", "b": "nobody"}}}
    ended = run(rows=rows, facets=facets)
    assert_said(ended, 2, "'nobody' does not occur in column 'who'")
    assert len(ended.text) < 1_000


WRONG_SPECS = {
    "nothing": ("", "the spec is empty"),
    "spaces": ("\n  \n", "the spec is empty"),
    "a comment": ("# audit\n", "the spec is empty"),
    "null": ("null\n", "the spec is not a mapping"),
    "a list": ("- version: 1\n", "the spec is not a mapping"),
    "a text": ("version 1\n", "the spec is not a mapping"),
    "tabs": ("version: 1\ndata:\n\tpath: data.csv\n", "YAML indents with spaces; replace the tab"),
    "two documents": ("version: 1\n---\nversion: 1\n", "one audit in each file"),
    "a limit without quotes": ("metrics: {DI: >= 0.8}\n", "a limit its own key: {min: 0.8}"),
    "a tag": ("version: !!python/object 1\n", "tag"),
    "an unclosed bracket": ("data: {path: data.csv\n", "closed"),
    "a bell": ("version: \x07\n", "a control character in the text, U+0007"),
}


@pytest.mark.parametrize(("text", "words"), WRONG_SPECS.values(), ids=list(WRONG_SPECS))
@pytest.mark.parametrize("command", ["run", "check"])
def test_spec_that_is_no_spec(command: str, text: str, words: str) -> None:
    """A spec that is empty or no YAML ends with 2 and says so with file and line."""
    Path("audit.yaml").write_text(text, encoding="utf-8")
    ended = call(command, "audit.yaml")
    assert_said(ended, 2, "error: audit.yaml:", words)
    assert "Traceback" not in ended.text


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", "é".encode("latin-1"), b"\x80abc"])
def test_spec_that_is_no_text(content: bytes) -> None:
    """A spec that is not UTF-8 ends with 2."""
    Path("audit.yaml").write_bytes(content)
    assert_said(call("run", "audit.yaml"), 2, "audit.yaml: byte 0 is not UTF-8")


def test_spec_with_a_mark_of_its_encoding() -> None:
    """A spec that begins with a byte order mark is read like any other."""
    path = write_audit(rows=FAIR, **PREDICTION)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert_said(call("run", path), 0, "PASS")


@pytest.mark.parametrize("part", ["description", "owner"])
def test_spec_with_escapes_of_json(part: str) -> None:
    """A text that JSON escapes as two halves is read as one character, or refused in words."""
    path = write_audit(rows=FAIR, **{part: "later"}, **PREDICTION)
    spec = path.read_text(encoding="utf-8").replace('"later"', r'"\ud83d\ude42"')
    path.write_text(spec, encoding="utf-8")
    ended = call("run", path, "-o", "report.json")
    assert "Traceback" not in ended.text
    assert ended.code in (0, 2)


def test_spec_with_empty_metrics() -> None:
    """A spec whose metrics are left empty ends with 5 and says that nothing was checked."""
    path = write_audit(rows=FAIR, metrics={"later": None}, **PREDICTION)
    spec = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"metrics": \{[^}]*\}', '"metrics":', spec), encoding="utf-8")
    assert_said(call("run", path), 5, "NOTHING CHECKED: no check has a limit")


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (lambda path: path.mkdir(), 3, "report.json: this is a folder"),
        (lambda path: path.symlink_to("nowhere/report.json"), 0, "PASS"),
    ],
    ids=["folder", "dangling link"],
)
def test_output_path_that_is_taken(make: Callable[[Path], None], code: int, words: str) -> None:
    """An output that is a folder is refused; a link that leads nowhere is replaced."""
    make(Path("report.json"))
    assert_said(run("-o", "report.json", rows=FAIR), code, words)


@pytest.mark.parametrize("name", ["/dev/null/report.json", "data.csv/report.json"])
def test_output_path_that_cannot_be_written(name: str) -> None:
    """An output below something that is no folder ends with 3, before anything is printed."""
    ended = run("-o", name, rows=FAIR)
    assert_said(ended, 3, f"{Path(name).parent}: cannot be written into")
    assert ended.out == ""


def test_name_that_is_no_text(folder: Path) -> None:
    """A spec whose name is not UTF-8 is audited, and its artifact written."""
    strange = Path("caf\udce9.yaml")
    write_audit(rows=FAIR, **PREDICTION).rename(folder / strange)
    ended = call("run", strange, "-o", "report.json")
    assert "Traceback" not in ended.text
    assert ended.code == 0
    assert Path("report.json").exists()


def test_data_that_is_missing() -> None:
    """Data that is not there ends with 3, and the message says where it was looked for."""
    ended = run(rows=None, data="nowhere.csv")
    assert_said(ended, 3, "nowhere.csv: there is no such file", "looked in the spec's folder")


def test_data_whose_name_is_too_long() -> None:
    """Data of an impossible name ends with 2 or 3 in words."""
    ended = run(rows=None, data="a" * 300 + ".csv")
    assert ended.code in (2, 3)
