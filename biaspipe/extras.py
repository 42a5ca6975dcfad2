"""Libraries that only some engines need: imported where they are used, named where they lack."""

from importlib import import_module
from types import ModuleType

from biaspipe.errors import UsageError

__all__ = ["import_extra"]


def import_extra(module: str, extra: str) -> ModuleType:
    """Import a library of an extra.

    Parameters
    ----------
    module : the module's name.
    extra : the extra of biaspipe that brings it.

    Raises
    ------
    UsageError
        With the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        hint = f"pip install 'biaspipe[{extra}]'"
        lacking = error.name or module
        raise UsageError(
            f"{lacking} is not installed; the extra {extra} brings it", hint=hint
        ) from None
