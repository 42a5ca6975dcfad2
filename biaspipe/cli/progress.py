"""What a run is at, on standard error: a line that changes on a terminal, or one for each step."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

import click
from rich.console import Console
from rich.text import Text

from biaspipe.pipeline.progress import Measure, Progress
from biaspipe.printable_text import escape

__all__ = ["alive", "remaining", "state_text"]

SHOWN_AFTER = 1.0
"""Seconds after which a run on a terminal shows that it is alive."""
INTERVAL = 0.25
"""Seconds between two looks at how far it is."""
LEAST, SURE = 2.0, 0.02
"""Seconds and share of a step from which on the time that is left can be told."""
UNITS = (("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12))


@contextmanager
def alive(about: str = "", *, verbose: bool = False) -> Iterator[Progress]:
    """Show on a terminal what a run is at, once it takes longer than a second.

    Nothing is asked of the run itself: another thread looks how far it is.

    Parameters
    ----------
    about : which run it is.
    verbose : whether each step is told by a line instead, on any stream.
    """
    steps = _Steps(escape(about))
    if verbose:
        yield steps.tell
        return
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield lambda *_: None
        return
    is_over = Event()
    shown = Thread(target=_show, args=(console, steps.text, is_over), daemon=True)
    shown.start()
    try:
        yield steps.note
    finally:
        is_over.set()
        shown.join()


def _show(console: Console, text: Callable[[], str], is_over: Event) -> None:
    if is_over.wait(SHOWN_AFTER):
        return
    with console.status(_line(text())) as status:
        while not is_over.wait(INTERVAL):
            status.update(_line(text()))


def _line(words: str) -> Text:
    return Text(words, no_wrap=True, overflow="ellipsis")


class _Steps:
    """The step that a run is at, and since when."""

    def __init__(self, about: str) -> None:
        self.about = f"{about}: " if about else ""
        self.began = self.since = monotonic()
        self.step, self.measure = "reading the spec", Measure("bytes", lambda: None)

    def note(self, step: str, measure: Measure | None = None, /) -> None:
        """Take note of a step."""
        self.step, self.since = step, monotonic()
        self.measure = measure or Measure("bytes", lambda: None)

    def tell(self, step: str, measure: Measure | None = None, /) -> None:
        """Print a step, how much there is to it, and when it began."""
        found = measure.read() if measure else None
        much = f", {amount(found[1], measure.unit)}" if found and measure else ""
        seconds = monotonic() - self.began
        click.echo(f"{self.about}{step}{much} (after {seconds:.1f} s)", err=True)

    def text(self) -> str:
        """Return what it is at, as one line."""
        state = state_text(self.measure, monotonic() - self.since)
        return f"{self.about}{self.step}, {state}"


def state_text(measure: Measure, seconds: float) -> str:
    """Say how far a step is, and how long it may go on; how long it has, where nobody knows.

    Parameters
    ----------
    measure : how far it is.
    seconds : for which it has been going on.

    >>> state_text(Measure("bytes", lambda: (500_000_000, 2_000_000_000)), 6)
    '500 MB of 2 GB, 25%, about 18 s left'
    >>> state_text(Measure("people", lambda: None), 75)
    '1 min 15 s'
    """
    found = measure.read()
    if found is None or found[0] >= found[1]:  # what is read has still to be counted
        return duration(seconds)
    done, whole = found
    much = f"{done:,}" if measure.unit == "people" else amount(done, "bytes")
    words = f"{much} of {amount(whole, measure.unit)}, {done / whole:.0%}"
    left = remaining(done / whole, seconds)
    return words if left is None or round(left) == 0 else f"{words}, about {duration(left)} left"


def remaining(share: float, seconds: float) -> float | None:
    """Return how long a step goes on if it does as before; None where it is too early to tell.

    >>> remaining(0.25, 6), remaining(0.001, 6)
    (18.0, None)
    """
    return seconds / share - seconds if seconds >= LEAST and share >= SURE else None


def duration(seconds: float) -> str:
    """Write a time for a person.

    >>> duration(7.6), duration(75)
    ('8 s', '1 min 15 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def amount(number: float, unit: str) -> str:
    """Write a number of bytes or people.

    >>> amount(1_234_567, "bytes"), amount(20_000, "people")
    ('1.23 MB', '20,000 people')
    """
    if unit != "bytes":
        return f"{number:,.0f} {unit}"
    name, size = next((u for u in reversed(UNITS) if number >= u[1]), ("bytes", 1))
    return f"{number / size:.3g} {name}"
