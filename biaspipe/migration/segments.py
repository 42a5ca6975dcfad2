"""Clarify's segments to conditions: one audit of the rows of each."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from biaspipe.engines.column_profiles import Survey
from biaspipe.errors import Fault, Loc
from biaspipe.migration.names import Names
from biaspipe.migration.reading import dotted
from biaspipe.spec import written

__all__ = ["Segment", "quoted", "segments_of", "slug"]

NUMBER = r"[-+]?(?:inf|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
INTERVAL = re.compile(
    rf"(?P<open>[\[(])\s*(?P<low>{NUMBER})\s*,\s*(?P<high>{NUMBER})\s*(?P<close>[\])])"
)
REST = "default"
"""What Clarify calls the segment of all other rows, between underscores."""


@dataclass(frozen=True)
class Segment:
    """Some rows of the data.

    Parameters
    ----------
    name : what it is called.
    where : the condition that its rows meet.
    loc : the key of the configuration.
    """

    name: str
    where: str
    loc: Loc


def slug(text: str) -> str:
    """Return a text as part of an audit's name.

    >>> slug("by age: default"), slug("under 25 / part-time")
    ('by-age-default', 'under-25-part-time')
    """
    return re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-_") or "audit"


def columns_of(configs: list[dict[str, Any]], names: Names) -> Iterator[tuple[int, str]]:
    """Yield the number and the column of each configuration of segments."""
    for i, config in enumerate(configs):
        loc: Loc = ("segment_config", i, "name_or_index")
        if not {"name_or_index", "segments"} <= set(config):
            continue
        if column := names.of(config["name_or_index"], loc):
            yield i, column


def segments_of(
    config: dict[str, Any], i: int, column: str, look: Survey | None, faults: list[Fault]
) -> Iterator[Segment]:
    """Yield the segments of a column, at last the one of all other rows.

    Parameters
    ----------
    config : one entry of `segment_config`.
    i : its number.
    column : the column that divides the rows.
    look : what the column holds, if that is known.
    faults : gathers what is wrong.
    """
    loc: Loc = ("segment_config", i)
    segments, aliases = config["segments"], config.get("display_aliases", [])
    if not segments or not all(segments):
        faults.append(Fault(f"{dotted(loc)}: a segment without values", (*loc, "segments")))
        return
    if aliases and len(aliases) not in (len(segments), len(segments) + 1):
        message = (
            f"{dotted(loc)}.display_aliases: {len(aliases)} names for {len(segments)} segments"
        )
        expected = "one for each segment, or one more for the rest of the rows"
        faults.append(Fault(message, (*loc, "display_aliases"), expected=expected))
        return
    begun = f"{config.get('config_name') or column}: "
    conditions = [_condition(column, values, look) for values in segments]
    for number, (values, condition) in enumerate(zip(segments, conditions, strict=True)):
        name = aliases[number] if aliases else ", ".join(map(written, values))
        yield Segment(begun + name, condition, (*loc, "segments", number))
    rest = aliases[-1] if len(aliases) > len(segments) else REST
    others = " OR ".join(conditions)
    missing = f"{quoted(column)} IS NULL OR NOT ({others})"
    yield Segment(begun + rest, missing, (*loc, "segments"))


def _condition(column: str, values: list[Any], look: Survey | None) -> str:
    is_text = look is not None and not look.kind.is_number
    found = [None if is_text else INTERVAL.fullmatch(str(v).strip()) for v in values]
    parts = [_between(column, one) for one in found if one]
    singles = [v for v, one in zip(values, found, strict=True) if not one]
    if singles:
        listed = ", ".join(_literal(v, look) for v in singles)
        parts.append(f"{quoted(column)} IN ({listed})")
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


def _between(column: str, interval: re.Match[str]) -> str:
    name = quoted(column)
    parts = []
    if "inf" not in interval["low"]:
        parts.append(f"{name} {'>=' if interval['open'] == '[' else '>'} {interval['low']}")
    if "inf" not in interval["high"]:
        parts.append(f"{name} {'<=' if interval['close'] == ']' else '<'} {interval['high']}")
    return f"({' AND '.join(parts)})" if parts else f"{name} IS NOT NULL"


def _literal(value: Any, look: Survey | None) -> str:
    if look is not None and look.kind.is_number:
        try:
            return json.dumps(int(value))
        except ValueError:
            return written(value)
    text = str(value) if look is not None else value
    return "'" + text.replace("'", "''") + "'" if isinstance(text, str) else json.dumps(text)


def quoted(column: str) -> str:
    """Return a column as a condition calls it."""
    return '"' + column.replace('"', '""') + '"'
