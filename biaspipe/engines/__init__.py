"""Engines: they read the data where it lives and hand back counts.

No metric, verdict or report knows which engine ran.
"""

from contextlib import ExitStack, closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from biaspipe.errors import UsageError
from biaspipe.extras import import_extra
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources import Sources, open_sources
from biaspipe.sources.digests import Digests
from biaspipe.spec import DEFAULT_ENGINE, Audit, EngineName

if TYPE_CHECKING:  # what it needs is slow to import
    from biaspipe.engines.counting import Engine

__all__ = ["ENGINES", "FileEngine", "open_engine"]


class FileEngine(NamedTuple):
    """The engine that counts files.

    Parameters
    ----------
    module : its module, whose `backend_of` takes the files, the audit and the policy.
    library : what it needs that only the extra of its name installs.
    """

    module: str
    library: str | None = None


ENGINES: dict[EngineName, FileEngine] = {
    "polars": FileEngine("biaspipe.engines.polars"),
    "duckdb": FileEngine("biaspipe.engines.duckdb.backend", "duckdb"),
    "spark": FileEngine("biaspipe.engines.spark.backend", "pyspark"),
}
"""The engines that count files, by their names in specs and on the command line."""


def open_engine(
    audit: Audit,
    folder: Path,
    *,
    engine: EngineName | None = None,
    frame: object = None,
    policy: Policy = DEFAULT,
) -> "Engine":
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
    where = "a frame" if frame is not None else audit.data.table and "a table of a database"
    if where and engine:
        raise UsageError(f"{where} is counted where it is, so {engine} does nothing here")
    if frame is not None:
        return _of_frame(frame, audit, folder, policy)
    if audit.data.table:
        return _of_database(audit, policy)
    return _of_files(engine or audit.engine or DEFAULT_ENGINE, audit, folder, policy)


def _of_files(name: EngineName, audit: Audit, folder: Path, policy: Policy) -> "Engine":
    """Open files; their digests begin before the engine is imported."""
    module, library = ENGINES[name]
    if library:
        import_extra(library, name)
    with open_sources(audit.data, folder, policy) as inputs:
        from biaspipe.engines.counting import Engine  # noqa: PLC0415 - polars is slow to import

        backend = import_module(module).backend_of(inputs, audit, policy)
        return Engine(backend, audit.data, inputs, policy.limits)


def _of_frame(frame: object, audit: Audit, folder: Path, policy: Policy) -> "Engine":
    from biaspipe.engines.counting import Engine  # noqa: PLC0415 - polars is slow to import
    from biaspipe.engines.frames import backend_of_frame, refuse_unfit  # noqa: PLC0415 - as above

    refuse_unfit(frame, audit.data)
    with open_sources(audit.data, folder, policy, in_hand=True) as inputs:
        return Engine(backend_of_frame(frame, inputs), audit.data, inputs, policy.limits)


def _of_database(audit: Audit, policy: Policy) -> "Engine":
    from biaspipe.engines.counting import Engine  # noqa: PLC0415 - polars is slow to import
    from biaspipe.engines.database.backend import DatabaseBackend  # noqa: PLC0415 - needs ibis

    backend = DatabaseBackend(audit.data, policy)
    no_files = ExitStack()
    sources = Sources((), no_files.enter_context(closing(Digests(()))), resources=no_files)
    return Engine(backend, audit.data, sources, policy.limits)
