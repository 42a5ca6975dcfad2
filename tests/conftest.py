"""What all tests share: golden files, interrupts that are heard, and how much is tried."""

import signal
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.examples import is_thorough

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that writes golden files anew, to be reviewed as a diff."""
    parser.addoption("--regenerate", action="store_true", help="write golden files anew")


def pytest_configure() -> None:
    """Hear interrupts, which a shell that runs the tests in the background has them ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out three of four combinations, drawn by their names, that nobody asked for."""
    if is_thorough() or any("::" in name for name in config.args):
        return
    left = [
        item
        for item in items
        if item.get_closest_marker("combinations") and zlib.crc32(item.name.encode()) % 4
    ]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a check that a text equals a golden file, or writes the file under --regenerate."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--regenerate"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
