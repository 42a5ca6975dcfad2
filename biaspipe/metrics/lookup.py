"""The look-up of a metric by any of its names, and what a name that is none may mean."""

import re
from collections.abc import Iterable

from biaspipe.metrics.record import Metric
from biaspipe.metrics.registry import ALIASES, FAMILIES, METRICS

__all__ = ["UnknownMetricError", "called", "find", "meaning_of"]

NEAR = 0.88
"""How alike a misspelt name is to the one that is meant: a letter too many or too few of four, or
another letter of nine."""
NEAR_AN_ID = 0.8
"""The same of ids, which are short: a letter too many or too few."""
MEANT = re.compile(
    "true|false|positive|negative|discovery|omission|error|rate|ratio|difference|parity|"
    "accuracy|recall|precision|specificity|sensitivity|selection|opportunity|odds|inequality|equality|mistreatment|treatment|disparity|"
    "[ft][pn]r|[pn]pv|fdr|for|max|min"
)
"""Words of a name by which it is another one, however alike both are spelt."""


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
    from biaspipe.metrics.synonyms import (  # noqa: PLC0415 - only a fault needs it
        comparison_of,
        folded,
        synonyms_of,
    )

    names = [*METRICS, *ALIASES, *FAMILIES, *others]
    known = {folded(own): own for own in reversed(names)}
    if folded(name) in known:
        return f"did you mean {known[folded(name)]!r}?"
    named = _called(name)
    found = synonyms_of(name) or (() if named else comparison_of(name))
    if found:
        told = ", ".join(dict.fromkeys(synonym.brief_text for synonym in found))
        return f"{told}; `biaspipe explain {_word(name, found[0].name)}` says more"
    if named:
        return f"did you mean {' or '.join(map(repr, named))}?"
    return _nearest(name, known)


def called(name: str) -> str:
    """Return the id of a metric, or the name of a family, that is written so but for its case.

    Parameters
    ----------
    name : any name; one that is none comes back as it is.

    >>> called("di"), called("Rates"), called("qqq")
    ('DI', 'rates', 'qqq')
    """
    if name in ALIASES:
        return name
    return next((own for own in (*METRICS, *FAMILIES) if own.casefold() == name.casefold()), name)


def _called(name: str) -> list[str]:
    """Return the metrics of this name, or those whose ids end so after their prefix."""
    from biaspipe.metrics.synonyms import folded  # noqa: PLC0415 - only a fault needs it

    by_name = [metric.id for metric in METRICS.values() if folded(metric.name) == folded(name)]
    by_end = (own for own in METRICS if folded(own.rpartition(".")[2]) == folded(name))
    return by_name or list(by_end)


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
    """Name what is spelt almost like this one, and says nothing else by a word of it."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a fault needs it

    from biaspipe.metrics.synonyms import SYNONYMS, comparisons, folded  # noqa: PLC0415 - as above

    tools = {folded(synonym.name): synonym.name for synonym in SYNONYMS}
    every = comparisons() | tools | known
    meant = set(MEANT.findall(folded(name)))
    alike = [own for own in every if meant <= set(MEANT.findall(own))]
    ids = [own for own in alike if every[own] in METRICS]
    for names, near in ((alike, NEAR), (ids, NEAR_AN_ID)):
        if close := get_close_matches(folded(name), names, n=1, cutoff=near):
            return f"did you mean {every[close[0]]!r}?"
    return None
