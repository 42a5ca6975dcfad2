"""What all tests share: golden files, interrupts, where files are kept, how much is tried."""

import gc
import os
import shutil
import signal
import tempfile
import zlib
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.examples import is_thorough

ROOT = Path(__file__).parent.parent
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder in it that is the user's alone
"""Where Linux keeps files in memory: the tests write ten thousands, and read most of them once."""
ROOM = 2 << 30
"""Bytes that are free there, or the files are kept where others are."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that writes golden files anew, to be reviewed as a diff."""
    parser.addoption("--regenerate", action="store_true", help="write golden files anew")


@pytest.hookimpl(trylast=True)  # once hypothesis has loaded its profile
def pytest_configure() -> None:
    """Hear what a shell in the background and nohup ignore, and spare disk and threads.

    Where the tests run at GitHub, what they call is not to tell it what it found; in CI, pytest
    itself would print more than at home.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for name in list(os.environ):
        if name.startswith("GITHUB_") or name in ("CI", "BUILD_NUMBER"):
            del os.environ[name]
    if not is_thorough():  # the small tables of tests are no work to share
        os.environ.setdefault("POLARS_MAX_THREADS", "1")
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Return how many processes run the tests: one more than cores, since some tests wait."""
    return (yield) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out three of four combinations, drawn by their names, that nobody asked for."""
    if is_thorough() or any("::" in name for name in config.args):
        return
    left = {
        item
        for item in items
        if item.get_closest_marker("combinations") and zlib.crc32(item.name.encode()) % 4
    }
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what lasts as long as the tests, which it would walk often."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish() -> None:
    """Let the garbage collector free what it was spared, as libraries look for what is left."""
    gc.unfreeze()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a check that a text equals a golden file, or writes the file under --regenerate."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--regenerate"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
