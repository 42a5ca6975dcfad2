"""An audit that takes more time or memory than it may ends with an error."""

import signal
import threading
from time import monotonic, sleep
from typing import Any

import pytest

from biaspipe.errors import LimitError
from biaspipe.pipeline.resource_limits import SIGNAL, memory_in_use, within_limits
from biaspipe.policy import Limits


def limits(**rules: Any) -> Limits:
    """Return limits of some kinds."""
    return Limits.model_validate(rules)


def test_a_block_that_takes_too_long_is_interrupted() -> None:
    """A block is ended soon after its time, in a call of the system too, and in words."""
    began = monotonic()
    with (
        pytest.raises(LimitError, match="takes longer than 1 second "),
        within_limits(limits(seconds=1)),
    ):
        sleep(30)
    assert monotonic() - began < 10


def test_a_block_that_takes_too_much_memory_is_interrupted() -> None:
    """A block is ended once the process holds more memory than it may."""
    held = memory_in_use() or 0
    most = limits(memory=held + 50_000_000)
    kept = []

    def fill() -> None:
        for _ in range(100):
            kept.append(b"x" * 10_000_000)
            sleep(0.05)

    with pytest.raises(LimitError, match="needs more memory than"), within_limits(most):
        fill()
    assert len(kept) < 100


def test_a_block_within_its_bounds_is_left_alone() -> None:
    """What ends in time ends as it would, and leaves no watch and no handler behind."""
    before = signal.getsignal(SIGNAL)
    with within_limits(limits(seconds=5, memory="900 GB")):
        assert signal.getsignal(SIGNAL) is not before
    assert signal.getsignal(SIGNAL) is before
    sleep(0.3)
    assert not [t for t in threading.enumerate() if t.name == "biaspipe-limits"]


def test_an_error_of_the_block_is_its_own() -> None:
    """What a block raises goes on as it is."""
    with pytest.raises(KeyError), within_limits(limits(seconds=5)):
        raise KeyError


def test_an_interrupt_of_a_person_is_no_limit() -> None:
    """An interrupt from outside ends a block as an interrupt."""
    with pytest.raises(KeyboardInterrupt), within_limits(limits(seconds=5)):
        signal.raise_signal(signal.SIGINT)


def test_another_thread_runs_unwatched() -> None:
    """A block in another thread, which cannot be interrupted, runs to its end."""
    ended = []

    def block() -> None:
        with within_limits(limits(seconds=1)):
            ended.append(True)

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    assert ended == [True]
