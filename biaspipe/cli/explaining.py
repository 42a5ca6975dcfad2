"""`explain`: the registry's records as text for a terminal."""

from math import inf
from textwrap import fill

from biaspipe.errors import UsageError
from biaspipe.metrics import FAMILIES, Metric, Parameter, UnknownMetricError, find
from biaspipe.renderers.pages import counted_people
from biaspipe.statistics import METHODS, Method, metrics_of

__all__ = ["explain_metric", "list_metrics"]

WIDTH = 80
COLUMN = 18


def list_metrics() -> str:
    """Return the table of all metrics, by family."""
    lines = []
    for family in ("pre_training", "post_training", "vertex"):
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
    if name in FAMILIES:
        return f"{name}: " + ", ".join(metric.id for metric in FAMILIES[name])
    if name in METHODS:
        return _explain_method(METHODS[name])
    try:
        metric = find(name)
    except UnknownMetricError as error:
        raise UsageError(str(error.args[0]), hint=error.hint) from None
    return "\n".join([f"{metric.id}: {metric.name}", *(_line(*pair) for pair in _facts(metric))])


def _explain_method(method: Method) -> str:
    used = metrics_of(method.id)
    facts = [("what it does", method.words), ("intervals of", ", ".join(used))]
    facts = [(title, text) for title, text in [*facts, ("source", method.source)] if text]
    return "\n".join([f"{method.id}: {method.name}", *(_line(*pair) for pair in facts)])


def _line(title: str, text: str) -> str:
    indent = " " * COLUMN
    return fill(text, WIDTH, initial_indent=f"{title:<{COLUMN}}", subsequent_indent=indent)


def _facts(metric: Metric) -> list[tuple[str, str]]:
    method = METHODS[metric.interval]
    facts = [
        ("also called", ", ".join(metric.aliases)),
        ("needs", ", ".join(metric.needs.words) or "a facet"),
        ("formula", metric.formula),
        ("range", range_text(metric)),
        ("parity", f"{metric.ideal:g}"),
        *sign_words(metric),
        ("undefined", f"when {metric.undefined}"),
        *((f"parameter {n}", parameter_text(p)) for n, p in metric.parameters.items()),
        ("interval", f"{method.id}: {method.name}. {method.words}"),
        ("interval source", method.source),
        *_of_sample(metric),
        ("min_rows looks at", ", ".join(counted_people(metric))),
        ("note", metric.note or ""),
        ("source", metric.source),
    ]
    return [(title, text) for title, text in facts if text]


def _of_sample(metric: Metric) -> list[tuple[str, str]]:
    """Return how the interval is made where the spec asks for a sample."""
    if metric.interval_of_sample is None:
        return []
    method = METHODS[metric.interval_of_sample]
    words = f"{method.id}: {method.name}. {method.words}"
    return [("with a sample", words), ("its source", method.source)]


def sign_words(metric: Metric) -> list[tuple[str, str]]:
    """Return what a value above and below parity says; nothing below for a distance."""
    names = ("the favored group", "the disfavored group")
    examples = (1.25, 0.8) if metric.is_ratio else (0.1, -0.1)
    titles = ("above 1", "below 1") if metric.is_ratio else ("positive", "negative")
    return [
        (title, f"such as {example:g}: {metric.says(example, *names)}")
        for title, example in zip(titles, examples, strict=True)
        if example >= metric.range[0]
    ]


def range_text(metric: Metric) -> str:
    """Write the range of a metric, and for which parameters it is; infinite ends are open."""
    low, high = metric.range
    left = "(-inf" if low == -inf else f"[{low:g}"
    right = "inf)" if high == inf else f"{high:.4g}]"
    at = [
        f"{name} = {float(p.default or 0):g}"
        for name, p in metric.parameters.items()
        if metric.range_at
    ]
    return " at ".join([f"{left}, {right}", *at])


def parameter_text(parameter: Parameter) -> str:
    """Write what a parameter means, its default and its values."""
    choices = f", one of {', '.join(parameter.choices)}" if parameter.choices else ""
    default = parameter.default
    if default is None:
        return parameter.meaning
    written = f"{default:g}" if isinstance(default, float) else str(default)
    return f"{parameter.meaning}; {written} if left out{choices}"
