"""Files of what a command found, beside what it prints."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from biaspipe.cli.messages import tell_written
from biaspipe.cli.older_outputs import OlderOutputs
from biaspipe.output_files import check_place, refuse_input, write_files
from biaspipe.output_files.streams import is_stream
from biaspipe.renderers.console.drawing import show
from biaspipe.renderers.formats import from_place, unknown_ending
from biaspipe.renderers.story import Story

__all__ = ["StoryOutputs", "story_outputs"]

DRAWN = {
    ".html": "page.drawing:draw_page",
    ".md": "markdown:draw_markdown",
}
"""What draws a story, by the ending of the file; imported where it is asked for."""


class StoryOutputs(NamedTuple):
    """Where a command shows what it found.

    Parameters
    ----------
    files : the files to write it to, each as its ending says.
    quiet : whether only the last line is printed.
    """

    files: Sequence[Path]
    quiet: bool

    def show(self, story: Story, page: Callable[[], Story]) -> None:
        """Write the page, where a file is named for it, and print the story.

        Parameters
        ----------
        story : what is printed.
        page : makes what is written.

        Raises
        ------
        OutputError
            If a file cannot be written; the file that stood there is left as it was.
        """
        if self.files:
            written = page()
            drawn = [from_place(DRAWN[path.suffix.lower()])(written) for path in self.files]
            write_files(list(zip(self.files, drawn, strict=True)))
        show(story, quiet=self.quiet)
        tell_written([] if self.quiet else (p for p in self.files if not is_stream(p)))


@contextmanager
def story_outputs(
    files: Sequence[Path], inputs: Iterable[tuple[str, Path]], *, quiet: bool = False
) -> Iterator[StoryOutputs]:
    """Refuse files that could not be written; where the block fails, leave no older ones.

    Parameters
    ----------
    files : the files that the block writes.
    inputs : what it reads: what it is, and the file.
    quiet : whether it prints the last line only.

    Raises
    ------
    UsageError
        If an ending tells no format, or an output is an input.
    OutputError
        If a folder cannot be written into.
    """
    read = list(inputs)
    older = OlderOutputs.find([path for _, path in read], files, None, None)
    try:
        for path in files:
            if path.suffix.lower() not in DRAWN:
                raise unknown_ending(f"-o {path}", DRAWN)
            check_place(path)
        refuse_input(files, read, "this call")
        yield StoryOutputs(files, quiet)
    except BaseException:
        older.set_aside(())
        raise
