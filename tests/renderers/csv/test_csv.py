"""A report as CSV is read back as it was written, and nothing in it is a formula."""

import csv
import json
import re
from io import BytesIO, StringIO

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaspipe.printable_text import escape
from biaspipe.renderers.csv.checks import CHECK_COLUMNS, checks_csv
from biaspipe.renderers.csv.columns import CsvColumn, csv_text, defused, original
from biaspipe.renderers.csv.rates import RATE_COLUMNS, rates_csv
from biaspipe.report import Report
from biaspipe.report.evidence import RateRecord
from tests.examples import examples
from tests.golden.audits import NAMES, report_of

FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r]")
"""How a cell begins that a spreadsheet may compute."""
SIGNS = "=+-@'\"\t\r\n,; \uff1d\uff0b\uff0d\uff20ab1"

texts = st.text(st.sampled_from(SIGNS), max_size=6)


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows that Python reads of a report."""
    return list(csv.DictReader(StringIO(checks_csv(report_of(name)), newline="")))


@pytest.mark.parametrize("name", NAMES)
def test_every_check_is_a_row_of_typed_cells(name: str) -> None:
    """There is a row for each check, in which numbers are the report's and texts its texts."""
    checks, rows = report_of(name).result.checks, rows_of(name)
    assert len(rows) == len(checks)
    for check, row in zip(checks, rows, strict=True):
        assert (float(row["value"]) if row["value"] else None) == check.value
        assert (row["verdict"], row["status"]) == (check.verdict, check.status)
        assert (int(row["line"]), row["metric"]) == (check.line, check.metric)
        assert original(row["sentence"]) == escape(check.sentence)
        assert original(row["disfavored"]) == escape(check.disfavored or "")
        ends = check.interval.ends if check.interval else (None, None)
        assert (row["low"] or None) == (None if ends[0] is None else repr(ends[0]))


def test_row_says_what_a_check_came_to() -> None:
    """A row holds limits, people and rates of both sides, and who waived it until when."""
    waived = next(row for row in rows_of("every-verdict") if row["verdict"] == "waived")
    names = ("metric", "disfavored", "value", "max_abs", "favored_people", "disfavored_label_rate")
    assert [waived[name] for name in names] == [
        "SD",
        "women",
        "0.380007089684509",
        "0.02",
        "102",
        "0.02252252252252252",
    ]
    assert [waived[name] for name in ("waiver", "waiver_until", "waiver_approved_by")] == [
        "waived",
        "2026-03-31",
        "Ada Lovelace <ada@example.com>",
    ]


def test_values_that_are_no_numbers_say_so() -> None:
    """An infinite and an undefined value leave the cell empty, and the status tells them apart."""
    rows = rows_of("every-verdict")
    said = {(row["value"], row["status"], row["sign"]) for row in rows if row["status"] != "ok"}
    assert said == {("", "infinite", "1"), ("", "undefined", "")}
    assert all(row["value"] for row in rows if row["status"] == "ok")


def test_lines_keep_to_the_standard() -> None:
    """Lines end with CRLF, the last one too, and no byte order mark stands before the titles."""
    text = checks_csv(report_of("every-verdict"))
    assert text.startswith("audit,owner,")
    assert text.endswith("\r\n")
    assert text.replace("\r\n", "").isprintable()


def _read_by_pandas(content: bytes) -> pd.DataFrame:
    if pd.__version__ < "3":  # later ones read every number exactly
        return pd.read_csv(BytesIO(content), float_precision="round_trip")
    return pd.read_csv(BytesIO(content))


@pytest.mark.parametrize("name", NAMES)
def test_polars_and_pandas_read_the_same(name: str) -> None:
    """Both read numbers as numbers, the very same, and the same texts."""
    report = report_of(name)
    content = checks_csv(report).encode()
    frame, other = pl.read_csv(BytesIO(content)), _read_by_pandas(content)
    values = [check.value for check in report.result.checks]
    assert frame["value"].to_list() == values
    assert [None if pd.isna(value) else value for value in other["value"]] == values
    assert frame["sentence"].to_list() == other["sentence"].to_list()
    for column in CHECK_COLUMNS:
        kind = frame[column.name].dtype
        empty = frame[column.name].null_count() == frame.height
        assert empty or kind.is_numeric() == (column.kind in ("number", "integer"))


@given(texts)
@examples(400)
def test_no_text_is_a_formula(text: str) -> None:
    """A text that a spreadsheet would compute is marked as one, and comes back as it was."""
    shown = escape(text)
    written = defused(shown)
    assert not FORMULA.match(written)
    assert original(written) == shown


def test_hostile_names_stay_in_their_cells() -> None:
    """Whatever a name holds, the rows and cells are as many, and it is one line."""
    names = ['=HYPERLINK("http://x";"y")', "a,b", 'say "x"', "two\nlines", "\u202eright", "-1+1"]
    text = csv_text([CsvColumn("name", "text", "", str), CsvColumn("n", "integer", "", len)], names)
    rows = list(csv.reader(StringIO(text, newline="")))
    assert rows == [
        ["name", "n"],
        ['\'=HYPERLINK("http://x";"y")', "26"],
        ["a,b", "3"],
        ['say "x"', "7"],
        ["two\\nlines", "9"],
        ["\\u202eright", "6"],
        ["'-1+1", "4"],
    ]


def with_rates(report: Report) -> Report:
    """Return a report whose first group has two rates."""
    rates = {
        "label_rate": RateRecord(value=0.25, low=0.125, high=0.5, n=40),
        "PPV": RateRecord(value=None, low=None, high=None, n=0),
    }
    facet, *others = report.result.facets
    first, *rest = facet.groups
    groups = (first.model_copy(update={"rates": rates}), *rest)
    facets = (facet.model_copy(update={"groups": groups}), *others)
    return report.model_copy(update={"result": report.result.model_copy(update={"facets": facets})})


def test_every_rate_of_a_group_is_a_row() -> None:
    """The rates of a group stand below each other, and one of nobody has no value."""
    report = with_rates(report_of("german-credit"))
    rows = list(csv.DictReader(StringIO(rates_csv(report), newline="")))
    found = [(r["rate"], r["value"], r["low"], r["people"]) for r in rows if r["people"] in "400"]
    assert found[:2] == [("label_rate", "0.25", "0.125", "40"), ("PPV", "", "", "0")]
    assert list(rows[0]) == [column.name for column in RATE_COLUMNS]


def test_undecided_check_of_an_older_report_states_no_finding() -> None:
    """A sentence that an older version wrote as a finding is not handed on."""
    values = json.loads(report_of("every-verdict").to_json())
    found = [c for c in values["result"]["checks"] if c["verdict"] == "undecided"]
    check = next(c for c in found if c["value"] is not None)
    check["sentence"] = "women are hired less often"
    rows = list(csv.DictReader(StringIO(checks_csv(Report.model_validate(values)))))
    about = f"nothing is decided about {check['disfavored']} against {check['favored']}: "
    assert [row["sentence"] for row in rows if row["sentence"].startswith(about)]
    assert "women are hired less often" not in [row["sentence"] for row in rows]
