"""Which files of the folders on a command line are specs."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from stat import S_ISDIR

from biaspipe.errors import Fault, SpecError

__all__ = ["SPEC_ENDINGS", "find_specs"]

SPEC_ENDINGS = (".yaml", ".yml")
MAX_NAMED = 5


def find_specs(paths: Iterable[Path], tell: Callable[[str], object] = str) -> list[Path]:
    """Return the specs that the paths name: files as they are, folders by their YAML files.

    A folder is searched at any depth, through links too; hidden folders in it are passed over.

    Parameters
    ----------
    paths : specs and folders.
    tell : is told which files of a folder look like specs and are left out.

    Raises
    ------
    SpecError
        If a path does not exist or cannot be read, or a folder holds no spec.
    """
    found: list[Path] = []
    left: list[Path] = []
    for path in paths:
        try:
            found += _specs_in(path, left)
        except OSError as error:
            where = error.filename or path
            raise SpecError([Fault(f"{where}: {error.strerror}")]) from None
    if left:
        tell(_left_out(list(dict.fromkeys(left))))
    return list(dict.fromkeys(found))


def _specs_in(path: Path, left: list[Path]) -> list[Path]:
    if not path.exists():
        raise SpecError([Fault(f"{path}: there is no such file or folder")])
    if not path.is_dir():
        return [path]
    specs: list[Path] = []
    others: list[Path] = []
    for file in _files(path, ()):
        (specs if file.suffix.lower() in SPEC_ENDINGS else others).append(file)
    alike = [file for file in others if _looks_like_a_spec(file)]
    if not specs:
        words = f"; {_left_out(alike)}" if alike else ""
        raise SpecError([Fault(f"{path}: the folder holds no .yaml file{words}")])
    left += alike
    return specs


def _files(folder: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the files of a folder and of those in it, by name."""
    here = folder.resolve()
    if here in above:
        raise SpecError([Fault(f"{folder}: this link leads back to a folder that it is in")])
    for path in sorted(folder.iterdir()):
        if not _is_folder(path):
            yield path
        elif not path.name.startswith("."):
            yield from _files(path, (*above, here))


def _is_folder(path: Path) -> bool:
    """Whether a path in a folder is one; a link that leads nowhere may have been one."""
    try:
        return S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        if path.suffix or path.name.startswith("."):
            return False
        raise SpecError([Fault(f"{path}: this link leads nowhere")]) from None


def _looks_like_a_spec(path: Path) -> bool:
    """Whether somebody may take a file that does not end as a spec for one.

    >>> [_looks_like_a_spec(Path(name)) for name in ("a.json", "a.yaml.bak", "rows.csv")]
    [True, True, False]
    """
    name = path.name.lower()
    return name.endswith(".json") or any(ending in name for ending in SPEC_ENDINGS)


def _left_out(paths: list[Path]) -> str:
    named = ", ".join(map(str, paths[:MAX_NAMED]))
    more = f" and {len(paths) - MAX_NAMED} more" if len(paths) > MAX_NAMED else ""
    return f"left out, since a folder stands for its .yaml and .yml files: {named}{more}"
