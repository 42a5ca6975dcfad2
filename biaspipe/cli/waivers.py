"""`waivers`: what is waived, by whom, and until when."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from biaspipe.cli.file_kinds import told_apart
from biaspipe.cli.messages import tell, tell_error
from biaspipe.cli.story_outputs import StoryOutputs, story_outputs
from biaspipe.errors import BiaspipeError, Exit
from biaspipe.loading import Loaded, find_specs, load
from biaspipe.renderers.commands.pages import waivers_page
from biaspipe.renderers.commands.waivers import WaiverEntry, waivers_story

__all__ = ["list_waivers"]


def list_waivers(paths: Sequence[Path], as_of: date, outputs: Sequence[Path] = ()) -> Exit:
    """List the waivers of specs with their state, and return the worst code.

    Parameters
    ----------
    paths : specs or folders of them.
    as_of : the day that counts as today.
    outputs : files to write the list to, too.
    """
    with story_outputs(outputs, [("spec", path) for path in paths]) as pages:
        return _listed(paths, as_of, pages)


def _listed(paths: Sequence[Path], as_of: date, pages: StoryOutputs) -> Exit:
    entries: list[WaiverEntry] = []
    codes = [Exit.PASSED]
    for path in find_specs(paths, tell):
        try:
            with told_apart(path, "spec", "waivers"):
                entries += _entries(load(path))
        except BiaspipeError as error:
            tell_error(error)
            codes.append(error.exit)
    story, named = waivers_story(entries, as_of), [str(path) for path in paths]
    pages.show(story, lambda: waivers_page(story, entries, named, as_of))
    return Exit.worst(codes)


def _entries(loaded: Loaded) -> list[WaiverEntry]:
    audit = loaded.audit.model_dump(include={"name", "description", "owner", "model"})
    return [
        WaiverEntry(loaded.document.name, loaded.line(("waivers", i)), waiver, audit)
        for i, waiver in enumerate(loaded.audit.waivers)
    ]
