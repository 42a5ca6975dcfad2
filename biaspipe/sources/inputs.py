"""The files of an audit's tables, digested from the moment that they are found.

The digests run beside the import of an engine's libraries, and then beside the count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from biaspipe.errors import Loc
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.digests import Digests
from biaspipe.sources.files import Files, ending_of, find_files
from biaspipe.spec import Data, Source

__all__ = ["Inputs", "found_inputs"]


@dataclass(frozen=True)
class Inputs:
    """What an audit reads from files.

    Parameters
    ----------
    sources : every table of files in the spec, and its files.
    digests : of all the files, on their way.
    in_hand : whether the main table's rows are there already, so that only joined tables are files.
    fetched : the folders of what was fetched from web servers.
    """

    sources: tuple[tuple[Source, Files], ...]
    digests: Digests
    in_hand: bool = False
    fetched: tuple["TemporaryDirectory[str]", ...] = ()

    def close(self) -> None:
        """Stop the digests, and remove what was fetched."""
        self.digests.close()
        for folder in self.fetched:
            folder.cleanup()


@contextmanager
def found_inputs(
    data: Data, folder: Path, policy: Policy = DEFAULT, *, in_hand: bool = False
) -> Iterator[Inputs]:
    """Find the files of an audit, and open an engine on them; if that fails, nothing runs on.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    folder : what relative paths are relative to.
    policy : what the spec may reach.
    in_hand : whether the main table's rows are there already.

    Raises
    ------
    DataError
        If a file is missing.
    SpecError
        If a format is not to be told.
    """
    places: list[tuple[Source, Loc]] = [] if in_hand else [(data, ("data", "path"))]
    places += [(join, ("data", "join", i, "path")) for i, join in enumerate(data.join)]
    found = [(source, find_files(source, folder, loc, policy), loc) for source, loc in places]
    fetched: list[TemporaryDirectory[str]] = []
    digests: Digests | None = None
    try:
        sources = tuple((one, _at_hand(files, policy, loc, fetched)) for one, files, loc in found)
        digests = Digests(sources, policy)
        yield Inputs(sources, digests, in_hand, tuple(fetched))
    except BaseException:  # an interrupt too ends the digests
        if digests:
            digests.close()
        for temporary in fetched:
            temporary.cleanup()
        raise


def _at_hand(
    files: Files, policy: Policy, loc: Loc, fetched: "list[TemporaryDirectory[str]]"
) -> Files:
    """Fetch the files of web servers; others are read where they are."""
    if not files.web:
        return files
    from biaspipe.sources.downloads import fetch, kept_as  # noqa: PLC0415 - only the web needs it

    real = []
    fetched.append(TemporaryDirectory(prefix="biaspipe-"))
    for number, uri in enumerate(files.real):
        name = f"data{number}{ending_of(uri, files.format)}"
        target = kept_as(uri, Path(fetched[-1].name), name)
        fetch(uri, target, policy, loc)
        real.append(str(target))
    return replace(files, real=tuple(real), remote=False)
