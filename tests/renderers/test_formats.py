"""The list of formats is all that the command line knows of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from biaspipe.errors import Exit
from biaspipe.renderers.formats import FORMATS, format_of
from tests.cli.calls import Ended, environment, write_audit
from tests.golden.audits import report_of

TOY = """
from biaspipe.report import Report

def toy(report: Report, code: int) -> str:
    return f"{report.result.audit.name} ends with {code}"
"""
LINE = 'FORMATS["toy"] = ReportFormat(lazy_renderer("toy:toy"), "a few words", ending=".toy")'
MAIN = f"""
import biaspipe.renderers, sys
from biaspipe.renderers.formats import FORMATS, ReportFormat, lazy_renderer

biaspipe.renderers.__path__.append(".")
{LINE}
from biaspipe.cli import main
main()
"""


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written(name: str) -> None:
    """Each format has a renderer that makes a text of a report, and says what it is."""
    text = FORMATS[name].render(report_of("second-release"), Exit.FAILED)
    assert text.endswith("\n")
    assert FORMATS[name].about


@pytest.fixture
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with an audit, and with the file of a renderer."""
    monkeypatch.chdir(tmp_path)
    write_audit()
    Path("toy.py").write_text(TOY, encoding="utf-8")


def call(*words: str) -> Ended:
    """Call the command line with a renderer more, which is one file and one line."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *words],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.mark.usefixtures("_toy")
@pytest.mark.parametrize("words", ["-o x.toy", "-o x.txt --format toy"])
def test_new_format_is_one_file_and_one_line(words: str) -> None:
    """A renderer in the list is chosen by `--format`, and by the ending of a file."""
    ended = call("run", "audit.yaml", *words.split())
    assert (ended.code, ended.err) == (0, f"wrote {words.split()[1]}\n")
    assert Path(words.split()[1]).read_text(encoding="utf-8") == "audit ends with 0"


@pytest.mark.usefixtures("_toy")
def test_new_format_is_printed_of_a_stored_report() -> None:
    """A stored report is printed in any format of the list."""
    assert call("run", "audit.yaml", "-o", "report.json").code == 0
    assert call("render", "report.json", "--format", "toy").out == "audit ends with 0"


@pytest.mark.usefixtures("_toy")
def test_help_and_errors_list_a_new_format() -> None:
    """What `--help` and the errors say of formats is made from the list."""
    text = " ".join(call("run", "--help").out.split())
    assert "[json|text|html|markdown|csv|rates|clarify|violations|toy|github|none]" in text
    listed = ".md Markdown, .csv a row per check, .toy a few words."
    first = ".json the artifact, .txt the console text, .html one page of HTML"
    assert f"{first}, {listed}" in text
    known = "it is .json or .txt or .html or .md or .csv or .toy\n"
    assert known in call("run", "audit.yaml", "-o", "x.doc").err
    assert "'toy'" in call("run", "audit.yaml", "--format", "doc").err


def test_name_that_ends_in_that_of_a_format_is_of_it() -> None:
    """What stands before `rates.csv` does not make it a table of checks."""
    assert format_of(Path("a.rates.csv"), None) == "rates"
    assert format_of(Path("v1.2.rates.csv"), None) == "rates"
    assert format_of(Path("arates.csv"), None) == "csv"
