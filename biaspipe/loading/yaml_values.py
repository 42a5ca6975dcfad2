"""YAML nodes to plain values, with the line and column that each of them came from.

The scalars are those of YAML 1.2 (`yes` is a text, `010` is ten), keys are texts, equal keys are
a fault, and alias expansion, depth and size are limited: a spec from a stranger cannot hurt.
"""

import re
import sys
from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

import yaml

from biaspipe.errors import Fault, Loc
from biaspipe.printable_text import quote

__all__ = ["MAX_DEPTH", "Loader", "Position", "Unreadable", "ValueBuilder", "plain_scalar"]

MAX_DEPTH = 40
MAX_VALUES = 50_000
MAX_SIGNS = 1_000_000
"""Characters of all values, where an alias counts like the text that it stands for."""
LARGEST = 1e300

TAG = "tag:yaml.org,2002:"
NULL, BOOL, INT, FLOAT, STR, MAP, SEQ = (
    TAG + name for name in ("null", "bool", "int", "float", "str", "map", "seq")
)
SCALARS = {
    NULL: re.compile(r"~|null|Null|NULL|"),
    BOOL: re.compile(r"true|True|TRUE|false|False|FALSE"),
    INT: re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
    FLOAT: re.compile(
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    ),
    STR: re.compile(r"(?s:.*)"),
}
KINDS = {NULL: "nothing", BOOL: "true or false", INT: "a whole number"}


