"""The plan of smclarify's count: columns of guessed types, and nobody left out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.plan import OTHER, Bin, Dimension, Kind, Plan, is_missing, same
from biaspipe.smclarify.column_types import PandasColumn, SmclarifyColumn, matching_values
from biaspipe.spec import Audit, Excluded, Interval, Scalar

__all__ = ["SmclarifyPlan", "features_of", "guessed_columns", "plan_of"]

KNOWN = (Kind.TEXT, Kind.INTEGER, Kind.FLOAT, Kind.BOOLEAN, Kind.MISSING)
"""The kinds of columns for which smclarify's guess is reproduced."""


@dataclass(frozen=True)
class SmclarifyPlan:
    """What smclarify makes of an audit.

    Parameters
    ----------
    plan : what to count.
    label, prediction : their columns; the prediction's is None where there is none.
    facets : the column of each facet.
    favorable : whether a prediction that its dimension holds is a favorable one, and any other.
    no_prediction : why smclarify computes nothing from the predictions, if it does not.
    no_strata : the same for the strata.
    """

    plan: Plan
    label: SmclarifyColumn
    prediction: SmclarifyColumn | None
    facets: Mapping[str, SmclarifyColumn]
    favorable: tuple[bool, bool] = (True, False)
    no_prediction: str | None = None
    no_strata: str | None = None

    def predicts(self, code: object) -> bool:
        """Whether a prediction with this code is a favorable one."""
        return self.favorable[is_missing(code) or code == OTHER]


def guessed_columns(plan: Plan) -> tuple[str, ...]:
    """Return the columns whose types smclarify guesses."""
    columns = plan.audit.columns
    outcomes = [o.column for o in (columns.label, columns.prediction) if o]
    facets = [str(plan.audit.facets[name].column) for name in plan.groupings]
    return tuple(dict.fromkeys([*outcomes, *facets, *(columns.strata or ())]))


def plan_of(
    plan: Plan, columns: Mapping[str, PandasColumn], spec: Mapping[str, Any]
) -> SmclarifyPlan:
    """Plan what smclarify would count.

    Parameters
    ----------
    plan : a bound plan that `refusals` finds no fault with.
    columns : every column in `guessed_columns(plan)`, as pandas would hold it.
    spec : the spec as it is written, in which a threshold of 40 is not one of 40.0.

    Raises
    ------
    SpecError
        If a column holds what smclarify's guess is not known for.
    """
    if faults := list(_unknown(plan.audit, columns)):
        raise SpecError(faults)
    declared, written = plan.audit.columns, spec["columns"]
    positive, scored = side_values(_side(written["label"])), is_scored(written)
    label = _column(written["label"]["column"], positive, columns)
    prediction = threshold = None
    if declared.prediction:
        prediction = _column(declared.prediction.column, positive, columns)
    if prediction and scored:
        (threshold,) = side_values(written["prediction"])
        made = _predictions_of(prediction.pandas, label.pandas.kind, float(threshold))
        prediction = replace(prediction, pandas=made)
    facets = {name: _facet(spec["facets"][name], columns) for name in plan.groupings}
    dimensions = (label.dimension(), _prediction(label, prediction, threshold))
    return SmclarifyPlan(
        _planned(plan, facets, *dimensions),
        label,
        prediction,
        facets,
        _favorable(prediction) if prediction and scored else (True, False),
        _no_prediction(label, prediction),
        _no_strata(declared.strata or (), columns),
    )


def _side(outcome: Mapping[str, Any]) -> object:
    """Return the positive side, as the spec writes it."""
    return outcome.get("positive", outcome)


def side_values(side: object) -> tuple[Scalar, ...]:
    """Return the values of `value_or_threshold` for a side of a spec.

    >>> side_values({"above": 40}), side_values(["a", "b"]), side_values(None)
    ((40,), ('a', 'b'), ())
    """
    if isinstance(side, Mapping):
        return (side["above"] if "above" in side else side["at_most"],)
    if isinstance(side, list | tuple):
        return tuple(side)
    return (side,) if isinstance(side, str | int | float) else ()


def is_scored(columns: Mapping[str, Any]) -> bool:
    """Whether the prediction is a score with a threshold of its own, not values of the label."""
    label, prediction = columns["label"], columns.get("prediction") or {}
    return "at_most" in prediction or (
        "above" in prediction and prediction["above"] != label.get("above")
    )


