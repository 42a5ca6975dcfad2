"""A configuration of another tool to specs: as text, or loaded to be run at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.loading import Loaded
from biaspipe.migration.clarify import convert_clarify
from biaspipe.migration.drafts import Converted, Draft, Note, loaded
from biaspipe.migration.layout import text_of
from biaspipe.migration.reading import Config, dotted, read_config
from biaspipe.migration.schema import ANALYSIS
from biaspipe.migration.segments import slug
from biaspipe.migration.sources import Place
from biaspipe.migration.vertex import BIAS, convert_vertex, normal
from biaspipe.policy import DEFAULT, Policy

__all__ = ["Conversion", "convert", "load_config"]

LIMITS = (
    "Clarify and Vertex AI have no limits, so every value is reported and the run ends with 5,",
    "nothing checked. A limit makes a check of it, such as DI: {min: 0.8, max: 1.25}",
    "or DPPL: {max_abs: 0.1}.",
)
COMPAT = (
    "Values follow the documented definitions. The next line, uncommented, computes them as",
    "Clarify's own code (smclarify 0.5) does, to be compared with artifacts that were kept.",
    "compat: smclarify",
)


@dataclass(frozen=True)
class Conversion:
    """The specs of a configuration.

    Parameters
    ----------
    config : the configuration.
    drafts : the specs, that of all rows first.
    notes : what was not carried over, or has to be looked at.
    """

    config: Config
    drafts: tuple[Draft, ...]
    notes: tuple[Note, ...] = field(default=())

    @property
    def texts(self) -> dict[str, str]:
        """The specs as YAML, by the names of their audits."""
        return {draft.name: text_of(draft) for draft in self.drafts}

    @property
    def specs(self) -> tuple[Loaded, ...]:
        """The specs, ready to be run; what is wrong in them is shown in the configuration."""
        return tuple(loaded(draft, self.config) for draft in self.drafts)

    def said(self) -> list[str]:
        """Return the notes, each with the key that it is about."""
        return [f"{self.config.place(n.loc)}: {n.words}" for n in self.notes]


def convert(
    path: Path, place: Place, name: str | None = None, *, vertex: bool = False
) -> Conversion:
    """Convert a configuration.

    Parameters
    ----------
    path : the JSON file.
    place : where the specs will stand, and where the data is.
    name : the name of the audit; that of the file if left out.
    vertex : whether it has to be one of Vertex AI, rather than whatever it looks like.

    Raises
    ------
    SpecError
        With every fault of the configuration at once.
    DataError
        If the data that is named instead of the configuration's cannot be read.
    """
    config = read_config(path)
    values, is_vertex = config.document.values, vertex or config.is_vertex
    if is_vertex:
        values = normal(values, config.document.renamed)
    shape = BIAS if is_vertex else ANALYSIS
    faults = list(shape.faults(values, ()))
    sound = _without(values, [fault.loc for fault in faults if fault.loc])
    work = convert_vertex if is_vertex else convert_clarify
    converted = work(sound, place, slug(name or path.stem))
    faults += _further(converted, faults)
    if faults:
        raise config.document.error(list(dict.fromkeys(faults)))
    _talk(converted, config, is_vertex=is_vertex)
    conversion = Conversion(config, tuple(converted.drafts), tuple(dict.fromkeys(converted.notes)))
    _validate(conversion)
    return conversion


def load_config(
    path: Path, data: str | None = None, folder: Path | None = None, policy: Policy = DEFAULT
) -> Conversion:
    """Convert a configuration to be run where it stands.

    Parameters
    ----------
    path : the JSON file.
    data : the data instead of the configuration's.
    folder : what `data` is relative to; the configuration's folder if left out.
    policy : what the configuration may reach.
    """
    here = path.parent
    place = Place(here, here, data, here if folder is None else folder, policy)
    return convert(path, place)


def _validate(conversion: Conversion) -> None:
    """Refuse what is a fault only in a spec, such as groups that overlap."""
    for draft in conversion.drafts:
        loaded(draft, conversion.config)


def _further(converted: Converted, faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults that do not follow from those that are known."""
    if not faults:
        return converted.faults
    gone = {fault.loc for fault in faults}
    return [f for f in converted.faults if f.loc and not any(_touches(f.loc, g) for g in gone)]


def _touches(one: Loc, other: Loc) -> bool:
    return bool(other) and (one[: len(other)] == other or other[: len(one)] == one)


def _without(values: Any, locs: Sequence[Loc], at: Loc = ()) -> Any:
    """Copy values without what stands at some paths."""
    if isinstance(values, dict):
        kept = {k: v for k, v in values.items() if (*at, k) not in locs}
        return {k: _without(v, locs, (*at, k)) for k, v in kept.items()}
    if isinstance(values, list):
        pairs = [(i, v) for i, v in enumerate(values) if (*at, i) not in locs]
        return [_without(v, locs, (*at, i)) for i, v in pairs]
    return values


def _talk(converted: Converted, config: Config, *, is_vertex: bool) -> None:
    """Write above every spec where it comes from and what it lacks."""
    whose = "Vertex AI" if is_vertex else "SageMaker Clarify"
    for draft in converted.drafts:
        draft.head += [f"Converted by `biaspipe convert` from {config.path.name} of {whose}.", ""]
        if converted.notes:
            draft.head.append("Not carried over, or to be looked at:")
            for note in dict.fromkeys(converted.notes):
                draft.head += [f"- {dotted(note.loc) or 'data'}: {note.words}"]
            draft.head.append("")
        draft.say(("metrics",), *LIMITS)
        if not is_vertex:
            draft.say(("metrics",), "", *COMPAT)
