"""Audits that every engine has to answer alike, and what alike means."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import polars as pl
import pytest

from biaspipe.engines.counting import Engine
from biaspipe.engines.dataset import MATCHES
from biaspipe.errors import BiaspipeError, DataError, SpecError
from biaspipe.loading import Loaded
from biaspipe.pipeline import Options, run
from biaspipe.report import canonical_json
from biaspipe.spec import EngineName
from tests.engines.builders import prepare, write

__all__ = [
    "Case",
    "Outcome",
    "Partner",
    "Place",
    "by_files",
    "differs",
    "kept",
    "outcome",
    "same",
    "without_place",
]

Parts = Mapping[str, Any]
Place = Callable[[str], Parts]
"""Where a spec finds a table of this name: {"path": "data.parquet"}, or {"table": "data"}."""


class Partner(NamedTuple):
    """A table that is joined: its rows and its key."""

    rows: pl.DataFrame
    on: str | list[str]


class Outcome(NamedTuple):
    """What comes of an audit: its result as canonical JSON, or the class of its error and why."""

    result: str | None
    error: str | None = None
    words: str | None = None


@dataclass(frozen=True)
class Case:
    """An audit of rows, wherever an engine may have them.

    Parameters
    ----------
    name : what the audit is about, in a few words.
    rows : the audited rows.
    parts : parts of the spec that take the place of the usual ones.
    where : the condition.
    partners : the tables that are joined, by name.
    error : the class that every engine ends with; None where there is a result.
    own_words : whether engines explain the error in words of their own.
    """

    name: str
    rows: pl.DataFrame
    parts: Parts = field(default_factory=dict)
    where: str | None = None
    partners: Mapping[str, Partner] = field(default_factory=dict)
    error: str | None = None
    own_words: bool = False

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """Every table of the audit by its name; the audited rows are `data`."""
        return {"data": self.rows, **{name: p.rows for name, p in self.partners.items()}}

    def loaded(self, folder: Path, place: Place, /, **more: Any) -> Loaded:
        """Write the spec to a folder and load it.

        Parameters
        ----------
        folder : where the spec is written.
        place : says where the engine finds a table.
        more : further keys of the spec's `data`.
        """
        joins = [{**place(name), "on": partner.on} for name, partner in self.partners.items()]
        data = {**place("data"), **more}
        data |= {"where": self.where} if self.where else {}
        data |= {"join": joins} if joins else {}
        return prepare(folder, data=data, **self.parts)


def by_files(case: Case, folder: Path) -> Loaded:
    """Write the tables of a case as Parquet beside a spec that reads them, and load it."""
    for name, rows in case.tables.items():
        write(folder / f"{name}.parquet", rows)
    return case.loaded(folder, lambda name: {"path": f"{name}.parquet"})


def outcome(loaded: Loaded, engine: EngineName | None = None, frame: object = None) -> Outcome:
    """Run an audit.

    Parameters
    ----------
    loaded : the spec.
    engine : what counts, instead of what the spec says.
    frame : rows in hand, instead of what the spec says is read.
    """
    try:
        return Outcome(canonical_json(run(loaded, Options(engine=engine, frame=frame)).result))
    except SpecError as error:
        faults = [f"{f.message} {f.expected} {f.found} {f.hint}" for f in error.faults]
        return Outcome(None, "SpecError", "\n".join(faults))
    except BiaspipeError as error:
        broad = DataError if isinstance(error, DataError) else type(error)
        return Outcome(None, broad.__name__, str(error))


def without_place(found: Outcome, *names: str) -> Outcome:
    """Return an outcome without what tells where the rows were, to compare two places.

    Parameters
    ----------
    found : the outcome.
    names : what messages call the tables there.
    """
    words = found.words
    for name in names:
        words = words and words.replace(name, "TABLE")
    if found.result is None:
        return found._replace(words=words)
    values = json.loads(found.result)
    del values["audit"], values["data"]["inputs"]
    for join in values["data"].get("joins") or ():
        del join["path"]
    return found._replace(result=json.dumps(values, sort_keys=True))


def kept(engine: Engine, where: str) -> list[int] | str:
    """Return the `id` of every row that meets a condition, or the class of its error.

    Parameters
    ----------
    engine : has the data open.
    where : the condition.
    """
    try:
        with engine.backend.errors(engine.name):
            found = engine.dataset.conditioned(where).filter(nw.col(MATCHES))
        return sorted(engine.dataset.read(found.select("id"))["id"].to_list())
    except BiaspipeError as error:
        return (DataError if isinstance(error, DataError) else type(error)).__name__


def differs(names: Iterable[Any], reasons: Mapping[str, str]) -> list[Any]:
    """Return parameters of a test, those that an engine answers in another way marked with why.

    Parameters
    ----------
    names : cases, or conditions.
    reasons : why the engine differs, by the name of the case, or by the condition.
    """
    known = {getattr(name, "name", name): name for name in names}
    assert set(reasons) <= set(known)
    return [
        pytest.param(
            case,
            id=name,
            marks=pytest.mark.xfail(reason=reasons[name]) if name in reasons else (),
        )
        for name, case in known.items()
    ]


def same(case: Case, expected: Outcome, found: Outcome) -> None:
    """Assert that two engines come to one result, cell for cell, or to one error.

    Parameters
    ----------
    case : the audit.
    expected : what polars makes of it.
    found : what the other engine makes of it.
    """
    assert expected.error == case.error, expected.words
    assert found.error == case.error, found.words
    if not case.own_words:
        assert found == expected
