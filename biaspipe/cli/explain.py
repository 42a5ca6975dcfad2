"""`explain`: the registry's records as text for a terminal."""

import sys
from collections.abc import Iterable, Iterator
from math import inf
from textwrap import fill

from biaspipe.cli.messages import columns_of
from biaspipe.errors import UsageError
from biaspipe.metrics import FAMILIES, METRICS, Metric, Parameter, UnknownMetricError, called, find
from biaspipe.metrics.sizes import size_names
from biaspipe.metrics.synonyms import Synonym, comparison_of, synonyms_of
from biaspipe.printable_text import escape
from biaspipe.renderers.reference.metric_facts import (
    default_text,
    elsewhere,
    end_text,
    families_of,
    methods_of,
    readings,
    written_here,
)
from biaspipe.statistics import METHODS, Method, metrics_of, parity_test_of
from biaspipe.statistics.multiplicity import PROCEDURES
from biaspipe.statistics.power import gap_words

__all__ = ["explain_metric", "list_metrics"]

WIDTH = 80
COLUMN = 18
EQUIVALENCE = (
    "Under decide_by: inside or outside, a PASS is a test of equivalence by two one-sided tests: "
    "where the true value lies on a limit, at most about 2.5% of samples pass at a confidence of "
    "0.95, and fewer of metrics that join several rates and where intervals are simultaneous. That "
    "all checks pass needs no correction for their number."
)


def list_metrics() -> str:
    """Return the table of all metrics, by family."""
    lines = []
    for family in dict.fromkeys(families_of(metric)[0] for metric in METRICS.values()):
        lines.append(f"{family}:")
        lines += [f"  {m.id:<34} {m.name}" for m in FAMILIES[family]]
    lines.append("\nFamilies: " + ", ".join(FAMILIES))
    lines.append("`biaspipe explain ID` gives formula, range, sign and source of one.")
    return "\n".join(lines)


def explain_metric(name: str) -> str:
    """Return everything that is known about a metric, the members of a family, or a method.

    Parameters
    ----------
    name : of a metric, of a family, or of a method that intervals are made by.

    Raises
    ------
    UsageError
        If there is none of this name.
    """
    name = called(name)
    if name in FAMILIES:
        return f"{name}: " + ", ".join(metric.id for metric in FAMILIES[name])
    if name in METHODS:
        return _explain_method(METHODS[name])
    if name in PROCEDURES:
        procedure = PROCEDURES[name]
        facts = [("what it does", procedure.words), ("source", procedure.source)]
        return "\n".join([f"{name}: {procedure.name}", *(_line(*fact) for fact in facts)])
    try:
        metric = find(name)
    except UnknownMetricError as error:
        if found := synonyms_of(name) or comparison_of(name):
            return _explain_synonyms(name, found)
        raise UsageError(str(error.args[0]), hint=error.hint) from None
    return "\n".join([f"{metric.id}: {metric.name}", *(_line(*pair) for pair in _facts(metric))])


def _explain_method(method: Method) -> str:
    used = metrics_of(method.id)
    facts = [("what it does", method.words), ("intervals of", ", ".join(used))]
    facts = [(title, text) for title, text in [*facts, ("source", method.source)] if text]
    return "\n".join([f"{method.id}: {method.name}", *(_line(*pair) for pair in facts)])


def _explain_synonyms(name: str, synonyms: Iterable[Synonym]) -> str:
    facts: list[tuple[str, str]] = []
    metrics: dict[str, Metric] = {}
    for synonym in synonyms:
        words = f"{synonym.relation.words}{f': {synonym.note}' if synonym.note else ''}"
        facts += [(f"in {synonym.tool}" if synonym.tool else "what it is", words)]
        facts += [("write", write)] if (write := written_here(synonym)) else []
        metrics |= {metric: METRICS[metric] for metric in synonym.metrics}
    facts += [("here", f"{m.id}: {m.name}, {m.formula}") for m in metrics.values()]
    more = ", ".join(f"`biaspipe explain {metric}`" for metric in metrics)
    facts += [("more", more)] if more else []
    lines = [_line(*fact) for fact in dict.fromkeys(facts)]
    return "\n".join([f"{escape(name)}: here {', '.join(metrics) or 'none'}", *lines])


def _line(title: str, text: str) -> str:
    indent = " " * COLUMN
    title = title if len(title) < COLUMN else f"{title}: "
    return fill(
        text,
        max(WIDTH // 2, min(WIDTH, columns_of(sys.stdout) or WIDTH)),
        initial_indent=f"{title:<{COLUMN}}",
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _facts(metric: Metric) -> list[tuple[str, str]]:
    (_, method), *others = methods_of(metric)
    facts = [
        ("in plain words", metric.plainly),
        ("good for", (metric.good_for or "").removeprefix("Good for ")),
        ("also called", ", ".join(metric.aliases)),
        ("needs", ", ".join(metric.needs.words) or "a facet"),
        ("formula", metric.formula),
        ("range", _range_text(metric)),
        ("parity", f"{metric.ideal:g}"),
        *_sign_words(metric),
        ("undefined", f"when {metric.undefined}"),
        *((f"parameter {n}", _parameter_text(p)) for n, p in metric.parameters.items()),
        ("interval", _method_text(method)),
        ("interval source", method.source),
        *(
            fact
            for where, other in others
            for fact in ((where, _method_text(other)), ("its source", other.source))
        ),
        ("test of parity", parity_test_of(metric).words),
        ("a pass", EQUIVALENCE),
        ("power", gap_words(metric)),
        ("min_rows looks at", ", ".join(size_names(metric))),
        *((f"in {tool}", names) for tool, names in elsewhere(metric)),
        ("note", metric.note or ""),
        ("source", metric.source),
    ]
    return [(title, text) for title, text in facts if text]


def _method_text(method: Method) -> str:
    return f"{method.id}: {method.name}. {method.words}"


def _sign_words(metric: Metric) -> Iterator[tuple[str, str]]:
    """Yield what a value above and below parity says; nothing below for a distance."""
    above, below = ("above 1", "below 1") if metric.is_ratio else ("positive", "negative")
    for value, words in readings(metric):
        if value != metric.ideal:
            yield above if value > metric.ideal else below, f"such as {value:g}: {words}"


def _range_text(metric: Metric) -> str:
    """Write the range of a metric, and for which parameters it is; infinite ends are open."""
    low, high = metric.range
    left = "(-inf" if low == -inf else f"[{end_text(low)}"
    right = "inf)" if high == inf else f"{end_text(high)}]"
    at = [
        f"{name} = {float(p.default or 0):g}"
        for name, p in metric.parameters.items()
        if metric.range_at
    ]
    return " at ".join([f"{left}, {right}", *at])


def _parameter_text(parameter: Parameter) -> str:
    """Write what a parameter means, its default and its values."""
    choices = f", {parameter.possible}" if parameter.choices else ""
    default = default_text(parameter)
    return parameter.meaning + (f"; {default} if left out{choices}" if default else "")
