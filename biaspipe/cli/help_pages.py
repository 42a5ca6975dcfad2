"""What all commands have in common: their help, and that an option of one value is given once.

Help is wrapped between words; options stand above theirs where it is narrow.
"""

from collections import Counter
from collections.abc import Iterable
from textwrap import wrap

import click

__all__ = ["Command", "CommandGroup"]

ROOMY = 70
"""Columns from which the help of an option stands beside it."""
BESIDE, ABOVE = 30, 6
"""How wide options may be that have their help beside them: in a roomy page, and in another."""


class HelpPage(click.HelpFormatter):
    """A page of help that breaks no word."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = BESIDE, col_spacing: int = 2
    ) -> None:
        """Write options or commands, each with its help."""
        rows = list(rows)
        most = col_max if self.width >= ROOMY else ABOVE
        first = min(max((len(name) for name, _ in rows), default=0), most) + col_spacing
        indent = " " * self.current_indent
        for name, words in rows:
            beside = name.ljust(first) if len(name) + col_spacing <= first else ""
            if not beside:
                self.write(f"{indent}{name}\n")
            room = max(self.width - len(indent) - first, 10)
            lines = wrap(words, room, break_long_words=False, break_on_hyphens=False) or [""]
            for i, line in enumerate(lines):
                self.write(f"{indent}{beside if beside and not i else ' ' * first}{line}\n")


class Context(click.Context):
    """A context whose help is such a page."""

    formatter_class = HelpPage


class Command(click.Command):
    """A command with such help, whose options of one value are given once: none is passed over."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a call, and refuse a second value where one is taken."""
        words = [*args]
        left = super().parse_args(ctx, args)
        if ctx.resilient_parsing:
            return left
        _, _, given = self.make_parser(ctx).parse_args(words)
        for option, times in Counter(given).items():
            takes_one = isinstance(option, click.Option) and not (option.is_flag or option.multiple)
            if takes_one and times > 1:
                raise click.BadParameter("it is given twice, and takes one value", ctx, option)
        return left


class CommandGroup(click.Group):
    """Commands with such help."""

    context_class = Context
    command_class = Command