def _predictions_of(scores: PandasColumn, labels: Kind, threshold: float) -> PandasColumn:
    """Return the predictions that Clarify makes of scores: 1 above the threshold, else 0.

    Beside labels that are texts they are the label's values.
    """
    high, low = scores.largest, scores.smallest
    above = high is not None and high > threshold
    others = bool(scores.missing) or (low is not None and low <= threshold)
    kind = Kind.INTEGER if labels.is_number else labels
    return PandasColumn(kind, scores.rows, 0, above + others, int(above))


def _favorable(prediction: SmclarifyColumn) -> tuple[bool, bool]:
    """Whether a score above its threshold becomes a favorable prediction, and any other."""
    kind, values = prediction.pandas.kind, prediction.values
    if kind not in (Kind.INTEGER, Kind.BOOLEAN):
        return True, False
    if prediction.continuous:
        threshold = float(values[0])
        return threshold < 1, threshold < 0
    named = matching_values(values, kind)
    return any(same(value, 1) for value in named), any(same(value, 0) for value in named)


def _column(
    name: str, values: tuple[Scalar, ...], columns: Mapping[str, PandasColumn]
) -> SmclarifyColumn:
    return SmclarifyColumn(name, columns[name], values)


def _facet(facet: Mapping[str, Any], columns: Mapping[str, PandasColumn]) -> SmclarifyColumn:
    column = _column(facet["column"], side_values(facet.get("disfavored")), columns)
    if column.continuous and not column.values:
        return replace(column, refused=f"{column.name} is taken for continuous, without threshold")
    return column


def _prediction(
    label: SmclarifyColumn, prediction: SmclarifyColumn | None, threshold: Scalar | None
) -> Dimension | None:
    if prediction is None:
        return None
    if threshold is not None:
        return Dimension(prediction.name, (Bin("d", Interval(above=float(threshold))),))
    whole = label.continuous and prediction.continuous and not label.pandas.is_float
    return prediction.dimension(whole=whole)


def _no_prediction(label: SmclarifyColumn, prediction: SmclarifyColumn | None) -> str | None:
    if prediction is None:
        return None
    if label.continuous != prediction.continuous:
        kinds = {True: "continuous", False: "categorical"}
        return (
            f"the label is taken for {kinds[label.continuous]}, the prediction for"
            f" {kinds[prediction.continuous]}"
        )
    if label.continuous and not label.pandas.is_float and prediction.pandas.missing:
        return "a missing prediction cannot become the whole number that the labels are"
    return None


def _no_strata(strata: tuple[str, ...], columns: Mapping[str, PandasColumn]) -> str | None:
    for name in strata:
        if columns[name].kind is Kind.TEXT and columns[name].missing:
            return f"texts and missing values in {name} have no common order"
    return None


def _planned(
    plan: Plan,
    facets: Mapping[str, SmclarifyColumn],
    label: Dimension,
    prediction: Dimension | None,
) -> Plan:
    """Return the plan to count: for each facet its column, the strata, label and prediction."""
    shared = (*plan.strata, label, *([prediction] if prediction else []))
    groupings = {
        name: (column.dimension(), *shared) for name, column in facets.items() if not column.refused
    }
    groupings = groupings or {"": shared}
    dimensions = tuple(dict.fromkeys(d for key in groupings.values() for d in key))
    return plan._replace(
        dimensions=dimensions, groupings=groupings, label=label, prediction=prediction, joint=()
    )


def _unknown(audit: Audit, columns: Mapping[str, PandasColumn]) -> Iterator[Fault]:
    where: dict[str, Loc] = {str(f.column): ("facets", n) for n, f in audit.facets.items()}
    where |= dict.fromkeys(audit.columns.strata or (), ("columns", "strata"))
    for role in ("label", "prediction"):
        if outcome := getattr(audit.columns, role):
            where[outcome.column] = ("columns", role)
    for name, column in columns.items():
        if column.kind not in KNOWN or column.digits:
            held = "whole numbers as text" if column.digits else str(column.kind)
            yield Fault(
                f"compat: {name!r} holds {held}, on which smclarify's guess is not reproduced",
                where.get(name, ()),
                expected="text, numbers or true/false",
            )


def features_of(plan: Plan, facet: str) -> tuple[str, ...]:
    """Return the columns that smclarify's fliptest takes for a facet's features.

    Parameters
    ----------
    plan : the bound plan.
    facet : the facet's name.
    """
    columns = plan.audit.columns
    own = {o.column for o in (columns.label, columns.prediction) if o}
    own.add(str(plan.audit.facets[facet].column))
    if isinstance(columns.features, Excluded):
        keys = (key for join in plan.audit.data.join for key in join.on or ())
        own |= {*columns.features.exclude, *keys}
        return tuple(c for c in plan.kinds or () if c not in own)
    return tuple(c for c in plan.features if c not in own)
