"""What is known of a metric beside its record: said by `explain`, and on its page."""

from collections.abc import Iterator

from biaspipe.metrics import FAMILIES, Metric, Needs, Parameter
from biaspipe.statistics import METHODS, Method

__all__ = ["counted_people", "default_text", "families_of", "methods_of", "readings"]

SIDES = ("the favored group", "the disfavored group")


def families_of(metric: Metric) -> list[str]:
    """Return the families that a metric belongs to, the smallest first."""
    return [name for name, members in FAMILIES.items() if metric in members]


def readings(metric: Metric) -> Iterator[tuple[float, str]]:
    """Yield examples of values above, below and at parity, each with what it says.

    A metric that is a distance has no values below.

    >>> from biaspipe.metrics import METRICS
    >>> [value for value, _ in readings(METRICS["DI"])], [v for v, _ in readings(METRICS["KL"])]
    ([1.25, 0.8, 1.0], [0.1, 0.0])
    """
    above, below = (1.25, 0.8) if metric.is_ratio else (0.1, -0.1)
    values = (
        [above, below, metric.ideal] if metric.range[0] < metric.ideal else [above, metric.ideal]
    )
    yield from ((value, metric.says(value, *SIDES)) for value in values)


def methods_of(metric: Metric) -> list[Method]:
    """Return the method of a metric's interval, and the one for a sample where it differs."""
    return [METHODS[name] for name in (metric.interval, metric.interval_of_sample) if name]


def counted_people(metric: Metric) -> tuple[str, ...]:
    """Return the numbers of people that `min_rows` looks at, in the notation of formulas.

    >>> from biaspipe.metrics import METRICS
    >>> counted_people(METRICS["RD"]), counted_people(METRICS["GE"])
    (('n_d', 'n_a', 'n_d(1)', 'n_a(1)'), ('n',))
    """
    if not metric.has_facet:
        return ("n",)
    if Needs.STRATA in metric.needs:
        prime = "'" if Needs.PREDICTED in metric.needs else ""
        counted = ("n_d", "n_a", f"n{prime}(0)", f"n{prime}(1)")
        return tuple(f"{people} in comparable strata" for people in counted)
    people = ["n_d", "n_a"]
    people += [metric.rate.of.format(letter) for letter in "da"] if metric.rate else []
    if metric.compares == "d / a":
        people += [f"favorable outcomes of {x}, seen or expected at parity" for x in "da"]
    return tuple(dict.fromkeys(people))


def default_text(parameter: Parameter) -> str | None:
    """Write the default of a parameter; None where it has none."""
    default = parameter.default
    return f"{default:g}" if isinstance(default, int | float) else default
