"""What an audit is about, who answers for it and when it was run, for the head of every output."""

from collections.abc import Iterator

from biaspipe.printable_text import escape, shorten
from biaspipe.report import Report

__all__ = ["about", "description_text", "fact_text", "model_text", "owner_text", "run_text"]

MAX_WORDS = 300
FIRST = ("name", "version")


def about(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what the spec says of an audit, each with its title: what it is, its model, its owner.

    Parameters
    ----------
    report : the report.
    """
    for title, words in (
        ("about", description_text(report)),
        ("model", model_text(report)),
        ("owner", owner_text(report)),
    ):
        if words:
            yield title, words


def description_text(report: Report) -> str:
    """Write what is audited, and why, in one line; empty where the spec does not say it."""
    return _line(report.result.audit.spec.get("description"))


def owner_text(report: Report) -> str:
    """Write who answers for the audit; empty where the spec does not say it."""
    return _line(report.result.audit.spec.get("owner"))


def model_text(report: Report) -> str:
    """Write the evidence on the model in one line, its name and version first."""
    model = report.result.audit.spec.get("model")
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
