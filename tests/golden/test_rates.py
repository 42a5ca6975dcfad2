"""The rates of every group, word by word: in a log and on a narrow terminal."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len

from biaspipe.renderers.console.drawing import console_for, draw
from biaspipe.renderers.rates import with_rates
from biaspipe.renderers.story import Line, Section, Story
from tests.golden.audits import HERE, NAMES, report_of

END = Section((Line.of("the tally"),))


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what makes a stream coloured."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


def rates(name: str, width: int) -> str:
    """Return what `--rates` adds to a console report, without trailing spaces."""
    stream = StringIO()
    story = with_rates(Story((END,)), report_of(name))
    console_for(stream, width=width).print(draw(story))
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", NAMES)
def test_rates_are_the_reviewed_ones(
    name: str, width: int, golden: Callable[[Path, str], None]
) -> None:
    """The rates of an audit are those that were read and found right, and fit into the page."""
    text = rates(name, width)
    golden(HERE / "rates" / f"{name}.{width}.txt", text)
    assert max(cell_len(line) for line in text.splitlines()) <= width
