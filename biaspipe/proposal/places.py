"""Where the data and the schema are, as a spec in its folder writes it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biaspipe.spec import IN_HAND

__all__ = ["SCHEMA", "is_far", "placed", "schema_file", "schema_place"]

SCHEMA = "audit-v1.schema.json"
"""The file that `biaspipe schema audit -o` writes."""


def placed(keys: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return what a spec says of its data, with a path as a spec in this folder writes it.

    Parameters
    ----------
    keys : the same, with a path that is relative to the current folder.
    folder : the folder of the spec.

    >>> placed({"path": "loans.csv"}, Path("audits"))
    {'path': '../loans.csv'}
    """
    path = str(keys.get("path", ""))
    if not path or "://" in path or is_far(keys) or path == IN_HAND:
        return dict(keys)
    return {**keys, "path": _relative(Path(path), folder)}


def is_far(keys: Mapping[str, Any]) -> bool:
    """Whether the data is outside of the current folder, by a path of this computer only.

    Parameters
    ----------
    keys : what a spec says of its data.
    """
    path = Path(str(keys.get("path", "")))
    return path.is_absolute() and not path.is_relative_to(Path.cwd())


def schema_file(folder: Path) -> Path:
    """Return where the schema is: above a spec, or in a folder of schemas there; or may be.

    Parameters
    ----------
    folder : the folder of the spec.
    """
    here = folder.absolute()
    for above in (here, *here.parents):
        for found in (above / SCHEMA, above / "schemas" / SCHEMA):
            if found.is_file():
                return found
    return Path(SCHEMA)


def schema_place(folder: Path) -> str:
    """Return the same as the first line of a spec in this folder writes it."""
    return _relative(schema_file(folder), folder)


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()
