"""What only one of two reports has: checks and groups that are new, and those that vanished."""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from biaspipe.metrics import ALIASES, METRICS, Needs
from biaspipe.pipeline.baseline.worsening import BaselineValues
from biaspipe.pipeline.selection import Selector
from biaspipe.report import Result
from biaspipe.report.checks import CheckKey, check_key, check_text

__all__ = ["Changes", "changes"]


class Changes(NamedTuple):
    """Checks and groups that only one of two reports has, by name.

    Parameters
    ----------
    new : what only the new one has.
    vanished : what only the earlier one has.
    allowed : the same, where it is allowed to vanish.
    """

    new: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def changes(
    new: Result, baseline: BaselineValues, allow: Iterable[str] = (), asked: Selector | None = None
) -> Changes:
    """Name the checks and groups that only the new, and only the earlier report has.

    Parameters
    ----------
    new : a result.
    baseline : what it is compared with.
    allow : what may vanish: the name of a metric, a facet or a group, or a name in full.
    asked : what the new one was asked for, if not for everything; nothing else has vanished.
    """
    came = [check_key(check) for check in new.checks if baseline.value_of(check) is None]
    were = set(_groups(baseline.result)) if baseline.result else set()
    joined = [f"group {g} of {f}" for f, g in _groups(new) if (f, g) not in were]
    gone = dict(_gone(new, baseline, asked or (lambda *_: True)))
    permitted = {ALIASES.get(name, name) for name in allow}
    vanished = [name for name, about in gone.items() if permitted.isdisjoint({name, *about})]
    allowed = [name for name in gone if name not in vanished]
    return Changes((*map(check_text, came), *joined), tuple(vanished), tuple(allowed))


def _gone(new: Result, baseline: BaselineValues, asked: Selector) -> Iterator[tuple[str, set[str]]]:
    """Yield what only the earlier report has, each with the metric, facet and groups that it lost.

    A check whose groups are still compared by its metric, only with others, has not vanished.
    """
    sides: dict[tuple[str, str | None], set[str | None]] = {}
    for check in new.checks:
        among = sides.setdefault((check.metric, check.facet), set())
        among |= {check.favored, check.disfavored}
    here, before = set(_groups(new)), {(key[0], key[1]) for key in baseline.values}
    facets = {facet for metric, facet in before if asked(metric, facet)}
    were = list(_groups(baseline.result, compared=True)) if baseline.result else []
    left = dict.fromkeys(pair for pair in were if pair not in here and pair[0] in facets)
    for key in _only(baseline.values, {check_key(check) for check in new.checks}):
        metric, facet, *pair = key
        turnable = Needs.FEATURES not in METRICS[metric].needs
        if not asked(metric, facet):
            continue
        if turnable and sides.get((metric, facet), set()).issuperset(pair):
            continue
        lost = {str(group) for group in pair if (facet, group) in left}
        yield check_text(key), {metric, *([facet] if facet else []), *lost}
    yield from ((f"group {group} of {facet}", {facet, group}) for facet, group in left)


def _only(keys: Iterable[CheckKey], others: Container[CheckKey]) -> list[CheckKey]:
    """Return the keys that are not among the others.

    Sides that changed places are no others, except for the fliptest, which cannot be turned.
    """
    turned = {key: (key[0], key[1], key[3], key[2]) for key in keys}
    return [
        key
        for key, other in turned.items()
        if key not in others and (other not in others or Needs.FEATURES in METRICS[key[0]].needs)
    ]


def _groups(result: Result, *, compared: bool = False) -> Iterator[tuple[str, str]]:
    """Yield every group that somebody is in, behind its facet; or only those that are compared."""
    for facet in result.facets:
        for group in facet.groups:
            if group.rows and (not compared or group.compared):
                yield facet.facet, group.group
