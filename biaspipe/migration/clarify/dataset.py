"""The data of Clarify's configuration: its tables, their columns, and how they are joined."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from biaspipe.engines.column_profiles import ColumnProfile, profile_columns
from biaspipe.errors import BiaspipeError, Fault, Loc
from biaspipe.migration.clarify.input_tables import JSON, main_table, table_beside
from biaspipe.migration.clarify.models import ClarifyConfig
from biaspipe.migration.column_names import ColumnNames, listed_columns
from biaspipe.migration.data_tables import DataTable, Paths
from biaspipe.migration.draft import Draft, Note
from biaspipe.sources.quoting import identifier
from biaspipe.spec import Data

__all__ = ["JOIN_KEY", "ClarifyDataset", "write_data"]

JOIN_KEY: Loc = ("joinsource_name_or_index",)


@dataclass
class ClarifyDataset:
    """The tables of a configuration, and the columns that it names.

    Parameters
    ----------
    config : the configuration.
    paths : where spec and data are.
    notes : gathers what is not carried over.
    faults : gathers what is wrong.
    where : the condition of rows that have their partner in every table.
    """

    config: ClarifyConfig
    paths: Paths
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    where: str | None = None

    def __post_init__(self) -> None:
        at = self.config, self.paths, self.faults
        self.main, self.json_columns = main_table(*at)
        self.facet_table = table_beside("facet", *at)
        self.predictions = table_beside("predicted_label", *at)
        self.tables = [t for t in (self.main, self.facet_table, self.predictions) if t]

    @cached_property
    def names(self) -> ColumnNames:
        """The columns of the data set."""
        is_json = self.config.dataset_type in JSON
        known = self.main.columns if self.main else None
        names = ColumnNames("the data set", known, self.faults, json=is_json)
        if self.json_columns:
            names.aliases = self.json_columns.aliases
        elif is_json and known is None:
            names.known = self.config.headers
        return names

    @cached_property
    def facet_names(self) -> ColumnNames:
        """The columns that facets are in."""
        return self._beside(self.facet_table, "the facet data set")

    def _beside(self, table: DataTable | None, words: str) -> ColumnNames:
        """Return the columns of a table beside the data set, or the data set's."""
        return ColumnNames(words, table.columns, self.faults) if table else self.names

    @cached_property
    def label(self) -> str | None:
        """The column of labels, if there is one."""
        named = self.config.label
        return None if named is None else self.names.of(named, ("label",))

    @cached_property
    def prediction(self) -> str | None:
        """The column of predictions, if there is one."""
        names = self._beside(self.predictions, "the data set of predicted labels")
        if self.config.predicted_label is not None:
            return names.of(self.config.predicted_label, ("predicted_label",))
        return "predicted_label" if self.predictions else None

    @cached_property
    def strata(self) -> str | None:
        """The column of strata, if there is one."""
        named = self.config.group_variable
        if named is None:
            return None
        is_beside = named not in self.names and named in self.facet_names
        names = self.facet_names if is_beside else self.names
        return names.of(named, ("group_variable",))

    @cached_property
    def facets(self) -> list[str | None]:
        """The column of every facet; None where it cannot be told."""
        return [
            None
            if facet.name_or_index is None
            else self.facet_names.of(facet.name_or_index, ("facet", i, "name_or_index"))
            for i, facet in enumerate(self.config.facet or ())
        ]

    def excluded(self) -> list[str | None]:
        """Return the columns that are no features; None where one cannot be told."""
        named = enumerate(self.config.excluded_columns or ())
        return [self.names.of(column, ("excluded_columns", i)) for i, column in named]

    @property
    def audited(self) -> list[str]:
        """The columns of label, prediction and facets."""
        return [c for c in (self.label, self.prediction, *self.facets) if c]

    @cached_property
    def features(self) -> list[str] | None:
        """The columns that the JMESPath of `features` lists."""
        if self.json_columns:
            return list(self.json_columns.features) or None
        return listed_columns(self.config.features) if self.config.features else None

    @cached_property
    def profiles(self) -> dict[str, ColumnProfile]:
        """The profiles of the columns of label, prediction and facets, if the data can be read."""
        return self.profiles_of(self.audited)

    def profiles_of(self, columns: list[str], where: str | None = None) -> dict[str, ColumnProfile]:
        """Return the profiles of columns among some of the rows, if the data can be read."""
        readable = all(table.readable for table in self.tables)
        if not columns or not self.main or not readable or self.faults:
            return {}
        try:
            join = [self.joined(t, t.found) for t in self.tables[1:]]
            conditions = [w for w in (self.where, where) if w]
            together = " AND ".join(f"({w})" for w in conditions) or None
            data = Data.model_validate({**self.main.found, "join": join, "where": together})
            return profile_columns(data, Path(), columns, self.paths.policy)
        except BiaspipeError as error:
            self.notes.append(Note((), f"the data could not be looked at: {error.message}"))
            return {}

    def joined(self, table: DataTable, values: dict[str, Any]) -> dict[str, Any]:
        """Return a file beside the data set as a join."""
        named = self.config.joinsource_name_or_index
        if named is None:
            return {**values, "by": "position"}
        key = self.names.of(named, JOIN_KEY)
        if key and table.columns is not None and key not in table.columns:
            message = f"{table.loc[0]}: there is no column {key!r} to join by"
            expected = f"one of {', '.join(table.columns)}"
            self.faults.append(Fault(message, JOIN_KEY, expected=expected))
        return {**values, "on": key or "?"}


def write_data(dataset: ClarifyDataset, draft: Draft) -> None:
    """Write the data set, and the files that are joined to it."""
    if dataset.main is None:
        return
    for key, value in dataset.main.values.items():
        draft.put(("data", key), value, dataset.main.loc)
    join = [dataset.joined(t, t.values) for t in dataset.tables[1:]]
    if not join:
        return
    draft.put(("data", "join"), join, JOIN_KEY)
    if dataset.config.joinsource_name_or_index is not None:
        _write_partners(dataset, draft)
    else:
        how = "by position, row by row; the files have as many rows as the data"
        draft.say(("data", "join"), f"Joined {how}.")


def _write_partners(dataset: ClarifyDataset, draft: Draft) -> None:
    """Write the condition that leaves out rows without a partner, as an inner join does."""
    beside = dataset.tables[1:]
    key = str(dataset.joined(beside[0], {})["on"])
    partners = [None if dataset.faults else table.filled(key) for table in beside]
    lacking = [f"{identifier(c)} IS NOT NULL" for c in partners if c and _is_partial(dataset, c)]
    words = "" if lacking else "; every row has its partner"
    if None in partners:
        words = "; Clarify drops rows without a partner, here they count as missing"
    draft.say(("data", "join"), f"Joined by key{words}.")
    if lacking:
        dataset.where = " AND ".join(lacking)
        words = "Rows without a partner are left out, as Clarify leaves them out."
        draft.put(("data", "where"), dataset.where, JOIN_KEY, words)


def _is_partial(dataset: ClarifyDataset, column: str) -> bool:
    """Whether some row of the data set has no partner that would bring this column."""
    found = dataset.profiles_of([column], f"{identifier(column)} IS NULL").get(column)
    return found is not None and found.rows > 0
