"""What all tests share: golden files that a flag regenerates, and interrupts that are heard."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import examples  # noqa: F401 - registers its profiles

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that writes golden files anew, to be reviewed as a diff."""
    parser.addoption("--regenerate", action="store_true", help="write golden files anew")


def pytest_configure() -> None:
    """Hear interrupts, which a shell that runs the tests in the background has them ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a check that a text equals a golden file, or writes the file under --regenerate."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--regenerate"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
