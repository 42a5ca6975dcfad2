"""What commands say in words: on a terminal wrapped between them, safe whatever they quote."""

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

import click

from biaspipe.errors import BiaspipeError
from biaspipe.printable_text import escape, escape_lines
from biaspipe.secrets import clean_message

__all__ = ["columns_of", "say", "tell", "tell_error", "tell_written", "wrapped"]

EXCERPT = re.compile(r" *[0-9]* \| ")
"""What a line of a spec begins with where an error shows it, and the line of its caret."""
INDENT = "  "
CONTEXT = 20
"""Columns of an excerpt behind its caret that are shown in any case."""


def tell(note: str) -> None:
    """Print a note."""
    say(f"note: {escape_lines(note)}", err=True)


def tell_error(error: BiaspipeError) -> None:
    """Print an error, without the secrets that it may quote."""
    say(f"error: {escape_lines(clean_message(error))}", err=True)


def tell_written(files: Iterable[Path]) -> None:
    """Say which files were written, beside what is printed, which may go into a pipe."""
    if names := ", ".join(map(escape, files)):
        say(f"wrote {names}", err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print lines of text.

    Parameters
    ----------
    text : what is said, safe to print.
    err : whether it goes to standard error.
    """
    stream = sys.stderr if err else sys.stdout
    click.echo(wrapped(text, columns_of(stream)), file=stream)


def columns_of(stream: IO[str]) -> int | None:
    """Return how many columns a terminal has, or COLUMNS says; None for what is no terminal."""
    with suppress(ValueError):
        return max(1, int(os.environ["COLUMNS"])) if "COLUMNS" in os.environ else _columns(stream)
    return None


def _columns(stream: IO[str]) -> int | None:
    with suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or None if stream.isatty() else None
    return None


def wrapped(text: str, columns: int | None) -> str:
    """Wrap lines between words, what goes on set in; an excerpt of a spec is cut around its caret.

    Parameters
    ----------
    text : some lines.
    columns : the room that there is; None where lines may be of any length.

    >>> print(wrapped("error: nobody knows this key", 22))
    error: nobody knows
      this key
    """
    if columns is None:
        return text
    lines: list[str] = []
    rows = text.split("\n")
    for row, below in zip(rows, [*rows[1:], ""], strict=True):
        if EXCERPT.match(row):
            caret = len((below if below.endswith("^") else row).rstrip()) - 1
            lines.append(_cut(row, caret, columns))
        else:
            lines += _wrapped_line(row, columns)
    return "\n".join(lines)


def _cut(row: str, caret: int, columns: int) -> str:
    """Cut what has no room: on the left as far as the caret is behind it, and on the right."""
    found = EXCERPT.match(row)
    margin = found.end() if found else 0
    over = max(0, caret + CONTEXT - columns)
    return (row[:margin] + row[margin + over :])[:columns]


def _wrapped_line(row: str, columns: int) -> list[str]:
    if len(row) <= columns and row.isascii():
        return [row]
    from rich.console import Console  # noqa: PLC0415 - slow to import, and seldom needed
    from rich.text import Text  # noqa: PLC0415 - as above

    indent = row[: len(row) - len(row.lstrip())] + INDENT
    room = max(1, columns - len(indent))
    pieces = Text(row.strip()).wrap(Console(width=room), room, overflow="fold")
    first, *rest = [piece.plain.rstrip() for piece in pieces] or [""]
    return [indent[: -len(INDENT)] + first, *(indent + piece for piece in rest)]
