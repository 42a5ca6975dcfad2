"""The columns of Clarify's configuration to those of a spec: outcomes, strata and features."""

from biaspipe.errors import Fault, Loc
from biaspipe.migration.clarify.dataset import JOIN_KEY, ClarifyDataset
from biaspipe.migration.clarify.values_or_threshold import (
    ValuesOrThreshold,
    prediction_values,
    values_or_threshold,
)
from biaspipe.migration.draft import Draft, Note

__all__ = ["remark", "write_columns", "write_features"]

LABEL_VALUES: Loc = ("label_values_or_threshold",)


def write_columns(dataset: ClarifyDataset, draft: Draft) -> None:
    """Write label and prediction, each with what is positive, and the strata."""
    label, predicted, strata = dataset.label, dataset.prediction, dataset.strata
    given = dataset.config.label_values_or_threshold
    if given and (label or predicted):
        profile = dataset.profiles.get(label or "")
        found = values_or_threshold(given, label or "the label", profile)
        _write_outcomes(dataset, draft, found)
    elif label or predicted:
        message = "label_values_or_threshold is missing: nothing says what is positive"
        dataset.faults.append(Fault(message, LABEL_VALUES, expected="[1], or [0.5]"))
    if strata:
        draft.put(("columns", "strata"), [strata], ("group_variable",))


def _write_outcomes(dataset: ClarifyDataset, draft: Draft, positive: ValuesOrThreshold) -> None:
    """Write label and prediction by what the label's values mean."""
    config, label, predicted = dataset.config, dataset.label, dataset.prediction
    if label:
        _write_outcome(dataset, draft, ("label",), label, positive)
    if predicted:
        found = prediction_values(
            positive,
            config.probability_threshold,
            predicted,
            dataset.profiles.get(predicted),
            dataset.profiles.get(label or ""),
        )
        is_named = config.predicted_label is not None
        key = "predicted_label" if is_named else "predicted_label_dataset_uri"
        _write_outcome(dataset, draft, (key,), predicted, found)


def _write_outcome(
    dataset: ClarifyDataset, draft: Draft, loc: Loc, column: str, found: ValuesOrThreshold
) -> None:
    """Write an outcome and how its values are read."""
    is_label = loc == ("label",)
    at: Loc = ("columns", "label" if is_label else "prediction")
    draft.put(at, {"column": column, **found.outcome}, loc)
    draft.origins |= {(*at, name): LABEL_VALUES for name in found.outcome}
    remark(dataset, draft, at, found, LABEL_VALUES if is_label else loc)


def remark(
    dataset: ClarifyDataset, draft: Draft, at: Loc, found: ValuesOrThreshold, loc: Loc
) -> None:
    """Say how values are read, aloud where a person has to look."""
    draft.say(at, *found.comments)
    if found.unsure:
        dataset.notes.append(Note(loc, " ".join(found.comments)))


def write_features(dataset: ClarifyDataset, draft: Draft, excluded: list[str | None]) -> bool:
    """Write the features of the fliptest; whether any is left."""
    join = draft.values.get("data", {}).get("join", ())
    columns = draft.values["columns"]
    outcomes = {columns[key]["column"] for key in ("label", "prediction") if key in columns}
    never = {*outcomes, *(j.get("on") for j in join)}
    own = {*dataset.audited, *columns.get("strata", ()), *never}
    beside = [c for table in dataset.tables[1:] for c in table.columns or () if c not in own]
    known, listed = dataset.names.known, dataset.features
    unlisted = [c for c in known or () if listed and c not in listed]
    key = dataset.config.joinsource_name_or_index
    rows = [] if join or key is None else [dataset.names.of(key, JOIN_KEY)]
    named = dict.fromkeys([*excluded, *rows, *beside, *unlisted])
    out = [c for c in named if c and c not in never]
    left = [c for c in (listed if known is None else known) or () if c not in own and c not in out]
    if not left and (known is not None or listed):
        return False
    if listed and known is None:
        draft.put(("columns", "features"), left, ("features",))
        return True
    is_listed = dataset.config.excluded_columns is not None
    origin = ("excluded_columns" if is_listed else "methods",)
    draft.put(("columns", "features"), {"exclude": out}, origin)
    draft.say(("columns", "features"), "Every column but those that this spec names and these.")
    return True
