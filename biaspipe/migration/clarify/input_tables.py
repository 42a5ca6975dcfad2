"""The tables of Clarify's configuration, and what the columns of one without names are called."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from biaspipe.errors import Fault, Loc
from biaspipe.migration.clarify.jmespath import JsonColumns, json_columns, records_key
from biaspipe.migration.clarify.models import ClarifyConfig
from biaspipe.migration.config_file import config_path
from biaspipe.migration.data_tables import DataTable, Paths, format_of, no_data
from biaspipe.migration.draft import Note
from biaspipe.plan import Kind
from biaspipe.sources.headers import RENAMED

__all__ = ["JSON", "main_table", "table_beside"]

FORMATS = {
    "text/csv": "csv",
    "application/jsonlines": "jsonl",
    "application/json": "json",
    "application/x-parquet": "parquet",
}
JSON = ("application/jsonlines", "application/json")
UNSUPPORTED = {
    "application/sagemakercapturejson": "captured requests are not read; merge them with their"
    " labels into a table, and name that with --data PATH",
    "application/x-image": "images have no facets to compare; write a table with a row for each,"
    " its facet, label and prediction, and name that with --data PATH",
}
"""Clarify's data sets that are not read: why, and what to do."""
GENERATED = re.compile(r"column_\d+")
"""Clarify's names for the columns of a table without a header."""


def main_table(
    config: ClarifyConfig, paths: Paths, faults: list[Fault]
) -> tuple[DataTable | None, JsonColumns | None]:
    """Return the table of the data set, and its columns if it is nested JSON."""
    type_ = config.dataset_type or ""
    if type_ in UNSUPPORTED and not (paths.data and format_of(paths.data)):
        faults.append(Fault(f"dataset_type: {UNSUPPORTED[type_]}", ("dataset_type",)))
        return None, None
    table = paths.main_table(config.dataset_uri, FORMATS.get(type_), ("dataset_uri",))
    if table is None:
        faults.append(no_data(("dataset_type",)))
        return None, None
    columns = None
    if type_ in JSON:
        _refuse_twice(config.headers or [], ("headers",), faults)
        columns = _nested(table, config, faults)
    table.look(faults, must=paths.data is not None)
    if columns:
        table.columns = list(columns.fields)
        return table, columns
    is_csv = table.format in ("csv", "tsv")
    headers = config.headers
    if headers is None and is_csv:
        headers = _generated_names(table, config)
    _name_columns(table, headers, ("headers",), faults, is_csv=is_csv)
    return table, None


def _nested(table: DataTable, config: ClarifyConfig, faults: list[Fault]) -> JsonColumns | None:
    """Say where the values stand inside of rows of JSON, if they are not their keys."""
    records = records_key(config)
    first = None if "://" in table.real else table.first_row(**records)
    table.values |= records
    columns = json_columns(config, first, faults)
    if columns:
        table.values["fields"] = columns.fields
    return columns


def table_beside(
    which: str, config: ClarifyConfig, paths: Paths, faults: list[Fault]
) -> DataTable | None:
    """Return the table of `facet` or `predicted_label`, if there is one."""
    uri, headers = config.facet_dataset_uri, config.facet_headers
    if which == "predicted_label":
        uri, headers = config.predicted_label_dataset_uri, config.predicted_label_headers
    if uri is None:
        return None
    table = paths.table(uri, "csv", (f"{which}_dataset_uri",))
    table.look(faults)
    if headers is None and which == "predicted_label":
        is_named = "predicted_label" in (table.columns or ())
        headers = None if is_named or len(table.columns or "1") > 1 else ["predicted_label"]
    if headers is None:
        headers = _generated_names(table, config)
    _name_columns(table, headers, (f"{which}_headers",), faults, is_csv=True)
    return table


def _name_columns(
    table: DataTable, headers: list[str] | None, loc: Loc, faults: list[Fault], *, is_csv: bool
) -> None:
    """Tell a table without a first line of names what its columns are called."""
    _refuse_twice(headers or [], loc, faults)
    if headers is None or not is_csv:
        if headers is not None and not table.readable:
            table.columns = headers
        return
    if table.readable and table.columns is not None and len(table.columns) != len(headers):
        message = f"{config_path(loc)}: {len(headers)} names for {len(table.columns)} columns"
        faults.append(Fault(message, loc, found=", ".join(table.columns)))
    if table.columns != headers:
        table.values["csv"] = {"header": False, "columns": headers}
        table.columns = headers


def _refuse_twice(headers: Sequence[str], loc: Loc, faults: list[Fault]) -> None:
    """Note a fault for each name that is empty, or stands twice."""
    for place, name in enumerate(headers):
        if not name or name in headers[:place]:
            words = f"the name {name!r} stands twice" if name else "a column's name is empty"
            faults.append(Fault(f"{config_path((*loc, place))}: {words}", (*loc, place)))


def _generated_names(table: DataTable, config: ClarifyConfig) -> list[str] | None:
    """Return the names that Clarify gives a table without names, and note it.

    They are None where the first line holds the names, or where it is not known.
    """
    named = set(_named_columns(config))
    if not table.kinds or named & set(table.kinds):
        return None
    fields = [(RENAMED.sub("", name), kind) for name, kind in table.kinds.items()]
    over = [f for f, kind in fields if kind.is_number and kind is not Kind.MISSING]
    is_header = any(f and not _is_number(f) for f in over)
    is_data = not is_header and any(_is_number(f) for f, _ in fields)
    words = f"the first line ({', '.join(f for f, _ in fields[:3])}, ...)"
    if is_data or any(map(GENERATED.fullmatch, named)):
        words += (
            " holds values, so the columns are called column_0 and so on, as Clarify calls them"
        )
        table.notes.append(Note(table.loc, words))
        return [f"column_{i}" for i in range(len(fields))]
    if not is_header:
        words += " is taken for names; if it holds values, give headers"
        table.notes.append(Note(table.loc, words))
    return None


def _named_columns(config: ClarifyConfig) -> Iterator[str]:
    """Yield the columns that a configuration calls by name."""
    named = [config.label, config.predicted_label, config.group_variable]
    named += [config.joinsource_name_or_index, *(config.excluded_columns or ())]
    named += [facet.name_or_index for facet in config.facet or ()]
    named += [segments.name_or_index for segments in config.segment_config or ()]
    yield from (name for name in named if isinstance(name, str))


def _is_number(text: str) -> bool:
    with suppress(ValueError):
        float(text)
        return True
    return False
