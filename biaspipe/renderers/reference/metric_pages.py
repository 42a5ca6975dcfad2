"""A metric's record as a Markdown page, and the index of all pages.

Every word about a metric comes from its record, and from that of the method that makes its
interval; nothing here knows a single one of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from biaspipe.metrics import FAMILIES, METRICS, Metric, Parameter
from biaspipe.metrics.sizes import size_names
from biaspipe.renderers.reference.metric_facts import (
    default_text,
    elsewhere,
    end_text,
    families_of,
    methods_of,
    readings,
)
from biaspipe.statistics import parity_test_of

__all__ = ["INDEX", "file_name", "index", "page", "pages"]

INDEX = "README.md"
"""The file name of the index, which code hosts show for a folder."""
NOTICE = "<!-- Made by docs/make_pages.py from the records in biaspipe/metrics. -->"
AGAINST = {
    "favored": "the favored group",
    "disfavored": "the disfavored group",
    None: "neither group",
}


def pages() -> dict[str, str]:
    """Return every page by file name, the index among them."""
    return {INDEX: index(), **{file_name(metric): page(metric) for metric in METRICS.values()}}


def file_name(metric: Metric) -> str:
    """Return the name of a metric's page.

    >>> file_name(METRICS["vertex.dpppl"])
    'vertex.dpppl.md'
    """
    return f"{metric.id}.md"


def page(metric: Metric) -> str:
    """Return the page of one metric, in Markdown."""
    parts = [
        f"{NOTICE}\n\n# {metric.id}: {metric.name}",
        metric.plainly,
        metric.good_for or "",
        _table(("", ""), _facts(metric)),
        f"## Formula\n\n```text\n{metric.formula}\n```\n\n{_notation(metric)}",
        "## What a value says\n\n" + "\n".join(f"- {line}" for line in _readings(metric)),
        f"## When it is undefined or infinite\n\nUndefined: {metric.undefined}.",
        _parameters(metric),
        _interval(metric),
        f"## How to limit it\n\n```yaml\n{_snippet(metric)}```\n\n{_advice(metric)}",
        f"## Note\n\n{metric.note}" if metric.note else "",
        f"## Source\n\n{metric.source}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def index() -> str:
    """Return the page that lists all metrics by family, with links."""
    families = dict.fromkeys(map(_home, METRICS.values()))
    sections = [f"## {family}\n\n{_listed(family)}" for family in families]
    unions = [f"- `{name}`: {_parts(name)}" for name in FAMILIES if name not in families]
    families_of_families = "## Families of families\n\n" + "\n".join(unions)
    return "\n\n".join([f"{NOTICE}\n\n# Metrics\n\n{LEAD}", *sections, families_of_families]) + "\n"


LEAD = (
    "Every metric by family.\n"
    "A family's name in `metrics:` reports all of its metrics, without limits.\n"
    "[signs](../signs.md) sets the signs of all of them side by side."
)


def _home(metric: Metric) -> str:
    """Return the smallest family that a metric belongs to."""
    return families_of(metric)[0]


def _notation(metric: Metric) -> str:
    link = "[signs](../signs.md#notation) explains"
    if not metric.has_facet:
        return f"{link} the letters."
    return f"`a` is the favored group and `d` the disfavored one;\n{link} the other letters."


def _parts(family: str) -> str:
    """Say which families make up a larger one."""
    return ", ".join(f"`{home}`" for home in dict.fromkeys(map(_home, FAMILIES[family])))


def _listed(family: str) -> str:
    rows = [
        (
            f"[{m.id}]({file_name(m)})",
            m.name,
            _needs(m),
            f"{m.ideal:g}",
            AGAINST[m.harms],
        )
        for m in FAMILIES[family]
        if _home(m) == family
    ]
    return _table(("id", "name", "needs", "parity", "a value above parity is against"), rows)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _facts(metric: Metric) -> Iterator[tuple[str, str]]:
    if metric.aliases:
        yield "also called", ", ".join(f"`{alias}`" for alias in metric.aliases)
    yield "families", ", ".join(f"`{name}`" for name in families_of(metric))
    yield "needs", _needs(metric)
    yield "range", f"from {_number(metric.range[0])} to {_number(metric.range[1])}"
    yield "parity", f"{metric.ideal:g}"
    yield "interval", f"`{metric.interval}`"
    yield "test of parity", parity_test_of(metric).words
    yield from ((f"in {tool}", names) for tool, names in elsewhere(metric))
    yield "`min_rows` looks at", ", ".join(f"`{people}`" for people in size_names(metric))


def _needs(metric: Metric) -> str:
    """Return the keys of a spec that have to be declared."""
    keys = [*(["facets"] if metric.has_facet else []), *metric.needs.words]
    return ", ".join(f"`{key}`" for key in keys)


def _number(number: float) -> str:
    """Write the end of a range, for a person.

    >>> _number(-inf), _number(2**0.5)
    ('minus infinity', '1.4142')
    """
    if abs(number) == inf:
        return "infinity" if number > 0 else "minus infinity"
    return end_text(number)


def _readings(metric: Metric) -> Iterator[str]:
    """Say what a value above parity, below it and at it means, and whom it disadvantages."""
    ideal = f"{metric.ideal:g}"
    for value, words in readings(metric):
        if value == metric.ideal:
            yield f"**{ideal}**: {words}."
        else:
            place = "Above" if value > metric.ideal else "Below"
            yield f"**{place} {ideal}**, such as {value:g}: {words}."


def _interval(metric: Metric) -> str:
    """Say how the metric's interval is made, and who published it."""
    told = [
        f"{f'{where.capitalize()}: ' if where else ''}{m.name}.\n{m.words}\n\n{m.source}."
        for where, m in methods_of(metric)
    ]
    link = "[How good the intervals are](../intervals.md)."
    return "\n\n".join(["## Its interval", *told, link])


def _parameters(metric: Metric) -> str:
    if not metric.parameters:
        return ""
    rows = [
        (f"`{name}`", default_text(p) or "none", _possible(p), p.meaning)
        for name, p in metric.parameters.items()
    ]
    titles = ("parameter", "default", "possible values", "meaning")
    return f"## Parameters\n\n{_table(titles, rows)}"


def _possible(parameter: Parameter) -> str:
    return ", ".join(f"`{choice}`" for choice in parameter.choices) or parameter.possible


def _snippet(metric: Metric) -> str:
    """Return the part of a spec that limits a metric, its parameters at their defaults."""
    defaults = {name: default_text(p) for name, p in metric.parameters.items()}
    given = [f"{name}: {default}" for name, default in defaults.items() if default is not None]
    given += [f"{name}: {bound:g}" for name, bound in metric.example.items()]
    return f"metrics:\n  {metric.id}: {{{', '.join(given)}}}\n"


def _advice(metric: Metric) -> str:
    reason = f"Parity is {metric.ideal:g}, so the limits are a `min` and a `max`."
    if not metric.is_ratio:
        reason = "`max_abs` bounds the distance from 0."
    elif metric.range[1] == metric.ideal:
        reason = f"Parity is {metric.ideal:g}, and no value is above it, so the limit is a `min`."
    return f"{reason}\nThe numbers are an example; which ones fit is for the audit to decide."
