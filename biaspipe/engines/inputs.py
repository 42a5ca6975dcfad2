"""The files of an audit's tables, digested from the moment that they are found.

The digests run beside the import of an engine's libraries, and then beside the count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from biaspipe.engines.digests import Digests
from biaspipe.engines.files import Files, find_files
from biaspipe.policy import DEFAULT, Policy
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
    """

    sources: tuple[tuple[Source, Files], ...]
    digests: Digests
    in_hand: bool = False


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
    own = [] if in_hand else [(data, find_files(data, folder, ("data", "path"), policy))]
    joins = [
        (join, find_files(join, folder, ("data", "join", i, "path"), policy))
        for i, join in enumerate(data.join)
    ]
    sources: tuple[tuple[Source, Files], ...] = (*own, *joins)
    digests = Digests(sources)
    try:
        yield Inputs(sources, digests, in_hand)
    except BaseException:  # an interrupt too ends the digests
        digests.close()
        raise
