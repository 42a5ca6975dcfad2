"""The audit as a function: a spec, and rows that are in hand already.

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

import json
from collections.abc import Iterable, Mapping
from datetime import date
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from biaspipe.loading import Loaded
    from biaspipe.pipeline import Options
    from biaspipe.proposal import Given
    from biaspipe.report import Report
    from biaspipe.spec import EngineName

__all__ = ["init", "run"]

WRITTEN = "(spec)"
"""What messages call a spec that is no file."""
VALUE_TYPES = (str, bool, int, float)
"""What the value of a parameter is, and no kind of it, such as a number of NumPy."""


def run(  # noqa: PLR0913 - each is an option of the command line
    spec: str | PathLike[str] | Mapping[str, Any],
    data: object = None,
    *,
    engine: "EngineName | None" = None,
    select: Iterable[str] = (),
    as_of: date | None = None,
    waivers: bool = True,
    policy: "str | PathLike[str] | None" = None,
    parameters: Mapping[str, str | float | bool | date] | None = None,
) -> "Report":
    """Run an audit and return its report, the same one that `biaspipe run` writes.

    Parameters
    ----------
    spec : the path of a YAML file, or its content as Python values.
    data : the rows, instead of those that the spec names: a frame of polars (lazy or not), pandas,
        PyArrow, DuckDB or Spark, counted where it is; a spec in values then needs no `data`.
    engine : what reads and counts files: "polars", "duckdb" or "spark".
    select : tags, metrics and facets; only their checks are run.
    as_of : the day on which waivers are judged; today in UTC if left out.
    waivers : whether waivers are applied.
    policy : the file that says what the spec may reach; the one that BIASPIPE_POLICY names, or
        safe defaults, if left out.
    parameters : values for the spec's parameters, instead of their defaults; a text stays one.

    Raises
    ------
    SpecError, DataError
        If the spec or the data is wrong.
    UsageError
        If the call is: `data` is no frame, nothing is selected, a parameter is not the spec's.
    """
    from biaspipe import pipeline
    from biaspipe.loading.policies import policy_in_force

    loaded = _given(_loaded(spec, in_hand=data is not None), parameters)
    names = (select,) if isinstance(select, str) else tuple(select)
    reach = policy_in_force(None if policy is None else Path(policy))
    return pipeline.run(loaded, _options(loaded, names, as_of, waivers, engine, data, reach))


def init(  # noqa: PLR0913 - each is an option of the command line
    data: object,
    *,
    label: str | None = None,
    prediction: str | None = None,
    facets: str | Iterable[str] = (),
    strata: str | Iterable[str] = (),
    weight: str | None = None,
    name: str | None = None,
    yes: bool = False,
    folder: str | PathLike[str] = ".",
    policy: "str | PathLike[str] | None" = None,
) -> str:
    """Look at data and return a spec that is proposed for it, the one that `biaspipe init` writes.

    Parameters
    ----------
    data : a frame as `run` takes it, or the path, glob or URI of files.
    label, prediction : "repaid", "repaid=yes", "score>=0.5", or "none" where there is none.
    facets, strata, weight : columns; a facet maybe with its favored group, "sex=male".
    name : the audit's name; that of the data, or "audit", if left out.
    yes : whether what names and values leave open is assumed; an error if left out.
    folder : where the spec will stand, which its paths are relative to.
    policy : the file that says what may be reached, as for `run`.

    Raises
    ------
    UsageError
        If a column or value does not occur, or something is left open.
    DataError
        If the data cannot be read.
    """
    from biaspipe.proposal import Given

    given = Given(label, prediction, _listed(facets), _listed(strata), weight)
    return _proposed(data, given, (name, Path(folder)), policy, yes=yes)


def _proposed(
    data: object,
    given: "Given",
    audit: tuple[str | None, Path],
    policy: "str | PathLike[str] | None",
    *,
    yes: bool,
) -> str:
    """Return the spec that is proposed for data, with the audit's name and in its folder."""
    from biaspipe.loading.policies import policy_in_force
    from biaspipe.proposal import propose
    from biaspipe.proposal.data_tables import checked_name, look_at, name_of
    from biaspipe.proposal.places import IN_HAND
    from biaspipe.proposal.questions import assume, refuse_open
    from biaspipe.proposal.spec_text import spec_text

    place = str(data) if isinstance(data, str | PathLike) else None
    reach = policy_in_force(None if policy is None else Path(policy))
    found = look_at({"path": place or IN_HAND}, data if place is None else None, reach)
    proposal = propose(found.contents, given, assume if yes else refuse_open)
    name, folder = audit
    called = checked_name(name or (name_of(place) if place else "audit"))
    return spec_text(proposal, called, found.keys, folder)


def _listed(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _given(loaded: "Loaded", parameters: object) -> "Loaded":
    """Give a spec the values of its parameters."""
    from biaspipe.errors import UsageError
    from biaspipe.loading.parameters import refuse_unknown

    if parameters is None:
        return loaded
    if not isinstance(parameters, Mapping):
        example = 'expected a mapping, such as {"month": "2026-11"}'
        raise UsageError(f"parameters is a {type(parameters).__name__}; {example}")
    values = {_name(name): _value(name, value) for name, value in parameters.items()}
    refuse_unknown(values, [loaded.audit])
    return loaded.filled(values)


def _name(name: object) -> str:
    """Refuse what is no name of a parameter."""
    from biaspipe.errors import UsageError

    if not isinstance(name, str):
        raise UsageError(f"parameters: {name!r} is no name of a parameter; expected a text")
    return name


def _value(name: str, value: object) -> str | float | bool:
    """Return a value that a spec may hold; a day is its text."""
    from biaspipe.errors import UsageError

    if type(value) is date:
        return value.isoformat()
    finite = not isinstance(value, float) or isfinite(value)
    if isinstance(value, str | int | float) and type(value) in VALUE_TYPES and finite:
        return value
    found = repr(value) if value is None or isinstance(value, float) else type(value).__name__
    words = "expected a text, a finite number, true, false or a date"
    raise UsageError(f"parameters: {name} is {found}; {words}")


def _loaded(spec: str | PathLike[str] | Mapping[str, Any], *, in_hand: bool) -> "Loaded":
    """Load a spec, from a file or from values."""
    from biaspipe.errors import UsageError
    from biaspipe.loading import load, load_text

    if isinstance(spec, str | PathLike):
        return load(Path(spec))
    if not isinstance(spec, Mapping):
        raise UsageError(f"spec is neither a path nor a mapping: {type(spec).__name__}")
    values = {**spec}
    if in_hand:
        data = values.get("data", {})
        if isinstance(data, Mapping) and not {"path", "table"} & {*data}:
            values["data"] = {"path": "(frame)", **data}
    try:
        text = json.dumps(values, indent=2, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the spec holds what no YAML file can: {error}") from None
    return load_text(text.encode(), WRITTEN, Path())


def _options(
    loaded: "Loaded", names: tuple[str, ...], as_of: date | None, waive: bool, *chosen: Any
) -> "Options":
    """Return the options of a run that the call gives."""
    from biaspipe.errors import UsageError
    from biaspipe.pipeline import Options
    from biaspipe.pipeline.selection import select
    from biaspipe.spec import today

    (checks,) = select([loaded], names)
    if names and not checks:
        raise UsageError(f"no check of {loaded.document.name} is selected by {', '.join(names)}")
    return Options(checks if names else None, names, as_of or today(), waive, *chosen)
