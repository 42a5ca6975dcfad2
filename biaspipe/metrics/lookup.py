"""The look-up of a metric by any of its names, and what a name that is none may mean."""

import re
from collections.abc import Iterable

from biaspipe.metrics.record import Metric
from biaspipe.metrics.registry import ALIASES, FAMILIES, METRICS

__all__ = ["UnknownMetricError", "find", "meaning_of"]

NEAR = 0.8
"""How alike a misspelt name is to the one that is meant."""


class UnknownMetricError(LookupError):
    """No metric has this id or alias; `hint` names the one that is meant, if that is known."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no metric {name!r}; the metrics are {', '.join(METRICS)}")
        self.hint = meaning_of(name)


def find(name: str) -> Metric:
    """Return the metric with this id or alias.

    Raises
    ------
    UnknownMetricError
        If there is none.
    """
    try:
        return METRICS[ALIASES.get(name, name)]
    except KeyError:
        raise UnknownMetricError(name) from None


def meaning_of(name: str, others: Iterable[str] = ()) -> str | None:
    """Say what a name may mean that is no metric: another tool's name, or a misspelt one.

    Parameters
    ----------
    name : the name.
    others : names of other things that may be meant.

    >>> meaning_of("dppl"), meaning_of("qqq")
    ("did you mean 'DPPL'?", None)
    >>> meaning_of("Average Odds Difference")
    "AIF360's is AOD with the other sign; `biaspipe explain average_odds_difference` says more"
    """
    from biaspipe.metrics.synonyms import folded, synonyms_of  # noqa: PLC0415 - only a fault needs it

    names = [*METRICS, *ALIASES, *FAMILIES, *others]
    known = {folded(own): own for own in reversed(names)}
    if folded(name) in known:
        return f"did you mean {known[folded(name)]!r}?"
    if found := synonyms_of(name):
        told = ", ".join(dict.fromkeys(synonym.brief_text for synonym in found))
        return f"{told}; `biaspipe explain {_word(name, found[0].name)}` says more"
    called = [metric.id for metric in METRICS.values() if folded(metric.name) == folded(name)]
    if called:
        return f"did you mean {' or '.join(map(repr, called))}?"
    return _nearest(name, known)


def _word(name: str, known: str) -> str:
    """Write a name as one word of a command line: as it was given, or as it is known.

    >>> _word("equalized-odds", "equalized odds"), _word("Equalized Odds", "equalized odds")
    ('equalized-odds', "'equalized odds'")
    """
    for word in (name, known):
        if re.fullmatch(r"[A-Za-z0-9_./@-]+", word):
            return word
    return f"'{known}'"


def _nearest(name: str, known: dict[str, str]) -> str | None:
    """Name the metric, or the name of another tool, that is spelt almost like this one."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a fault needs it

    from biaspipe.metrics.synonyms import SYNONYMS, folded  # noqa: PLC0415 - as above

    every = {folded(synonym.name): synonym.name for synonym in SYNONYMS} | known
    close = get_close_matches(folded(name), every, n=1, cutoff=NEAR)
    return f"did you mean {every[close[0]]!r}?" if close else None
