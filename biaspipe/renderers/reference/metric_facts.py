"""What is known of a metric beside its record: said by `explain`, and on its page."""

from collections.abc import Iterator

from biaspipe.metrics import FAMILIES, METRICS, Metric, Parameter
from biaspipe.metrics.synonyms import SYNONYMS, Synonym
from biaspipe.statistics import METHODS, OF_MANY_CATEGORIES, Method

__all__ = [
    "default_text",
    "elsewhere",
    "end_text",
    "example_text",
    "families_of",
    "methods_of",
    "readings",
    "written_here",
]

SIDES = ("favored people", "disfavored people")


def families_of(metric: Metric) -> list[str]:
    """Return the families that a metric belongs to, the smallest first."""
    return [name for name, members in FAMILIES.items() if metric in members]


def readings(metric: Metric) -> Iterator[tuple[float, str]]:
    """Yield examples of values above, below and at parity, each with what it says.

    A metric whose range ends at parity has values on one side of it.

    >>> from biaspipe.metrics import METRICS
    >>> [value for value, _ in readings(METRICS["DI"])], [v for v, _ in readings(METRICS["KL"])]
    ([1.25, 0.8, 1.0], [0.1, 0.0])
    """
    low, high = metric.range
    values = (1.25, 0.8) if metric.is_ratio else (0.1, -0.1)
    possible = [value for value in values if low <= value <= high]
    yield from ((value, metric.says(value, *SIDES)) for value in (*possible, metric.ideal))


def elsewhere(metric: Metric) -> Iterator[tuple[str, str]]:
    """Yield the tools that have the metric's number under a name of theirs, with these names.

    >>> from biaspipe.metrics import METRICS
    >>> dict(elsewhere(METRICS["AOD"]))["AIF360"]
    'average_odds_difference (with the other sign)'
    """
    named: dict[str, dict[str, list[str]]] = {}
    for synonym in SYNONYMS:
        if synonym.tool and synonym.relation.aside and synonym.metrics[0] == metric.id:
            aside = synonym.relation.aside + (f", {synonym.note}" if synonym.note else "")
            named.setdefault(synonym.tool, {}).setdefault(aside, []).append(synonym.name)
    for tool, asides in named.items():
        yield tool, "; ".join(f"{', '.join(names)} ({aside})" for aside, names in asides.items())


def example_text(metric: Metric) -> str:
    """Write a check of a metric, with a limit on every side of parity.

    >>> from biaspipe.metrics import METRICS
    >>> example_text(METRICS["DI"])
    'DI: {min: 0.8, max: 1.25}'
    """
    bounds = ", ".join(f"{name}: {bound:g}" for name, bound in metric.example.items())
    return f"{metric.id}: {{{bounds}}}"


def written_here(synonym: Synonym) -> str:
    """Say what a spec has in the place of another tool's name."""
    checks = [example_text(METRICS[metric]) for metric in synonym.metrics]
    return synonym.relation.write.format(check=next(iter(checks), ""), checks=" or ".join(checks))


def methods_of(metric: Metric) -> list[tuple[str, Method]]:
    """Return the methods of a metric's interval, each after what it is for; the first is ordinary.

    >>> from biaspipe.metrics import METRICS
    >>> [(where, method.id) for where, method in methods_of(METRICS["TVD"])]
    [('', 'newcombe-folded'), ('many categories', 'newcombe-division')]
    """
    methods = {
        "": metric.interval,
        "with a sample": metric.interval_of_sample,
        "many categories": OF_MANY_CATEGORIES.get(metric.distance or ""),
    }
    return [(where, METHODS[name]) for where, name in methods.items() if name]


def end_text(end: float) -> str:
    """Write an end of a metric's range.

    >>> end_text(-1.0), end_text(2**0.5)
    ('-1', '1.4142')
    """
    return f"{end:.5g}"


def default_text(parameter: Parameter) -> str | None:
    """Write the default of a parameter; None where it has none."""
    default = parameter.default
    return f"{default:g}" if isinstance(default, int | float) else default
