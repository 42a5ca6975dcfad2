"""A spec in the making: its values, where each comes from, and what is said beside it."""

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.loading import Loaded
from biaspipe.loading.document import Document, Position
from biaspipe.loading.recovery import validate_spec
from biaspipe.migration.config_file import ConfigFile

__all__ = ["Draft", "Drafts", "Note", "slug", "validate_draft"]


@dataclass(frozen=True)
class Note:
    """What is not carried over, or is read in one of two ways, and what to do.

    Parameters
    ----------
    loc : the key of the configuration.
    words : the note.
    """

    loc: Loc
    words: str


@dataclass
class Draft:
    """A spec in the making.

    Parameters
    ----------
    values : the spec as plain values.
    origins : the key of the configuration that a path of the spec comes from.
    comments : what stands above a path of the spec.
    head : what stands above the spec.
    """

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[Loc, Loc] = field(default_factory=dict)
    comments: dict[Loc, list[str]] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the audit."""
        return str(self.values["name"])

    def put(self, loc: Loc, value: Any, origin: Loc | None = None, *comments: str) -> None:
        """Set a value, say where it comes from, and what is to be said of it.

        >>> draft = Draft()
        >>> draft.put(("data", "path"), "a.csv", ("dataset_uri",))
        >>> draft.values
        {'data': {'path': 'a.csv'}}
        """
        inside: Any = self.values
        for step in loc[:-1]:
            inside = inside.setdefault(step, {})
        inside[loc[-1]] = value
        if origin is not None:
            self.origins[loc] = origin
        self.say(loc, *comments)

    def say(self, loc: Loc, *comments: str) -> None:
        """Add lines above a path."""
        if comments:
            self.comments.setdefault(loc, []).extend(comments)

    def origin(self, loc: Loc) -> Loc:
        """Return the key of the configuration that a path, or the nearest one around it, is from.

        >>> Draft(origins={("data",): ("dataset_uri",)}).origin(("data", "path"))
        ('dataset_uri',)
        """
        while loc and loc not in self.origins:
            loc = loc[:-1]
        return self.origins.get(loc, ())


@dataclass
class Drafts:
    """The specs that a configuration becomes.

    Parameters
    ----------
    drafts : the specs, that of all rows first.
    notes : what is not carried over.
    faults : what is wrong with the configuration.
    """

    drafts: list[Draft] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def slug(text: str) -> str:
    """Return a text as part of an audit's name.

    >>> slug("by age: default"), slug("under 25 / part-time")
    ('by-age-default', 'under-25-part-time')
    """
    return re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-_") or "audit"


def validate_draft(draft: Draft, config: ConfigFile) -> Loaded:
    """Validate a draft; its faults are shown at the keys of the configuration.

    Parameters
    ----------
    draft : the spec.
    config : where it comes from.

    Raises
    ------
    SpecError
        If the configuration asks for what no spec may.
    """
    source = config.document
    positions: dict[Loc, Position] = {}
    for loc in _paths(draft.values, ()):
        positions[loc] = source.positions[source.known(draft.origin(loc))]
    document = Document(source.name, source.text, deepcopy(draft.values), positions)
    audit = validate_spec(document)
    return Loaded(audit, document, config.path.parent, config.sha256)


def _paths(values: Any, loc: Loc) -> Iterable[Loc]:
    yield loc
    pairs: Sequence[tuple[str | int, Any]] = []
    if isinstance(values, dict):
        pairs = list(values.items())
    elif isinstance(values, list):
        pairs = list(enumerate(values))
    for step, inner in pairs:
        yield from _paths(inner, (*loc, step))
