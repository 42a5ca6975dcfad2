"""The pages that tell a story are executed: files written, commands run, outputs compared."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.test_readme import Session, executed, same, sessions, surprises, write_files

DOCS = Path(__file__).parent.parent.parent / "docs"
STORIES = ["verdicts.md", "evidence.md", "formats.md", "github.md", "ci.md", "subgroups.md"]
CHANGE = re.compile(r"With the value of DPPL, 0\.0922, turned into 0\.0822 ")


@pytest.mark.parametrize("name", STORIES)
def test_page_does_what_it_shows(name: str, tmp_path: Path) -> None:
    """Every command of the page prints what stands below it and ends with the code it tells."""
    page = (DOCS / name).read_text(encoding="utf-8")
    assert list(sessions(page))
    assert "\n\n".join(surprises(page, tmp_path)) == ""


def evidence() -> str:
    """Return the page for auditors."""
    return (DOCS / "evidence.md").read_text(encoding="utf-8")


def shown(before: str) -> tuple[str, ...]:
    """Return the lines of the block of text that stands below a line of the page for auditors."""
    pattern = rf"{re.escape(before)}\n\n```text\n(.*?)^```$"
    (text,) = re.findall(pattern, evidence(), flags=re.MULTILINE | re.DOTALL)
    return tuple(text.splitlines())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the report that the page for auditors speaks of."""
    write_files(evidence(), tmp_path)
    assert executed(Session("biaspipe run income.yaml -o report.json", ()), tmp_path)[0] == 1
    return tmp_path


def test_report_can_be_recomputed_by_hand(folder: Path) -> None:
    """Plain Python finds the digest, the value and the interval that the report holds."""
    (recipe,) = re.findall(r"^```python\n(.*?)^```$", evidence(), re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-I", "-c", recipe]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert tuple(done.stdout.splitlines()) == shown("It prints:")
    assert "biaspipe" not in recipe
    assert sum(bool(line.strip()) for line in recipe.splitlines()) == 20


def test_recomputing_by_hand_finds_a_change(folder: Path) -> None:
    """Plain Python finds that a digest and a value do not hold in a report that was changed."""
    report = folder / "report.json"
    report.write_text(forged(report.read_text(encoding="utf-8")), encoding="utf-8")
    (recipe,) = re.findall(r"^```python\n(.*?)^```$", evidence(), re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-I", "-c", recipe]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[:2] == ["digest False", "value False"]


def forged(report: str) -> str:
    """Return a report with the digit changed that the page for auditors changes."""
    assert report.count('"value": 0.0922') == 1
    return report.replace('"value": 0.0922', '"value": 0.0822')


def test_change_is_named_as_shown(folder: Path) -> None:
    """The page for auditors shows what `verify` says of a changed digit."""
    text = (folder / "report.json").read_text(encoding="utf-8")
    (folder / "forged.json").write_text(forged(text), encoding="utf-8")
    code, printed = executed(Session("biaspipe verify forged.json", ()), folder)
    assert code == 1
    assert same(shown(next(filter(CHANGE.match, evidence().splitlines()))), printed)
