"""The console report, word by word: on terminals of 120 and of 80 columns, and in a file."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len

from biaspipe.printable_text import escape
from biaspipe.renderers.console.drawing import console_for, draw, plain_text
from biaspipe.renderers.console.report import report_story
from biaspipe.report import CheckRecord
from biaspipe.verdict import Verdict
from tests.golden.audits import HERE, NAMES, code_of, report_of

Golden = Callable[[Path, str], None]
each_audit = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what makes a stream coloured."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


def shown(name: str, width: int, *, everything: bool = False) -> str:
    """Return a console report as a terminal of a width shows it, without trailing spaces."""
    report, stream = report_of(name), StringIO()
    story = report_story(report, code_of(report), everything=everything)
    console_for(stream, width=width).print(draw(story))
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def unbroken(name: str) -> str:
    """Return a console report as a file holds it."""
    report = report_of(name)
    return plain_text(report, code_of(report))


@each_audit
@pytest.mark.parametrize("width", [80, 120])
def test_text_is_the_reviewed_one(name: str, width: int, golden: Golden) -> None:
    """The report on a terminal is the one that was read and found right."""
    golden(HERE / "console" / f"{name}.{width}.txt", shown(name, width))


@each_audit
def test_text_of_a_file_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The report in a file is the one that was read and found right."""
    golden(HERE / "console" / f"{name}.txt", unbroken(name))


@pytest.mark.parametrize("name", ["every-verdict", "diabetes-progression"])
def test_text_of_everything_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The report with a row for every check is the one that was read and found right."""
    golden(HERE / "console" / f"{name}.all.120.txt", shown(name, 120, everything=True))


@each_audit
@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_lines_fit(name: str, width: int) -> None:
    """No line is wider than the terminal."""
    assert max(cell_len(line) for line in shown(name, width).splitlines()) <= width


@each_audit
@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_word_is_broken_or_lost(name: str, width: int) -> None:
    """Every word of the unbroken report stands whole on a terminal, at whatever place."""
    words = set(unbroken(name).replace("─", "").split()) - {"finding"}
    told = shown(name, width).replace(",\n", "\n").replace(", ", " ")
    assert {word.rstrip(",") for word in words} - {
        word.rstrip(",") for word in told.split()
    } == set()


@each_audit
def test_finding_is_one_line_of_a_file(name: str) -> None:
    """What a finding came to, where, about whom and why stands in one line, which grep finds."""
    lines = unbroken(name).splitlines()
    for check in report_of(name).result.checks:
        if check.verdict in (Verdict.FAIL, Verdict.UNDECIDED, Verdict.WARN, Verdict.WAIVED):
            place = f"audits/{name}.yaml:{check.line}: "
            about = [
                f"{check.verdict.upper()} ",
                f" {check.metric} ",
                place + escape(check.sentence),
            ]
            assert [line for line in lines if all(part in line for part in about)] or _is_told(
                check
            )


def _is_told(check: CheckRecord) -> bool:
    """Whether a check of two groups that are compared with the rest is one the other way round."""
    return check.favored == "the rest"


def test_failure_is_said_once() -> None:
    """The sentence of a finding stands beside its row, and of the worst one in the summary."""
    text, checks = unbroken("every-verdict"), report_of("every-verdict").result.checks
    told = [text.count(escape(c.sentence)) for c in checks if c.verdict is Verdict.FAIL]
    assert sorted(told) == [1, 1, 1, 2]


def test_every_verdict_is_there() -> None:
    """The audit made for it has every verdict that there is."""
    found = {check.verdict for check in report_of("every-verdict").result.checks}
    assert found == set(Verdict)


def test_every_reason_is_there() -> None:
    """The audit made for it has a row for every reason not to take part."""
    ledger = report_of("every-verdict").result.data.ledger["sex"].model_dump()
    assert [reason for reason, rows in ledger.items() if not rows] == []
