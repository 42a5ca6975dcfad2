"""Clarify's lists of methods to the metrics of a spec, with what has to be left out and why."""

from collections.abc import Iterator
from typing import NamedTuple

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import ALIASES, FAMILIES, METRICS, Metric, Needs
from biaspipe.migration.clarify.columns import write_features
from biaspipe.migration.clarify.dataset import ClarifyDataset
from biaspipe.migration.clarify.models import BiasMethods, Methods
from biaspipe.migration.draft import Draft, Note
from biaspipe.printable_text import did_you_mean

__all__ = ["nothing_asked", "unconverted_methods", "write_metrics"]

PHASES = {"pre_training_bias": "pre_training", "post_training_bias": "post_training"}
CDD = {"pre_training_bias": "CDDL", "post_training_bias": "CDDPL"}
"""The guide writes CDD for either."""
REASONS = {
    Needs.OBSERVED: "the configuration names no label",
    Needs.PREDICTED: "the configuration names no predicted_label",
    Needs.STRATA: "the configuration names no group_variable",
    Needs.FEATURES: "no column is left as a feature",
}
INCOMPLETE = "the spec declares too little"
COLUMNS = {"label": Needs.OBSERVED, "prediction": Needs.PREDICTED, "strata": Needs.STRATA}
UNCONVERTED = {
    "shap": "explains predictions, which is no bias metric; use the shap package on the model",
    "pdp": "explains predictions, which is no bias metric; use scikit-learn's"
    " PartialDependenceDisplay",
    "asymmetric_shapley_value": "explains forecasts, which is no bias metric",
    "report": "the report has its own title and name; run -o report.json writes it",
}
"""What an audit has no use for, with what to do instead."""
NO_METRICS = "there is no bias metric in it, so there is nothing to convert"


class RequestedMetric(NamedTuple):
    """A metric that the configuration asks for, and the key that does."""

    metric: Metric
    loc: Loc
    family: str | None = None


class MetricChoice(NamedTuple):
    """The metrics of a spec, with the keys that ask for them, and what was left out with why.

    Those that lack strata or features alone stay, without a value, as Clarify keeps them.
    """

    metrics: dict[str, Loc]
    valueless: dict[str, Loc]
    left_out: dict[str, tuple[Loc, str]]


def nothing_asked(methods: Methods) -> Fault | None:
    """Return the fault of a configuration that measures no bias, whatever else it does."""
    if methods.pre_training_bias is not None or methods.post_training_bias is not None:
        return None
    explains = [k for k in UNCONVERTED if k in methods.model_fields_set and k != "report"]
    words = NO_METRICS
    if explains:
        words = f"it only explains predictions ({', '.join(explains)}), and measures no bias"
    expected = " or ".join(PHASES)
    hint = f"{explains[0]} {UNCONVERTED[explains[0]]}" if explains else None
    return Fault(f"methods: {words}", ("methods",), expected=expected, hint=hint, at_key=True)


def unconverted_methods(methods: Methods) -> Iterator[Note]:
    """Yield a note for each method that is left behind."""
    for key, words in UNCONVERTED.items():
        if key in methods.model_fields_set:
            yield Note(("methods", key), words)


def write_metrics(dataset: ClarifyDataset, draft: Draft) -> None:
    """Write the metrics that the declared columns allow, and name the others."""
    faults = dataset.faults
    asked = _asked(dataset.config.methods or Methods(), faults)
    excluded = dataset.excluded()
    if not asked and not faults:
        faults.append(Fault(f"methods: {NO_METRICS}", ("methods",), at_key=True))
    chosen = _chosen(asked, _declared(dataset, draft, asked, excluded))
    for metric, loc in chosen.metrics.items():
        draft.put(("metrics", metric), None, loc)
    for metric, loc in chosen.valueless.items():
        draft.put(("metrics", metric), {"optional": True}, loc)
    if asked and not chosen.metrics and not faults:
        reasons = "; ".join(dict.fromkeys(why for _, why in chosen.left_out.values()))
        faults.append(Fault(f"no metric can be computed: {reasons}", ("methods",)))
    _note_left_out(dataset, draft, chosen)


