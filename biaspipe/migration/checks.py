"""Clarify's lists of methods to the metrics of a spec, with what has to be left out and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from biaspipe.errors import Fault, Loc, nearest
from biaspipe.metrics import ALIASES, FAMILIES, METRICS, Metric, Needs

__all__ = ["PHASES", "Asked", "Chosen", "asked_methods", "choose"]

PHASES = {"pre_training_bias": "pre_training", "post_training_bias": "post_training"}
CDD = {"pre_training_bias": "CDDL", "post_training_bias": "CDDPL"}
"""The guide writes CDD for either."""
REASONS = {
    Needs.OBSERVED: "the configuration names no label",
    Needs.PREDICTED: "the configuration names no predicted_label",
    Needs.STRATA: "the configuration names no group_variable",
    Needs.FEATURES: "no column is left as a feature",
}


@dataclass(frozen=True)
class Asked:
    """A metric that the configuration asks for, and the key that does."""

    metric: Metric
    loc: Loc
    family: str | None = None


@dataclass(frozen=True)
class Chosen:
    """The metrics of a spec, with the keys that ask for them, and what was left out with why.

    Those that lack strata or features alone stay, without a value, as Clarify keeps them.
    """

    metrics: dict[str, Loc]
    valueless: dict[str, Loc]
    left_out: dict[str, tuple[Loc, str]]


def asked_methods(methods: dict[str, Any], faults: list[Fault]) -> list[Asked]:
    """Return what `methods` asks for, in its order."""
    asked: dict[str, Asked] = {}
    for key, family in PHASES.items():
        if key not in methods:
            continue
        listed = methods[key].get("methods")
        loc: Loc = ("methods", key, "methods")
        if isinstance(listed, str) or "all" in (listed or ()):
            asked |= {m.id: Asked(m, loc, family) for m in FAMILIES[family]}
            continue
        for i, name in enumerate(listed or ()):
            metric = _metric(name, key, (*loc, i), faults)
            if metric:
                asked.setdefault(metric.id, Asked(metric, (*loc, i)))
    return list(asked.values())


def _metric(name: str, key: str, loc: Loc, faults: list[Fault]) -> Metric | None:
    known = FAMILIES[PHASES[key]]
    wanted = CDD[key] if name == "CDD" else ALIASES.get(name, name)
    found = next((m for m in known if m.id == wanted), None)
    if found is None:
        elsewhere = next((k for k, f in PHASES.items() if METRICS.get(wanted) in FAMILIES[f]), None)
        hint = f"it belongs under {elsewhere}" if elsewhere else None
        ids = [m.id for m in known]
        faults.append(
            Fault(
                f"{key}: there is no method {name!r}",
                loc,
                expected=f'one of {", ".join(ids)}, or "all" instead of a list',
                hint=hint or nearest(name, [*ids, *(a for m in known for a in m.aliases)]),
            )
        )
    return found


def choose(asked: list[Asked], declared: Needs) -> Chosen:
    """Return what can be computed: a family by its name where every member can, else each metric.

    Parameters
    ----------
    asked : what the configuration asks for.
    declared : what the spec declares.
    """
    lacking = {a.metric.id: a.metric.needs & ~declared for a in asked}
    left_out = {
        a.metric.id: (a.loc, _why(lacking[a.metric.id])) for a in asked if lacking[a.metric.id]
    }
    metrics: dict[str, Loc] = {}
    valueless: dict[str, Loc] = {}
    for a in asked:
        if lacking[a.metric.id] in (Needs.STRATA, Needs.FEATURES):
            valueless[a.metric.id] = a.loc
        if a.metric.id in left_out:
            continue
        whole = a.family and not any(m.id in left_out for m in FAMILIES[a.family])
        metrics.setdefault(str(a.family) if whole else a.metric.id, a.loc)
    return Chosen(metrics, valueless, left_out)


def _why(lacking: Needs) -> str:
    return next(_reasons(lacking), "the spec declares too little")


def _reasons(lacking: Needs) -> Iterator[str]:
    for need, reason in REASONS.items():
        if need in lacking:
            yield reason
