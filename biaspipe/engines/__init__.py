"""Engines: they read the data where it lives and hand back counts.

No metric, verdict or report knows which engine ran.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from biaspipe.counts import Counts, Flips
from biaspipe.errors import UsageError
from biaspipe.plan import FacetTables, Kind, Plan
from biaspipe.policy import DEFAULT, Limits, Policy
from biaspipe.sources.extras import needed
from biaspipe.sources.inputs import Inputs, found_inputs
from biaspipe.spec import Audit, EngineName

__all__ = ["Engine", "InputFile", "open_engine"]

LIBRARIES: dict[EngineName, str] = {"duckdb": "duckdb", "spark": "pyspark"}
"""What engines need that only an extra installs; it is asked for before the files are."""


class InputFile(Protocol):
    """A file that was read; size and digest are None where only the engine could read it."""

    @property
    def path(self) -> str:
        """The path as the spec writes it."""

    @property
    def bytes(self) -> int | None:
        """The file's size."""

    @property
    def sha256(self) -> str | None:
        """The digest of the file's bytes, in hexadecimal."""


class Engine(Protocol):
    """What a run asks of an engine."""

    limits: Limits
    """How many groups and strata there may be."""

    @property
    def name(self) -> str:
        """What messages call the data."""

    @property
    def version(self) -> str:
        """What counted, with its version, such as duckdb 1.4.0."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What kind of values each column holds."""

    def count(self, plan: Plan) -> Counts:
        """Count the data by the groupings of a plan."""

    def neighbours(
        self, plan: Plan, tables: Sequence[FacetTables]
    ) -> Mapping[str, tuple[Flips, ...]]:
        """Run the fliptests of a plan; for each facet, the evidence of every comparison."""

    def occurring(self, column: str) -> list[object]:
        """Return the values of a column among the rows that count, the commonest first."""

    def inputs(self) -> Sequence[InputFile]:
        """Return every file that was read."""

    def refuse_misread(self, plan: Plan) -> None:
        """Refuse files that are not read as they were meant, which says more than what follows."""

    def refuse_empty(self) -> None:
        """Refuse data without a row."""

    def settle(self) -> bool:
        """Take types from all values instead of the first; whether that changes anything."""

    def close(self) -> None:
        """Stop what still runs."""


def open_engine(
    audit: Audit,
    folder: Path,
    *,
    engine: EngineName | None = None,
    frame: object = None,
    policy: Policy = DEFAULT,
) -> Engine:
    """Open the data of an audit; the engine's libraries are imported here and not before.

    Parameters
    ----------
    audit : the spec, which says what to read.
    folder : what relative paths are relative to.
    engine : what to count with, instead of what the spec says.
    frame : rows in hand, instead of what the spec says is read.
    policy : what the spec may reach.

    Raises
    ------
    UsageError
        If the engine cannot count this data, or is not installed.
    SpecError, DataError
        If the data cannot be opened.
    """
    data = audit.data
    _refuse_idle(engine, "a frame" if frame is not None else data.table and "a table of a database")
    if frame is not None:
        from biaspipe.engines.frames import engine_of  # noqa: PLC0415 - as heavy as its engine

        return _bounded(engine_of(frame, data, folder, policy), policy)
    if data.table:
        from biaspipe.engines.database.engine import DatabaseEngine  # noqa: PLC0415 - needs ibis

        return _bounded(DatabaseEngine(data, policy), policy)
    wanted = engine or audit.engine
    if wanted and (library := LIBRARIES.get(wanted)):
        needed(library, wanted)
    with found_inputs(data, folder, policy) as inputs:
        return _bounded(_of_files(wanted, audit, inputs, policy), policy)


def _bounded(engine: Engine, policy: Policy) -> Engine:
    engine.limits = policy.limits
    return engine


def _refuse_idle(engine: EngineName | None, place: str | None) -> None:
    """Refuse an engine where the rows are counted by what holds them."""
    if place and engine:
        raise UsageError(f"{place} is counted where it is, so {engine} does nothing here")


def _of_files(engine: EngineName | None, audit: Audit, inputs: Inputs, policy: Policy) -> Engine:
    """Open files with an engine, polars if none is named."""
    if engine == "duckdb":
        from biaspipe.engines.duckdb.engine import DuckdbEngine  # noqa: PLC0415 - needs duckdb

        return DuckdbEngine(audit.data, inputs)
    if engine == "spark":
        from biaspipe.engines.spark.engine import SparkEngine  # noqa: PLC0415 - needs pyspark

        return SparkEngine(audit.data, inputs, audit.spark, policy=policy)
    from biaspipe.engines.polars import PolarsEngine  # noqa: PLC0415 - polars is slow to import

    return PolarsEngine(audit.data, inputs)
