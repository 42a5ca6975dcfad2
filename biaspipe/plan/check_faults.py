"""What is wrong with the checks of a spec: metrics, parameters and limits that make no sense."""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from biaspipe.errors import Fault, Loc, nearest
from biaspipe.metrics import FAMILIES, Metric, Needs, Parameter, find
from biaspipe.plan.facet_faults import unknown_facet
from biaspipe.spec import Audit, Check, Columns, Limits, written

__all__ = [
    "check_faults",
    "declared",
    "hidden_warnings",
    "is_possible",
    "limits_faults",
    "listed",
    "why_not",
]


def declared(columns: Columns) -> Needs:
    """Return what the audit's columns declare, as what metrics need."""
    has = Needs.FACET | Needs.CATEGORIES
    has |= Needs.OBSERVED if columns.label else Needs.FACET
    has |= Needs.PREDICTED if columns.prediction else Needs.FACET
    has |= Needs.STRATA if columns.strata else Needs.FACET
    return has | (Needs.FEATURES if columns.features and not _samples(columns) else Needs.FACET)


def _samples(columns: Columns) -> bool:
    return columns.weighting is not None and columns.weighting.kind == "sampling"


def _needs_whole(audit: Audit, lacking: Needs) -> bool:
    """Whether features are declared, and their metric all the same lacks people that are whole."""
    return Needs.FEATURES in lacking and audit.columns.features is not None


def why_not(columns: Columns, lacking: Needs) -> str:
    """Say why metrics that need what is lacking cannot be computed."""
    if Needs.FEATURES in lacking and columns.features:
        return "looks for whole people as neighbours, so it takes no sampling weights"
    return f"needs {' and '.join(lacking.words)}, which the spec does not declare"


def check_faults(audit: Audit, metrics: Mapping[str, Check], loc: Loc) -> Iterator[Fault]:
    """Yield every fault of a mapping of checks, the audit's or a facet's."""
    seen: dict[str, str] = {}
    for name, check in metrics.items():
        at = (*loc, name)
        yield from _restricted(audit, check, at)
        if name in FAMILIES:
            yield from _family(audit, name, check, at)
            continue
        metric = find(name)
        if metric.id in seen:
            yield Fault(f"{name} and {seen[metric.id]} are the same metric", at, at_key=True)
        seen[metric.id] = name
        yield from _metric(audit, metric, check, at)


def _restricted(audit: Audit, check: Check, loc: Loc) -> Iterator[Fault]:
    for i, facet in enumerate(check.facets or ()):
        if facet not in audit.facets:
            yield unknown_facet(audit, facet, (*loc, "facets", i))
    if check.facets and loc[0] == "facets":
        yield Fault("this check stands under its facet already", (*loc, "facets"), at_key=True)


def _family(audit: Audit, name: str, check: Check, loc: Loc) -> Iterator[Fault]:
    if check.has_limit or check.given or check.warn or check.optional:
        yield Fault(
            f"the family {name} is reported without limits or parameters",
            loc,
            at_key=True,
            hint="write the metrics that have a limit by name beside it",
        )
    if name != "all":
        yield from _incomplete(audit, name, loc)


def _incomplete(audit: Audit, name: str, loc: Loc) -> Iterator[Fault]:
    """Yield why a family cannot be computed whole."""
    lacking = {m.id: m.needs & ~declared(audit.columns) for m in FAMILIES[name]}
    searching = [metric for metric, needs in lacking.items() if _needs_whole(audit, needs)]
    if searching:
        words = why_not(audit.columns, lacking[searching[0]])
        hint = "name the other metrics, or write `all:` for every metric that the columns allow"
        message = f"the family {name} holds {', '.join(searching)}, which {words}"
        yield Fault(message, loc, at_key=True, hint=hint)
    lacking = {m: needs for m, needs in lacking.items() if needs and m not in searching}
    if lacking:
        words = why_not(audit.columns, reduce(or_, lacking.values()))
        hint = "declare it, or write `all:` for every metric that the columns allow"
        message = f"the family {name} {words} ({', '.join(lacking)})"
        yield Fault(message, loc, at_key=True, hint=hint)


