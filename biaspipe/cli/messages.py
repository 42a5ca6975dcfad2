"""What commands say on standard error: notes and errors, safe to print whatever they quote."""

import click

from biaspipe.errors import BiaspipeError, printable
from biaspipe.secrets import cleaned

__all__ = ["tell", "tell_error"]


def tell(note: str) -> None:
    """Print a note."""
    click.echo(f"note: {printable(note)}", err=True)


def tell_error(error: BiaspipeError) -> None:
    """Print an error, without the secrets that it may quote."""
    click.echo(f"error: {printable(cleaned(error))}", err=True)
