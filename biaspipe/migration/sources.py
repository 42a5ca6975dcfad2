"""The tables of a configuration: where they are, how they are written, what their columns are."""

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError as PydanticError

from biaspipe.errors import BiaspipeError, DataError, Fault, Loc, SpecError
from biaspipe.migration.drafts import Note
from biaspipe.migration.headers import generated, named_in, refuse_twice
from biaspipe.migration.reading import dotted
from biaspipe.migration.records import Records, inside_of, is_json, records_key, records_of
from biaspipe.migration.schema import DATASET_TYPES, UNREAD
from biaspipe.migration.segments import quoted
from biaspipe.plan import Kind
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.files import ENDINGS
from biaspipe.spec import Data

__all__ = ["Place", "Table", "extra_table", "main_table"]

MISSING = "the configuration names no data"


@dataclass(frozen=True)
class Place:
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


@dataclass
class Table:
    """One table.

    Parameters
    ----------
    values : what a spec says of it: path, format, csv.
    loc : the key of the configuration that names it.
    real : its path from here, since the folder of the spec may not be there yet.
    policy : what the configuration may reach.
    records : its rows, where they are JSON whose values stand inside of others.
    columns : its columns in order, where they are known.
    kinds : what they hold, where the data could be looked at, by the names in its first line.
    readable : whether the data could be looked at.
    notes : what is to be said of it.
    """

    values: dict[str, Any]
    loc: Loc
    real: str
    policy: Policy = DEFAULT
    records: Records | None = None
    columns: list[str] | None = None
    kinds: dict[str, Kind] = field(default_factory=dict)
    readable: bool = False
    notes: list[Note] = field(default_factory=list)

    @property
    def found(self) -> dict[str, Any]:
        """What a spec in this folder would say of it."""
        return {**self.values, "path": self.real}

    def nest(self, values: dict[str, Any], faults: list[Fault]) -> None:
        """Say where the values stand inside of rows of JSON, if they are not their keys."""
        from biaspipe.engines.column_profiles import record_of  # noqa: PLC0415 - polars is slow to import

        first = None
        if "://" not in self.real:
            found = {**self.found, **records_key(values)}
            with suppress(BiaspipeError, PydanticError):
                first = record_of(Data.model_validate(found), Path(), self.policy)
        self.values |= records_key(values)
        self.records = records_of(values, first, faults)
        if self.records:
            self.values["fields"] = self.records.fields

    def look(self, faults: list[Fault], *, must: bool) -> None:
        """Read the names of the columns, if the data is there and may be read."""
        from biaspipe.engines.column_profiles import kinds_of  # noqa: PLC0415 - polars is slow to import

        path = self.real
        if "://" in path and not path.startswith("file://"):
            self.notes.append(Note(self.loc, f"{path} was not looked at; {HOW}"))
            return
        try:
            self.kinds = kinds_of(Data.model_validate(self.found), Path(), self.policy)
            self.columns, self.readable = list(self.kinds), True
        except SpecError as error:
            faults += [replace(fault, loc=self.loc) for fault in error.faults]
        except DataError as error:
            if must:
                raise
            self.notes.append(Note(self.loc, f"{error.message}, so it was not looked at; {HOW}"))

    def instances(self, named: list[str]) -> dict[str, tuple[str, str]]:
        """Return the columns of Vertex AI's predictions, by what the configuration calls them.

        Each has its name and where it stands in a row: inside of the `instance`, or as named.
        Empty where the data could not be looked at, or has all of them as they are.
        """
        from biaspipe.engines.column_profiles import record_of  # noqa: PLC0415 - polars is slow to import

        format_ = self.values.get("format", _ending(self.real).removeprefix("."))
        if not self.readable or format_ not in ("jsonl", "ndjson"):
            return {}
        with suppress(BiaspipeError):
            first = record_of(Data.model_validate(self.found), Path(), self.policy)
            return inside_of(first, named)
        return {}

    def filled(self, key: str) -> str | None:
        """Return a column that has a value in every row, other than the key; None if unknown."""
        from biaspipe.engines.column_profiles import survey  # noqa: PLC0415 - polars is slow to import

        for column in (self.columns or ()) if self.readable else ():
            values = {**self.found, "where": f"{quoted(column)} IS NULL"}
            with suppress(BiaspipeError):
                found = survey(Data.model_validate(values), Path(), [column], self.policy)
                if column != key and not found[column].rows:
                    return column
        return None


