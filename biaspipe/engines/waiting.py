"""Calls into libraries that may hear no interrupt: whoever waits for one can stop waiting."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread, current_thread, enumerate, main_thread
from typing import TypeVar

__all__ = ["is_left_alone", "waited"]

T = TypeVar("T")

SLICE = 0.5
"""Seconds that are waited at a time, since some systems hear an interrupt only in between."""
GRACE = 1.0
"""Seconds that a call has to end in once it is told to."""
NAME = "biaspipe-call"


def nothing() -> None:
    """Leave a call alone."""


def waited(call: Callable[[], T], stop: Callable[[], None] = nothing) -> T:
    """Make a call that ends for its caller at once where it is interrupted.

    An interrupt is heard by the main thread only, so the call is made in another one.

    Parameters
    ----------
    call : what may take long, and never looks whether it is interrupted.
    stop : tells the call to end, from another thread; without it the call is left alone.

    Raises
    ------
    KeyboardInterrupt
        If the wait is interrupted.

    >>> waited(lambda: 6 * 7)
    42
    """
    if current_thread() is not main_thread():
        return call()
    outcome: Future[T] = Future()
    Thread(target=_made, args=(call, outcome), name=NAME, daemon=True).start()
    try:
        while not outcome.done():
            wait([outcome], SLICE)
    except KeyboardInterrupt:
        stop()
        wait([outcome], GRACE)
        raise
    return outcome.result()


def _made(call: Callable[[], T], outcome: Future[T]) -> None:
    try:
        outcome.set_result(call())
    except BaseException as error:  # noqa: BLE001 - whoever waits for the call has it raised
        outcome.set_exception(error)


def is_left_alone() -> bool:
    """Whether a call still runs that nobody waits for any more."""
    return any(thread.name == NAME for thread in enumerate())
