"""Names of columns in a configuration, to those in the data."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from biaspipe.errors import Fault, Loc
from biaspipe.migration.config_file import config_path
from biaspipe.migration.json_paths import steps
from biaspipe.printable_text import did_you_mean

__all__ = ["ColumnNames", "listed_columns"]

HINT = 'write the value as a column of its own, and its name here: "income"'


def listed_columns(path: str) -> list[str] | None:
    """Return the columns of a JMESPath that lists them; None where it does anything else.

    >>> listed_columns('[*].[age, "marital status"]'), listed_columns("features")
    (['age', 'marital status'], None)
    """
    inside = _in_row(path)
    if not (inside.startswith("[") and inside.endswith("]")):
        return None
    columns = [steps(_in_row(part)) for part in inside[1:-1].split(",")]
    names = [column[0] for column in columns if len(column) == 1]
    keys = [name for name in names if isinstance(name, str)]
    return keys if len(keys) == len(columns) else None


def _in_row(path: str) -> str:
    """Return a JMESPath without the step into each row."""
    return path.strip().removeprefix("[*].").removeprefix("[].")


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
        match steps(_in_row(path)):
            case (int(index),):
                return self._at(index, loc)
            case (str(key),):
                return self._checked(key, loc)
        message = f"{config_path(loc)}: the JMESPath {path!r} is more than the name of a column"
        if not any(fault.loc == loc for fault in self.faults):
            self.faults.append(Fault(message, loc, expected="a name, such as income", hint=HINT))
        return None

    def _checked(self, name: str, loc: Loc) -> str | None:
        if self.known is None or name in self.known:
            return name
        message = f"{config_path(loc)}: {self.table} has no column {name!r}"
        expected, hint = f"one of {', '.join(self.known)}", did_you_mean(name, self.known)
        self.faults.append(Fault(message, loc, expected=expected, hint=hint))
        return None

    def _at(self, index: int, loc: Loc) -> str | None:
        if self.known is None:
            hint = "name the data with --data PATH, or the columns with headers"
            message = (
                f"{config_path(loc)}: nothing tells what column {index} of {self.table} is called"
            )
            self.faults.append(Fault(message, loc, hint=hint))
        elif not 0 <= index < len(self.known):
            message = f"{config_path(loc)}: {self.table} has no column {index}"
            expected = f"0 to {len(self.known) - 1}, which are {', '.join(self.known)}"
            self.faults.append(Fault(message, loc, expected=expected))
        else:
            return self.known[index]
        return None
