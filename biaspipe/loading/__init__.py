"""YAML text to an Audit, or every fault of it with line and column."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from biaspipe.errors import Loc, SpecError
from biaspipe.loading.document import Document, content_of, parse_bytes
from biaspipe.loading.parameters import NOTHING_GIVEN, GivenValues, fill
from biaspipe.loading.recovery import validate_spec
from biaspipe.loading.spec_files import find_specs
from biaspipe.spec import Audit

__all__ = ["Loaded", "find_specs", "load", "load_text"]


class Loaded(NamedTuple):
    """An audit with the document that it came from.

    Parameters
    ----------
    audit : the validated spec.
    document : its values and the lines they stand in.
    folder : what relative paths in the spec are relative to.
    sha256 : digest of the file's bytes, in hexadecimal.
    """

    audit: Audit
    document: Document
    folder: Path
    sha256: str

    @property
    def file(self) -> Path:
        """The file of the spec, wherever it was read from; not there for one that is no file."""
        return self.folder / Path(self.document.name).name

    def line(self, loc: Loc) -> int:
        """Return the line in which a key of the spec stands."""
        return self.document.line(loc)

    def filled(self, given: GivenValues = NOTHING_GIVEN) -> "Loaded":
        """Return the same with the values of its parameters; its document stays as it is written.

        Parameters
        ----------
        given : values instead of the defaults, as they are; those for other specs are passed over.

        Raises
        ------
        SpecError
            If a value is lacking, or does not fit the place that it is used in.
        """
        try:
            return self._replace(audit=fill(self.audit, given))
        except SpecError as error:
            raise self.placed(error) from None

    def placed(self, error: SpecError) -> SpecError:
        """Give the faults of an error their lines and carets, if they have none yet."""
        return error if error.text else self.document.error(list(error.faults))


def load(path: Path) -> Loaded:
    """Read and validate a spec.

    Parameters
    ----------
    path : the YAML file; it appears in messages as it is given.

    Raises
    ------
    SpecError
        With every fault of the spec at once.

    Examples
    --------
    >>> load(Path("nowhere.yaml"))
    Traceback (most recent call last):
    biaspipe.errors.SpecError: nowhere.yaml: No such file or directory
    """
    return load_text(content_of(path), str(path), path.parent)


def load_text(content: bytes, name: str, folder: Path, *, has_lines: bool = True) -> Loaded:
    """Validate the text of a spec.

    Parameters
    ----------
    content : the YAML text in UTF-8.
    name : what messages call it.
    folder : what relative paths in it are relative to.
    has_lines : whether somebody can look up a line of it.

    Raises
    ------
    SpecError
        With every fault of the spec at once.
    """
    document = replace(parse_bytes(name, content), has_lines=has_lines)
    return Loaded(validate_spec(document), document, folder, hashlib.sha256(content).hexdigest())
