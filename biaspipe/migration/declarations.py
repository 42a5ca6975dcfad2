"""What a configuration of Clarify declares: its data, its outcomes and its facets."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from biaspipe.engines.column_profiles import Survey, survey
from biaspipe.errors import BiaspipeError, Fault, Loc
from biaspipe.migration.drafts import Draft, Note
from biaspipe.migration.names import Names, listed
from biaspipe.migration.outcomes import Reading, read_prediction, read_values
from biaspipe.migration.records import is_json
from biaspipe.migration.segments import quoted
from biaspipe.migration.sources import Place, Table, extra_table, main_table
from biaspipe.spec import Data

__all__ = ["Declarations"]

GUIDE = (
    "value_or_threshold is Clarify's facet d, the disfavored group, as its code, its SDK and its",
    "output have it; in one place the guide calls it the favored group.",
)


@dataclass
class Declarations:
    """What a configuration declares, written into a draft part by part.

    Parameters
    ----------
    values : the configuration, which has the right shape.
    place : where spec and data are.
    draft : the spec.
    notes : gathers what is not carried over.
    faults : gathers what is wrong.
    """

    values: dict[str, Any]
    place: Place
    draft: Draft = field(default_factory=Draft)
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.main = main_table(self.values, self.place, self.faults)
        self.facet_table = extra_table(self.values, "facet", self.place, self.faults)
        self.predicted = extra_table(self.values, "predicted_label", self.place, self.faults)
        self.tables = [t for t in (self.main, self.facet_table, self.predicted) if t]
        self.own: list[str] = []
        self.partnered: str | None = None

    @cached_property
    def names(self) -> Names:
        """The columns of the data set."""
        is_nested = is_json(str(self.values.get("dataset_type", "")))
        known = self.main.columns if self.main else None
        names = Names("the data set", known, self.faults, json=is_nested)
        if self.main and self.main.records:
            names.aliases = self.main.records.aliases
        elif is_nested and known is None:
            names.known = self.values.get("headers")
        return names

    @cached_property
    def listed_features(self) -> list[str] | None:
        """The columns that the JMESPath of `features` lists."""
        if self.main and self.main.records:
            return list(self.main.records.features) or None
        path = self.values.get("features")
        return listed(path) if path else None

    def beside(self, table: Table | None, words: str) -> Names:
        """Return the columns of a table beside the data set, or the data set's."""
        return Names(words, table.columns, self.faults) if table else self.names

    @cached_property
    def facet_names(self) -> Names:
        """The columns that facets are in."""
        return self.beside(self.facet_table, "the facet data set")

    @cached_property
    def looks(self) -> dict[str, Survey]:
        """What the columns of outcomes and facets hold, if the data can be read."""
        return self.look(self.own)

    def look(self, columns: list[str], where: str | None = None) -> dict[str, Survey]:
        """Return what columns hold in some of the rows, if the data can be read."""
        readable = all(table.readable for table in self.tables)
        if not columns or not self.main or not readable or self.faults:
            return {}
        try:
            join = [self.joined(t, t.found) for t in self.tables[1:]]
            conditions = [w for w in (self.partnered, where) if w]
            together = " AND ".join(f"({w})" for w in conditions) or None
            data = Data.model_validate({**self.main.found, "join": join, "where": together})
            return survey(data, Path(), columns, self.place.policy)
        except BiaspipeError as error:
            self.notes.append(Note((), f"the data could not be looked at: {error.message}"))
            return {}

    def data(self) -> None:
        """Write the data set, and the files that are joined to it."""
        if self.main is None:
            return
        for key, value in self.main.values.items():
            self.draft.put(("data", key), value, self.main.loc)
        join = [self.joined(t, t.values) for t in self.tables[1:]]
        if join:
            self.draft.put(("data", "join"), join, ("joinsource_name_or_index",))
            if "joinsource_name_or_index" in self.values:
                self.join_by_key()
                return
            how = "by position, row by row; the files have as many rows as the data"
            self.draft.say(("data", "join"), f"Joined {how}.")

    def join_by_key(self) -> None:
        """Write the condition that leaves out rows without a partner, as an inner join does."""
        key = str(self.joined(self.tables[1], {})["on"])
        partners = [None if self.faults else table.filled(key) for table in self.tables[1:]]
        lacking = [f"{quoted(c)} IS NOT NULL" for c in partners if c and self.without(c)]
        words = "" if lacking else "; every row has its partner"
        if None in partners:
            words = "; Clarify drops rows without a partner, here they count as missing"
        self.draft.say(("data", "join"), f"Joined by key{words}.")
        if lacking:
            self.partnered = " AND ".join(lacking)
            words = "Rows without a partner are left out, as Clarify leaves them out."
            loc: Loc = ("joinsource_name_or_index",)
            self.draft.put(("data", "where"), self.partnered, loc, words)

    def without(self, column: str) -> bool:
        """Whether some row of the data set has no partner that would bring this column."""
        found = self.look([column], f"{quoted(column)} IS NULL").get(column)
        return found is not None and found.rows > 0

    def joined(self, table: Table, values: dict[str, Any]) -> dict[str, Any]:
        """Return a file beside the data set as a join."""
        loc: Loc = ("joinsource_name_or_index",)
        named = self.values.get(str(loc[0]))
        if named is None:
            return {**values, "by": "position"}
        key = self.names.of(named, loc)
        if key and table.columns is not None and key not in table.columns:
            message = f"{table.loc[0]}: there is no column {key!r} to join by"
            expected = f"one of {', '.join(table.columns)}"
            self.faults.append(Fault(message, loc, expected=expected))
        return {**values, "on": key or "?"}

    def outcomes(self) -> None:
        """Write label and prediction, each with what is positive, and the strata."""
        label = self.names.of(self.values["label"], ("label",)) if "label" in self.values else None
        predicted, strata = self.predicted_column(), self.strata()
        self.own += [c for c in (label, predicted, *self.facet_columns) if c]
        given = self.values.get("label_values_or_threshold")
        if given and (label or predicted):
            look = self.looks.get(label or "")
            self.put_outcomes(label, predicted, read_values(given, label or "the label", look))
        elif label or predicted:
            message = "label_values_or_threshold is missing: nothing says what is positive"
            loc: Loc = ("label_values_or_threshold",)
            self.faults.append(Fault(message, loc, expected="[1], or [0.5]"))
        if strata:
            self.draft.put(("columns", "strata"), [strata], ("group_variable",))

    def put_outcomes(self, label: str | None, predicted: str | None, reading: Reading) -> None:
        """Write label and prediction by what the label's values mean."""
        if label:
            self.put_outcome("label", label, reading, ("label",))
        if predicted:
            threshold = self.values.get("probability_threshold")
            look, labels = self.looks.get(predicted), self.looks.get(label or "")
            found = read_prediction(reading, threshold, predicted, look, labels)
            self.put_outcome("prediction", predicted, found, self.predicted_loc)

    def put_outcome(self, key: str, column: str, reading: Reading, loc: Loc) -> None:
        """Write an outcome and how its values are read."""
        self.draft.put(("columns", key), {"column": column, **reading.outcome}, loc)
        given: Loc = ("label_values_or_threshold",)
        for name in reading.outcome:
            self.draft.origins["columns", key, name] = given
        self.remark(("columns", key), reading, given if key == "label" else loc)

    def remark(self, at: Loc, reading: Reading, loc: Loc) -> None:
        """Say how values are read, aloud where a person has to look."""
        self.draft.say(at, *reading.comments)
        if reading.unsure:
            self.notes.append(Note(loc, " ".join(reading.comments)))

    @property
    def predicted_loc(self) -> Loc:
        """The key that names the predictions."""
        key = "predicted_label"
        return (key,) if key in self.values else (f"{key}_dataset_uri",)

    def predicted_column(self) -> str | None:
        """Return the column of predictions, if there is one."""
        names = self.beside(self.predicted, "the data set of predicted labels")
        if "predicted_label" in self.values:
            return names.of(self.values["predicted_label"], ("predicted_label",))
        return "predicted_label" if self.predicted else None

    def strata(self) -> str | None:
        """Return the column of strata, if there is one."""
        named = self.values.get("group_variable")
        if named is None:
            return None
        is_beside = named not in self.names and named in self.facet_names
        names = self.facet_names if is_beside else self.names
        return names.of(named, ("group_variable",))

    @cached_property
    def facet_columns(self) -> list[str | None]:
        """The column of every facet; None where it cannot be told."""
        facets = enumerate(self.values.get("facet", ()))
        return [
            self.facet_names.of(facet["name_or_index"], ("facet", i, "name_or_index"))
            for i, facet in facets
            if "name_or_index" in facet
        ]

    def facets(self) -> None:
        """Write the facets: the values are the disfavored side."""
        facets = [f for f in self.values.get("facet", ()) if "name_or_index" in f]
        if any(facet.get("value_or_threshold") for facet in facets):
            self.draft.say(("facets",), *GUIDE)
        for i, (facet, column) in enumerate(zip(facets, self.facet_columns, strict=True)):
            if column is not None:
                self.put_facet(i, facet.get("value_or_threshold"), column)
        if not facets:
            message = "facet is missing: bias is a difference between groups"
            expected = '[{"name_or_index": "sex", "value_or_threshold": ["female"]}]'
            self.faults.append(Fault(message, ("facet",), expected=expected))

    def put_facet(self, i: int, given: list[Any] | None, column: str) -> None:
        """Write a facet: its values against the rest, or each value if it has none."""
        taken = self.draft.values.get("facets", {})
        name = column if column not in taken else f"{column}_{i + 1}"
        at: Loc = ("facets", name)
        if not given:
            words = "No value_or_threshold: each value against the rest."
            self.draft.put(at, {"column": column}, ("facet", i), words)
            return
        loc: Loc = ("facet", i, "value_or_threshold")
        reading = read_values(given, column, self.looks.get(column))
        self.draft.put(at, {"column": column, "disfavored": reading.side}, ("facet", i))
        self.draft.origins[(*at, "disfavored")] = loc
        self.remark(at, reading, loc)
