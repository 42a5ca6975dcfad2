"""The files that a spec names: found, told apart by format, measured and digested."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from glob import has_magic, iglob
from pathlib import Path
from urllib.parse import unquote, urlsplit

from biaspipe.engines.remote import file_name, is_folder, is_remote, overlap, refuse_secrets
from biaspipe.errors import DataError, Fault, Loc, SpecError
from biaspipe.spec import Csv, Format, Source

__all__ = ["Files", "Input", "find_files", "is_csv", "is_packed", "separator_of"]

ENDINGS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".ndjson": "ndjson",
    ".jsonl": "jsonl",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "ipc",
}
COMPRESSED = (".gz", ".zst")
MAGIC = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x\x9c", b"x\xda")
"""How the content begins that polars unpacks, whatever the name of the file says."""
TEXT: tuple[Format, ...] = ("csv", "tsv", "ndjson", "jsonl")


@dataclass(frozen=True)
class Input:
    """A file that was read: its path as the spec writes it, its size in bytes, its SHA-256.

    Size and digest are None for a remote file, which only the engine reads.
    """

    path: str
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True)
class Files:
    """The files of one table.

    Parameters
    ----------
    real : where they are; a remote one as its URI.
    written : the same, as the spec writes them.
    format : the one format that they share.
    remote : whether they are URIs, globs and folders included, which go to the engine untouched.
    partitioned : whether folders named key=value hold columns.
    """

    real: tuple[str, ...]
    written: tuple[str, ...]
    format: Format
    remote: bool = False
    partitioned: bool = False

    @property
    def singles(self) -> "tuple[Files, ...]":
        """Each file as a table of its own."""
        pairs = zip(self.real, self.written, strict=True)
        return tuple(replace(self, real=(r,), written=(w,)) for r, w in pairs)

    @property
    def name(self) -> str:
        """What messages call the table."""
        more = f" and {len(self.written) - 1} more" if len(self.written) > 1 else ""
        return self.written[0] + more


def find_files(source: Source, folder: Path, loc: Loc) -> Files:
    """Find the files of a table.

    Parameters
    ----------
    source : the part of the spec that names them.
    folder : what relative paths are relative to.
    loc : where in the spec the paths stand.

    Raises
    ------
    DataError
        If a path leads to no file, or a URI holds credentials.
    SpecError
        If the format is not to be told, or differs between files.
    """
    found = [pair for path in source.places for pair in _found(path, folder)]
    _refuse_overlap(source.places, folder, loc)
    remote = [is_remote(real) for real, _ in found]
    if any(remote) and not all(remote):
        raise SpecError([Fault("files and URIs cannot be mixed in one table", loc)])
    real, written = zip(*found, strict=True)
    formats = {source.format or _format(name, loc) for name in written}
    if len(formats) > 1:
        names = ", ".join(sorted(formats))
        raise SpecError([Fault(f"one table cannot mix formats: {names}", loc)])
    partitioned = any("=" in part for name in written for part in Path(name).parts[:-1])
    return Files(real, written, formats.pop(), any(remote), partitioned or any(remote))


def _refuse_overlap(paths: Sequence[str], folder: Path, loc: Loc) -> None:
    """Refuse paths that lead to one file by different ways, so that its rows would count twice."""
    if len(paths) == 1:
        return
    if twice := overlap(paths):
        message = f"{twice[0]!r} stands for {twice[1]!r} too; its rows would count twice"
        raise SpecError([Fault(message, loc)])
    ways: dict[Path, str] = {}
    for path in dict.fromkeys(paths):
        for real, written in _expand(path, folder):
            if (first := ways.setdefault(Path(real).resolve(), path)) != path:
                message = (
                    f"{first!r} and {path!r} both lead to {written}; its rows would count twice"
                )
                raise SpecError([Fault(message, loc)])


def _found(written: str, folder: Path) -> list[tuple[str, str]]:
    try:
        return list(_expand(written, folder))
    except OSError as error:
        raise DataError(f"{written}: {error.strerror}") from None


def _expand(written: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Pairs of a real path and how the spec would write it, sorted."""
    local = unquote(urlsplit(written).path) if written.startswith("file://") else written
    if is_remote(local):
        refuse_secrets(local)
        yield local, written
        return
    path = folder / local
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*") if p.is_file() and _is_data(p, path))
        pairs = [
            (str(p), f"{written.rstrip('/')}/{p.relative_to(path).as_posix()}") for p in inside
        ]
        empty = "the folder holds no data file"
    elif has_magic(local) and not path.exists():
        names = sorted(iglob(local, root_dir=folder, recursive=True))  # noqa: PTH207 - absolute too
        pairs = [(str(folder / n), n) for n in names if (folder / n).is_file() and not _is_mark(n)]
        empty = "no file matches"
    else:
        pairs, empty = [(str(path), written)] if path.exists() else [], "there is no such file"
    if not pairs:
        raise DataError(f"{written}: {empty}", hint=f"looked in {_shown(folder)}")
    yield from pairs


def _shown(folder: Path) -> str:
    return "the spec's folder" if str(folder) in ("", ".") else f"{folder}, the spec's folder"


def _is_mark(name: str) -> bool:
    """Whether a file only says that the others are complete, such as _SUCCESS."""
    return Path(name).name.startswith("_") and _ending(name) not in ENDINGS


def _is_data(path: Path, folder: Path) -> bool:
    hidden = any(part[0] in "._" and "=" not in part for part in path.relative_to(folder).parts)
    return not hidden and _ending(path.name) in ENDINGS


def _ending(name: str) -> str:
    path = Path(name.lower())
    return Path(path.stem).suffix if path.suffix in COMPRESSED else path.suffix


def _format(written: str, loc: Loc) -> Format:
    name = file_name(written)
    known = ENDINGS.get(_ending(name))
    if known is None:
        what = "the remote folder" if is_folder(name) else "the ending of"
        message = f"{what} {name!r} does not tell its format"
        endings = f"one of {', '.join(ENDINGS)}"
        raise SpecError([Fault(message, loc, expected=endings, hint="say it: format: csv")])
    if name.lower().endswith(COMPRESSED) and known not in TEXT:
        raise SpecError([Fault(f"{known} files are not read compressed: {name!r}", loc)])
    return known


def is_csv(files: Files) -> bool:
    """Whether the files are lines of separated texts, whose types have to be found out."""
    return files.format in ("csv", "tsv")


def separator_of(files: Files, csv: Csv) -> str:
    """Return what stands between the fields of a text table."""
    tabbed = files.format == "tsv" and "separator" not in csv.model_fields_set
    return "\t" if tabbed else csv.separator


def is_packed(path: Path) -> bool:
    """Whether a file is compressed, as its content says."""
    with path.open("rb") as file:
        return file.read(4).startswith(MAGIC)
