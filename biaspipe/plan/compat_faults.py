"""What a spec under `compat: smclarify` asks for that smclarify could not be told."""

from collections.abc import Iterator, Mapping

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import find
from biaspipe.metrics.record import Metric
from biaspipe.spec import Audit, Check, Facet, Interval, Outcome

__all__ = ["compat_faults"]

OWN = {"p": 2.0, "alpha": 2.0}
"""The parameters that smclarify computes with, where they are those of a spec."""


def compat_faults(audit: Audit) -> Iterator[Fault]:
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
        if outcome is not None and outcome.positive is None and not _only_above(outcome):
            yield _bounds(("columns", name))
    if columns.label and columns.prediction and columns.prediction.positive is not None:
        yield from _two_positives(columns.label, columns.prediction)


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
