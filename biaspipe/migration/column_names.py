"""What a configuration calls a column, to the column's name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from biaspipe.errors import Fault, Loc, nearest
from biaspipe.migration.config_file import dotted

__all__ = ["ColumnNames", "listed_columns"]

IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"
ROWS = r"(?:\[\*?\]\.)?"
ONE = re.compile(rf'{ROWS}(?:(?P<plain>{IDENTIFIER})|"(?P<quoted>[^"\\]+)"|\[(?P<index>\d+)\])')
LIST = re.compile(rf"{ROWS}\[(?P<inside>.*)\]", re.DOTALL)
HINT = 'write the value as a column of its own, and its name here: "income"'


def listed_columns(path: str) -> list[str] | None:
    """Return the columns of a JMESPath that lists them; None where it does anything else.

    >>> listed_columns('[*].[age, "marital status"]'), listed_columns("features")
    (['age', 'marital status'], None)
    """
    found = LIST.fullmatch(path.strip())
    parts = [part.strip() for part in found["inside"].split(",")] if found else []
    columns = [one["plain"] or one["quoted"] for p in parts if (one := ONE.fullmatch(p))]
    return columns if columns and all(columns) and len(columns) == len(parts) else None


@dataclass
class ColumnNames:
    """The columns of a table, as far as they are known.

    Parameters
    ----------
    table : what messages call it.
    known : its columns in order; None where neither headers nor data tell them.
    json : whether a text is a JMESPath rather than a name.
    aliases : the column that a JMESPath stands for, where a header names it otherwise.
    faults : gathers what cannot be resolved.
    """

    table: str
    known: Sequence[str] | None
    faults: list[Fault]
    json: bool = False
    aliases: dict[str, str] = field(default_factory=dict)

    def __contains__(self, name: str | int) -> bool:
        """Whether the table is known to have a column of this name."""
        return name in self.aliases or name in (self.known or ())

    def of(self, named: str | int, loc: Loc) -> str | None:
        """Return the column's name; note a fault and return None where it cannot be told."""
        if isinstance(named, int):
            return self._at(named, loc)
        if named in self.aliases and named not in (self.known or ()):
            return self.aliases[named]
        if self.json and named not in (self.known or ()):
            return self._by_path(named, loc)
        return self._checked(named, loc)

    def _by_path(self, path: str, loc: Loc) -> str | None:
        one = ONE.fullmatch(path.strip())
        if one and one["index"]:
            return self._at(int(one["index"]), loc)
        if one:
            return self._checked(one["plain"] or one["quoted"], loc)
        message = f"{dotted(loc)}: the JMESPath {path!r} is more than the name of a column"
        if any(fault.loc == loc for fault in self.faults):
            return None
        self.faults.append(Fault(message, loc, expected="a name, such as income", hint=HINT))
        return None

    def _checked(self, name: str, loc: Loc) -> str | None:
        if self.known is None or name in self.known:
            return name
        self.faults.append(
            Fault(
                f"{dotted(loc)}: {self.table} has no column {name!r}",
                loc,
                expected=f"one of {', '.join(self.known)}",
                hint=nearest(name, self.known),
            )
        )
        return None

    def _at(self, index: int, loc: Loc) -> str | None:
        if self.known is None:
            hint = "name the data with --data PATH, or the columns with headers"
            message = f"{dotted(loc)}: nothing tells what column {index} of {self.table} is called"
            self.faults.append(Fault(message, loc, hint=hint))
        elif not 0 <= index < len(self.known):
            message = f"{dotted(loc)}: {self.table} has no column {index}"
            expected = f"0 to {len(self.known) - 1}, which are {', '.join(self.known)}"
            self.faults.append(Fault(message, loc, expected=expected))
        else:
            return self.known[index]
        return None
