"""What the tests of the command line share: each has a current folder of its own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty folder the current one, so that audits and data are named as a user would."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
