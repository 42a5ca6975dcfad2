"""What is wrong with the checks of a spec: metrics, parameters and limits that make no sense."""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import FAMILIES, Metric, Needs, find
from biaspipe.plan.planned_checks import (
    PlannedCheck,
    allows,
    chooses_by,
    declared_needs,
    is_possible,
    planned_checks,
    value_range,
    why_not_computable,
)
from biaspipe.plan.refusals.facets import unknown_facet
from biaspipe.printable_text import did_you_mean
from biaspipe.spec import Audit, Check, Impact, Limits, format_value

__all__ = ["check_faults", "idle_faults", "limits_faults"]


def _needs_whole(audit: Audit, lacking: Needs) -> bool:
    """Whether features are declared, and their metric all the same lacks people that are whole."""
    return Needs.FEATURES in lacking and audit.columns.features is not None


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
    lacking = {m.id: m.needs & ~declared_needs(audit.columns) for m in FAMILIES[name]}
    searching = [metric for metric, needs in lacking.items() if _needs_whole(audit, needs)]
    if searching:
        words = why_not_computable(audit.columns, lacking[searching[0]])
        hint = "name the other metrics, or write `all:` for every metric that the columns allow"
        message = f"the family {name} holds {', '.join(searching)}, which {words}"
        yield Fault(message, loc, at_key=True, hint=hint)
    lacking = {m: needs for m, needs in lacking.items() if needs and m not in searching}
    if lacking:
        words = why_not_computable(audit.columns, reduce(or_, lacking.values()))
        hint = "declare it, or write `all:` for every metric that the columns allow"
        message = f"the family {name} {words} ({', '.join(lacking)})"
        yield Fault(message, loc, at_key=True, hint=hint)


def _metric(audit: Audit, metric: Metric, check: Check, loc: Loc) -> Iterator[Fault]:
    if check.optional and check.has_limit:
        hint = "leave optional out, or the limits"
        yield Fault("an optional metric would take its limit away", (*loc, "optional"), hint=hint)
    if (lacking := metric.needs & ~declared_needs(audit.columns)) and not check.optional:
        yield Fault(f"{metric.id} {why_not_computable(audit.columns, lacking)}", loc, at_key=True)
    if not metric.has_facet and (check.facets or loc[0] == "facets"):
        yield Fault(f"{metric.id} compares no groups, so it has no facets", loc, at_key=True)
    for name, value in check.given.items():
        yield from _parameter(metric, name, value, (*loc, name))
    if Needs.FEATURES in metric.needs:
        yield from _drawing(audit, check, loc)
    if check.impact is not None:
        yield from _impact(audit, metric, check.impact, (*loc, "impact"))
    yield from _limits(metric, check, loc)


def _impact(audit: Audit, metric: Metric, impact: Impact, loc: Loc) -> Iterator[Fault]:
    """Yield what keeps a selection from being judged by its adverse impact."""
    weighting = audit.columns.weighting
    if not metric.is_selection_ratio:
        words = f"{metric.id} is no ratio of selection rates, of which adverse impact is judged"
        yield Fault(words, loc, at_key=True, hint="write it under DI")
    elif audit.compat is not None:
        words = "adverse impact is judged on whole counts, which compat: smclarify counts otherwise"
        yield Fault(words, loc, at_key=True, hint="leave compat or impact out")
    elif impact.flip and weighting is not None and weighting.kind == "sampling":
        words = "a selection is one person, and under sampling weights a row stands for several"
        yield Fault(words, (*loc, "flip"), hint="leave flip out")


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
    elif not allows(parameter, value):
        yield Fault(
            f"{metric.id}: this {name} is not possible",
            loc,
            expected=parameter.possible,
            found=format_value(value),
            hint=did_you_mean(str(value), parameter.choices),
        )


def _limits(metric: Metric, check: Check, loc: Loc) -> Iterator[Fault]:
    yield from limits_faults(metric, check, loc)
    if check.warn is not None:
        yield from limits_faults(metric, check.warn, (*loc, "warn"))
    yield from _hidden_warnings(check, loc)


def limits_faults(metric: Metric, limits: Limits, loc: Loc) -> Iterator[Fault]:
    """Yield what is wrong with limits on the values of a metric."""
    if metric.is_ratio and limits.max_abs is not None:
        example = ", ".join(f"{name}: {bound:g}" for name, bound in metric.example.items())
        yield Fault(
            f"{metric.id} is a ratio with parity at 1, so max_abs does not bound it",
            (*loc, "max_abs"),
            at_key=True,
            expected=f"{' and '.join(metric.example)}, such as {{{example}}}",
        )
    if limits.kept[0] > limits.kept[1]:
        yield Fault(f"no value keeps {limits.text}", (*loc, next(iter(limits.bounds))))


def _hidden_warnings(check: Check, loc: Loc) -> Iterator[Fault]:
    """Yield warnings that no value could give without failing too."""
    if check.warn is None or not check.bounds:
        return
    low, high = check.kept
    for name, bound in check.warn.bounds.items():
        above, below = Limits(**{name: bound}).kept
        if above <= low and below >= high:
            words = (
                f"warn {name} {format_value(bound)} can never be reached before {check.text} fails"
            )
            yield Fault(words, (*loc, "warn", name))


def idle_faults(audit: Audit) -> Iterator[Fault]:
    """Yield the limits of checks that no value can break, so that nothing would be checked."""
    seen = set()
    for planned in planned_checks(audit):
        if planned.loc[-1] in FAMILIES or not is_possible(planned.metric, planned.check):
            continue
        low, high = value_range(audit, planned, intervals=audit.rules.decide_by != "value")
        for limits, loc in _limits_of(planned):
            least, greatest = limits.kept
            whole = least <= low and high <= greatest
            beyond = {} if whole else _beyond(limits, planned)
            if (whole or beyond) and loc not in seen:
                seen.add(loc)
                yield _idle(audit, planned, Limits(**beyond) if beyond else limits, loc)


def _beyond(limits: Limits, planned: PlannedCheck) -> dict[str, float]:
    """Return the limits that lie beyond every value, beside others that do not."""
    low, high = planned.metric.range_of(**planned.check.parameters(planned.metric))
    far = {"min": low, "max": high, "max_abs": max(abs(low), abs(high))}
    return {
        name: bound
        for name, bound in limits.bounds.items()
        if (bound < far[name] if name == "min" else bound > far[name])
    }


def _limits_of(planned: PlannedCheck) -> Iterator[tuple[Limits, Loc]]:
    """Yield the limits that fail and those that warn, each with its place."""
    check, loc = planned.check, planned.loc
    if check.bounds:
        yield check, loc
    if check.warn and check.warn.bounds and not list(_hidden_warnings(check, loc)):
        yield check.warn, (*loc, "warn")


def _idle(audit: Audit, planned: PlannedCheck, limits: Limits, loc: Loc) -> Fault:
    low, high = value_range(audit, planned)
    why, hint = f"the range of {planned.metric.id} is {low:g} to {high:g}", None
    largest = max(map(abs, limits.bounds.values()))
    if chooses_by(audit, planned):
        why += f" on {planned.facet}, where the group with the higher rate is the favored one"
        hint = "give a limit on the other side, or name the `facets` of this check"
    elif planned.metric.is_ratio and high == planned.metric.ideal:
        hint = "leave it out: no value is above parity"
    elif 1 < largest > max(map(abs, (low, high))):
        hint = f"{largest:g} % is written {largest / 100:g}"
    at = (*loc, next(iter(limits.bounds)))
    return Fault(f"no value can break {limits.text}: {why}", at, at_key=True, hint=hint)
