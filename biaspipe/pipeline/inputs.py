"""The files on this machine that an audit reads: its spec, its data, its baseline."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from biaspipe.errors import BiaspipeError
from biaspipe.loading import Loaded
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.files import find_files

__all__ = ["inputs_of"]


def inputs_of(loaded: Loaded, policy: Policy = DEFAULT) -> Iterator[tuple[str, Path]]:
    """Yield what an audit reads: what it is to the audit, and the file.

    Parameters
    ----------
    loaded : a validated spec.
    policy : what it may reach.
    """
    audit, folder = loaded.audit, loaded.folder
    yield "spec", folder / Path(loaded.document.name).name
    if audit.baseline is not None:
        yield "baseline", folder / audit.baseline.report
    sources = [audit.data, *audit.data.join] if audit.data.path else audit.data.join
    for source in sources:
        with suppress(BiaspipeError):  # a run says what is wrong with it
            files = find_files(source, folder, ("data",), policy)
            yield from (("data", Path(real)) for real in files.real if not files.remote)
