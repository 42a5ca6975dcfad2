"""Reading: what is a report, and what only looks like one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from biaspipe.errors import DataError
from biaspipe.pipeline.verification import sound_report
from biaspipe.report import CheckRecord
from biaspipe.report.report_files import faults_of, misspelt, read_content
from tests.pipeline.reports import Values, report, resealed, table

ROWS = table("sex,label", "m,1 x 6", "m,0 x 4", "f,1 x 3", "f,0 x 7")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a sound report."""
    return report(tmp_path, ROWS, metrics={"DPL": {"max_abs": 0.1}})


def rewritten(path: Path, change: Callable[[Values], object], *, seal: bool) -> Path:
    """Change a report in its file."""
    values = json.loads(path.read_text(encoding="utf-8"))
    change(values)
    path.write_text(json.dumps(resealed(values) if seal else values), encoding="utf-8")
    return path


def test_report_is_read_as_it_was_written(path: Path) -> None:
    """A report from a file is written as the same file."""
    assert sound_report(path).to_json() == path.read_text(encoding="utf-8")


NO_REPORTS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not a JSON document"),
    "junk": (b"\x00\xff\xfe", "not a JSON document"),
    "text": (b"version: 1\n", "not a JSON document"),
    "cut off": (b'{"schema": "biaspipe-report/1"', "not a JSON document"),
    "a byte order mark": (b'\xef\xbb\xbf{"schema": "biaspipe-report/1"}', "not a JSON document"),
    "another encoding": ('{"schema": "ä"}'.encode("utf-16"), "not a JSON document"),
    "a list": (b"[]", "not a report of biaspipe"),
    "a number": (b"1", "not a report of biaspipe"),
    "no schema": (b'{"result": {}}', "not a report of biaspipe"),
    "a key twice": (b'{"schema": "a", "schema": "a"}', "the key 'schema' stands twice"),
    "no number": (b'{"schema": "a", "x": NaN}', "NaN is no number of JSON"),
    "infinity": (b'{"schema": "a", "x": -Infinity}', "-Infinity is no number of JSON"),
    "beyond every number": (b'{"schema": "a", "x": 1e999}', "1e999 is no number of JSON"),
    "too many digits": (b'{"schema": "a", "x": ' + b"9" * 5000 + b"}", "not a JSON document"),
    "too deep": (b"[" * 100_000, "not a JSON document"),
}


@pytest.mark.parametrize(("content", "words"), NO_REPORTS.values(), ids=list(NO_REPORTS))
def test_what_is_no_report_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    """A file that is no report says so, whatever it is."""
    (tmp_path / "no.json").write_bytes(content)
    with pytest.raises(DataError, match=words):
        read_content(tmp_path / "no.json")


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_file_that_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    """A file that is missing, or a folder, says so."""
    with pytest.raises(DataError, match=r"No such file|Is a directory"):
        read_content(tmp_path / name)


Change = Callable[[Values], Any]
CHANGES: dict[str, tuple[Change, bool, str]] = {
    "a value": (
        lambda v: v["result"]["checks"][0].update(value=0),
        False,
        "was changed since it was written",
    ),
    "a word of the run": (
        lambda v: v["run"].update(as_of="2020-01-01"),
        False,
        "was changed since it was written",
    ),
    "no seal": (lambda v: v["run"].pop("sha256"), False, "was changed since it was written"),
    "a part": (lambda v: v.pop("run"), False, "not a whole report: run: "),
    "an empty spec": (
        lambda v: v["result"]["audit"].update(spec={}),
        True,
        "not a whole report: result.audit.spec.version: ",
    ),
    "a spec of other things": (
        lambda v: v["result"]["audit"]["spec"].update(columns=[1]),
        True,
        "not a whole report: result.audit.spec.columns",
    ),
    "a forged verdict": (
        lambda v: v["result"].update(verdict="pass"),
        True,
        "does not follow from its own counts: 1 place",
    ),
    "a forged value": (
        lambda v: v["result"]["checks"][0].update(value=0.05),
        True,
        "does not follow from its own counts: 1 place",
    ),
    "a selection of nothing": (
        lambda v: v["run"].update(select=["nonexistent"]),
        True,
        r"not a whole report: run.select\[0\]: no tag or facet of the spec, and no metric",
    ),
    "an unknown metric": (
        lambda v: v["result"]["checks"][0].update(metric="XX"),
        True,
        "does not follow from its own counts: 2 places",
    ),
    "an unknown facet": (
        lambda v: v["result"]["checks"][0].update(facet="age"),
        True,
        "does not follow from its own counts: 2 places",
    ),
}


@pytest.mark.parametrize(("change", "seal", "words"), CHANGES.values(), ids=list(CHANGES))
def test_changed_report_is_refused(change: Change, seal: bool, words: str, path: Path) -> None:
    """A report that was changed is compared with nothing, and says why."""
    with pytest.raises(DataError, match=words):
        sound_report(rewritten(path, change, seal=seal))


@pytest.mark.parametrize(
    ("text", "again"),
    [("1.50", "1.5"), ("1e-1", "0.1"), ("-0", "0"), ("0.1000000000000000055", "0.1")],
)
def test_number_is_written_in_one_way(text: str, again: str) -> None:
    """A number is found where it is not written as the same number is."""
    words = f"the number is written {text}, not {again}"
    assert list(misspelt(f'{{"schema": [0.1, {text}]}}'.encode())) == [("schema[1]", words)]


def test_numbers_of_a_report_are_written_in_that_way(path: Path) -> None:
    """No number of a report that was just written is found."""
    assert list(misspelt(path.read_bytes())) == []


def test_faults_name_no_type_of_the_program() -> None:
    """What should be a mapping is called one, without the name that the program has for it."""
    with pytest.raises(ValidationError) as refusal:
        CheckRecord.model_validate({"limits": 3})
    assert ("limits", "has to be a valid dictionary") in faults_of(refusal.value)