def _metric(audit: Audit, metric: Metric, check: Check, loc: Loc) -> Iterator[Fault]:
    if check.optional and check.has_limit:
        hint = "leave optional out, or the limits"
        yield Fault("an optional metric would take its limit away", (*loc, "optional"), hint=hint)
    if (lacking := metric.needs & ~declared(audit.columns)) and not check.optional:
        yield Fault(f"{metric.id} {why_not(audit.columns, lacking)}", loc, at_key=True)
    if not metric.has_facet and (check.facets or loc[0] == "facets"):
        yield Fault(f"{metric.id} compares no groups, so it has no facets", loc, at_key=True)
    for name, value in check.given.items():
        yield from _parameter(metric, name, value, (*loc, name))
    if Needs.FEATURES in metric.needs:
        yield from _drawing(audit, check, loc)
    yield from _limits(metric, check, loc)


def _drawing(audit: Audit, check: Check, loc: Loc) -> Iterator[Fault]:
    """Yield what keeps members from being drawn."""
    if check.seed is not None and check.sample is None:
        hint = "give sample too, such as sample: 20000, or leave seed out"
        yield Fault("there is a seed but no sample to draw", (*loc, "seed"), hint=hint)
    weighting = audit.columns.weighting
    if check.sample is not None and weighting is not None and weighting.kind == "frequency":
        words = "rows are drawn as one person each, and a weight is declared"
        yield Fault(words, (*loc, "sample"), hint="write each person as a row, or leave it out")


def _parameter(metric: Metric, name: str, value: float | str, loc: Loc) -> Iterator[Fault]:
    parameter = metric.parameters.get(name)
    if parameter is None:
        names = " and ".join(metric.parameters) or "no parameters"
        hint = f"{metric.id} takes {names}"
        yield Fault(f"{metric.id} has no parameter {name}", loc, at_key=True, hint=hint)
    elif not _allowed(parameter, value):
        yield Fault(
            f"{metric.id}: this {name} is not possible",
            loc,
            expected=_bounds(parameter),
            found=written(value),
            hint=nearest(str(value), parameter.choices),
        )


def is_possible(metric: Metric, check: Check) -> bool:
    """Whether the metric takes the parameters of a check."""
    known = metric.parameters
    return all(name in known and _allowed(known[name], v) for name, v in check.given.items())


def _allowed(parameter: Parameter, value: float | str) -> bool:
    if isinstance(value, str):
        return value in parameter.choices
    return (
        (parameter.minimum is None or value >= parameter.minimum)
        and (parameter.maximum is None or value <= parameter.maximum)
        and (not parameter.whole or float(value).is_integer())
    )


def _bounds(parameter: Parameter) -> str:
    if parameter.choices:
        return f"one of {', '.join(parameter.choices)}"
    kind = "a whole number" if parameter.whole else "a number"
    upper = "" if parameter.maximum is None else f", at most {parameter.maximum:g}"
    return f"{kind}, at least {parameter.minimum:g}{upper}"


def _limits(metric: Metric, check: Check, loc: Loc) -> Iterator[Fault]:
    yield from limits_faults(metric, check, loc)
    if check.warn is not None:
        yield from limits_faults(metric, check.warn, (*loc, "warn"))
    yield from hidden_warnings(check, loc)


def limits_faults(metric: Metric, limits: Limits, loc: Loc) -> Iterator[Fault]:
    """Yield what is wrong with limits on the values of a metric."""
    if metric.is_ratio and limits.max_abs is not None:
        yield Fault(
            f"{metric.id} is a ratio with parity at 1, so max_abs does not bound it",
            (*loc, "max_abs"),
            at_key=True,
            expected="min and max, such as {min: 0.8, max: 1.25}",
        )
    if limits.kept[0] > limits.kept[1]:
        yield Fault(f"no value keeps {listed(limits)}", (*loc, next(iter(limits.bounds))))


def listed(limits: Limits) -> str:
    """Write limits as a spec names them.

    >>> listed(Limits(min=0.8, max=1.25))
    'min 0.8 and max 1.25'
    """
    return " and ".join(f"{name} {written(bound)}" for name, bound in limits.bounds.items())


def hidden_warnings(check: Check, loc: Loc) -> Iterator[Fault]:
    """Yield warnings that no value could give without failing too."""
    if check.warn is None or not check.bounds:
        return
    low, high = check.kept
    for name, bound in check.warn.bounds.items():
        above, below = Limits(**{name: bound}).kept
        if above <= low and below >= high:
            words = (
                f"warn {name} {written(bound)} can never be reached before {listed(check)} fails"
            )
            yield Fault(words, (*loc, "warn", name))
