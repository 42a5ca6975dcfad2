"""Lines of which only the first begins where a line of ours does."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions
from rich.text import Text

__all__ = ["Hanging"]


@dataclass(frozen=True)
class Hanging:
    """A text that is indented from its second line on, so that no line begins with its words.

    Parameters
    ----------
    text : the text; what it begins with is ours.
    indent : of the further lines.
    """

    text: Text
    indent: int = 8

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Lay the text out for the width at hand."""
        first = self.text.wrap(console, options.max_width, overflow="fold")[0]
        rest = self.text[len(first.plain) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        room = max(options.max_width - self.indent, 1)
        first.rstrip()
        yield first
        for line in rest.wrap(console, room, overflow="fold") if rest else ():
            line.rstrip()
            yield Text(" " * self.indent).append_text(line)
