"""Clarify's segments to conditions: one audit of the rows of each."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from biaspipe.engines.column_profiles import ColumnProfile
from biaspipe.errors import Fault, Loc
from biaspipe.migration.clarify.dataset import ClarifyDataset
from biaspipe.migration.clarify.models import SegmentConfig
from biaspipe.migration.column_names import ColumnNames
from biaspipe.migration.config_file import config_path
from biaspipe.migration.draft import Draft, Note, slug
from biaspipe.sources.quoting import identifier, literal
from biaspipe.spec import format_value

__all__ = ["segment_drafts"]

NUMBER = r"[-+]?(?:inf|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
INTERVAL = re.compile(
    rf"(?P<open>[\[(])\s*(?P<low>{NUMBER})\s*,\s*(?P<high>{NUMBER})\s*(?P<close>[\])])"
)
REST = "default"
"""What Clarify calls the segment of all other rows, between underscores."""


class Segment(NamedTuple):
    """Some rows of the data: their name, their condition and the key of the configuration."""

    name: str
    where: str
    loc: Loc


def segment_drafts(dataset: ClarifyDataset, whole: Draft) -> Iterator[Draft]:
    """Yield a spec for the rows of each segment.

    Parameters
    ----------
    dataset : the data of the configuration.
    whole : the spec of all rows.
    """
    configs = dataset.config.segment_config or []
    names = {whole.name}
    columns = list(_columns_of(configs, dataset.names))
    profiles = dataset.profiles_of([column for _, column in columns])
    for i, column in columns:
        for segment in _segments_of(configs[i], i, column, profiles.get(column), dataset.faults):
            if _is_empty_rest(dataset, segment, column):
                continue
            name = f"{whole.name}-{slug(segment.name)}"
            while name in names:
                name += "_"
            names.add(name)
            yield _draft_of(whole, segment, name)


def _columns_of(configs: list[SegmentConfig], names: ColumnNames) -> Iterator[tuple[int, str]]:
    """Yield the number and the column of each configuration of segments."""
    for i, config in enumerate(configs):
        if config.name_or_index is None or config.segments is None:
            continue
        if column := names.of(config.name_or_index, ("segment_config", i, "name_or_index")):
            yield i, column


def _is_empty_rest(dataset: ClarifyDataset, segment: Segment, column: str) -> bool:
    """Whether the segment is that of all other rows, and the data is known to have none."""
    if segment.loc[-1] != "segments":
        return False
    profile = dataset.profiles_of([column], segment.where).get(column)
    if profile is None or profile.rows:
        return False
    words = f"{segment.name}: no row is left, so it has no audit"
    dataset.notes.append(Note(segment.loc, words))
    return True


def _draft_of(whole: Draft, segment: Segment, name: str) -> Draft:
    draft = deepcopy(whole)
    rest = {key: value for key, value in draft.values.items() if key not in ("version", "name")}
    draft.values = {"version": whole.values["version"], "name": name}
    draft.put(("description",), f"Segment {segment.name}", segment.loc)
    draft.values |= rest
    where, partnered = segment.where, draft.values.get("data", {}).get("where")
    both = f"({partnered}) AND ({where})" if partnered else where
    draft.put(("data", "where"), both, segment.loc, "Only the rows of the segment.")
    return draft


def _segments_of(
    config: SegmentConfig, i: int, column: str, profile: ColumnProfile | None, faults: list[Fault]
) -> Iterator[Segment]:
    """Yield the segments of a column, at last the one of all other rows."""
    loc: Loc = ("segment_config", i)
    segments, aliases = config.segments, config.display_aliases or []
    if not segments or not all(segments):
        faults.append(Fault(f"{config_path(loc)}: a segment without values", (*loc, "segments")))
        return
    if aliases and len(aliases) not in (len(segments), len(segments) + 1):
        message = (
            f"{config_path(loc)}.display_aliases: {len(aliases)} names for {len(segments)} segments"
        )
        expected = "one for each segment, or one more for the rest of the rows"
        faults.append(Fault(message, (*loc, "display_aliases"), expected=expected))
        return
    begun = f"{config.config_name or column}: "
    conditions = [_condition(column, values, profile) for values in segments]
    for number, (values, condition) in enumerate(zip(segments, conditions, strict=True)):
        name = aliases[number] if aliases else ", ".join(map(format_value, values))
        yield Segment(begun + name, condition, (*loc, "segments", number))
    rest = aliases[-1] if len(aliases) > len(segments) else REST
    others = " OR ".join(conditions)
    missing = f"{identifier(column)} IS NULL OR NOT ({others})"
    yield Segment(begun + rest, missing, (*loc, "segments"))


def _condition(column: str, values: list[Any], profile: ColumnProfile | None) -> str:
    is_text = profile is not None and not profile.kind.is_number
    found = [None if is_text else INTERVAL.fullmatch(str(v).strip()) for v in values]
    parts = [_between(column, one) for one in found if one]
    singles = [v for v, one in zip(values, found, strict=True) if not one]
    if singles:
        listed = ", ".join(_literal(v, profile) for v in singles)
        parts.append(f"{identifier(column)} IN ({listed})")
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


def _between(column: str, interval: re.Match[str]) -> str:
    name = identifier(column)
    parts = []
    if "inf" not in interval["low"]:
        parts.append(f"{name} {'>=' if interval['open'] == '[' else '>'} {interval['low']}")
    if "inf" not in interval["high"]:
        parts.append(f"{name} {'<=' if interval['close'] == ']' else '<'} {interval['high']}")
    return f"({' AND '.join(parts)})" if parts else f"{name} IS NOT NULL"


def _literal(value: Any, profile: ColumnProfile | None) -> str:
    if profile is not None and profile.kind.is_number:
        try:
            return json.dumps(int(value))
        except ValueError:
            return format_value(value)
    text = str(value) if profile is not None else value
    return literal(text) if isinstance(text, str) else json.dumps(text)
