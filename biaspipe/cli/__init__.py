"""The command line: arguments to calls to an exit code.

The only place that prints an error or exits.
"""

import gc
import os
import sys
from contextlib import suppress
from io import TextIOWrapper, UnsupportedOperation
from pathlib import Path

from biaspipe import __version__
from biaspipe.errors import BiaspipeError, Exit, printable
from biaspipe.secrets import cleaned, forget

__all__ = ["main"]

BUG = (
    "This is a bug in biaspipe, not in your spec or data."
    " Please report it with the traceback above."
)


def main() -> None:
    """Run the command line and exit.

    The process is short and its Python objects few: the garbage collector would only cost time.
    At the end it runs for DuckDB alone, whose bindings print a list of what they find left over.
    """
    gc.disable()
    forget()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _called(sys.argv[1:])
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - every way to end has its exit code
        code = _code_of(error)
    if code == Exit.INTERRUPTED:
        _leave(code)
    if "duckdb" not in sys.modules:
        gc.freeze()
    sys.exit(code)


def _called(words: list[str]) -> int:
    if words == ["--version"]:
        print(f"biaspipe {__version__}")
        return Exit.PASSED
    from click import UsageError

    from biaspipe.cli.commands import command

    try:
        return int(command.main(words, prog_name="biaspipe", standalone_mode=False) or 0)
    except UsageError:
        if words[:1] == ["run"]:
            _set_aside(words[1:])
        raise


def _set_aside(words: list[str]) -> None:
    """Leave no older report where a run would have written whose arguments are wrong.

    Behind a wrong option nothing is known of the paths: what is named twice may be a spec.
    """
    from biaspipe.cli.commands import run
    from biaspipe.cli.stale import Older

    found = run.make_context("run", [*words], resilient_parsing=True).params
    named = [Path(word) for word in words]
    paths = found.get("paths") or [path for path in named if named.count(path) > 1]
    outputs = found.get("outputs") or ()
    older = Older.standing(paths, outputs, found.get("output_dir"), found.get("format"))
    older.set_aside(paths)


def _code_of(error: BaseException) -> Exit:
    """Print an error and return the exit code that it stands for."""
    import click

    match error:
        case BiaspipeError():
            click.echo(f"error: {printable(cleaned(error))}", err=True)
            return error.exit
        case click.ClickException():
            error.show()
            return Exit.WRONG_SPEC
        case click.Abort() | KeyboardInterrupt():
            click.echo("interrupted", err=True)
            return Exit.INTERRUPTED
        case SystemExit():
            return Exit.WRONG_DATA if error.code else Exit.PASSED
        case BrokenPipeError():
            _silence()
        case OSError():
            _silence()
            where = printable(cleaned(error.filename or "output"))
            click.echo(f"error: {where}: {error.strerror}", err=True)
        case MemoryError() | RuntimeError(args=("can't start new thread",)):
            click.echo("error: the machine has no memory left for this audit", err=True)
        case _:
            from traceback import format_exception

            click.echo(cleaned("".join(format_exception(error))), err=True, nl=False)
            click.echo(BUG, err=True)
    return Exit.WRONG_DATA


def _leave(code: int) -> None:
    """End the process at once where a library still runs that heard no interrupt."""
    from biaspipe.engines.waiting import is_left_alone

    if is_left_alone():
        sys.stderr.flush()
        os._exit(code)


def _silence() -> None:
    """Let what is still to be written go nowhere, since standard output takes nothing more."""
    with suppress(UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
