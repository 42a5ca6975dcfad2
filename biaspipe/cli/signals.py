"""Signals that end a process, from the keyboard, a supervisor or a terminal that is closed."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic

__all__ = [
    "Stopped",
    "catch_signals",
    "hear_keyboard",
    "number_of",
    "release_signals",
    "stopped_by",
]

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
NUMBERS = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
ECHO = 0.3
"""Seconds in which a signal is the same one again: `timeout` sends it to the group as well."""


class Stopped(KeyboardInterrupt):
    """The process is asked to end; `number` is the signal that asked."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def number_of(error: BaseException | None) -> int:
    """Return the signal that ended something; that of the keyboard where none is known.

    >>> number_of(Stopped(15)), number_of(KeyboardInterrupt())
    (15, 2)
    """
    stopped = stopped_by(error)
    return stopped.number if stopped else signal.SIGINT.value


def stopped_by(error: BaseException | None) -> Stopped | None:
    """Return the signal's own error, which another one may stand for; None without a signal."""
    while error is not None and not isinstance(error, Stopped):
        error = error.__cause__  # click makes an error of its own of it
    return error


class _Listener:
    """Raises the first signal, or holds it; whoever sends another one is heard at once."""

    def __init__(self, *, holding: bool) -> None:
        self.holding = holding
        self.number = 0
        self.since = 0.0

    def __call__(self, number: int, _: object) -> None:
        if self.number and monotonic() - self.since > ECHO:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        if self.number:
            return
        self.number, self.since = number, monotonic()
        if not self.holding:
            raise Stopped(number)

    def release(self) -> None:
        """Raise what was held, and hold nothing more."""
        self.holding = False
        if self.number:
            raise Stopped(self.number)


_listeners: list[_Listener] = []


@contextmanager
def catch_signals(*, holding: bool) -> Iterator[None]:
    """Let signals that end a process end the block, unless they are ignored already.

    Parameters
    ----------
    holding : whether they wait until they are `release_signals`, or the block is at its end.

    Raises
    ------
    Stopped
        Wherever the block is when the first one comes.
    """
    if current_thread() is not main_thread():
        yield
        return
    listener = _Listener(holding=holding)
    before = {number: signal.getsignal(number) for number in NUMBERS}
    heard = [number for number in NUMBERS if before[number] not in (signal.SIG_IGN, None)]
    _listeners.append(listener)
    try:
        for number in heard:
            signal.signal(number, listener)
        yield
    finally:
        _listeners.remove(listener)
        for number in heard:
            signal.signal(number, before[number])


def release_signals() -> None:
    """Raise the signal that was held, and hold no more of them.

    Raises
    ------
    Stopped
        If there was one.
    """
    for listener in _listeners:
        listener.release()


def hear_keyboard() -> None:
    """Let Ctrl-C end a wait for input: polars puts a handler of its own before that of Python."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is not None and current_thread() is main_thread():
        signal.signal(signal.SIGINT, handler)
