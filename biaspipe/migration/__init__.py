"""Configurations of other tools to audit specs: SageMaker Clarify's and Vertex AI's."""

import os
from collections.abc import Callable
from glob import has_magic
from pathlib import Path

from biaspipe.errors import DataError
from biaspipe.loading import GivenData, Loaded, load
from biaspipe.migration.config_file import is_config
from biaspipe.policy import DEFAULT, Policy

__all__ = ["load_specs", "reading_again", "reload_spec"]


def load_specs(
    path: Path,
    data: str | None = None,
    tell: Callable[[str], object] = str,
    policy: Policy = DEFAULT,
) -> tuple[Loaded, ...]:
    """Load a spec, or the specs that a configuration of another tool is converted to.

    Parameters
    ----------
    path : a spec, or a configuration in JSON.
    data : the data instead of what it names, relative to the current folder.
    tell : is told what is not carried over.
    policy : what a configuration may reach.

    Raises
    ------
    SpecError
        With every fault at once.
    DataError
        If `data` cannot be read.
    UsageError
        If `data` names none.
    """
    if not is_config(path):
        loaded = load(path)
        return (loaded if data is None else _reading(loaded, data),)
    from biaspipe.migration.conversion import load_config  # noqa: PLC0415 - brings polars

    conversion = load_config(path, data, Path(), policy)
    for note in conversion.said():
        tell(note)
    return conversion.specs


def _reading(loaded: Loaded, path: str) -> Loaded:
    """Return a spec that reads the data of a command line."""
    from biaspipe.migration.data_tables import format_of  # noqa: PLC0415 - brings polars

    given = GivenData.of(path, loaded.folder, format_of(path))
    is_local = "://" not in path and not has_magic(path)
    if is_local and not os.path.lexists(path):
        raise DataError(f"--data {path}: there is no such file or folder")
    return loaded.reading(given)


def reading_again(loaded: Loaded, name: str, place: str) -> Loaded:
    """Return a spec that reads the data that a report says it was run on.

    Parameters
    ----------
    loaded : the spec.
    name : what the report's result calls the data.
    place : where it was, relative to the spec's folder.

    Raises
    ------
    SpecError
        As `Loaded.reading` does.
    """
    from biaspipe.migration.data_tables import format_of  # noqa: PLC0415 - brings polars

    return loaded.reading(GivenData(place, name, format_of(place)))


def reload_spec(path: Path, name: str, data: str | None, policy: Policy = DEFAULT) -> Loaded:
    """Load the spec of an audit that was run, from a spec or a configuration.

    Parameters
    ----------
    path : the file.
    name : the audit's name, where a configuration is converted to several.
    data : the data that was audited, relative to the file.
    policy : what a configuration may reach.

    Raises
    ------
    SpecError, DataError
        As `load_specs` does.
    """
    if not is_config(path):
        return load(path)
    from biaspipe.migration.conversion import load_config  # noqa: PLC0415 - brings polars

    specs = load_config(path, data, policy=policy).specs
    return next((spec for spec in specs if spec.audit.name == name), specs[0])
