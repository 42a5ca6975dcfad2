"""Sources: the files of an audit, found, opened and digested, whatever counts them.

The digests run beside the import of an engine's libraries, and then beside the count.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from biaspipe.errors import Loc
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.digests import Digests
from biaspipe.sources.files import TableFiles, ending_of, find_files
from biaspipe.spec import Data, Source

__all__ = ["Sources", "open_sources"]


@dataclass(frozen=True)
class Sources:
    """The files that an audit reads.

    Parameters
    ----------
    tables : the files of every table in the spec.
    digests : of all the files.
    in_hand : whether the main table's rows are there already, so that only joined tables are files.
    resources : what is open: the digests, and folders of what was fetched from web servers.
    """

    tables: tuple[TableFiles, ...]
    digests: Digests
    in_hand: bool = False
    resources: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        """Stop the digests, and remove what was fetched."""
        self.resources.close()


@contextmanager
def open_sources(
    data: Data, folder: Path, policy: Policy = DEFAULT, *, in_hand: bool = False
) -> Iterator[Sources]:
    """Find the files of an audit, fetch those of web servers, and begin to digest them.

    If the block fails, the digests stop and what was fetched is removed.

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
    found = [(find_files(source, folder, loc, policy), loc) for source, loc in places]
    resources = ExitStack()
    try:
        tables = tuple(_fetched(files, policy, loc, resources) for files, loc in found)
        digests = resources.enter_context(closing(Digests(tables, policy)))
        yield Sources(tables, digests, in_hand, resources)
    except BaseException:  # an interrupt too ends the digests
        resources.close()
        raise


def _fetched(files: TableFiles, policy: Policy, loc: Loc, resources: ExitStack) -> TableFiles:
    """Fetch the files of web servers; others are read where they are."""
    if not files.is_web:
        return files
    from biaspipe.sources.downloads import fetch  # noqa: PLC0415 - only the web needs it

    kept = Path(resources.enter_context(TemporaryDirectory(prefix="biaspipe-")))
    names = (f"data{i}{ending_of(uri, files.format)}" for i, uri in enumerate(files.real))
    real = [fetch(u, kept, name, policy, loc) for u, name in zip(files.real, names, strict=True)]
    return files._replace(real=tuple(map(str, real)), remote=False)
