"""What a spec under `compat: smclarify` asks for that smclarify could not be told."""

from collections.abc import Iterator, Mapping

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import find
from biaspipe.metrics.record import Metric
from biaspipe.plan.kinds import same
from biaspipe.spec import Audit, Check, Facet, Interval, Outcome, format_value

__all__ = ["smclarify_faults"]

OWN = {"p": 2.0, "alpha": 2.0}
"""The parameters that smclarify computes with, where they are those of a spec."""


def smclarify_faults(audit: Audit) -> Iterator[Fault]:
    """Yield everything that smclarify has no way to say, so that no number could be its own."""
    if audit.compat is None:
        return
    yield from _columns(audit)
    for name, facet in audit.facets.items():
        yield from _facet(facet, ("facets", name))
        yield from _checks(facet.metrics or {}, ("facets", name, "metrics"))
    yield from _checks(audit.metrics, ("metrics",))
    if audit.rules.decide_by != "value":
        yield Fault(
            "compat: smclarify's values have no intervals to decide by",
            ("decision", "decide_by"),
            expected="value",
        )


def _columns(audit: Audit) -> Iterator[Fault]:
    columns = audit.columns
    if columns.weighting is not None:
        words = "compat: smclarify knows no weights; each row is one person"
        yield Fault(words, ("columns", "weight"), at_key=True)
    if len(columns.strata or ()) > 1:
        words = "compat: smclarify takes one column of strata, its group variable"
        yield Fault(words, ("columns", "strata"), at_key=True)
    if columns.label is None:
        words = "compat: smclarify computes nothing without a label"
        yield Fault(words, ("columns",), expected="columns.label", at_key=True)
    for name, outcome in (("label", columns.label), ("prediction", columns.prediction)):
        if outcome is None or outcome.positive is not None or _only_above(outcome):
            continue
        if name == "label" or not _only_at_most(outcome):
            yield _bounds(("columns", name))
    if columns.label and columns.prediction:
        yield from _two_sides(columns.label, columns.prediction)


def _two_sides(label: Outcome, prediction: Outcome) -> Iterator[Fault]:
    if prediction.positive is not None:
        yield from _two_positives(label, prediction)
        return
    zero, one = (_holds(label, value) for value in (0, 1))
    side = "at_most" if zero and not one else "above"
    if (zero != one or _only_at_most(prediction)) and getattr(prediction, side) is None:
        words = "a score above the threshold becomes 1 in smclarify's data, and any other one 0"
        found = ", ".join(map(format_value, label.positive or ())) or "a threshold"
        yield Fault(
            f"compat: {words}, and the label's positive is {found}",
            ("columns", "prediction"),
            at_key=True,
            expected=f"{side}, and no other bound",
        )


def _holds(label: Outcome, value: int) -> bool:
    return any(same(scalar, value) or same(scalar, bool(value)) for scalar in label.positive or ())


def _two_positives(label: Outcome, prediction: Outcome) -> Iterator[Fault]:
    values = [list(map(str, outcome.positive or ())) for outcome in (label, prediction)]
    if values[0] != values[1]:
        yield Fault(
            "compat: smclarify takes the positive values of the label for the prediction's too",
            ("columns", "prediction", "positive"),
            expected="those of the label, or `above:` for a score",
        )


def _only_above(interval: Interval) -> bool:
    return interval.above is not None and interval.upper is None


def _only_at_most(interval: Interval) -> bool:
    return interval.at_most is not None and interval.lower is None


def _bounds(loc: Loc) -> Fault:
    return Fault(
        "compat: smclarify's thresholds are exclusive lower bounds",
        loc,
        at_key=True,
        expected="above, and no other bound",
    )


def _facet(facet: Facet, loc: Loc) -> Iterator[Fault]:
    for key in ("favored", "groups", "cross"):
        if getattr(facet, key) is not None:
            yield Fault(
                "compat: smclarify compares one group with all the rest",
                (*loc, key),
                at_key=True,
                expected="column, and disfavored: a value, a list, or {above: t}",
            )
    if facet.compare not in (None, "rest"):
        yield Fault("compat: smclarify compares a group with the rest", (*loc, "compare"))
    if isinstance(facet.disfavored, Interval) and not _only_above(facet.disfavored):
        yield _bounds((*loc, "disfavored"))


def _checks(metrics: Mapping[str, Check], loc: Loc) -> Iterator[Fault]:
    for name, check in metrics.items():
        for parameter, value in check.given.items():
            if OWN.get(parameter) != value:
                metric: Metric = find(name)
                words = f"compat: smclarify computes {metric.id} with a {parameter} of its own"
                yield Fault(words, (*loc, name, parameter), at_key=True)