def _asked(methods: Methods, faults: list[Fault]) -> list[RequestedMetric]:
    """Return the metrics that `methods` requests, in its order."""
    asked: dict[str, RequestedMetric] = {}
    for key, family in PHASES.items():
        phase: BiasMethods | None = getattr(methods, key)
        listed = (phase and phase.methods) or ()
        loc: Loc = ("methods", key, "methods")
        if listed == "all" or "all" in listed:
            asked |= {m.id: RequestedMetric(m, loc, family) for m in FAMILIES[family]}
            continue
        for i, name in enumerate(listed):
            metric = _metric(name, key, (*loc, i), faults)
            if metric:
                asked.setdefault(metric.id, RequestedMetric(metric, (*loc, i)))
    return list(asked.values())


def _metric(name: str, key: str, loc: Loc, faults: list[Fault]) -> Metric | None:
    known = {m.id: m for m in FAMILIES[PHASES[key]]}
    wanted = CDD[key] if name == "CDD" else ALIASES.get(name, name)
    if wanted in known:
        return known[wanted]
    elsewhere = next((k for k, f in PHASES.items() if METRICS.get(wanted) in FAMILIES[f]), None)
    aliases = (alias for metric in known.values() for alias in metric.aliases)
    hint = f"it belongs under {elsewhere}" if elsewhere else did_you_mean(name, [*known, *aliases])
    expected = f'one of {", ".join(known)}, or "all" instead of a list'
    faults.append(Fault(f"{key}: there is no method {name!r}", loc, expected=expected, hint=hint))
    return None


def _declared(
    dataset: ClarifyDataset, draft: Draft, asked: list[RequestedMetric], excluded: list[str | None]
) -> Needs:
    """Return the columns that the draft declares; the features are written if FT is requested."""
    columns = draft.values.get("columns", {})
    declared = Needs.FACET | Needs.CATEGORIES
    for key, need in COLUMNS.items():
        declared |= need if key in columns else declared
    is_asked = any(Needs.FEATURES in a.metric.needs for a in asked)
    if is_asked and "prediction" in columns and write_features(dataset, draft, excluded):
        declared |= Needs.FEATURES
    return declared


def _chosen(asked: list[RequestedMetric], declared: Needs) -> MetricChoice:
    """Return the metrics that can be computed: a family if all of its members can."""
    chosen = MetricChoice({}, {}, {})
    lacking = {a.metric.id: a.metric.needs & ~declared for a in asked}
    for a in asked:
        if lacks := lacking[a.metric.id]:
            why = next((reason for need, reason in REASONS.items() if need in lacks), INCOMPLETE)
            chosen.left_out[a.metric.id] = a.loc, why
            if lacks in (Needs.STRATA, Needs.FEATURES):
                chosen.valueless[a.metric.id] = a.loc
        else:
            is_whole = a.family and not any(lacking[m.id] for m in FAMILIES[a.family])
            chosen.metrics.setdefault(str(a.family) if is_whole else a.metric.id, a.loc)
    return chosen


def _note_left_out(dataset: ClarifyDataset, draft: Draft, chosen: MetricChoice) -> None:
    by_reason: dict[tuple[Loc, str], list[str]] = {}
    for metric, (loc, why) in chosen.left_out.items():
        by_reason.setdefault((loc, why), []).append(metric)
    for (loc, why), metrics in by_reason.items():
        gone = "without a value" if chosen.valueless.keys() & set(metrics) else "left out"
        words = f"{', '.join(metrics)} {gone}: {why}"
        dataset.notes.append(Note(loc, words))
        draft.say(("metrics",), f"{words}.")
    is_listed = dataset.config.excluded_columns is not None
    if is_listed and not chosen.metrics.keys() & {"FT", "post_training"}:
        words = "only the fliptest (FT) looks at features, and it is not computed"
        dataset.notes.append(Note(("excluded_columns",), words))
