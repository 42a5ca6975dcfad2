"""The page on Python: its programs run as they stand, and print what stands below them."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.house.test_readme import same

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
PROGRAM = re.compile(
    r"(?:<!-- file: (?P<file>\S+) -->\n)?^```python\n(?P<code>.*?)^```$"
    r"(?:\n\n```text\n(?P<printed>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
PYTEST = re.compile(r"^```console\n\$ pytest (?P<words>.*?)\n(?P<printed>.*?)^```$", re.M | re.S)


def programs() -> Iterator[tuple[str, str]]:
    """Return each program of the page that is no file, with what it is said to print."""
    for found in PROGRAM.finditer(PAGE):
        if found["file"] is None:
            yield found["code"], found["printed"] or ""


def settled(printed: str) -> tuple[str, ...]:
    """Return lines without the seconds that something took."""
    return tuple(re.sub(r"in \d+\.\d+s", "in 9.99s", printed).splitlines())


@pytest.mark.locked
def test_programs_print_what_the_page_shows(tmp_path: Path) -> None:
    """Every program of the page runs after those before it, and prints what stands below it."""
    names: dict[str, Any] = {}
    with chdir(tmp_path):
        for code, shown in programs():
            printed = io.StringIO()
            with redirect_stdout(printed):
                exec(code, names)  # noqa: S102 - ours
            assert printed.getvalue() == shown, code


def test_the_tests_of_the_page_end_as_it_shows(tmp_path: Path) -> None:
    """Its file of tests gives pytest a test for each check, which is called as the check is."""
    (found,) = (found for found in PROGRAM.finditer(PAGE) if found["file"])
    (tmp_path / found["file"]).write_text(found["code"], encoding="utf-8")
    (session,) = PYTEST.finditer(PAGE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *session["words"].split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert same(settled(session["printed"]), settled(done.stdout)), done.stdout
