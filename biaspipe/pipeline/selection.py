"""Which checks of which audits a command line selects: by tag, metric or facet."""

from collections.abc import Iterator, Sequence

from biaspipe.errors import UsageError, nearest
from biaspipe.loading import Loaded
from biaspipe.metrics import ALIASES, FAMILIES, METRICS, find
from biaspipe.plan import PlannedCheck, planned_checks

__all__ = ["select"]


def select(audits: Sequence[Loaded], names: Sequence[str]) -> list[tuple[PlannedCheck, ...]]:
    """Return for each audit the checks that the names select; all of them without a name.

    Names of one kind add up, names of different kinds narrow each other down:
    `DI DPPL sex` selects DI and DPPL, on the facet sex.

    Parameters
    ----------
    audits : the loaded specs.
    names : tags, metrics, families or facets.

    Raises
    ------
    UsageError
        If a name is none of these in any of the audits.
    """
    known = {name for audit in audits for name in (*audit.audit.tags, *audit.audit.facets)}
    for name in names:
        if name not in known and name not in METRICS and name not in (*ALIASES, *FAMILIES):
            raise UsageError(
                f"--select {name}: no tag, metric or facet of the audits has this name",
                hint=nearest(name, [*known, *METRICS, *ALIASES, *FAMILIES]),
            )
    return [tuple(_chosen(audit, names)) for audit in audits]


def _chosen(loaded: Loaded, names: Sequence[str]) -> Iterator[PlannedCheck]:
    audit = loaded.audit
    metrics = {m for name in names for m in _metrics(name)}
    facets = {name for name in names if name in audit.facets}
    tagged = {name for name in names if name in audit.tags}
    others = [n for n in names if not _metrics(n) and n not in facets and n not in tagged]
    if others:
        return
    for check in planned_checks(audit):
        if (not metrics or check.metric.id in metrics) and (not facets or check.facet in facets):
            yield check


def _metrics(name: str) -> tuple[str, ...]:
    if name in FAMILIES:
        return tuple(metric.id for metric in FAMILIES[name])
    return (find(name).id,) if name in METRICS or name in ALIASES else ()
