"""Slices of Vertex AI: which rows one is, and how two of them are compared."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.config_file import config_path
from biaspipe.migration.vertex.models import BiasConfig
from biaspipe.spec import format_value

__all__ = ["comparison_of", "sliced_columns", "slices_of"]

VALUES = ("string_value", "stringValue", "float_value", "floatValue")
EXPECTED = '{"value": {"string_value": "low"}}, {"range": {...}} or {"all_values": true}'


@dataclass(frozen=True)
class SliceGroup:
    """The rows of one column that a slice asks for.

    Parameters
    ----------
    side : a value or an interval, as a spec has it; None for every value.
    name : what a group of it is called.
    """

    side: Any
    name: str


Slice = dict[str, SliceGroup]
"""The conditions of a slice on its columns; all have to hold."""


def slices_of(value: Any, loc: Loc, faults: list[Fault]) -> list[Slice]:
    """Return the slices of a bias configuration, in either of the two ways to write them.

    One way is the message's: `{"configs": {column: config}}`, a single slice. The other is that of
    its documentation: a list of up to two slices, `[{"education": "low"}]`.
    """
    listed = value if isinstance(value, list) else [value]
    if not 1 <= len(listed) <= 2 or not all(isinstance(s, dict) and s for s in listed):
        message = f"{config_path(loc)}: expected one or two slices"
        faults.append(Fault(message, loc, expected='{"configs": {"education": ...}}'))
        return []
    found = []
    for i, one in enumerate(listed):
        at = (*loc, i) if isinstance(value, list) else loc
        is_message = isinstance(one.get("configs"), dict) and len(one) == 1
        inside = one["configs"] if is_message else one
        at = (*at, "configs") if is_message else at
        tests = {column: _group(test, (*at, column), faults) for column, test in inside.items()}
        found.append({column: test for column, test in tests.items() if test})
    return found if all(found) else []


def sliced_columns(configs: Iterable[BiasConfig]) -> Iterator[str]:
    """Yield the columns that the slices of bias configurations are about."""
    for config in configs:
        yield from (c for one in slices_of(config.bias_slices, (), []) for c in one)


def _group(value: Any, loc: Loc, faults: list[Fault]) -> SliceGroup | None:
    """Return the group that the configuration of a slice asks for; a fault if it is none."""
    if isinstance(value, str | int | float):
        return _single(value)
    if isinstance(value, dict) and len(value) == 1:
        ((kind, inside),) = value.items()
        if group := _known(kind, inside):
            return group
    faults.append(Fault(f"{config_path(loc)}: this is no slice", loc, expected=EXPECTED))
    return None


def _known(kind: str, inside: Any) -> SliceGroup | None:
    """Return the group that one key of a slice's configuration selects, if it makes sense."""
    if kind in ("all_values", "allValues") and inside in (True, {"value": True}):
        return SliceGroup(None, "each value")
    if not isinstance(inside, dict):
        return None
    if kind == "value" and len(inside) == 1:
        ((type_, single),) = inside.items()
        is_single = type_ in VALUES and isinstance(single, str | int | float)
        return _single(single) if is_single else None
    if kind in ("range", "range_") and set(inside) <= {"low", "high"}:
        low, high = inside.get("low", 0), inside.get("high", 0)
        if all(isinstance(n, int | float) and not isinstance(n, bool) for n in (low, high)):
            name = f"{format_value(low)} to {format_value(high)}"
            return SliceGroup({"at_least": low, "below": high}, name)
    return None


def _single(value: str | float) -> SliceGroup:
    name = format_value(value).replace(" & ", " and ").strip("'\"") or "empty"
    return SliceGroup(value, name)


def comparison_of(
    slices: list[Slice], name: str, loc: Loc, faults: list[Fault]
) -> dict[str, dict[str, Any]]:
    """Return the facets that compare the slices; the last one is the comparison itself.

    The first slice is the favored side, which the second one, or the rest, is subtracted from.
    """
    first, second = slices[0], slices[1] if len(slices) > 1 else None
    if second is not None and (
        set(first) != set(second) or any(t.side is None for s in slices for t in s.values())
    ):
        message = f"{config_path(loc)}: the two slices may share rows"
        expected = "the same columns in both, each with a value or a range"
        faults.append(Fault(message, loc, expected=expected))
        return {}
    if len(first) == 1:
        return {name: _simple(slices)}
    members: dict[str, dict[str, Any]] = {}
    for column in first:
        tests = {s[column].name: s[column].side for s in slices if s[column].side is not None}
        members[f"{name}: {column}"] = {"column": column} | ({"groups": tests} if tests else {})
    cross: dict[str, Any] = {"cross": list(members)}
    if all(test.side is not None for test in first.values()):
        cross["favored"] = " & ".join(test.name for test in first.values())
    if second is None:
        cross["compare"] = "over_rest"
    else:
        cross["disfavored"] = " & ".join(second[column].name for column in first)
    return {**members, name: cross}


def _simple(slices: list[Slice]) -> dict[str, Any]:
    ((column, test),) = slices[0].items()
    facet: dict[str, Any] = {"column": column}
    if test.side is not None:
        facet["favored"] = test.side
    if len(slices) > 1:
        return {**facet, "disfavored": slices[1][column].side}
    return {**facet, "compare": "over_rest"}
