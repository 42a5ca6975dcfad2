"""A bias configuration of Vertex AI to audit specs, with its metrics in its signs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.column_names import ColumnNames
from biaspipe.migration.data_tables import DataTable, Paths, no_data
from biaspipe.migration.draft import Draft, Drafts, Note
from biaspipe.migration.json_paths import is_key, last_key, steps, value_at
from biaspipe.migration.vertex.models import VertexConfig
from biaspipe.migration.vertex.slices import comparison_of, sliced_columns, slices_of

__all__ = ["convert_vertex"]

COLUMNS = ("target_field_name", "prediction_label_column", "prediction_score_column")
UNCONVERTED = {
    "predictions_bigquery_source": "BigQuery is not read; export the table, and name it: --data",
    "dataset": "a managed data set is not read; export it, and name it: --data PATH",
    "columns": "every column of the data can be used",
    "project": "nothing runs in a project of Google Cloud",
    "location": "nothing runs in a region of Google Cloud",
    "encryption_spec_key_name": "no key is needed, since the data stays where it is",
}
SIGN_NOTE = (
    "Vertex AI subtracts slice 2, or the rest, from slice 1:",
    "slice 1 is the favored side, whatever favor it has.",
)


def convert_vertex(config: VertexConfig, paths: Paths, name: str) -> Drafts:
    """Convert what is sound of a configuration.

    Parameters
    ----------
    config : the configuration.
    paths : where spec and data are.
    name : the name of the audit.
    """
    return _Conversion(config, paths, name).drafts()


@dataclass
class _Conversion:
    """A configuration on its way to specs; `called` names the columns that it calls otherwise."""

    config: VertexConfig
    paths: Paths
    name: str
    called: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = ColumnNames("the data", None, self.faults)

    def drafts(self) -> Drafts:
        """Return a spec for each choice of positive labels."""
        given = self.config.model_fields_set
        self.notes += [Note((key,), words) for key, words in UNCONVERTED.items() if key in given]
        data = self.data()
        configs = self.config.bias_configs
        by_labels: dict[tuple[str, ...], list[int]] = {}
        for i, config in enumerate(configs or ()):
            by_labels.setdefault(tuple(config.labels or ()), []).append(i)
        drafts = [
            self.draft(data, labels, which, number)
            for number, (labels, which) in enumerate(by_labels.items(), 1)
        ]
        if configs == []:
            self.faults.append(Fault("bias_configs: there is no slice to audit", ("bias_configs",)))
        return Drafts(drafts, self.notes, self.faults)

    @property
    def source(self) -> tuple[Loc, list[str]]:
        """The key that names the data, and its paths."""
        if uris := self.config.dataset_storage_source_uris:
            return ("dataset_storage_source_uris",), [uris] if isinstance(uris, str) else uris
        if uri := self.config.predictions_gcs_source:
            return ("predictions_gcs_source",), [uri]
        return (), []

    def data(self) -> dict[str, Any]:
        """Return `data` of the spec."""
        loc, uris = self.source
        format_ = self.config.predictions_format or self.config.dataset_format or "jsonl"
        if format_ == "bigquery" and self.paths.data is None:
            self.faults.append(Fault("BigQuery is not read", loc, hint="export it: --data PATH"))
            return {}
        declared = "jsonl" if format_ == "jsonl" else "csv"
        table = self.paths.main_table(uris[0] if uris else None, declared, loc)
        if table is None:
            self.faults.append(no_data(loc or ("bias_configs",)))
            return {}
        table.look(self.faults, must=self.paths.data is not None)
        self.notes += table.notes
        self.find_columns(table)
        more = [] if self.paths.data else uris[1:]
        path = [table.values["path"], *(self.paths.written(u, self.paths.config) for u in more)]
        return {**table.values, "path": path if more else path[0]}

    def find_columns(self, table: DataTable) -> None:
        """Find the columns, which may stand inside of the rows of a batch prediction."""
        columns = [getattr(self.config, key) for key in COLUMNS]
        named = [column for column in columns if column is not None]
        named += sliced_columns(self.config.bias_configs or ())
        is_lines = table.readable and table.format in ("jsonl", "ndjson")
        if inside := _fields_of(table.first_row(), named) if is_lines else {}:
            self.called = {named: name for named, (name, _) in inside.items()}
            table.values["fields"] = dict(inside.values())
            table.columns = [name for name, _ in inside.values()]
        self.names.known = table.columns

    def draft(
        self, data: dict[str, Any], labels: tuple[str, ...], which: list[int], number: int
    ) -> Draft:
        """Return the spec of the slices that share their positive labels."""
        name = self.name if number == 1 else f"{self.name}-{number}"
        draft = Draft({"version": 1, "name": name})
        for key, value in data.items():
            draft.put(("data", key), value, self.source[0])
        if data:
            self.put_outcomes(draft, labels, ("bias_configs", which[0]))
        compared = [facet for i in which if (facet := self.put_facet(draft, i))]
        if compared:
            draft.say(("facets", next(iter(draft.values["facets"]))), *SIGN_NOTE)
        self.put_metrics(draft, compared)
        return draft

    def put_outcomes(self, draft: Draft, labels: tuple[str, ...], loc: Loc) -> None:
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
        thresholds = self.config.thresholds
        thresholds = [0.5] if thresholds is None else thresholds
        if self.config.prediction_label_column is not None:
            column = self.column("prediction_label_column")
            outcome = {"column": column, "positive": positive}
            draft.put(("columns", "prediction"), outcome, ("prediction_label_column",))
        elif self.config.prediction_score_column is not None:
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
        given: str | None = getattr(self.config, key)
        named = self.called.get(given, given) if given else None
        if named is None or named in self.names or "." not in named:
            return named if named is None else self.names.of(named, (key,))
        last = named.rsplit(".", 1)[1]
        words = f"nested fields are not read; flatten the data so that {named} is a column {last}"
        self.notes.append(Note((key,), words))
        return self.names.of(last, (key,))

    def put_facet(self, draft: Draft, i: int) -> str | None:
        """Write the facets that compare the slices of a bias configuration; return the last."""
        loc: Loc = ("bias_configs", i, "bias_slices")
        value = self.config.bias_configs[i].bias_slices if self.config.bias_configs else None
        given = slices_of(value, loc, self.faults) if value is not None else []
        slices = [{self.called.get(c, c): group for c, group in one.items()} for one in given]
        if not slices:
            return None
        taken = draft.values.get("facets", {})
        name = base = "_".join(slices[0])
        for number in range(2, len(taken) + 3):
            if name in taken:
                name = f"{base}_{number}"
        found = comparison_of(slices, name, loc, self.faults)
        for facet, values in found.items():
            draft.put(("facets", facet), values, loc)
        return name if found else None

    def put_metrics(self, draft: Draft, compared: list[str]) -> None:
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


def _fields_of(first: Any, named: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the name and the path of columns that stand in a row of predictions of Vertex AI.

    Parameters
    ----------
    first : the first row.
    named : what a configuration calls them.

    >>> row = {"instance": {"state": "Ohio", "accepted": "no"}, "prediction": "yes"}
    >>> _fields_of(row, ["state", "instance.accepted", "prediction"])["state"]
    ('state', 'instance.state')
    """
    found: dict[str, tuple[str, str]] = {}
    for name in named:
        quoted = name if steps(name) else f'"{name}"'
        ways = [way for way in (quoted, f"instance.{quoted}") if steps(way)]
        nested = (list, dict)
        path = next((way for way in ways if not isinstance(value_at(way, first), nested)), None)
        if path is not None:
            found[name] = (last_key(path), path)
    names = [name for name, _ in dict.fromkeys(found.values())]
    if all(is_key(path) for _, path in found.values()):
        return {}
    if len(set(names)) < len(names):
        return {name: (path, path) for name, (_, path) in found.items()}
    return found
