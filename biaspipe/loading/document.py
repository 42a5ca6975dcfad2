"""A spec's text as plain values, and its faults shown where they stand."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.loading.syntax import forbidden, lines_of, syntax_fault
from biaspipe.loading.yaml_values import MAX_DEPTH, Loader, Position, ValueBuilder
from biaspipe.printable_text import escape, escape_in_place, shorten
from biaspipe.secrets import mask_secrets

__all__ = ["MAX_FAULTS", "Document", "Position", "content_of", "parse", "parse_bytes"]

MAX_BYTES = 1_000_000
MAX_FAULTS = 100
MAX_WORDS = 600
WIDTH = 160


@dataclass(frozen=True)
class Document:
    """A parsed YAML file: its values, and where each of them stands.

    Parameters
    ----------
    name : the file as the user calls it.
    text : the whole file.
    values : dicts, lists and scalars.
    positions : position by path of keys and indices; that of the first key by the empty path.
    faults : what the YAML itself has wrong, though the rest can be read.
    merged : mappings that lack what a merge key, which is a fault, would have brought.
    renamed : the key that stands in the file, by the path that it was read as.
    has_lines : whether somebody can look up a line of it; else places are named by their keys.
    """

    name: str
    text: str
    values: Any = None
    positions: dict[Loc, Position] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    merged: frozenset[Loc] = frozenset()
    renamed: dict[Loc, str] = field(default_factory=dict)
    has_lines: bool = True

    def known(self, loc: Loc) -> Loc:
        """Return the part of a path that stands in the file, as it is written there."""
        path: Loc = ()
        for step in loc:
            written = (*path, self.renamed.get((*path, step), step))
            if written not in self.positions:
                break
            path = written
        return path

    def line(self, loc: Loc) -> int:
        """Return the line of a key."""
        position = self.positions.get(self.known(loc))
        return position.key_line if position else 1

    def placed(self, fault: Fault) -> Fault:
        """Give a fault the line and column of its path, unless it has them."""
        if fault.line is not None:
            return fault
        position = self.positions.get(self.known(fault.loc), Position(1, 1, 1, 1))
        if fault.at_key:
            return fault._replace(line=position.key_line, column=position.key_column)
        return fault._replace(line=position.line, column=position.column)

    def error(self, faults: list[Fault], *, more: int = 0) -> SpecError:
        """Make the error that shows the faults at their places, in the order of the file.

        Parameters
        ----------
        faults : those to show, cut after the first hundred.
        more : how many others there are.
        """
        placed = [self.placed(fault) for fault in faults]
        first = sorted(placed, key=lambda f: (f.line or 1, f.column or 1))[:MAX_FAULTS]
        more += len(faults) - len(first)
        lines = lines_of(self.text)
        show = self._show if self.has_lines else self._show_key
        parts = [show(fault, lines) for fault in first]
        parts += [f"and {more:,} more fault{'s' if more > 1 else ''}"] if more else []
        error = SpecError(placed[:MAX_FAULTS])
        error.text, error.file = "\n\n".join(parts), self.name
        return error

    def _show(self, fault: Fault, lines: list[str]) -> str:
        line, column = fault.line or 1, fault.column or 1
        parts = [f"{escape(self.name)}:{line}:{column}: {_said(fault.message)}"]
        if line <= len(lines) and lines[line - 1].strip():
            source, under = _window(lines[line - 1], column - 1)
            parts += [f"  {line:>4} | {source}", f"       | {' ' * under}^"]
        for title in ("expected", "found", "hint"):
            if words := getattr(fault, title):
                parts.append(f"  {title}: {_said(words)}")
        return "\n".join(parts)

    def _show_key(self, fault: Fault, _: list[str]) -> str:
        key = ".".join(map(str, self.known(fault.loc)))
        lead = "" if not key or fault.message.startswith(key) else f"{escape(key)}: "
        parts = [f"{escape(self.name)}: {lead}{_said(fault.message)}"]
        titles = ("expected", "found", "hint")
        parts += [f"  {t}: {_said(words)}" for t in titles if (words := getattr(fault, t))]
        return "\n".join(parts)


def _window(source: str, column: int) -> tuple[str, int]:
    """Cut a long line around a column, and say where the column is then."""
    source = _spaced(source)
    start = max(0, column - WIDTH // 2) if len(source) > WIDTH else 0
    before, after = "…" if start else "", "…" if len(source) > start + WIDTH else ""
    return before + escape_in_place(source[start : start + WIDTH]) + after, column - start + len(
        before
    )


def _said(words: str) -> str:
    return escape(shorten(mask_secrets(words), MAX_WORDS))


@lru_cache(maxsize=1)  # many faults may stand in one long line
def _spaced(source: str) -> str:
    return mask_secrets(source.replace("\t", " "))


def parse(name: str, text: str, *, what: str = "spec") -> Document:
    """Parse YAML text; faults that leave its structure intact come with the document.

    Parameters
    ----------
    name : what messages call the file.
    text : its content.
    what : what it is to be.

    Raises
    ------
    SpecError
        With file, line, column and caret, if there is no structure to be read.
    """
    empty = Document(name, text)
    if len(text.encode()) > MAX_BYTES:
        raise empty.error([Fault(f"the {what} is larger than {MAX_BYTES:,} bytes")])
    if faults := forbidden(text):
        raise empty.error(faults)
    node = _composed(empty, what)
    builder = ValueBuilder(what)
    values = builder.build(node)
    if builder.is_full or not isinstance(values, dict):
        raise empty.error(builder.faults)
    noted, merged = tuple(builder.faults), frozenset(builder.merged)
    return Document(name, text, values, builder.positions, noted, merged)


def content_of(path: Path) -> bytes:
    """Read a file of YAML.

    Raises
    ------
    SpecError
        If it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise SpecError([Fault(f"{path}: {error.strerror}")]) from None


def parse_bytes(name: str, content: bytes, *, what: str = "spec") -> Document:
    """Parse the bytes of YAML text; SpecError as `parse` has it, or where they are not UTF-8.

    Parameters
    ----------
    name : what messages call the file.
    content : its bytes.
    what : what it is to be.
    """
    try:
        return parse(name, content.decode("utf-8-sig"), what=what)
    except UnicodeDecodeError as error:
        raise SpecError([Fault(f"{name}: byte {error.start} is not UTF-8")]) from None


def _composed(empty: Document, what: str) -> yaml.Node:
    try:
        node = yaml.compose(empty.text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        raise empty.error([syntax_fault(error, empty.text)]) from None
    except RecursionError:
        raise empty.error([Fault(f"the {what} is nested deeper than {MAX_DEPTH} levels")]) from None
    if node is None:
        parts = {"spec": "a mapping with version, name, data, facets and metrics"}
        raise empty.error([Fault(f"the {what} is empty", expected=parts.get(what))])
    return node
