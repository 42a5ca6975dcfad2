"""The programs that look at pages: Chromium driven by Node, and the Nu HTML checker by Java."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

__all__ = ["Seen", "View", "html_messages", "require_programs", "visit"]

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
CHECKER = MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"


class View(NamedTuple):
    """How a page is looked at: a file, in a window so wide or on sheets of A4.

    Parameters
    ----------
    file : the page.
    width : the window, in pixels.
    scheme : "light" or "dark".
    print : whether it is printed.
    axe : whether axe-core looks at it, which takes minutes for a long page.
    """

    file: str
    width: int
    scheme: str = "light"
    print: bool = False
    axe: bool = False


class Seen(NamedTuple):
    """What a browser with the network off saw of a page."""

    told: list[str]
    """What it wrote to its console, and every address that it asked for but the page."""
    faults: list[str]
    """What is cut off or lies over something else."""
    violations: list[str]
    """What axe-core found."""
    outline: list[str]
    """What a screen reader is told: a role and a name each."""
    sheets: int
    """The sheets of the printed page."""


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home) / "bin") if home else None)


def require_programs() -> None:
    """Skip what needs a program that is missing; `make test-page` installs all of them."""
    there = {
        "Chromium": _chromium(),
        "Java": _java(),
        "Node": shutil.which("node"),
        "tests/browser/node_modules": MODULES.is_dir(),
    }
    missing = [name for name, found in there.items() if not found]
    if missing:
        pytest.skip(f"{', '.join(missing)} missing: run make test-page")


def visit(views: Sequence[View]) -> list[Seen]:
    """Look at pages in a browser.

    Parameters
    ----------
    views : the pages, and how.
    """
    wanted = {"chromium": _chromium(), "visits": [view._asdict() for view in views]}
    text = _output(["node", str(HERE / "visit.cjs")], json.dumps(wanted))
    found: list[dict[str, Any]] = json.loads(text)
    return [Seen(**one) for one in found]


def html_messages(folder: Path) -> list[str]:
    """Return what the Nu HTML checker says of the pages in a folder, warnings too.

    Parameters
    ----------
    folder : a folder of pages.
    """
    command = [_java() or "java", "-jar", str(CHECKER), "--format", "json", "--stdout"]
    command += ["--exit-zero-always", "--no-langdetect", *map(str, sorted(folder.glob("*.html")))]
    messages: list[dict[str, str]] = json.loads(_output(command))["messages"]
    return [f"{Path(m.get('url', '')).name}: {m['message']}" for m in messages]


def _output(command: list[str], text: str = "") -> str:
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
