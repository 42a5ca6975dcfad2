"""Days, verdicts, limits and groups as the page says them to somebody who never saw the spec."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from biaspipe.metrics import RateName
from biaspipe.printable_text import escape
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.text import rate_text
from biaspipe.report import CheckRecord, LimitsRecord, Report
from biaspipe.spec import Bounds, Correction, Impact, format_value
from biaspipe.verdict import Verdict

__all__ = [
    "CORRECTIONS",
    "VERDICTS",
    "capital_sentence",
    "day_text",
    "everything",
    "listed",
    "metric_name",
    "outcome_text",
    "pair_text",
    "rate_meanings",
    "required_text",
    "sentence",
    "share_text",
    "spec_value",
]


class VerdictWords(NamedTuple):
    """What a verdict is in words.

    Parameters
    ----------
    one : what one check does, or is.
    several : what several checks do.
    audit : what it means for a whole audit.
    """

    one: str
    several: str
    audit: str


VERDICTS = {
    Verdict.FAIL: VerdictWords("fails", "fail", "Does not meet its limits"),
    Verdict.UNDECIDED: VerdictWords(
        "undecided", "cannot be decided on these people", "Cannot be decided"
    ),
    Verdict.WARN: VerdictWords("warns", "warn", "Meets its limits, with warnings"),
    Verdict.WAIVED: VerdictWords(
        "waived",
        "fail and are waived",
        "Meets its limits, but for failures that somebody answers for",
    ),
    Verdict.PASS: VerdictWords("passes", "pass", "Meets its limits"),
    Verdict.REPORTED: VerdictWords(
        "reported",
        "are reported without a limit",
        "Nothing was checked, since no check has a limit",
    ),
}
CORRECTIONS: Mapping[Correction, str] = {
    "none": "no method",
    "holm": "Holm's method",
    "benjamini-hochberg": "the method of Benjamini and Hochberg",
}
"""What p-values are corrected by."""
MONTHS = "January February March April May June July August September October November December"


def day_text(day: date | str) -> str:
    """Write a day as people do.

    >>> day_text("2027-03-31")
    '31 March 2027'
    """
    found = date.fromisoformat(day) if isinstance(day, str) else day
    return f"{found.day} {MONTHS.split()[found.month - 1]} {found.year}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Join words as a sentence does.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or")
    ('a, b and c', 'a or b')
    """
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def metric_name(check: CheckRecord) -> str:
    """Write the name of a metric in full, with its id where that is not the same."""
    return f"{escape(check.name)} ({check.metric})"


def everything(favored: str | None, disfavored: str | None) -> str:
    """Name a comparison: two groups, or all people where no groups are compared."""
    return "All people" if disfavored is None else pair_text(favored, disfavored)


def pair_text(favored: str | None, disfavored: str | None) -> str:
    """Name two groups that are compared.

    >>> pair_text("men", "women")
    'women compared with men'
    """
    return f"{escape(disfavored)} compared with {escape(favored)}"


def required_text(limits: Bounds) -> str:
    """Say in words what a limit asks for; nothing without one.

    >>> from biaspipe.spec import Limits
    >>> required_text(Limits(min=0.8, max=1.25)), required_text(Limits(max_abs=0.1))
    ('from 0.8 to 1.25', 'at most 0.1 in either direction')
    >>> required_text(Limits(min=0.8))
    'at least 0.8'
    """
    words = limits.words
    if limits.min is not None and limits.max is not None:
        ends = f"from {format_value(limits.min)} to {format_value(limits.max)}"
        words = (ends, *words[2:])
    if isinstance(limits, LimitsRecord) and limits.impact:
        words = (*words, _impact_text(limits.impact.asked))
    return listed(words) if words else ""


def _impact_text(impact: Impact) -> str:
    """Say in words what adverse impact is.

    >>> _impact_text(Impact(min_ratio="4/5", significance=0.05, flip=True))
    'no adverse impact (below 4/5, with p < 0.05, and also if one selection were moved)'
    """
    parts = [f"below {escape(str(impact.min_ratio))}"]
    parts += [f"with p < {impact.significance:g}"] if impact.significance is not None else []
    parts += ["and also if one selection were moved"] if impact.flip else []
    return f"no adverse impact ({', '.join(parts)})"


def sentence(words: str) -> str:
    """Let words begin like a sentence.

    >>> sentence("of all people")
    'Of all people'
    """
    return words[:1].upper() + words[1:]


def capital_sentence(check: CheckRecord) -> str:
    """Return what a check says, with a capital where it does not begin with a group's name."""
    named = tuple(name for name in (check.favored, check.disfavored) if name)
    words = escape(check.sentence)
    return words if check.sentence.startswith(named) else sentence(words)


def share_text(share: float | None) -> str:
    """Write a share of people in percent, or that there is nobody to be a share of.

    >>> share_text(0.1234), share_text(None)
    ('12.3%', 'nobody')
    """
    return "nobody" if share is None else rate_text(share)


def spec_value(value: object) -> str:
    """Write a value of a spec in one line."""
    if isinstance(value, dict):
        keys = sorted(value, key=str)
        return ", ".join(f"{escape(key)}: {spec_value(value[key])}" for key in keys)
    if isinstance(value, list | tuple):
        return ", ".join(map(spec_value, value))
    return escape("none" if value is None else format_value(value))


BOUNDS = {"above": "above", "at_least": "at least", "below": "below", "at_most": "at most"}


def outcome_text(report: Report, role: str) -> str | None:
    """Say what counts as favorable: what it is called, or the column and its values.

    Parameters
    ----------
    report : the whole report.
    role : label or prediction; None is returned for one that is not declared.
    """
    column = report.result.audit.entry("columns", role)
    if not isinstance(column, dict):
        return None
    called = f", called {escape(column['called'])}" if column.get("called") else ""
    return _outcome(column) + called


def _outcome(column: dict[str, Any]) -> str:
    name, positive = escape(column.get("column")), column.get("positive")
    if positive is not None:
        values = positive if isinstance(positive, list) else [positive]
        return f"{name} = {listed(map(spec_value, values), 'or')}"
    bounds = [
        f"{words} {spec_value(column[key])}" for key, words in BOUNDS.items() if key in column
    ]
    return f"{name} {listed(bounds)}" if bounds else name


def rate_meanings(report: Report) -> dict[RateName, str]:
    """Say of each rate of a group what it is the share of, in the outcomes' own words.

    Parameters
    ----------
    report : the whole report.
    """
    words = {name: escape(text) for name, text in phrases_of_report(report)._asdict().items()}
    predicted, unpredicted = words["predicted"], words["unpredicted"]
    holding, others = f"people {words['holding']}", words["others"]
    return {
        "label_rate": f"of all people, the share of {holding}",
        "selection_rate": f"of all people, the share of those {predicted}",
        "TPR": f"of {holding}, the share of those {predicted}",
        "FPR": f"of {others}, the share of those {predicted}",
        "TNR": f"of {others}, the share of those {unpredicted}",
        "FNR": f"of {holding}, the share of those {unpredicted}",
        "PPV": f"of people {predicted}, the share of {holding}",
        "NPV": f"of people {unpredicted}, the share of {others}",
        "accuracy": "of all people, the share of those about whom the prediction is right",
    }
