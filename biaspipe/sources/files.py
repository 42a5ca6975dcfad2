"""The files that a spec names: found, and told apart by format."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from biaspipe.errors import DataError, Fault, Loc, SpecError
from biaspipe.policy import DEFAULT, Policy, refuse_file, refuse_uri
from biaspipe.sources.compression import COMPRESSED
from biaspipe.sources.paths import PathEntry, files_at
from biaspipe.sources.uris import (
    file_name,
    is_folder,
    is_remote,
    is_web,
    overlapping,
    refuse_ambiguous,
    refuse_secrets,
)
from biaspipe.spec import Format, Source

__all__ = [
    "ENDINGS",
    "TEXT",
    "InputFile",
    "TableFiles",
    "ending_of",
    "find_files",
    "refuse_csv_options",
    "refuse_expected_digest",
]

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
TEXT: tuple[Format, ...] = ("csv", "tsv", "ndjson", "jsonl")


class InputFile(NamedTuple):
    """A file that was read: its path as the spec writes it, its size in bytes, its SHA-256.

    Size and digest are None for a remote file, which only the engine reads.
    """

    path: str
    bytes: int | None
    sha256: str | None


class TableFiles(NamedTuple):
    """The files of one table.

    Parameters
    ----------
    source : the part of the spec that names them.
    real : where they are; a remote one as its URI.
    written : the same, as the spec writes them.
    format : the one format that they share.
    remote : whether they are URIs, globs and folders included, which go to the engine untouched.
    partitioned : whether folders named key=value hold columns.
    """

    source: Source
    real: tuple[str, ...]
    written: tuple[str, ...]
    format: Format
    remote: bool = False
    partitioned: bool = False

    @property
    def is_csv(self) -> bool:
        """Whether they are lines of separated texts, whose types have to be found out."""
        return self.format in ("csv", "tsv")

    @property
    def is_nested(self) -> bool:
        """Whether their rows are read by fields, or from one document of JSON."""
        return self.source.fields is not None or self.format == "json"

    @property
    def separator(self) -> str:
        """The separator of the fields of a text table."""
        csv = self.source.csv
        is_default = "separator" not in csv.model_fields_set
        return "\t" if self.format == "tsv" and is_default else csv.separator

    @property
    def is_web(self) -> bool:
        """Whether they lie on web servers, and are still to be fetched."""
        return self.remote and is_web(self.real[0])

    @property
    def globs(self) -> tuple[str, ...]:
        """Where the files are, for libraries that take every path for a glob."""
        if self.remote:
            return self.real
        return tuple(re.sub(r"[\[*?]", lambda sign: f"[{sign[0]}]", path) for path in self.real)

    @property
    def singles(self) -> "tuple[TableFiles, ...]":
        """Each file as a table of its own."""
        pairs = zip(self.real, self.written, strict=True)
        return tuple(self._replace(real=(r,), written=(w,)) for r, w in pairs)

    @property
    def name(self) -> str:
        """The name of the table in messages."""
        more = f" and {len(self.written) - 1} more" if len(self.written) > 1 else ""
        return self.written[0] + more


def find_files(source: Source, folder: Path, loc: Loc, policy: Policy = DEFAULT) -> TableFiles:
    """Find the files of a table.

    Parameters
    ----------
    source : the part of the spec that names them.
    folder : what relative paths are relative to.
    loc : where in the spec the paths stand.
    policy : what the spec may reach.

    Raises
    ------
    DataError
        If a path leads to no file, or a URI holds credentials.
    SpecError
        If the format is not to be told, or differs between files.
    """
    found = [
        (path, *pair)
        for place, path in _placed(source.places, loc)
        for pair in _expanded(path, folder, place, policy)
    ]
    _refuse_twice(source.places, found, loc)
    _, real, written = zip(*found, strict=True)
    _refuse_no_text(written)
    _refuse_mixed(real, loc)
    remote, web = is_remote(real[0]), is_web(real[0])
    formats = {source.format or _format(name, loc) for name in written}
    if len(formats) > 1:
        names = ", ".join(sorted(formats))
        raise SpecError([Fault(f"one table cannot mix formats: {names}", loc)])
    partitioned = any("=" in part for n in written for part in Path(file_name(n)).parts[:-1])
    partitioned = partitioned or (remote and not web)
    files = TableFiles(source, real, written, formats.pop(), remote, partitioned)
    if files.remote and not files.is_web:
        refuse_expected_digest(source, f"{files.name} is read by the engine alone", loc[:-1])
    if not files.is_csv:
        refuse_csv_options(source, f"{files.name} is {files.format}", loc[:-1])
    return files


def _refuse_no_text(names: Sequence[str]) -> None:
    """Refuse files whose names are not UTF-8, which no engine is given and no report holds."""
    for name in names:
        if any("\ud800" <= sign <= "\udfff" for sign in name):
            raise DataError(f"{name}: the name of this file is not UTF-8", hint="rename it")


def refuse_csv_options(source: Source, words: str, loc: Loc) -> None:
    """Refuse the options of text tables where they would do nothing.

    Parameters
    ----------
    source : the part of the spec.
    words : what the rows are instead.
    loc : where in the spec the part stands.

    Raises
    ------
    SpecError
        With each option.
    """
    message = f"this is for csv and tsv, and {words}"
    options = sorted(source.csv.model_fields_set)
    if options:
        hint = "leave it out"
        places = [(*loc, "csv", key) for key in options]
        raise SpecError([Fault(message, place, hint=hint, at_key=True) for place in places])


def refuse_expected_digest(source: Source, words: str, loc: Loc) -> None:
    """Refuse to expect a digest where there is none to be had.

    Parameters
    ----------
    source : the part of the spec.
    words : why there is none.
    loc : where in the spec the part stands.

    Raises
    ------
    SpecError
        At the digest.
    """
    if source.expect and source.expect.sha256:
        message = f"{words}, so no digest of it is known"
        place = (*loc, "expect", "sha256")
        raise SpecError([Fault(message, place, hint="rows can be expected")])


def _refuse_mixed(real: Sequence[str], loc: Loc) -> None:
    for kind, words in ((is_remote, "files and URIs"), (is_web, "web servers and stores")):
        if len({kind(path) for path in real}) > 1:
            raise SpecError([Fault(f"{words} cannot be mixed in one table", loc)])


def _refuse_twice(paths: Sequence[str], found: Sequence[tuple[str, str, str]], loc: Loc) -> None:
    """Refuse a file that is found twice, by paths or links, since its rows would count twice."""
    if twice := overlapping(paths):
        message = f"{twice[0]!r} stands for {twice[1]!r} too; its rows would count twice"
        raise SpecError([Fault(message, loc)])
    known: dict[object, tuple[str, str]] = {}
    for path, real, written in found:
        one = real if is_remote(real) else PathEntry(Path(real), written).identity
        if one in known:
            raise SpecError([Fault(_twice(known[one], (path, written)), loc)])
        known[one] = path, written


def _twice(first: tuple[str, str], second: tuple[str, str]) -> str:
    """Say how a file is found twice: by which paths, and what it is called there."""
    words = f"{first[0]!r} and {second[0]!r} both lead to {second[1]}"
    if first[1] != second[1]:
        words = f"{first[1]} and {second[1]} are one file"
    elif first == second:
        words = f"{second[1]} is listed twice"
    return f"{words}; its rows would count twice"


def _placed(paths: Sequence[str], loc: Loc) -> list[tuple[Loc, str]]:
    """Return each path with its place in the spec, where it is one of a list."""
    return [((*loc, i) if len(paths) > 1 else loc, path) for i, path in enumerate(paths)]


def _expanded(written: str, folder: Path, loc: Loc, policy: Policy) -> list[tuple[str, str]]:
    """Return pairs of a real path and how the spec would write it, sorted."""
    local = _local(written, loc)
    if local is None:
        refuse_secrets(written)
        refuse_ambiguous(written, loc)
        refuse_uri(policy, written, loc)
        return [(written, written)]
    found = files_at(local, written, folder, partial(refuse_file, policy, loc=loc), _is_data)
    return [(_plain(entry.path), entry.written) for entry in found]


def _local(written: str, loc: Loc) -> str | None:
    """Return the path on this machine that a spec names; None where that is a URI elsewhere."""
    if not is_remote(written):
        return written
    if not written.lower().startswith("file://"):
        return None
    parts = urlsplit(written)
    if parts.netloc.lower() not in ("", "localhost"):
        words = f"{written} names the machine {parts.netloc!r}, and file:// is for this one"
        raise SpecError([Fault(words, loc, hint="a path begins with a third slash: file:///data")])
    return unquote(parts.path)


def _plain(path: Path) -> str:
    """Write a path so that no library takes how it begins for a home folder, or for a scheme."""
    return str(path.absolute() if str(path).startswith("~") or ":" in str(path) else path)


def _is_data(name: str) -> bool:
    return _ending(name) in ENDINGS


def _ending(name: str) -> str:
    path = Path(name.lower())
    return Path(path.stem).suffix if path.suffix in COMPRESSED else path.suffix


def ending_of(uri: str, form: Format) -> str:
    """Return the ending of a file's name, by which libraries tell its format and compression.

    >>> ending_of("https://example.org/people.csv.gz?download=1", "csv")
    '.csv.gz'
    """
    packed = Path(file_name(uri).lower()).suffix
    return f".{form}{packed if packed in COMPRESSED else ''}"


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