class Loader(yaml.SafeLoader):
    """PyYAML's scanner and parser with the implicit scalars of YAML 1.2's core schema."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own attribute

    def fetch_flow_collection_start(self, token: Any) -> None:
        """Refuse depth here, since PyYAML reads ahead of it with the square of its size."""
        if self.flow_level > MAX_DEPTH:
            raise RecursionError
        super().fetch_flow_collection_start(token)


for _tag in (NULL, BOOL, INT, FLOAT):
    Loader.add_implicit_resolver(_tag, re.compile(rf"(?:{SCALARS[_tag].pattern})$"), None)


class Unreadable:
    """Stands, as a class, where a value could not be read; what is said of it is noise."""


class Position(NamedTuple):
    """Where a key and its value begin; lines and columns count from 1."""

    line: int
    column: int
    key_line: int
    key_column: int

    @classmethod
    def of(cls, key: yaml.Node, value: yaml.Node) -> "Position":
        """Return where a key and its value begin."""
        at, key_at = value.start_mark, key.start_mark
        return cls(at.line + 1, at.column + 1, key_at.line + 1, key_at.column + 1)


class ValueBuilder:
    """Builds plain values from YAML nodes, keeping positions and gathering faults."""

    def __init__(self, what: str = "spec") -> None:
        self.what = what
        self.faults: list[Fault] = []
        self.positions: dict[Loc, Position] = {}
        self.merged: set[Loc] = set()
        self.left = MAX_VALUES
        self.signs = MAX_SIGNS
        self.open: set[int] = set()
        self.texts: dict[int, str] = {}

    @property
    def is_full(self) -> bool:
        """Whether the document was too large or too deep to be read to its end."""
        return self.left < 0

    def build(self, node: yaml.Node) -> Any:
        """Build the whole document."""
        first = node
        if isinstance(node, yaml.MappingNode) and node.value and not node.flow_style:
            first = node.value[0][0]
        self.positions[()] = Position.of(first, first)
        values = self.value(node, ())
        if not isinstance(values, dict) and not self.faults:
            keys = "keys such as version, name and data" if self.what == "spec" else None
            self.fault(node, f"the {self.what} is not a mapping", keys)
        return values

    def fault(self, node: yaml.Node, message: str, expected: str | None = None) -> None:
        """Note a fault at a node."""
        at = Position.of(node, node)
        self.faults.append(Fault(message, expected=expected, line=at.line, column=at.column))

    def value(self, node: yaml.Node, path: Loc) -> Any:
        """Build the value of a node; Unreadable where there is none."""
        self.left -= 1
        if self.left < 0 or len(path) > MAX_DEPTH:
            if not self.is_full or self.left == -1:
                limits = f"{MAX_VALUES:,} values or {MAX_DEPTH} levels"
                self.fault(node, f"the {self.what} holds more than {limits}")
            self.left = min(self.left, -2)
            return Unreadable
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        self.open.add(id(node))
        values = self.collection(node, path)
        self.open.discard(id(node))
        return values

    def collection(self, node: yaml.Node, path: Loc) -> Any:
        """Build a mapping or a list."""
        if node.tag != (MAP if isinstance(node, yaml.MappingNode) else SEQ):
            self.tag_fault(node)
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path)
        return [self.item(child, child, (*path, i)) for i, child in enumerate(node.value)]

    def mapping(self, node: yaml.MappingNode, path: Loc) -> dict[str, Any]:
        """Build a mapping; its keys are the texts that stand in the file."""
        result: dict[str, Any] = {}
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.fault(key, "a key has to be a text")
                continue
            if key.tag not in SCALARS:
                self.tag_fault(key)
            name = self.text(key)
            if name in result:
                first = self.positions[(*path, name)].key_line
                self.fault(key, f"the key {quote(name)} stands twice, first in line {first}")
            elif name == "<<":
                self.fault(key, "merge keys (<<) are not part of YAML 1.2")
                self.merged.add(path)
            else:
                result[name] = self.item(key, child, (*path, name))
        return result

    def item(self, key: yaml.Node, child: yaml.Node, path: Loc) -> Any:
        """Build a value and keep where it stands."""
        self.positions[path] = Position.of(key, child)
        if id(child) in self.open:
            self.fault(key, "the alias stands inside what it names")
            return Unreadable
        return self.value(child, path)

    def scalar(self, node: yaml.ScalarNode) -> Any:
        """Build a scalar by its tag, which has to fit its text."""
        text = self.text(node)
        if node.tag not in SCALARS:
            self.tag_fault(node)
        elif not SCALARS[node.tag].fullmatch(text):
            kind, tag = KINDS.get(node.tag, "a number"), quote(short(node.tag))
            self.fault(node, f"the tag {tag} does not fit {quote(text)}", kind)
        else:
            return self.plain(node, text)
        return Unreadable

    def text(self, node: yaml.ScalarNode) -> str:
        """Return a scalar's text; a character may be escaped as two halves, as in JSON."""
        if id(node) not in self.texts:  # aliases of a long text share it
            self.texts[id(node)] = self.joined(node, str(node.value))
        text = self.texts[id(node)]
        self.signs -= len(text)
        if self.signs < 0 and not self.is_full:
            self.fault(
                node, f"with its aliases the {self.what} holds more than {MAX_SIGNS:,} signs"
            )
            self.left = -2
        return text

    def joined(self, node: yaml.ScalarNode, text: str) -> str:
        """Join the halves of characters."""
        halves = text.encode("utf-16", "surrogatepass")
        try:
            return halves.decode("utf-16")
        except UnicodeDecodeError:
            self.fault(node, "the text holds half of a character", "both halves of it")
            return halves.decode("utf-16", "replace")

    def plain(self, node: yaml.ScalarNode, text: str) -> Any:
        """Build a scalar whose text fits its tag; neither limits nor values can be infinite."""
        try:
            value = _read(node.tag, text)
        except ValueError:  # .inf and .nan, and whole numbers of thousands of digits
            value = None if node.tag == FLOAT else inf
        if node.tag == FLOAT and value is None:
            self.fault(node, f"{quote(text)} is not a number that can be read", "a number")
        elif isinstance(value, int | float) and abs(value) > LARGEST:
            self.fault(node, "this number is too large", f"a number up to {LARGEST:g}")
        else:
            return value
        return Unreadable

    def tag_fault(self, node: yaml.Node) -> None:
        """Note a tag, which no value of a spec has."""
        self.fault(node, f"the tag {quote(short(node.tag))} is not supported", "plain values")


def short(tag: str) -> str:
    """Write a tag as it stands in the file.

    >>> short("tag:yaml.org,2002:python/float")
    '!!python/float'
    """
    return "!!" + tag.removeprefix(TAG) if tag.startswith(TAG) else tag


QUOTED = re.compile(r"""(["'])(.*)\1""", re.DOTALL)


def plain_scalar(text: str) -> str | int | float | bool:
    """Read a text as the value of a spec that it would be: in quotes, or as a last resort, a text.

    >>> plain_scalar("18"), plain_scalar("true"), plain_scalar("2026-10"), plain_scalar("'18'")
    (18, True, '2026-10', '18')
    """
    if found := QUOTED.fullmatch(text):
        return found[2]
    for tag in (BOOL, INT, FLOAT):
        if SCALARS[tag].fullmatch(text):
            with suppress(ValueError):  # .nan, and whole numbers of thousands of digits
                value = _read(tag, text)
                if isinstance(value, bool | int | float) and abs(value) <= sys.float_info.max:
                    return value
    return text


def _read(tag: str, text: str) -> Any:
    match tag:
        case _ if tag == NULL:
            return None
        case _ if tag == BOOL:
            return text.lower() == "true"
        case _ if tag == INT:
            return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        case _ if tag == FLOAT:
            return float(text)
    return text
