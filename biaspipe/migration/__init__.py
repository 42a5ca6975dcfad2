"""Configurations of other tools to audit specs: SageMaker Clarify's and Vertex AI's."""

from collections.abc import Callable
from pathlib import Path

from biaspipe.errors import UsageError
from biaspipe.loading import Loaded, load
from biaspipe.migration.config_file import is_config
from biaspipe.policy import DEFAULT, Policy

__all__ = ["load_specs", "reload_spec"]


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
    data : the data instead of the configuration's, relative to the current folder.
    tell : is told what is not carried over.
    policy : what a configuration may reach.

    Raises
    ------
    SpecError
        With every fault at once.
    DataError
        If `data` cannot be read.
    UsageError
        If `data` is given with a spec, which names its own.
    """
    if not is_config(path):
        if data is not None:
            hint = "--data goes with a configuration of Clarify or Vertex AI"
            raise UsageError(f"{path} is a spec, which names its data itself", hint=hint)
        return (load(path),)
    from biaspipe.migration.conversion import load_config  # noqa: PLC0415 - brings polars

    conversion = load_config(path, data, Path(), policy)
    for note in conversion.said():
        tell(note)
    return conversion.specs


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
