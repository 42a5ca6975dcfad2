"""The console report is truthful, legible, and never more than text to a terminal."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from biaspipe.errors import Exit
from biaspipe.loading import load
from biaspipe.pipeline import run
from biaspipe.printable_text import escape
from biaspipe.renderers.commands.index_page import entry_without
from biaspipe.renderers.commands.run_summary import summary
from biaspipe.renderers.console.drawing import console_for, draw, full_text, plain_text
from biaspipe.renderers.console.notes import notes
from biaspipe.renderers.console.report import report_story
from biaspipe.renderers.story import Line, Story
from biaspipe.renderers.text import ends_text, limit_text, p_value_text
from biaspipe.report import IntervalRecord, LimitsRecord, ParityRecord, Report, StratumLeftOut
from tests.golden.audits import code_of, report_of

ESCAPE = "\x1b["
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-7]|4[0-7]|9[0-7])(?:;[0-9]+)*m")
TERMINAL = ("COLORTERM", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what makes a stream coloured or narrow."""
    for name in TERMINAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


class Terminal(StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def sent(story: Story, stream: StringIO, width: int | None = None) -> str:
    """Return what is sent to a stream."""
    console_for(stream, width=width).print(draw(story))
    return stream.getvalue()


def every_verdict() -> Story:
    """Return the story of the audit that has every verdict."""
    return report_story(report_of("every-verdict"), Exit.FAILED, everything=True)


def test_file_gets_no_escape_sequence() -> None:
    """Off a terminal a report is text alone."""
    assert ESCAPE not in sent(every_verdict(), StringIO())


def test_terminal_gets_colours() -> None:
    """On a terminal each verdict has its own colour, the grave ones in bold."""
    text = sent(every_verdict(), Terminal(), width=120)
    codes = {"FAIL": "1;31", "UNDECIDED": "1;35", "WARN": "33", "WAIVED": "36", "PASS": "32"}
    codes |= {"reported": "2"}
    assert [word for word, code in codes.items() if f"\x1b[{code}m{word}\x1b[0m" not in text] == []


def test_forced_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """FORCE_COLOR gives a file, such as a CI log, the colours of a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert COLOUR.search(sent(every_verdict(), StringIO()))


@pytest.mark.parametrize("stream", [StringIO, Terminal])
def test_no_color_takes_the_colours_away(
    stream: type[StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_COLOR takes every colour away, on a terminal and where colours are forced."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOUR.search(sent(every_verdict(), stream(), width=120))
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not COLOUR.search(sent(every_verdict(), stream(), width=120))


def test_dumb_terminal_gets_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that calls itself dumb gets no colours."""
    monkeypatch.setenv("TERM", "dumb")
    assert not COLOUR.search(sent(every_verdict(), Terminal(), width=120))


def test_plain_text_has_no_colours_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text that is written to a file has no escape sequence though colours are forced."""
    expected = plain_text(report_of("every-verdict"), Exit.FAILED)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    text = plain_text(report_of("every-verdict"), Exit.FAILED)
    assert ESCAPE not in text
    assert text == expected


def test_colours_change_no_word() -> None:
    """With the escape sequences taken out, a terminal shows what a file of its width holds."""
    coloured = sent(every_verdict(), Terminal(), width=100)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == sent(every_verdict(), StringIO(), width=100)


def test_lines_of_a_file_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Off a terminal no line is broken, unless COLUMNS says how wide a page is."""
    text = sent(every_verdict(), StringIO())
    assert text == full_text(report_of("every-verdict"), Exit.FAILED)
    assert max(map(len, text.splitlines())) > 200
    monkeypatch.setenv("COLUMNS", "72")
    assert max(map(cell_len, sent(every_verdict(), StringIO()).splitlines())) <= 72


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/b]", "[link=a]b", ":smile:", "[bold", "\\[x]"])
def test_markup_in_a_name_is_text(name: str) -> None:
    """A name that looks like markup is shown as it stands."""
    entry = entry_without(name, "not audited", Exit.WRONG_DATA)
    text = sent(summary([entry], Exit.PASSED), Terminal(), width=100)
    assert name in text


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("plain é 男 🙂", "plain é 男 🙂"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\u202e\u200b", r"\u202e\u200b"),
        ("\udcff", r"\udcff"),
        ("\x9b", r"\x9b"),
    ],
)
def test_control_characters_are_spelled_out(text: str, spelled: str) -> None:
    """What a terminal could take for a command, or a reader not see, is spelled out."""
    assert escape(text) == spelled


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({}, ""),
        ({"min": 0.8}, "from 0.8"),
        ({"max": 1.25}, "to 1.25"),
        ({"min": 0.8, "max": 1.25}, "0.8 to 1.25"),
        ({"max_abs": 0.1}, "within 0.1"),
        ({"min": 0.0, "max_abs": 0.1}, "from 0, within 0.1"),
        ({"warn": {"min": 0.9}}, "warn from 0.9"),
        ({"max_abs": 0.1, "warn": {"max_abs": 0.05}}, "within 0.1, warn within 0.05"),
        ({"min": 0.8123456789}, "from 0.8123456789"),
        ({"max": 1234567.0}, "to 1234567"),
    ],
)
def test_limits_are_written_in_full(limits: dict[str, object], text: str) -> None:
    """Limits are written as a person would say them, and never rounded."""
    record = LimitsRecord.model_validate(limits)
    assert limit_text(record, record.warn) == text


