"""Tables that a configuration names: where they are, how they are written, what they hold."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from biaspipe.engines.column_profiles import first_row_of, kinds_of, profile_columns
from biaspipe.errors import BiaspipeError, DataError, Fault, Loc, SpecError
from biaspipe.migration.draft import Note
from biaspipe.plan import Kind
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.files import ENDINGS
from biaspipe.sources.quoting import identifier
from biaspipe.spec import Data, Format

__all__ = ["DataTable", "Paths", "format_of", "no_data"]

COPY_HINT = "name a local copy with --data PATH"


@dataclass(frozen=True)
class Paths:
    """Where a spec will stand, and what its data is.

    Parameters
    ----------
    config : the folder of the configuration; relative paths in it start here.
    spec : the folder of the spec; relative paths in it start here.
    data : the data instead of the configuration's.
    data_folder : the folder that `data` is relative to.
    policy : what the configuration may reach.
    """

    config: Path
    spec: Path
    data: str | None = None
    data_folder: Path = Path()
    policy: Policy = DEFAULT

    def real(self, path: str, folder: Path) -> str:
        """Write a path relative to the current folder."""
        return path if "://" in path else str(folder / path)

    def written(self, path: str, folder: Path) -> str:
        """Write a path as the spec has to: relative to its folder."""
        if "://" in path or Path(path).is_absolute():
            return path
        return Path(os.path.relpath(folder / path, self.spec)).as_posix()

    def table(self, uri: str, format_: str | None, loc: Loc) -> "DataTable":
        """Return a table that the configuration names.

        Parameters
        ----------
        uri : where it is, as the configuration has it.
        format_ : the format that the configuration declares.
        loc : the key of the configuration.
        """
        declared = format_ or format_of(uri) or "csv"
        alike = {declared, format_of(uri)} in ({declared}, {"jsonl", "ndjson"})
        values = {"path": self.written(uri, self.config)}
        values |= {} if alike else {"format": declared}
        return DataTable(values, loc, self.real(uri, self.config), self.policy)

    def main_table(self, uri: str | None, format_: str | None, loc: Loc) -> "DataTable | None":
        """Return the table that is audited: `data` if that is given; None if there is none."""
        if not self.data:
            return self.table(uri, format_, loc) if uri else None
        values = {"path": self.written(self.data, self.data_folder)}
        values |= {} if format_of(self.data) else {"format": format_ or "csv"}
        real = self.real(self.data, self.data_folder)
        return DataTable(values, loc if uri is not None else (), real, self.policy)


@dataclass
class DataTable:
    """One table.

    Parameters
    ----------
    values : what a spec says of it: path, format, csv.
    loc : the key of the configuration that names it.
    real : its path from here, since the folder of the spec may not be there yet.
    policy : what the configuration may reach.
    columns : its columns in order, where they are known.
    kinds : what they hold, where the data could be looked at, by the names in its first line.
    readable : whether the data could be looked at.
    notes : what is to be said of it.
    """

    values: dict[str, Any]
    loc: Loc
    real: str
    policy: Policy = DEFAULT
    columns: list[str] | None = None
    kinds: dict[str, Kind] = field(default_factory=dict)
    readable: bool = False
    notes: list[Note] = field(default_factory=list)

    @property
    def found(self) -> dict[str, Any]:
        """Its keys in a spec in this folder."""
        return {**self.values, "path": self.real}

    @property
    def format(self) -> str | None:
        """The format that it is read in."""
        return self.values.get("format", format_of(self.real))

    def look(self, faults: list[Fault], *, must: bool = False) -> None:
        """Read the names of the columns, if the data is there and may be read."""
        path = self.real
        if "://" in path and not path.startswith("file://"):
            self.notes.append(Note(self.loc, f"{path} was not looked at; {COPY_HINT}"))
            return
        try:
            self.kinds = kinds_of(Data.model_validate(self.found), Path(), self.policy)
            self.columns, self.readable = list(self.kinds), True
        except SpecError as error:
            faults += [fault._replace(loc=self.loc) for fault in error.faults]
        except DataError as error:
            if must:
                raise
            self.notes.append(
                Note(self.loc, f"{error.message}, so it was not looked at; {COPY_HINT}")
            )

    def first_row(self, **values: str) -> Any:
        """Return the first row of a table of JSON; None if it cannot be read.

        Parameters
        ----------
        values : what a spec says of it besides.
        """
        with suppress(BiaspipeError, ValidationError):
            return first_row_of(Data.model_validate(self.found | values), Path(), self.policy)
        return None

    def filled(self, key: str) -> str | None:
        """Return a column that has a value in every row, other than the key; None if unknown."""
        for column in (self.columns or ()) if self.readable else ():
            values = {**self.found, "where": f"{identifier(column)} IS NULL"}
            with suppress(BiaspipeError):
                found = profile_columns(Data.model_validate(values), Path(), [column], self.policy)
                if column != key and not found[column].rows:
                    return column
        return None


def no_data(loc: Loc) -> Fault:
    """Return the fault of a configuration that names no data."""
    message, hint = "the configuration names no data", "name it: --data PATH"
    return Fault(message, loc, hint=hint, at_key=True)


def format_of(path: str) -> Format | None:
    """Return the format that the name of a file tells.

    >>> format_of("loans.csv.gz"), format_of("loans")
    ('csv', None)
    """
    name = Path(path.lower())
    return ENDINGS.get(Path(name.stem).suffix if name.suffix in (".gz", ".zst") else name.suffix)
