"""A bias configuration of Vertex AI to audit specs, with its metrics in its signs."""

import re
from dataclasses import dataclass, field
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.drafts import Converted, Draft, Note
from biaspipe.migration.names import Names
from biaspipe.migration.shapes import (
    ANY,
    NUMBER,
    TEXT,
    Anything,
    Either,
    Items,
    Keys,
    Scalar,
    Shape,
)
from biaspipe.migration.slices import comparison_of, sliced_columns, slices_of
from biaspipe.migration.sources import Place, main_table
from biaspipe.report.parsing import parsed

__all__ = ["BIAS", "convert_vertex", "normal"]

FORMAT: Shape = Scalar("a text", (str,), ("jsonl", "csv", "bigquery"))
TYPES = {"csv": "text/csv", "jsonl": "application/jsonlines"}
SOURCES = ("dataset_storage_source_uris", "predictions_gcs_source")
COLUMNS = ("target_field_name", "prediction_label_column", "prediction_score_column")
LEFT = {
    "predictions_bigquery_source": "BigQuery is not read; export the table, and name it: --data",
    "dataset": "a managed data set is not read; export it, and name it: --data PATH",
    "columns": "every column of the data can be used",
    "project": "nothing runs in a project of Google Cloud",
    "location": "nothing runs in a region of Google Cloud",
    "encryption_spec_key_name": "no key is needed, since the data stays where it is",
}
SIGNS = (
    "Vertex AI subtracts slice 2, or the rest, from slice 1:",
    "slice 1 is the favored side, whatever favor it has.",
)

SLICES = Anything('an object or a list, such as {"configs": {"sex": ...}}')

BIAS = Keys(
    {
        "target_field_name": TEXT,
        "bias_configs": Items(
            Keys({"bias_slices": SLICES, "labels": Items(TEXT)}, ("bias_slices",))
        ),
        "predictions_format": FORMAT,
        "predictions_gcs_source": TEXT,
        "dataset_format": FORMAT,
        "dataset_storage_source_uris": Either((TEXT, Items(TEXT))),
        "prediction_label_column": TEXT,
        "prediction_score_column": TEXT,
        "thresholds": Items(NUMBER),
        **dict.fromkeys(LEFT, ANY),
    },
    ("target_field_name", "bias_configs"),
)
"""The parameters of DetectDataBiasOp and DetectModelBiasOp, and the columns of predictions."""


def normal(values: dict[str, Any], renamed: dict[Loc, str] | None = None) -> dict[str, Any]:
    """Return a configuration with its keys in snake case and its messages unpacked.

    Parameters
    ----------
    values : the configuration.
    renamed : takes, for each path, the key that stands in the file.
    """
    told = {} if renamed is None else renamed
    found = {_snake(key, (), told): value for key, value in values.items()}
    configs = found.get("bias_configs")
    if isinstance(configs, list):
        written = told.get(("bias_configs",), "bias_configs")
        found["bias_configs"] = [_config(c, (written, i), told) for i, c in enumerate(configs)]
    return found


def _config(value: Any, at: Loc, told: dict[Loc, str]) -> Any:
    """Return one message, which may be packed into a text as MessageToJson does it."""
    if isinstance(value, str):
        try:
            value = parsed(value.encode(errors="surrogatepass"))
        except ValueError:
            return value
    if not isinstance(value, dict):
        return value
    return {_snake(key, at, told): inner for key, inner in value.items()}


def _snake(key: str, at: Loc, told: dict[Loc, str]) -> str:
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", key).lower()
    if snake != key:
        told[(*at, snake)] = key
    return snake


def convert_vertex(values: dict[str, Any], place: Place, name: str) -> Converted:
    """Convert a configuration that has the right shape, with its keys in snake case.

    Parameters
    ----------
    values : the configuration.
    place : where spec and data are.
    name : the name of the audit.
    """
    return _Vertex(values, place, name).converted()


