"""The audit as a function: a spec, and rows that are in hand already."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from biaspipe.loading import Loaded
    from biaspipe.report import Report
    from biaspipe.spec import EngineName

__all__ = ["run"]

WRITTEN = "(spec)"
"""What messages call a spec that is no file."""


def run(  # noqa: PLR0913 - each is an option of the command line
    spec: str | PathLike[str] | Mapping[str, Any],
    data: object = None,
    *,
    engine: "EngineName | None" = None,
    select: Iterable[str] = (),
    as_of: date | None = None,
    waivers: bool = True,
) -> "Report":
    """Run an audit and return its report, the same one that `biaspipe run` writes.

    Parameters
    ----------
    spec : the path of a YAML file, or its content as Python values.
        Paths in values are relative to the current folder.
    data : the rows, instead of those that the spec names: a frame of polars (lazy or not), pandas,
        PyArrow, DuckDB or Spark, counted where it is; a spec in Python values then needs no `data`.
    engine : what reads and counts files: "polars", "duckdb" or "spark".
    select : tags, metrics and facets; only their checks are run.
    as_of : the day on which waivers are judged; today in UTC if left out.
    waivers : whether waivers are applied.

    Returns
    -------
    Report
        With `result.verdict`, `result.checks` and all evidence; `to_json()` is the artifact.

    Raises
    ------
    SpecError
        If the spec is wrong, or names a column or value that the data lacks.
    DataError
        If the data cannot be read or is faulty.
    UsageError
        If `data` is no frame, the selection is empty, or a library is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "f", "m", "m"], "hired": ["no", "yes", "yes", "yes"]})
    >>> report = run(
    ...     {
    ...         "version": 1,
    ...         "name": "hiring",
    ...         "columns": {"prediction": {"column": "hired", "positive": "yes"}},
    ...         "facets": {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}},
    ...         "metrics": {"DI": {"min": 0.8}},
    ...     },
    ...     data=people,
    ... )
    >>> report.result.verdict.value, report.result.checks[0].value
    ('fail', 0.5)
    """
    from biaspipe.errors import UsageError
    from biaspipe.pipeline import Options
    from biaspipe.pipeline import run as run_loaded
    from biaspipe.pipeline.selection import select as selected
    from biaspipe.spec import today

    loaded = _loaded(spec, in_hand=data is not None)
    names = (select,) if isinstance(select, str) else tuple(select)
    (checks,) = selected([loaded], names)
    if names and not checks:
        raise UsageError(f"no check of {loaded.document.name} is selected by {', '.join(names)}")
    chosen = Options(checks if names else None, names, as_of or today(), waivers, engine, data)
    return run_loaded(loaded, chosen)


def _loaded(spec: str | PathLike[str] | Mapping[str, Any], *, in_hand: bool) -> "Loaded":
    """Load a spec, from a file or from values."""
    from biaspipe.errors import UsageError
    from biaspipe.loading import load, load_text

    if not isinstance(spec, Mapping):
        return load(Path(spec))
    values = {**spec}
    if in_hand:
        values.setdefault("data", {"path": "(frame)"})
    try:
        text = json.dumps(values, indent=2, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the spec holds what no YAML file can: {error}") from None
    return load_text(text.encode(), WRITTEN, Path())