def audited(folder: Path, rows: str, **parts: Any) -> Report:
    """Run an audit of predictions by sex, men favored, on a table of counts."""
    (folder / "data.csv").write_text(rows, encoding="utf-8")
    spec = {
        "version": 1,
        "name": "audit",
        "data": {"path": "data.csv"},
        "columns": {"prediction": {"column": "prediction", "positive": 1}, "weight": "n"},
        "facets": {"sex": {"column": "sex", "favored": "m"}},
        "metrics": {"DI": {"min": 0.8}},
        **parts,
    }
    (folder / "audit.yaml").write_text(json.dumps(spec, indent=1), encoding="utf-8")
    return run(load(folder / "audit.yaml"))


def text_of(report: Report) -> str:
    """Return the console text of a report."""
    return plain_text(report, code_of(report))


def test_value_that_just_breaks_its_limit_is_not_shown_on_it(tmp_path: Path) -> None:
    """A failed value that rounds to its limit is shown with the digits that tell them apart."""
    rows = "sex,prediction,n\nm,1,100000\nm,0,100000\nf,1,79999\nf,0,120001\n"
    report = audited(tmp_path, rows)
    (row,) = (line for line in text_of(report).splitlines() if line.startswith("FAIL"))
    assert row.split()[:3] == ["FAIL", "DI", "0.79999"]


def test_value_that_just_breaks_a_limit_below_zero_is_not_shown_on_it(tmp_path: Path) -> None:
    """A negative value is held against `max_abs` as a positive one is, and so are its ends."""
    rows = "sex,prediction,n\nm,1,100000\nm,0,100000\nf,1,120001\nf,0,79999\n"
    report = audited(tmp_path, rows, metrics={"DPPL": {"max_abs": 0.1}})
    (row,) = (line for line in text_of(report).splitlines() if line.startswith("FAIL"))
    assert row.split()[:3] == ["FAIL", "DPPL", "-0.100005"]


def test_sentence_of_a_value_that_just_breaks_its_limit_tells_it(tmp_path: Path) -> None:
    """The sentence of a failed value does not give the limit itself as the value."""
    rows = "sex,prediction,n\nm,1,100000\nm,0,100000\nf,1,79999\nf,0,120001\n"
    (check,) = audited(tmp_path, rows).result.checks
    assert " 0.8 times" not in check.sentence


def test_people_are_those_of_the_rows(tmp_path: Path) -> None:
    """Where rows stand for people, the header does not count the people of fewer rows."""
    rows = "sex,prediction,n\nm,1,40\nm,0,40\nf,1,10\nf,,1000\n"
    header = text_of(audited(tmp_path, rows)).split("\n\n")[0]
    assert "4 rows, 90 people" not in header


def test_data_is_the_table_that_is_audited() -> None:
    """The header names the audited table first, and the joined ones after it."""
    header = text_of(report_of("every-verdict")).split("\n\n")[0]
    assert "data    decisions.csv" in header


def rows_of(text: str) -> Iterator[str]:
    """Return the lines of a text that begin with a verdict, and those that continue one."""
    for line in text.splitlines():
        if re.match(r"(FAIL|UNDECIDED|WARN|WAIVED|PASS|reported|  )\s", line):
            yield line


def test_ids_are_whole() -> None:
    """The id of a metric is never broken, so that it can be searched for."""
    text = full_text(report_of("every-verdict"), Exit.FAILED)
    ids = {check.metric for check in report_of("every-verdict").result.checks}
    assert {line.split()[1] for line in rows_of(text) if not line.startswith(" ")} == ids


def test_rates_of_many_groups_are_named() -> None:
    """A facet with several comparisons says what the percentages beside its groups are."""
    facet = text_of(report_of("every-verdict")).partition("\nregion\n")[2].partition("\n\n")[0]
    assert "\nshare: predicted 'score above 0.5'\n" in facet


def test_values_end_in_one_column() -> None:
    """In a facet all values end in the same column."""
    facet = text_of(report_of("adult-income")).partition("\nsex\n")[2].partition("\n\n")[0]
    ends = {re.match(r"\S+ +\S+ +\S+", line) for line in rows_of(facet)}
    assert len({found.end() for found in ends if found}) == 1


