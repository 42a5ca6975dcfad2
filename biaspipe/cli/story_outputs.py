"""Files of what a command found, beside what it prints."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from biaspipe.cli.older_outputs import OlderOutputs
from biaspipe.cli.outputs import check_place, refuse_input, write_files
from biaspipe.errors import UsageError
from biaspipe.renderers.story import Story

__all__ = ["story_outputs", "write_story"]

DRAWN = {
    ".html": "biaspipe.renderers.page.drawing:draw_page",
    ".md": "biaspipe.renderers.markdown:draw_markdown",
}
"""What draws a story, by the ending of the file; imported where it is asked for."""


@contextmanager
def story_outputs(outputs: Sequence[Path], inputs: Iterable[tuple[str, Path]]) -> Iterator[None]:
    """Refuse files that could not be written; where the block fails, leave no older ones.

    Parameters
    ----------
    outputs : the files that the block writes.
    inputs : what it reads: what it is, and the file.

    Raises
    ------
    UsageError
        If an ending tells no format, or an output is an input.
    OutputError
        If a folder cannot be written into.
    """
    read = list(inputs)
    older = OlderOutputs.find([path for _, path in read], outputs, None, None)
    try:
        for path in outputs:
            if path.suffix.lower() not in DRAWN:
                raise UsageError(f"-o {path}: the ending tells the format; it is .html or .md")
            check_place(path)
        refuse_input(outputs, read, "this call")
        yield
    except BaseException:
        older.set_aside(())
        raise


def write_story(tell: Callable[[], Story], outputs: Sequence[Path]) -> None:
    """Write a story to files, each as its ending says.

    Parameters
    ----------
    tell : makes the story, where there is a file for it.
    outputs : the files.

    Raises
    ------
    OutputError
        If a file cannot be written; the file that stood there is left as it was.
    """
    if outputs:
        story = tell()
        write_files([(path, drawer(path)(story)) for path in outputs])


def drawer(path: Path) -> Callable[[Story], str]:
    """Return what draws a story for a file.

    >>> drawer(Path("a.md")).__name__
    'draw_markdown'
    """
    module, _, name = DRAWN[path.suffix.lower()].partition(":")
    draw: Callable[[Story], str] = getattr(import_module(module), name)
    return draw
