"""Data, reports and specs given to a command that takes another: what is said of them."""

import gzip
from pathlib import Path

import polars as pl
import pytest

from biaspipe.cli.file_kinds import kind_of
from tests.cli.calls import call, write_audit

ROWS = "sex,hired\nm,yes\nf,no\n"
TEXTS = {
    "people.csv": ROWS.encode(),
    "people.csv.gz": gzip.compress(ROWS.encode()),
    "people.txt": ROWS.encode(),
    "people.yaml": b"sex;hired\nm;yes\n",
    "rows.json": b'[{"sex": "m"}, {"sex": "f"}]',
    "rows.log": b'{"sex": "m"}\n{"sex": "f"}\n',
    "my people.csv": ROWS.encode(),
}
BARE = {
    "people": ROWS.encode(),
    "bars": b"sex|hired\nm|yes\n",
    "quoted": b'sex, "hired, or not"\nm, yes\n',
}
"""Tables in files without an ending."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with data of every kind."""
    monkeypatch.chdir(tmp_path)
    for name, content in TEXTS.items():
        Path(name).write_bytes(content)
    frame = pl.DataFrame({"sex": ["m", "f"], "hired": ["yes", "no"]})
    frame.write_parquet("people.parquet")
    frame.write_parquet("parquet.bin")
    frame.write_ipc("people.arrow")


@pytest.mark.parametrize("command", ["run", "check", "waivers"])
@pytest.mark.parametrize(
    "name",
    ["people.parquet", "people.arrow", "people.csv", "people.csv.gz", "rows.json", "my people.csv"],
)
def test_data_is_no_spec(command: str, name: str) -> None:
    """Data in place of a spec is called data, and the command that makes a spec of it is named."""
    ended = call(command, name)
    assert ended.code == 2
    quoted = f"'{name}'" if " " in name else name
    assert f"error: {name}: this is data, and {command} takes a spec\n" in ended.err
    assert f"hint: `biaspipe init {quoted}` writes a spec for it" in ended.err
    assert f"`biaspipe run SPEC --data {quoted}`" in ended.err


@pytest.mark.parametrize("name", ["parquet.bin", "people.txt", "people.yaml", "rows.log", *BARE])
def test_data_of_another_ending_is_no_spec(name: str) -> None:
    """Data whose name does not tell its format is called data, and led to a name that does."""
    Path(name).write_bytes(BARE.get(name) or Path(name).read_bytes())
    ended = call("run", name)
    assert ended.code == 2
    assert f"error: {name}: this is data, and run takes a spec\n" in ended.err
    assert "hint: the ending of data tells its format, such as .csv or .parquet; " in ended.err


def test_name_that_looks_like_an_option_is_hinted_at_as_a_path() -> None:
    """What begins with a dash can be given to a command as the hint writes it."""
    Path("-people.csv").write_text(ROWS, encoding="utf-8")
    assert "hint: `biaspipe init ./-people.csv` writes" in call("run", "./-people.csv").err


def test_report_is_no_spec() -> None:
    """A report in place of a spec is called one, and what takes it is named."""
    assert call("run", write_audit(), "-o", "report.json").code == 0
    for words in (("run", "report.json"), ("verify", "report.json", "--spec", "report.json")):
        ended = call(*words)
        assert ended.code == 2
        assert "report.json: this is a report of biaspipe, and " in ended.err
        assert "hint: `biaspipe render report.json` shows it" in ended.err


@pytest.mark.parametrize("words", [("render",), ("verify",), ("diff", "audit.yaml")])
def test_spec_is_no_report(words: tuple[str, ...]) -> None:
    """A spec in place of a report is called one, and the command that writes a report is named."""
    path = write_audit()
    ended = call(*words, path)
    assert ended.code == 3
    assert f"{path}: this is a spec, and {words[0]} takes a report of biaspipe\n" in ended.err
    assert f"hint: `biaspipe run {path} -o report.json` writes a report" in ended.err


def test_data_is_no_report() -> None:
    """Data in place of a report leads to the commands that come first."""
    ended = call("render", "people.csv")
    assert ended.code == 3
    assert "people.csv: this is data, and render takes a report of biaspipe\n" in ended.err
    assert "`biaspipe init people.csv` writes a spec for it" in ended.err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "version 1, name\ndata, here\n",
        "version: 1\nname: loan\n",
        "# a, b\n# c, d\n",
        "- a, b\n- c, d\n",
        "one line, and no more",
        '{"dataset_type": "text/csv", "label": "y"}',
    ],
)
def test_what_may_be_anything_is_called_nothing(text: str) -> None:
    """A spec with faults, a configuration and a list keep the errors that name their lines."""
    Path("faulty.yaml").write_text(text, encoding="utf-8")
    assert kind_of(Path("faulty.yaml")) in (None, "data" if "version 1," in text else None)
    assert kind_of(Path("nowhere.yaml")) is None
    assert kind_of(Path()) is None
