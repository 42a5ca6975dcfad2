"""Calls into libraries that may hear no interrupt: whoever waits for one can stop waiting."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, TypeVar

__all__ = ["STOPPED", "each", "heed", "is_left_alone", "unheed", "waited"]

T = TypeVar("T")
Stop = Callable[[], None]

SLICE = 0.5
"""Seconds that are waited at a time, since some systems hear an interrupt only in between."""
GRACE = 1.0
"""Seconds that a call has to end in once it is told to."""
TIMES = 10
"""How often it is told in these."""
NAME = "biaspipe-call"
STOPPED = threading.Event()
"""Set once a call was told to end: a library may still hold on to what it was doing."""
ALARMS: list[Future[None]] = []
"""What says that nobody may wait any longer, since the data is found to be too much."""


def heed(alarm: Future[None]) -> None:
    """End whatever is waited for once an alarm has an error, which is raised.

    Parameters
    ----------
    alarm : of which only the error counts.
    """
    if threading.current_thread() is threading.main_thread():  # which alone is waiting
        ALARMS.append(alarm)


def unheed(alarm: Future[None]) -> None:
    """Heed an alarm no more; one that nobody heeds is fine."""
    ALARMS[:] = [other for other in ALARMS if other is not alarm]


def waited(call: Callable[[], T], stop: Stop | None = None) -> T:
    """Make a call that ends for its caller where it is interrupted, even if it hears nothing.

    An interrupt is heard by the main thread only, so the call is made in another one.

    Parameters
    ----------
    call : what may take long.
    stop : tells the call to end, from another thread; without it the call is left alone.

    Raises
    ------
    KeyboardInterrupt
        If the wait is interrupted.
    LimitError
        If an alarm that is heeded says so.

    >>> waited(lambda: 6 * 7)
    42
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    outcome: Future[T] = Future()
    threading.Thread(target=_made, args=(call, outcome), name=NAME, daemon=True).start()
    try:
        while not outcome.done():
            ends: list[Future[Any]] = [outcome, *ALARMS]
            wait(ends, SLICE, return_when=FIRST_COMPLETED)
            for alarm in ALARMS if not outcome.done() else ():
                if alarm.done():
                    alarm.result()
    except BaseException:
        if stop:
            STOPPED.set()
            _stopped(outcome, stop)
        raise
    return outcome.result()


def _stopped(outcome: Future[T], stop: Stop) -> None:
    """Tell a call to end until it does; what it is told between two queries it would not hear."""
    for _ in range(TIMES):
        stop()
        if wait([outcome], GRACE / TIMES).done:
            return


def _made(call: Callable[[], T], outcome: Future[T]) -> None:
    try:
        outcome.set_result(call())
    except BaseException as error:  # noqa: BLE001 - whoever waits for the call has it raised
        outcome.set_exception(error)


def each(values: Iterator[T], stop: Stop | None = None) -> Iterator[T]:
    """Yield what an iterator gives, which is waited for each time.

    Parameters
    ----------
    values : what may take long for the next value; none of them is None.
    stop : tells it to end, from another thread.

    >>> list(each(iter("abc")))
    ['a', 'b', 'c']
    """
    following = partial(next, values, None)
    while (value := waited(following, stop)) is not None:
        yield value


def is_left_alone() -> bool:
    """Whether a call still runs that nobody waits for any more."""
    return any(thread.name == NAME for thread in threading.enumerate())