def test_text_can_be_made_from_the_artifact() -> None:
    """The text that is made from the artifact alone is the one that the run printed."""
    report = report_of("every-verdict")
    assert text_of(Report.model_validate_json(report.to_json())) == text_of(report)


def test_interval_that_just_straddles_its_limit_is_not_shown_on_it() -> None:
    """An end of an interval that rounds to a limit is shown with the digits that tell it apart."""
    interval = IntervalRecord(low=0.79996, high=0.9, confidence=0.95, method="mover-ratio")
    assert ends_text(interval, "", [0.8]) == "0.79996 to 0.9"
    assert ends_text(interval, "+") == "+0.8 to +0.9"


def test_group_of_all_comparisons_is_named_once() -> None:
    """A group that every comparison of a facet has stands above the table, and not in it."""
    facet = text_of(report_of("every-verdict")).partition("\nregion\n")[2].partition("\n\n")[0]
    assert facet.startswith("favored:     north, 110 people, 70.9% predicted 'score above 0.5'\n")
    assert "north 110" not in facet


def test_note_names_its_check() -> None:
    """A note on one of several comparisons says which of them it is about."""
    text = full_text(report_of("every-verdict"), Exit.FAILED)
    assert re.search(r"CDDL region, \[red\] hills: note: near Simpson's paradox", text)


def test_note_on_all_comparisons_stands_once() -> None:
    """A note that holds for a metric whatever the groups stands once and names no group."""
    report = report_of("second-release")
    checks = [
        c.model_copy(update={"note": "so"} if c.metric == "SD" else {})
        for c in report.result.checks
    ]
    result = report.result.model_copy(update={"checks": tuple(checks)})
    text = text_of(report.model_copy(update={"result": result}))
    assert re.findall(r"SD.*: note: .*", text) == ["SD region: note: so"]


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        (
            "every-verdict",
            "verdict metric value 90% interval limit disfavored people share finding",
        ),
        (
            "second-release",
            "verdict metric value 95% interval p baseline limit disfavored people share finding",
        ),
        ("college-applications", "verdict metric value 95% interval limit"),
    ],
)
def test_columns_are_those_with_something_in_them(name: str, titles: str) -> None:
    """Corrected p-values, earlier values and groups have a column where there are any."""
    text = full_text(report_of(name), code_of(report_of(name)))
    heads = [line for line in text.splitlines() if line.startswith("verdict  ")]
    assert titles in [" ".join(head.split()) for head in heads]


def test_small_p_value_is_not_nothing() -> None:
    """A p-value is shown where it was corrected, and a small one never as 0."""
    parity = ParityRecord(p_value=0.00001, test="score", adjusted=0.00004)
    assert p_value_text(parity) == "<0.001"
    assert p_value_text(parity.model_copy(update={"adjusted": 0.04})) == "0.040"
    assert p_value_text(parity.model_copy(update={"adjusted": None})) == p_value_text(None) == ""


def test_people_of_a_sample_are_shown_with_what_they_are_worth() -> None:
    """Under sampling weights brackets say how many people of equal weight there are in effect."""
    text = text_of(report_of("second-release"))
    assert re.search(r"  isles +35\.5 \(20\.2\)  53\.5%  ", text)
    told = " people, standing for 254, in effect 147.0 of equal weight"
    assert f"{told}, 50.0% predicted 'granted = 1'" in text
    assert "people: those stood for, in brackets how many of equal weight" in text


@pytest.mark.parametrize("width", [*range(40, 72, 4), 120])
def test_no_line_is_wrapped_twice(width: int) -> None:
    """A report beside its baseline fits every width, and no table is wrapped when laid out."""
    story = report_story(report_of("second-release"), Exit.FAILED, everything=True)
    lines = sent(story, StringIO(), width=width).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert [line for line in lines if re.match(r" +─", line)] == []


def test_strata_are_told_once_for_each_facet() -> None:
    """Strata that several metrics and groups leave out stand in one line."""
    report = report_of("second-release")
    facet = report.result.facets[0].facet
    left = (StratumLeftOut(stratum="x; y", rows=3, n=3),)
    update = {"facet": facet, "strata_left_out": left}
    whom = [("CDDL", "a"), ("CDDPL", "a"), ("CDDL", "b"), ("CDDPL", "b"), ("CDDPL", "c")]
    first = report.result.checks[0].model_copy(update=update)
    checks = [first.model_copy(update={"metric": m, "disfavored": d}) for m, d in whom]
    result = report.result.model_copy(update={"checks": tuple(checks)})
    parts = notes(report.model_copy(update={"result": result}))
    told = [part.text for part in parts if isinstance(part, Line) and "strata" in part.text]
    words = "strata left out, since one outcome never occurs there"
    assert told == [f"{facet}: {words}: x; y 3 rows (CDDL and CDDPL of a, b, CDDPL of c)"]
