"""The console report, word by word: at the width of a log and at that of a narrow terminal."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len

from biaspipe.renderers.console import console_for, draw, plain_text
from biaspipe.renderers.report import report_story
from biaspipe.verdict import Verdict
from tests.golden.audits import HERE, NAMES, code_of, report_of

Golden = Callable[[Path, str], None]
each_audit = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what makes a stream coloured."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


def wide(name: str) -> str:
    """Return a console report as plain text."""
    report = report_of(name)
    return plain_text(report, code_of(report))


def narrow(name: str) -> str:
    """Return a console report as a terminal of 80 columns shows it, without trailing spaces."""
    report, stream = report_of(name), StringIO()
    console_for(stream, width=80).print(draw(report_story(report, code_of(report))))
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


@each_audit
def test_plain_text_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The report in 120 columns is the one that was read and found right."""
    golden(HERE / "console" / f"{name}.120.txt", wide(name))


@each_audit
def test_narrow_text_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The report in 80 columns is the one that was read and found right."""
    golden(HERE / "console" / f"{name}.80.txt", narrow(name))


@each_audit
def test_lines_fit(name: str) -> None:
    """No line is wider than the page, in 80 columns or in 120."""
    assert max(cell_len(line) for line in wide(name).splitlines()) <= 120
    assert max(cell_len(line) for line in narrow(name).splitlines()) <= 80


@each_audit
def test_no_words_are_lost_in_a_narrow_report(name: str) -> None:
    """A narrow report says the same words as a wide one, on more lines."""
    assert sorted("".join(narrow(name).replace("─", "").split())) == sorted(
        "".join(wide(name).replace("─", "").split())
    )


def test_every_verdict_is_there() -> None:
    """The audit made for it has every verdict that there is."""
    found = {check.verdict for check in report_of("every-verdict").result.checks}
    assert found == set(Verdict)


def test_every_reason_is_there() -> None:
    """The audit made for it has a row for every reason not to take part."""
    ledger = report_of("every-verdict").result.data.ledger["sex"].model_dump()
    assert [reason for reason, rows in ledger.items() if not rows] == []
