"""Whether the first line of a text table holds names, and the names of one that has none."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.reading import dotted
from biaspipe.plan import Kind

__all__ = ["generated", "named_in", "refuse_twice"]

GENERATED = re.compile(r"column_\d+")
"""What Clarify calls the columns of a table without names."""
TWIN = re.compile(r"_duplicated_\d+$")
"""What polars adds to the second of two names alike."""


def named_in(values: dict[str, Any]) -> Iterator[str]:
    """Yield the columns that a configuration calls by name."""
    keys = ("label", "predicted_label", "group_variable", "joinsource_name_or_index")
    named = [values.get(key) for key in keys] + list(values.get("excluded_columns", ()))
    for listed in ("facet", "segment_config"):
        named += [entry.get("name_or_index") for entry in values.get(listed, ())]
    yield from (name for name in named if isinstance(name, str))


def generated(kinds: Mapping[str, Kind], named: set[str]) -> tuple[list[str] | None, str | None]:
    """Return the names that Clarify gives a table without names, and what is to be said of it.

    Parameters
    ----------
    kinds : what the columns hold, by what stands in the first line; empty if that is not known.
    named : the columns that the configuration calls by name.

    Returns
    -------
    tuple
        None for the names where the first line holds them.
    """
    if not kinds or named & set(kinds):
        return None, None
    fields = [(TWIN.sub("", name), kind) for name, kind in kinds.items()]
    over = [f for f, kind in fields if kind.is_number and kind is not Kind.MISSING]
    is_header = any(f and not _is_number(f) for f in over)
    is_data = not is_header and any(_is_number(f) for f, _ in fields)
    first = ", ".join(f for f, _ in fields[:3])
    if is_data or any(map(GENERATED.fullmatch, named)):
        words = f"the first line ({first}, ...) holds values, so the columns are called column_0"
        names = [f"column_{i}" for i in range(len(fields))]
        return names, f"{words} and so on, as Clarify calls them"
    words = f"the first line ({first}, ...) is taken for names; if it holds values, give headers"
    return None, None if is_header else words


def _is_number(text: str) -> bool:
    with suppress(ValueError):
        float(text)
        return True
    return False


def refuse_twice(headers: Sequence[str], loc: Loc, faults: list[Fault]) -> None:
    """Note a fault for each name that is empty, or stands twice."""
    for place, name in enumerate(headers):
        if not name or name in headers[:place]:
            words = f"the name {name!r} stands twice" if name else "a column's name is empty"
            faults.append(Fault(f"{dotted((*loc, place))}: {words}", (*loc, place)))
