"""A configuration of another tool to specs: as text, or loaded to be run at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biaspipe.errors import Fault, Loc
from biaspipe.loading import Loaded
from biaspipe.migration.clarify import convert_clarify
from biaspipe.migration.clarify.models import ClarifyConfig
from biaspipe.migration.config_file import ConfigFile, config_path, read_config
from biaspipe.migration.data_tables import Paths
from biaspipe.migration.draft import Draft, Drafts, Note, slug, validate_draft
from biaspipe.migration.validation import validate_config
from biaspipe.migration.vertex import convert_vertex
from biaspipe.migration.vertex.models import VertexConfig, in_snake_case
from biaspipe.migration.yaml_text import text_of
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
    file : the configuration.
    drafts : the specs as they are written, that of all rows first.
    specs : the same, ready to be run.
    notes : what was not carried over, or has to be looked at.
    """

    file: ConfigFile
    drafts: tuple[Draft, ...]
    specs: tuple[Loaded, ...]
    notes: tuple[Note, ...]

    @property
    def texts(self) -> dict[str, str]:
        """The specs as YAML, by the names of their audits."""
        return {draft.name: text_of(draft) for draft in self.drafts}

    def said(self) -> list[str]:
        """Return the notes, each with the key that it is about."""
        return [f"{self.file.position(n.loc)}: {n.words}" for n in self.notes]


def convert(
    path: Path, paths: Paths, name: str | None = None, *, vertex: bool = False
) -> Conversion:
    """Convert a configuration.

    Parameters
    ----------
    path : the JSON file.
    paths : where the specs will stand, and where the data is.
    name : the name of the audit; that of the file if left out.
    vertex : whether it has to be one of Vertex AI, rather than whatever it looks like.

    Raises
    ------
    SpecError
        With every fault of the configuration at once.
    DataError
        If the data that is named instead of the configuration's cannot be read.
    """
    file = read_config(path)
    is_vertex = vertex or file.is_vertex
    found, faults = (_of_vertex if is_vertex else _of_clarify)(file, paths, name or path.stem)
    if faults := faults + _independent(found.faults, faults):
        raise file.document.error(list(dict.fromkeys(faults)))
    notes = tuple(dict.fromkeys(found.notes))
    for draft in found.drafts:
        _write_head(draft, file, notes, "Vertex AI" if is_vertex else "SageMaker Clarify")
    specs = tuple(validate_draft(draft, file) for draft in found.drafts)
    return Conversion(file, tuple(found.drafts), specs, notes)


def _of_clarify(file: ConfigFile, paths: Paths, name: str) -> tuple[Drafts, list[Fault]]:
    config, faults = validate_config(ClarifyConfig, file.document.values)
    return convert_clarify(config, paths, slug(name)), faults


def _of_vertex(file: ConfigFile, paths: Paths, name: str) -> tuple[Drafts, list[Fault]]:
    values = in_snake_case(file.document.values, file.document.renamed)
    config, faults = validate_config(VertexConfig, values)
    return convert_vertex(config, paths, slug(name)), faults


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
    paths = Paths(here, here, data, here if folder is None else folder, policy)
    return convert(path, paths)


def _independent(found: Sequence[Fault], known: Sequence[Fault]) -> list[Fault]:
    """Return the faults that do not follow from those that are known."""
    if not known:
        return list(found)
    gone = {fault.loc for fault in known}
    return [f for f in found if f.loc and not any(_overlaps(f.loc, g) for g in gone)]


def _overlaps(one: Loc, other: Loc) -> bool:
    return bool(other) and (one[: len(other)] == other or other[: len(one)] == one)


def _write_head(draft: Draft, file: ConfigFile, notes: Sequence[Note], whose: str) -> None:
    """Write above a spec where it comes from and what it lacks."""
    draft.head += [f"Converted by `biaspipe convert` from {file.path.name} of {whose}.", ""]
    if notes:
        told = [f"- {config_path(note.loc) or 'data'}: {note.words}" for note in notes]
        draft.head += ["Not carried over, or to be looked at:", *told, ""]
    draft.say(("metrics",), *LIMITS)
    if whose != "Vertex AI":
        draft.say(("metrics",), "", *COMPAT)