@dataclass
class _Vertex:
    """A configuration on its way."""

    values: dict[str, Any]
    place: Place
    name: str
    called: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def converted(self) -> Converted:
        """Return a spec for each choice of positive labels."""
        self.notes += [Note((key,), words) for key, words in LEFT.items() if key in self.values]
        data = self.data()
        configs = self.values.get("bias_configs", [])
        by_labels: dict[tuple[str, ...], list[int]] = {}
        for i, config in enumerate(configs):
            by_labels.setdefault(tuple(config.get("labels", ())), []).append(i)
        drafts = [
            self.draft(data, labels, which, number)
            for number, (labels, which) in enumerate(by_labels.items(), 1)
        ]
        if not configs and "bias_configs" in self.values:
            self.faults.append(Fault("bias_configs: there is no slice to audit", ("bias_configs",)))
        return Converted(drafts, self.notes, self.faults)

    def data(self) -> dict[str, Any]:
        """Return what the spec says of the data."""
        found = next(((k, self.values[k]) for k in SOURCES if self.values.get(k)), None)
        loc: Loc = (found[0],) if found else ()
        paths = found[1] if found and isinstance(found[1], list) else [found[1]] if found else []
        kind = self.values.get("predictions_format", self.values.get("dataset_format", "jsonl"))
        if kind == "bigquery" and self.place.data is None:
            self.faults.append(Fault("BigQuery is not read", loc, hint="export it: --data PATH"))
            return {}
        as_clarify = {"dataset_type": TYPES.get(kind, "text/csv")}
        if paths:
            as_clarify["dataset_uri"] = paths[0]
        table = main_table(as_clarify, self.place, self.faults, source=loc or ("bias_configs",))
        if table is None:
            return {}
        self.notes += table.notes
        named = [self.values[key] for key in COLUMNS if key in self.values]
        named += sliced_columns(self.values.get("bias_configs", []))
        if inside := table.instances(named):
            self.called = {named: name for named, (name, _) in inside.items()}
            table.values["fields"] = dict(inside.values())
            table.columns = [name for name, _ in inside.values()]
        self.names = Names("the data", table.columns, self.faults)
        more = [] if self.place.data else paths[1:]
        written = [table.values["path"], *(self.place.written(p, self.place.config) for p in more)]
        return {**table.values, "path": written if more else written[0]}

    def draft(
        self, data: dict[str, Any], labels: tuple[str, ...], which: list[int], number: int
    ) -> Draft:
        """Return the spec of the slices that share their positive labels."""
        draft = Draft()
        draft.put(("version",), 1)
        draft.put(("name",), self.name if number == 1 else f"{self.name}-{number}")
        loc: Loc = next(((k,) for k in SOURCES if k in self.values), ())
        for key, value in data.items():
            draft.put(("data", key), value, loc)
        if data:
            self.outcomes(draft, labels, ("bias_configs", which[0]))
        compared = [name for i in which if (name := self.facet(draft, i))]
        if compared:
            draft.say(("facets", next(iter(draft.values["facets"]))), *SIGNS)
        self.metrics(draft, compared)
        return draft

    def outcomes(self, draft: Draft, labels: tuple[str, ...], loc: Loc) -> None:
        """Write label and prediction."""
        if not labels:
            message = "labels: nothing says which labels are positive"
            self.faults.append(Fault(message, loc, expected='["low_risk"]'))
            return
        positive: Any = labels[0] if len(labels) == 1 else list(labels)
        target = self.column("target_field_name")
        if target:
            outcome = {"column": target, "positive": positive}
            draft.put(("columns", "label"), outcome, ("target_field_name",))
            draft.origins["columns", "label", "positive"] = (*loc, "labels")
        thresholds = self.values.get("thresholds", [0.5])
        if "prediction_label_column" in self.values:
            column = self.column("prediction_label_column")
            outcome = {"column": column, "positive": positive}
            draft.put(("columns", "prediction"), outcome, ("prediction_label_column",))
        elif "prediction_score_column" in self.values:
            if len(thresholds) != 1:
                message = f"thresholds: {len(thresholds)} of them, and an audit has one"
                self.faults.append(Fault(message, ("thresholds",), hint="keep one"))
                return
            column = self.column("prediction_score_column")
            outcome = {"column": column, "at_least": thresholds[0]}
            draft.put(("columns", "prediction"), outcome, ("prediction_score_column",))
            draft.say(("columns", "prediction"), "A score on the threshold is positive.")

    def column(self, key: str) -> str | None:
        """Return a column; of a nested one its last part, which it is called in a flat table."""
        given: str | None = self.values.get(key)
        named = self.called.get(given, given) if given else None
        if named is None or named in self.names or "." not in named:
            return named if named is None else self.names.of(named, (key,))
        last = named.rsplit(".", 1)[1]
        words = f"nested fields are not read; flatten the data so that {named} is a column {last}"
        self.notes.append(Note((key,), words))
        return self.names.of(last, (key,))

    def facet(self, draft: Draft, i: int) -> str | None:
        """Write the facets that compare the slices of a bias configuration; return the last."""
        loc: Loc = ("bias_configs", i, "bias_slices")
        value = self.values["bias_configs"][i].get("bias_slices")
        given = slices_of(value, loc, self.faults) if value is not None else []
        slices = [{self.called.get(c, c): test for c, test in one.items()} for one in given]
        if not slices:
            return None
        taken = draft.values.get("facets", {})
        name = base = "_".join(slices[0])
        for number in range(2, len(taken) + 3):
            if name in taken:
                name = f"{base}_{number}"
        found = comparison_of(slices, name, loc, self.faults)
        for facet, spoken in found.items():
            draft.put(("facets", facet), spoken, loc)
        return name if found else None

    def metrics(self, draft: Draft, compared: list[str]) -> None:
        """Write the metrics that the columns allow, for the comparisons alone."""
        only = None
        if len(compared) < len(draft.values.get("facets", {})):
            only = {"facets": compared}
        if "prediction" in draft.values.get("columns", {}):
            draft.put(("metrics", "vertex"), only, ("bias_configs",))
            return
        for metric in ("population_size_difference", "dpptl"):
            draft.put(("metrics", f"vertex.{metric}"), only, ("bias_configs",))
        words = "the five metrics of predictions are left out: name their column with"
        words += " prediction_label_column or prediction_score_column"
        draft.say(("metrics",), f"{words[0].upper()}{words[1:]}.")
        self.notes.append(Note(("bias_configs",), words))
