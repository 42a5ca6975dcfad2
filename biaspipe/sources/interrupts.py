"""Calls into libraries that ignore interrupts: the wait for one can be interrupted all the same."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, TypeVar

__all__ = [
    "STOPPED",
    "add_alarm",
    "interruptible",
    "interruptible_each",
    "is_call_running",
    "remove_alarm",
]

T = TypeVar("T")
Stop = Callable[[], None]

SLICE = 0.5
"""Seconds that are waited at a time, since some systems deliver an interrupt only in between."""
STOP_SECONDS = 0.3
"""Seconds that a call has to end in once it is told to."""
TIMES = 10
"""How often it is told in these."""
NAME = "biaspipe-call"
STOPPED = threading.Event()
"""Set once a call was told to end: a library may still hold on to what it was doing."""
FAILURES: list[Future[None]] = []
"""Futures whose error ends every wait, once the data is found to be too much."""


def add_alarm(alarm: Future[None]) -> None:
    """End every wait once an alarm has an error, which is raised.

    Parameters
    ----------
    alarm : of which only the error counts.
    """
    if threading.current_thread() is threading.main_thread():  # which alone is waiting
        FAILURES.append(alarm)


def remove_alarm(alarm: Future[None]) -> None:
    """Remove an alarm; one that was not added is fine."""
    FAILURES[:] = [other for other in FAILURES if other is not alarm]


def interruptible(call: Callable[[], T], stop: Stop | None = None) -> T:
    """Make a call whose wait an interrupt ends, even if the call itself ignores it.

    Only the main thread is interrupted, so the call is made in another one.

    Parameters
    ----------
    call : what may take long.
    stop : tells the call to end, from another thread; without it the call is left alone.

    Raises
    ------
    KeyboardInterrupt
        If the wait is interrupted.
    LimitError
        If an alarm has one.

    >>> interruptible(lambda: 6 * 7)
    42
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    result: Future[T] = Future()
    threading.Thread(target=_run, args=(call, result), name=NAME, daemon=True).start()
    try:
        while not result.done():
            ends: list[Future[Any]] = [result, *FAILURES]
            wait(ends, SLICE, return_when=FIRST_COMPLETED)
            for alarm in FAILURES if not result.done() else ():
                if alarm.done():
                    alarm.result()
    except BaseException:
        if stop:
            STOPPED.set()
            _stop(result, stop)
        raise
    return result.result()


def _stop(result: Future[T], stop: Stop) -> None:
    """Tell a call to end until it does; what it is told between two queries it would not hear."""
    for _ in range(TIMES):
        stop()
        if wait([result], STOP_SECONDS / TIMES).done:
            return


def _run(call: Callable[[], T], result: Future[T]) -> None:
    try:
        result.set_result(call())
    except BaseException as error:  # noqa: BLE001 - it is raised where the call is waited for
        result.set_exception(error)


def interruptible_each(values: Iterator[T], stop: Stop | None = None) -> Iterator[T]:
    """Yield the values of an iterator; an interrupt ends the wait for each.

    Parameters
    ----------
    values : what may take long for the next value; none of them is None.
    stop : tells it to end, from another thread.

    >>> list(interruptible_each(iter("abc")))
    ['a', 'b', 'c']
    """
    following = partial(next, values, None)
    while (value := interruptible(following, stop)) is not None:
        yield value


def is_call_running() -> bool:
    """Whether a call still runs that nobody waits for any more."""
    return any(thread.name == NAME for thread in threading.enumerate())
