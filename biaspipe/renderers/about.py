"""What an audit is about, who answers for it and when it was run, for the head of every output."""

from collections.abc import Iterator, Mapping
from typing import Any

from biaspipe.printable_text import escape, shorten
from biaspipe.report import Report

__all__ = [
    "about",
    "declared",
    "description_text",
    "fact_text",
    "model_text",
    "owner_text",
    "run_text",
]

MAX_WORDS = 300
FIRST = ("name", "version")
Spec = Mapping[str, Any]
"""What a spec says, by its keys."""
UNDECLARED = {
    "about": "the spec does not say what is audited",
    "model": "the spec says nothing of a model",
    "owner": "the spec names nobody who answers for the audit",
}
"""What is said of an audit where its spec says nothing."""


def about(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what the spec says of an audit, each with its title: what it is, its model, its owner.

    Parameters
    ----------
    report : the report.
    """
    for title, words in _about(report.result.audit.spec).items():
        if words:
            yield title, words


def declared(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield the same of a spec, and where it says nothing, that it does not.

    Parameters
    ----------
    spec : what the spec says.

    >>> list(declared({"description": "loans", "owner": "Ada"}))[1:]
    [('model', 'the spec says nothing of a model'), ('owner', 'Ada')]
    """
    for title, words in _about(spec).items():
        yield title, words or UNDECLARED[title]


def _about(spec: Spec) -> dict[str, str]:
    return {
        "about": _line(spec.get("description")),
        "model": _model(spec.get("model")),
        "owner": _line(spec.get("owner")),
    }


def description_text(report: Report) -> str:
    """Write what is audited, and why, in one line; empty where the spec does not say it."""
    return _about(report.result.audit.spec)["about"]


def owner_text(report: Report) -> str:
    """Write who answers for the audit; empty where the spec does not say it."""
    return _about(report.result.audit.spec)["owner"]


def model_text(report: Report) -> str:
    """Write the evidence on the model in one line, its name and version first."""
    return _about(report.result.audit.spec)["model"]


def _model(model: object) -> str:
    if not isinstance(model, dict):
        return ""
    first = [fact_text(model[key]) for key in FIRST if _plain(model.get(key))]
    rest = [
        f"{key}: {fact_text(v)}"
        for key, v in sorted(model.items())
        if key not in FIRST or not _plain(v)
    ]
    return _line(", ".join([" ".join(first), *rest] if first else rest))


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float)


def fact_text(value: object) -> str:
    """Write what a spec says of a model as it stands there, with lists and mappings in brackets.

    Parameters
    ----------
    value : a value of the spec.

    >>> fact_text(1.0), fact_text({"a": [1, {"b": None}], "c": {}, "d": True})
    ('1.0', '{a: [1, {b: null}], c: {}, d: true}')
    """
    if isinstance(value, dict):
        pairs = sorted((str(key), fact_text(part)) for key, part in value.items())
        return f"{{{', '.join(f'{key}: {text}' for key, text in pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(fact_text, value))}]"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)


def run_text(report: Report) -> str:
    """Write on which day an audit was run, and by which version."""
    return f"{report.run.day}, biaspipe {escape(report.run.biaspipe)}"


def _line(text: object) -> str:
    """Write a text of several lines as one, cut where it is long."""
    return shorten(escape(" ".join(str(text or "").split())), MAX_WORDS)
