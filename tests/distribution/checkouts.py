"""Copies of this repository as somebody gets them, and the programs that look at them."""

import os
import shutil
from pathlib import Path

import pytest

from tests.distribution.runner import BIN, ROOT
from tests.house.test_numbers import tracked

__all__ = ["copy_checkout", "program"]


def copy_checkout(folder: Path) -> Path:
    """Copy what the repository has, and nothing that lies about in it, into a new folder."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def program(name: str) -> str:
    """Return where a program is that `make test-distribution` installs, or fail the test."""
    found = shutil.which(name, path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if not found:
        pytest.fail(f"{name} is missing; make test-distribution installs it")
    return found
