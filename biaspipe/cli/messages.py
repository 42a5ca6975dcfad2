"""What commands say on standard error: notes and errors, safe to print whatever they quote."""

import click

from biaspipe.errors import BiaspipeError
from biaspipe.printable_text import escape_lines
from biaspipe.secrets import clean_message

__all__ = ["tell", "tell_error"]


def tell(note: str) -> None:
    """Print a note."""
    click.echo(f"note: {escape_lines(note)}", err=True)


def tell_error(error: BiaspipeError) -> None:
    """Print an error, without the secrets that it may quote."""
    click.echo(f"error: {escape_lines(clean_message(error))}", err=True)
