"""Which checks of which audits a command line selects: by tag, metric or facet."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from biaspipe.errors import UsageError
from biaspipe.loading import Loaded
from biaspipe.metrics import ALIASES, EDITION, FAMILIES, METRICS, find, meaning_of
from biaspipe.plan import PlannedCheck, planned_checks
from biaspipe.printable_text import did_you_mean
from biaspipe.spec import Audit

__all__ = ["Selector", "names_of", "searches", "select", "selected_checks", "selector"]


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
    tags = {tag for audit in audits for tag in audit.audit.tags}
    facets = {facet for audit in audits for facet in audit.audit.facets}
    own = sorted(tags | facets)
    for name in names:
        if name not in own and not _metrics(name):
            raise UsageError(
                f"--select {name}: no tag, metric or facet of the audits has this name",
                hint=meaning_of(name, own) or did_you_mean(name, own),
            )
    wanted = _wanted(names, tags, facets)
    return [tuple(wanted.of(audit.audit)) for audit in audits]


def selected_checks(
    audit: Audit, names: Sequence[str], edition: int = EDITION
) -> tuple[PlannedCheck, ...]:
    """Return the checks of one audit that names select, which are known to be such names.

    Parameters
    ----------
    audit : the spec.
    names : tags, metrics, families or facets of it.
    edition : that of the family `all`.
    """
    return tuple(_wanted(names, set(audit.tags), set(audit.facets)).of(audit, edition))


def searches(audit: Audit, names: Sequence[str]) -> bool:
    """Whether the search for subgroups of an audit is selected: its metric, and all its facets.

    Parameters
    ----------
    audit : the spec.
    names : tags, metrics, families or facets; everything without a name.
    """
    search = audit.subgroups
    if search is None:
        return False
    wanted = _wanted(names, set(audit.tags), set(audit.facets))
    metric = find(search.metric).id
    tagged = wanted.is_of(audit)
    return tagged and all(wanted.asks(metric, facet, audit) for facet in search.of)


def names_of(audit: Audit, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are tags or facets of an audit, or metrics; the others are foreign.

    Parameters
    ----------
    audit : the spec.
    names : what selects checks, of this audit or of those that run beside it.
    """
    own = {*audit.tags, *audit.facets}
    return tuple(name for name in names if name in own or _metrics(name))


Selector = Callable[[str, str | None], bool]
"""Whether a metric on a facet is among what was asked for, be it there or not."""


def selector(audit: Audit, names: Sequence[str]) -> Selector:
    """Return the selector of a command line, for checks that an audit has or had before.

    Parameters
    ----------
    audit : the spec.
    names : what selects checks; everything without a name.
    """
    wanted = _wanted(names, set(audit.tags), set(audit.facets))
    return lambda metric, facet: wanted.asks(metric, facet, audit)


def _wanted(names: Sequence[str], tags: set[str], facets: set[str]) -> "Selection":
    return Selection(
        tags & set(names),
        facets & set(names),
        {metric for name in names for metric in _metrics(name)},
    )


class Selection(NamedTuple):
    """What a command line selects; an empty set selects everything of its kind.

    A name that is a tag of one audit and a facet of another selects both.
    """

    tags: set[str]
    facets: set[str]
    metrics: set[str]

    def of(self, audit: Audit, edition: int = EDITION) -> Iterator[PlannedCheck]:
        """Return the checks of an audit that are selected."""
        if not self.is_of(audit):
            return
        planned = planned_checks(audit, edition)
        yield from (c for c in planned if self.asks(c.metric.id, c.facet, audit))

    def is_of(self, audit: Audit) -> bool:
        """Whether anything of an audit may be selected, as far as tags say."""
        facets = (self.facets - set(audit.tags)) & set(audit.facets)
        return not self.tags or bool(self.tags & {*audit.tags, *facets})

    def asks(self, metric: str, facet: str | None, audit: Audit) -> bool:
        """Whether a metric on a facet of an audit is selected."""
        facets = self.facets - set(audit.tags)
        return (not facets or facet in facets) and (not self.metrics or metric in self.metrics)


def _metrics(name: str) -> tuple[str, ...]:
    if name in FAMILIES:
        return tuple(metric.id for metric in FAMILIES[name])
    return (find(name).id,) if name in METRICS or name in ALIASES else ()
