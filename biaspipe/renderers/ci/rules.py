"""What an alert is about, as the rules of SARIF: a metric by its record, and what is no metric."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from biaspipe.metrics import METRICS, Metric
from biaspipe.printable_text import shorten
from biaspipe.renderers.reference.metric_facts import families_of

__all__ = ["LEFT_OUT", "rules_of"]

MAX_NAME = 255
MAX_DESCRIPTION = 1_024
"""What code scanning takes of a rule's name and descriptions."""
WORD = re.compile(r"[A-Za-z0-9]+")
LEFT_OUT = "left-out"
"""The rule of the alert that says how many others have no room."""


class _Event(NamedTuple):
    """What an alert may be about that is no metric.

    Parameters
    ----------
    name : what it is called.
    about : what it is, in a sentence.
    remedy : what to do about it.
    """

    name: str
    about: str
    remedy: str


EVENTS = {
    "nothing-checked": _Event(
        "Nothing checked",
        "No check of the audit has a limit, so that no value can fail or pass.",
        "Give a metric of the spec a limit, such as `DI: {min: 0.8, max: 1.25}`.",
    ),
    "vanished": _Event(
        "Vanished since the baseline",
        "A check or a group that the baseline has is not in this audit, so that nobody looks at it"
        " any more.",
        "Bring it back, or list it in the spec under `allow_vanished` of `baseline`.",
    ),
    "subgroups": _Event(
        "Worst subgroups",
        "A search of the groups of several facets found a subgroup whose rate is farther from that"
        " of the rest than `max_gap` allows, or cannot tell.",
        "See the subgroups in the report; more people, or a larger `min_rows` of `subgroups`, would"
        " decide what is undecided.",
    ),
    LEFT_OUT: _Event(
        "Findings left out",
        "The audit has more findings than code scanning takes in one run; the gravest are listed.",
        "See all of them on the page of the report.",
    ),
}


def rules_of(metrics: Iterator[str]) -> list[dict[str, Any]]:
    """Return the rules of some metrics, each once, and of all that is no metric.

    Parameters
    ----------
    metrics : their ids.
    """
    known = [_of_metric(METRICS[name]) for name in dict.fromkeys(metrics)]
    return known + [_of_event(name, event) for name, event in EVENTS.items()]


def _of_metric(metric: Metric) -> dict[str, Any]:
    """Return a rule with the words of a metric's record."""
    about = [metric.plainly, *([metric.good_for] if metric.good_for else [])]
    parts = {
        "Formula": metric.formula,
        "Undefined": f"{metric.undefined}.",
        "Note": metric.note,
        "Source": f"{metric.source}.",
    }
    told = {title: words for title, words in parts.items() if words}
    plain = [*about, *(f"{title}: {words}" for title, words in told.items())]
    drawn = told | {"Formula": f"`{metric.formula}`"}
    marked = [*about, *(f"**{title}**: {words}" for title, words in drawn.items())]
    tags = ["fairness", families_of(metric)[0]]
    return _rule((metric.id, metric.name), " ".join(about), (plain, marked), tags)


def _of_event(name: str, event: _Event) -> dict[str, Any]:
    parts = [event.about, event.remedy]
    return _rule((name, event.name), event.about, (parts, parts), ["fairness"])


def _rule(
    names: tuple[str, str], about: str, parts: tuple[list[str], list[str]], tags: list[str]
) -> dict[str, Any]:
    """Return a rule of its id and name, its description, and its help in plain text and Markdown.

    Its name is one word, such as DisparateImpact, by which code scanning filters.
    """
    (rule, name), (plain, marked) = names, parts
    title = f"{name} ({rule})" if rule in METRICS else name
    return {
        "id": rule,
        "name": "".join(part[:1].upper() + part[1:] for part in WORD.findall(name))[:MAX_NAME],
        "shortDescription": {"text": shorten(title, MAX_DESCRIPTION)},
        "fullDescription": {"text": shorten(about, MAX_DESCRIPTION)},
        "help": {"text": "\n".join(plain), "markdown": "\n\n".join(marked)},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": tags, "precision": "very-high", "problem.severity": "error"},
    }
