"""What all commands have in common: their help, and that an option of one value is given once.

Help is wrapped between words; options stand above theirs where it is narrow.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
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
        try:
            left = super().parse_args(ctx, args)
        except click.UsageError as error:
            if flag := self._flag_with_value(ctx, words, error):
                said = f"{flag.opts[-1]} takes no value. It says: {flag.help}"
                raise click.UsageError(said, ctx) from None
            raise
        if ctx.resilient_parsing:
            return left
        _, _, given = self.make_parser(ctx).parse_args(words)
        for option, times in Counter(given).items():
            takes_one = isinstance(option, click.Option) and not (option.is_flag or option.multiple)
            if takes_one and times > 1:
                raise click.BadParameter("it is given twice, and takes one value", ctx, option)
        return left

    def _flag_with_value(
        self, ctx: click.Context, words: list[str], error: click.UsageError
    ) -> click.Option | None:
        """Return the flag that a word too many stands behind, or is given to by `=`."""
        flags = {
            name: option
            for option in self.params
            if isinstance(option, click.Option) and option.is_flag
            for name in option.opts
        }
        if isinstance(error, click.BadOptionUsage):
            return flags.get(error.option_name)
        if type(error) is not click.UsageError:
            return None
        _, left, _ = self.make_parser(ctx).parse_args([*words])
        behind = pairwise(words)
        return next((flags[name] for name, word in behind if name in flags and word in left), None)


class CommandGroup(click.Group):
    """Commands with such help."""

    context_class = Context
    command_class = Command
