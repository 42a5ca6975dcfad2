"""The JSON of a configuration as plain values, with the line and column of each of them."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.loading.document import Document, parse
from biaspipe.report.untrusted_json import content_of, parse_json

__all__ = ["ConfigFile", "config_path", "is_config", "read_config"]

VERTEX = ("bias_configs", "biasConfigs")


class ConfigFile(NamedTuple):
    """The configuration of another tool, parsed.

    Parameters
    ----------
    document : its values, and where each of them stands in the JSON text.
    path : the file.
    sha256 : digest of the file's bytes, in hexadecimal.
    """

    document: Document
    path: Path
    sha256: str

    @property
    def is_vertex(self) -> bool:
        """Whether it is one of Vertex AI rather than of SageMaker Clarify."""
        return any(key in self.document.values for key in VERTEX)

    def position(self, loc: Loc) -> str:
        """Write where a key stands, as messages begin."""
        position = self.document.positions[self.document.known(loc)]
        named = f": {config_path(loc)}" if loc else ""
        return f"{self.document.name}:{position.key_line}:{position.key_column}{named}"


def config_path(loc: Loc) -> str:
    """Write a path of keys as a person would.

    >>> config_path(("facet", 0, "name_or_index"))
    'facet[0].name_or_index'
    """
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
    return "".join(steps).removeprefix(".")


def is_config(path: Path) -> bool:
    """Whether a file is a configuration to be converted: JSON, and no audit spec in JSON.

    An audit spec has `version: 1`; Clarify's configurations have the text "1.0" there, or nothing.
    """
    if path.suffix.lower() != ".json":
        return False
    try:
        values = parse_json(content_of(path))
    except (OSError, ValueError):
        return True
    return not isinstance(values, dict) or values.get("version") != 1


def read_config(path: Path) -> ConfigFile:
    """Read a configuration.

    Raises
    ------
    SpecError
        If the file cannot be read, or is not JSON; with line and column.
    """
    try:
        content = content_of(path)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise SpecError([Fault(f"{path}: {error.strerror}")]) from None
    except UnicodeDecodeError as error:
        raise SpecError([Fault(f"{path}: byte {error.start} is not UTF-8")]) from None
    except ValueError as error:
        raise SpecError([Fault(f"{path}: {error}")]) from None
    document = _document(str(path), text)
    return ConfigFile(document, path, hashlib.sha256(content).hexdigest())


def _document(name: str, text: str) -> Document:
    try:
        parse_json(
            text.encode(), twice=True
        )  # a key that stands twice is told with its line, below
    except json.JSONDecodeError as error:
        fault = Fault(f"not JSON: {error.msg}", line=error.lineno, column=error.colno)
        raise Document(name, text).error([fault]) from None
    except ValueError as error:
        raise Document(name, text).error([Fault(f"not JSON: {error}")]) from None
    if not text.lstrip().startswith("{"):
        fault = Fault("the configuration is not an object", line=1, column=1)
        raise Document(name, text).error([fault])
    document = parse(name, text.replace("\t", " "))  # JSON is YAML but for its tabs
    if document.faults:
        raise document.error(list(document.faults))
    return document
