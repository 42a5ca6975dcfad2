"""The page of the documentation about the names that other tools have for what is measured here."""

from collections.abc import Sequence

from biaspipe.metrics import METRICS
from biaspipe.metrics.synonyms import FIELD, SYNONYMS, Synonym
from biaspipe.renderers.reference.metric_facts import written_here

__all__ = ["names_page"]

LEAD = """<!-- Made by docs/make_pages.py from the names in biaspipe/metrics/synonyms.py. -->

# Names that people bring

What is measured here has other names in other tools, and often another sign.
`biaspipe explain NAME` says the same of one name,
whatever its case, blanks, underscores and hyphens,
and with the tool before it, as in `fairlearn.metrics.NAME`.
It knows the name of every rate with "difference", "gap", "ratio" or "parity" behind it, too.
A spec takes the id here, or an alias, as they are written.
Another tool's name is an alias only where value and sign are the same for two groups,
but for what a row says of rates of 0, and for two older aliases:
`class_imbalance` is Clarify's, where AIF360's has the other sign,
and `equal_opportunity` is RD, where the field has the words for a criterion.
What is "none here" has no metric that is like it.
`privileged` is `favored` here, `a` in formulas, and `unprivileged` is `disfavored`, `d`."""


def names_page() -> str:
    """Return every name by tool, with what it is here and what differs, as a page in Markdown."""
    tools = dict.fromkeys(synonym.tool for synonym in SYNONYMS)
    return "\n\n".join([LEAD, *map(_section, tools)]) + "\n"


def _section(tool: str) -> str:
    alike: dict[Synonym, list[str]] = {}
    for synonym in SYNONYMS:
        if synonym.tool == tool:
            alike.setdefault(synonym._replace(name=""), []).append(_name(synonym))
    rows = [_row(synonym, names) for synonym, names in alike.items()]
    titles = f"| {tool or 'name'} | here | what it is | in a spec |"
    named = tool if tool != FIELD else "Names of the field"
    return "\n".join([f"## {named}\n", titles, "| --- | --- | --- | --- |", *rows])


def _name(synonym: Synonym) -> str:
    """Write a name, and whether a spec may use it."""
    is_alias = any(synonym.name in METRICS[metric].aliases for metric in synonym.metrics)
    return f"`{synonym.name}` (alias)" if is_alias else f"`{synonym.name}`"


def _row(synonym: Synonym, names: Sequence[str]) -> str:
    note = f": {synonym.note}" if synonym.note else ""
    links = ", ".join(f"[{metric}](metrics/{metric}.md)" for metric in synonym.metrics) or "none"
    words = f"{synonym.relation.words}{note}"
    cells = (", ".join(names), links, words, written_here(synonym))
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")