HOW = "name a local copy with --data PATH"


def main_table(
    values: dict[str, Any], place: Place, faults: list[Fault], source: Loc = ("dataset_uri",)
) -> Table | None:
    """Return the table of the data set, or note why there is none."""
    given, kind = place.data, str(values.get("dataset_type", "")).lower()
    path = given or values.get("dataset_uri")
    ending = ENDINGS.get(_ending(path or ""))
    if kind in UNREAD and not (given and ending):
        faults.append(Fault(f"dataset_type: {UNREAD[kind]}", ("dataset_type",)))
        return None
    if not path:
        hint = "name it: --data PATH"
        loc = source if source != ("dataset_uri",) else ("dataset_type",)
        faults.append(Fault(MISSING, loc, at_key=True, hint=hint))
        return None
    folder = place.data_folder if given else place.config
    written = place.written(path, folder)
    spoken = {"path": written}
    if not ending or (not given and ending != DATASET_TYPES.get(kind) and kind in DATASET_TYPES):
        spoken["format"] = DATASET_TYPES.get(kind) or "csv"
    if spoken.get("format") == ending or {spoken.get("format"), ending} == {"jsonl", "ndjson"}:
        del spoken["format"]
    real = place.real(path, folder)
    table = Table(spoken, source if "dataset_uri" in values else (), real, place.policy)
    if source == ("dataset_uri",) and is_json(kind):
        refuse_twice(values.get("headers", []), ("headers",), faults)
        table.nest(values, faults)
    table.look(faults, must=given is not None)
    if table.records:
        table.columns = list(table.records.names)
        return table
    is_csv = spoken.get("format", ending) in ("csv", "tsv")
    headers = values.get("headers")
    if headers is None and is_csv and source == ("dataset_uri",):
        headers = _generated(table, values)
    _name_columns(table, headers, ("headers",), faults, is_csv=is_csv)
    return table


def extra_table(
    values: dict[str, Any], which: str, place: Place, faults: list[Fault]
) -> Table | None:
    """Return the table of facets or predictions, if there is one."""
    uri, headers = f"{which}_dataset_uri", values.get(f"{which}_headers")
    if uri not in values:
        return None
    path = place.written(values[uri], place.config)
    table = Table({"path": path}, (uri,), place.real(values[uri], place.config), place.policy)
    if ENDINGS.get(_ending(path)) != "csv":
        table.values["format"] = "csv"
    table.look(faults, must=False)
    if headers is None and which == "predicted_label":
        found = [c for c in table.columns or () if c == "predicted_label"]
        headers = None if found or len(table.columns or "1") > 1 else ["predicted_label"]
    if headers is None:
        headers = _generated(table, values)
    _name_columns(table, headers, (f"{which}_headers",), faults, is_csv=True)
    return table


def _generated(table: Table, values: dict[str, Any]) -> list[str] | None:
    """Return the names that Clarify gives a table without names, and note it."""
    headers, words = generated(table.kinds, set(named_in(values)))
    if words:
        table.notes.append(Note(table.loc, words))
    return headers


def _name_columns(
    table: Table, headers: list[str] | None, loc: Loc, faults: list[Fault], *, is_csv: bool
) -> None:
    """Tell a table without a first line of names what its columns are called."""
    refuse_twice(headers or [], loc, faults)
    if headers is None or not is_csv:
        if headers is not None and not table.readable:
            table.columns = headers
        return
    if table.readable and table.columns is not None and len(table.columns) != len(headers):
        message = f"{dotted(loc)}: {len(headers)} names for {len(table.columns)} columns"
        faults.append(Fault(message, loc, found=", ".join(table.columns)))
    if table.columns != headers:
        table.values["csv"] = {"header": False, "columns": headers}
        table.columns = headers


def _ending(path: str) -> str:
    name = Path(path.lower())
    return Path(name.stem).suffix if name.suffix in (".gz", ".zst") else name.suffix
