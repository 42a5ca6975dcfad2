"""A call of the command line: its streams, what it runs, and the code for each way to end."""

import atexit
import gc
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import StringIO, TextIOWrapper, UnsupportedOperation
from pathlib import Path
from threading import Timer
from typing import IO, Any

from biaspipe import __version__
from biaspipe.cli.signals import number_of, stopped_by
from biaspipe.errors import BiaspipeError, Exit
from biaspipe.output_files.streams import PlainStream
from biaspipe.printable_text import escape, escape_lines
from biaspipe.secrets import clean_message, forget

__all__ = ["call"]

GRACE = 3.0
"""Seconds that libraries have to end in where one was told to end a call."""
BUG = (
    "This is a bug in biaspipe, not in your spec or data."
    " Please report it with the traceback above."
)
REGION = r"'\(default_\)region' not set"
"""What polars warns of where it asks a bucket for its region, which nobody has to mend."""
MESSAGES = {Exit.INTERRUPTED: "interrupted", Exit.TERMINATED: "terminated"}
MESSAGES |= {Exit.HUNG_UP: "ended, since the terminal was closed"}


def call(words: list[str]) -> int:
    """Run the command line and return the code that the process ends with.

    The process is short and its Python objects few: the garbage collector would only cost time.

    Parameters
    ----------
    words : the arguments.
    """
    gc.disable()
    warnings.filterwarnings("ignore", REGION, UserWarning)
    forget()
    if interrupts := sys.modules.get("biaspipe.sources.interrupts"):
        interrupts.STOPPED.clear()
    is_stopped = False
    with _streams():
        try:
            code = _run(words)
            sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - every way to end has its exit code
            code, is_stopped = _code_of(error), stopped_by(error) is not None
        _flush()
        _end_now(code, is_stopped=is_stopped)
    return code


@contextmanager
def _streams() -> Iterator[None]:
    """Print on streams that are there: one that was closed is one that goes nowhere.

    A file that is opened would else have its number, and be written into.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    before = sys.stdout, sys.stderr
    with ExitStack() as stack:
        sys.stdout, sys.stderr = (stack.enter_context(_stream(one)) for one in before)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


@contextmanager
def _stream(found: IO[str] | None) -> Iterator[IO[str]]:
    if found is None:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            yield nowhere
    elif not isinstance(found, TextIOWrapper):
        yield found
    else:
        found.flush()
        buffered = found.line_buffering
        stream = PlainStream(
            found.buffer, found.encoding, "backslashreplace", line_buffering=buffered
        )
        try:
            yield stream
        finally:
            stream.detach()


def _run(words: list[str]) -> int:
    if words == ["--version"]:
        print(f"biaspipe {__version__}")
        return Exit.PASSED
    from click import UsageError

    from biaspipe.cli.commands import command

    completing = None if not words else ""  # what a shell asks for stands in the environment
    try:
        return int(
            command.main(
                words, prog_name="biaspipe", complete_var=completing, standalone_mode=False
            )
            or 0
        )
    except UsageError:
        if words[:1] == ["run"]:
            _set_aside(words[1:])
        raise


def _set_aside(words: list[str]) -> None:
    """Leave no older report where a run would have written whose arguments are wrong.

    Behind a wrong option nothing is known of the paths: what is named twice may be a spec.
    """
    from biaspipe.cli.commands import run
    from biaspipe.cli.older_outputs import OlderOutputs

    found = run.make_context("run", [*words], resilient_parsing=True).params
    named = [Path(word) for word in words]
    paths = found.get("paths") or [path for path in named if named.count(path) > 1]
    outputs = found.get("outputs") or ()
    read = [*paths, *([found["policy"]] if found.get("policy") else [])]
    older = OlderOutputs.find(read, outputs, found.get("output_dir"), found.get("format"))
    older.set_aside(paths)


def _code_of(error: BaseException) -> int:
    """Print an error and return the exit code that it stands for."""
    try:
        return _report_error(error)
    except OSError:  # nobody reads what is said
        return error.exit if isinstance(error, BiaspipeError) else Exit.WRONG_DATA
    except MemoryError:
        return Exit.WRONG_DATA


def _report_error(error: BaseException) -> int:
    import click

    from biaspipe.cli.messages import columns_of, tell_error, wrapped

    match error:
        case BiaspipeError():
            tell_error(error)
            return error.exit
        case click.ClickException():
            _print_error(wrapped(_usage(error), columns_of(sys.stderr)))
            return Exit.WRONG_SPEC
        case click.Abort() | KeyboardInterrupt():
            code = Exit(128 + number_of(error))
            _print_error(MESSAGES[code])
            return code
        case SystemExit() if len(sys.argv) == 1:  # what completes words in a shell
            return Exit.WRONG_DATA if error.code else Exit.PASSED
        case BrokenPipeError() | SystemExit(__context__=BrokenPipeError()):  # as rich ends then
            _silence(sys.stdout)
        case FileNotFoundError(filename=None):
            _print_error("error: the current folder is not there any more")
        case OSError():
            _silence(sys.stdout)
            _print_error(f"error: {escape(error.filename or 'output')}: {error.strerror}")
        case MemoryError() | RuntimeError(args=("can't start new thread",)):
            _print_error("error: the machine has no memory left for this audit")
        case _:
            _print_error(
                escape_lines(clean_message("".join(traceback.format_exception(error)).rstrip()))
            )
            _print_error(BUG)
    return Exit.WRONG_DATA


def _usage(error: Any) -> str:
    """Return click's message for a wrong command line, with each quotation in one line."""
    text = StringIO()
    error.show(file=text)
    quoted = error.format_message()
    return escape_lines(text.getvalue().rstrip("\n").replace(quoted, escape(quoted)))


def _print_error(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _end_now(code: int, *, is_stopped: bool) -> None:
    """End the process at once where a signal asks for it, or a library runs on that was to end.

    Python takes up to half a second to forget what it read and computed.

    Parameters
    ----------
    code : what the process ends with.
    is_stopped : whether a signal came that ends it.
    """
    interrupts = sys.modules.get("biaspipe.sources.interrupts")
    is_left = interrupts and code in MESSAGES and interrupts.is_call_running()
    if is_stopped or is_left or (interrupts and interrupts.STOPPED.is_set()):
        ending = Timer(GRACE, os._exit, [code])  # what libraries do at their end may not end
        ending.daemon = True
        ending.start()
        atexit._run_exitfuncs()  # temporary folders, and processes of ours that run
        os._exit(code)


def _flush() -> None:
    """Write what is still to be written, so that nothing can fail when Python itself ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _silence(stream)


def _silence(stream: IO[str]) -> None:
    """Let what is still to be written go nowhere, since a stream takes nothing more."""
    with suppress(UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
