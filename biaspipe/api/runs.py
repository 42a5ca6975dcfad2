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
>>> report
AuditReport(audit='hiring', verdict='fail', failed=1)
>>> report.check("DI").value
0.5
"""

from collections.abc import Iterable, Mapping
from datetime import date
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from biaspipe.printable_text import did_you_mean, list_values

if TYPE_CHECKING:
    from biaspipe.api.reports import AuditReport
    from biaspipe.loading import Loaded
    from biaspipe.pipeline import Options
    from biaspipe.plan import PlannedCheck
    from biaspipe.proposal import Given
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
    select: Iterable[str] | None = None,
    as_of: date | None = None,
    waivers: bool = True,
    policy: "str | PathLike[str] | None" = None,
    parameters: Mapping[str, str | float | bool | date] | None = None,
) -> "AuditReport":
    """Run an audit and return its report, the same one that `biaspipe run` writes.

    A failed check raises nothing: `report.ok` and `report.raise_for_failures()` tell.

    Parameters
    ----------
    spec : the path of a YAML file, or its content as Python values.
    data : the rows, instead of those that the spec names: a frame of polars (lazy or not), pandas,
        PyArrow, DuckDB or Spark, counted where it is; a spec in values then needs no `data`.
    engine : what reads and counts files: "polars", "duckdb" or "spark".
    select : tags, metrics and facets; only their checks are run, and each has to have some. All
        checks if left out; an empty list is an error.
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
        If the call is: `data` is no frame, a name selects nothing, a parameter is not the spec's.
    """
    _refuse_mistyped(engine=engine, as_of=as_of, waivers=waivers, policy=policy)
    loaded = _given(_loaded(spec, in_hand=data is not None), parameters)
    _refuse_frameless(loaded, data)
    return _report(loaded, _names(select), policy, as_of, waivers, engine, data)


def _refuse_frameless(loaded: "Loaded", data: object) -> None:
    """Refuse a spec that was written for rows in hand where there are none."""
    from biaspipe.errors import UsageError
    from biaspipe.spec import IN_HAND

    if data is None and IN_HAND in (loaded.audit.data.path or ()):
        words = f"the spec was written for a frame (data.path is {IN_HAND}), and none is given"
        raise UsageError(words, hint="biaspipe.run(spec, data=frame)")


def _report(
    loaded: "Loaded", names: tuple[str, ...], policy: str | PathLike[str] | None, *chosen: Any
) -> "AuditReport":
    """Run an audit under a policy."""
    from biaspipe import pipeline
    from biaspipe.api.reports import AuditReport
    from biaspipe.loading.policies import policy_in_force

    reach = policy_in_force(None if policy is None else Path(policy))
    return AuditReport.of(pipeline.run(loaded, _options(loaded, names, *chosen, reach)))


def _refuse_mistyped(**given: object) -> None:
    """Refuse what is of another type than an option takes, by its name."""
    from biaspipe.errors import UsageError
    from biaspipe.spec import EngineName

    day = given["as_of"]
    if day is not None and type(day) is not date:
        words = f"as_of is a {type(day).__name__}; expected a datetime.date"
        raise UsageError(words, hint="date(2027, 1, 31), or date.fromisoformat(...)")
    if not isinstance(given["waivers"], bool):
        raise UsageError(f"waivers is {given['waivers']!r}; expected True or False")
    if not isinstance(given["policy"], str | PathLike | None):
        raise UsageError(f"policy is a {type(given['policy']).__name__}; expected a path")
    engine, known = given["engine"], get_args(EngineName)
    if engine is not None and engine not in known:
        words = f"there is no engine {engine!r}; it is {list_values(known)}"
        raise UsageError(words, hint=did_you_mean(str(engine), known))


def _names(select: object) -> tuple[str, ...]:
    """Return what is selected as names."""
    from biaspipe.errors import UsageError

    if select is None:
        return ()
    names = [select] if isinstance(select, str) else select
    names = list(names) if isinstance(names, Iterable) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise UsageError("select is no list of names", hint='expected one such as ["DI", "sex"]')
    if not names:
        raise UsageError("select is empty", hint="None, or leaving it out, runs every check")
    return tuple(names)


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
    from biaspipe.proposal.questions import assume, refuse_open
    from biaspipe.proposal.spec_text import spec_text
    from biaspipe.spec import IN_HAND

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
    from biaspipe.api.spec_values import spec_text
    from biaspipe.errors import UsageError
    from biaspipe.loading import load, load_text
    from biaspipe.spec import IN_HAND

    if isinstance(spec, str | PathLike):
        return load(Path(spec))
    if not isinstance(spec, Mapping):
        raise UsageError(f"spec is neither a path nor a mapping: {type(spec).__name__}")
    values = {**spec}
    if in_hand:
        data = values.get("data", {})
        if isinstance(data, Mapping) and not {"path", "table"} & {*data}:
            values["data"] = {"path": IN_HAND, **data}
    content = spec_text(values, WRITTEN).encode()
    return load_text(content, WRITTEN, Path(), has_lines=False)


def _options(
    loaded: "Loaded", names: tuple[str, ...], as_of: date | None, waive: bool, *chosen: Any
) -> "Options":
    """Return the options of a run that the call gives."""
    from biaspipe.errors import UsageError
    from biaspipe.pipeline import Options
    from biaspipe.pipeline.selection import select
    from biaspipe.spec import today

    def chosen_by(*names: str) -> tuple["PlannedCheck", ...]:
        try:
            (found,) = select([loaded], names)
        except UsageError as error:  # which calls it as the command line does
            raise UsageError(error.message.removeprefix("--"), hint=error.hint) from None
        if names and not found:
            words = f"no check of {loaded.document.name} is selected by {' and '.join(names)}"
            raise UsageError(words, hint="select is about what the spec asks for")
        return found

    for name in names:
        chosen_by(name)
    checks = chosen_by(*names)
    return Options(checks if names else None, names, as_of or today(), waive, *chosen)
