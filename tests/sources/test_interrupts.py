"""Calls that are waited for: what they give, what they raise, and how a wait ends early."""

import _thread
from collections.abc import Iterator
from threading import Event, Thread, Timer, current_thread, main_thread

import pytest

from biaspipe.sources.interrupts import interruptible, interruptible_each, is_call_running


def test_call_gives_what_it_returns() -> None:
    """A call is made in another thread, so that the main one hears an interrupt."""
    assert interruptible(current_thread) is not main_thread()
    assert not is_call_running()


def test_call_raises_what_it_raises() -> None:
    """An error of the call is raised where the call is waited for."""

    def broken() -> None:
        raise ValueError("out of order")

    with pytest.raises(ValueError, match="out of order"):
        interruptible(broken)


def test_call_of_another_thread_is_made_there() -> None:
    """A thread that hears no interrupt makes its calls itself."""
    made: list[bool] = []
    thread = Thread(target=lambda: made.append(interruptible(current_thread) is thread))
    thread.start()
    thread.join()
    assert made == [True]


def test_values_are_waited_for_in_order() -> None:
    """An iterator gives its values one after another, each asked for when it is wanted."""
    asked: list[int] = []

    def tens() -> Iterator[int]:
        for i in (1, 2, 3):
            asked.append(i)
            yield i * 10

    values = interruptible_each(tens())
    assert next(values) == 10
    assert asked == [1]
    assert list(values) == [20, 30]


def wait_interrupted(event: Event) -> None:
    """Wait in a thread of its own, and have the main one interrupted that waits for it."""
    Timer(0.1, _thread.interrupt_main).start()
    event.wait(60)


def test_interrupt_stops_the_call() -> None:
    """A call that is interrupted is told to end, and has ended when the interrupt is raised."""
    told = Event()
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: wait_interrupted(told), told.set)
    assert told.is_set()
    assert not is_call_running()


def test_interrupt_leaves_a_call_alone_that_cannot_be_stopped() -> None:
    """A call without a way to stop it runs on, and that can be asked for."""
    late = Event()
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: wait_interrupted(late))
    assert is_call_running()
    late.set()
