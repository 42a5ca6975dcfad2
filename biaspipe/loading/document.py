"""YAML text to plain values, with the line and column that each of them came from.

The scalars are those of YAML 1.2 (`yes` is a text, `010` is ten), keys are texts, equal keys are
a fault, and alias expansion, depth and size are limited: a spec from a stranger cannot hurt.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from biaspipe.errors import Fault, Loc, SpecError

__all__ = ["Document", "parse"]

MOST_BYTES = 1_000_000
MOST_DEPTH = 40
MOST_VALUES = 50_000

NULL, BOOL, INT, FLOAT, STR = (
    f"tag:yaml.org,2002:{t}" for t in ("null", "bool", "int", "float", "str")
)
SCALARS = {
    NULL: re.compile(r"~|null|Null|NULL|"),
    BOOL: re.compile(r"true|True|TRUE|false|False|FALSE"),
    INT: re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
    FLOAT: re.compile(
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    ),
}


class _Loader(yaml.SafeLoader):
    """PyYAML's scanner and parser with the implicit scalars of YAML 1.2's core schema."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own attribute


for _tag, _pattern in SCALARS.items():
    _Loader.add_implicit_resolver(_tag, re.compile(rf"(?:{_pattern.pattern})$"), None)


@dataclass(frozen=True)
class Mark:
    """Where a key and its value begin; lines and columns count from 1."""

    line: int
    column: int
    key_line: int
    key_column: int


@dataclass(frozen=True)
class Document:
    """A parsed YAML file: its values, and where each of them stands.

    Parameters
    ----------
    name : the file as the user calls it.
    text : the whole file.
    values : dicts, lists and scalars.
    marks : position by path of keys and indices.
    """

    name: str
    text: str
    values: Any = None
    marks: dict[Loc, Mark] = field(default_factory=dict)

    def known(self, loc: Loc) -> Loc:
        """Return the part of a path that exists here, without what a validator put in between."""
        path: Loc = ()
        for step in loc:
            if (*path, step) in self.marks:
                path = (*path, step)
        return path

    def line(self, loc: Loc) -> int:
        """Return the line of a key."""
        mark = self.marks.get(self.known(loc))
        return mark.key_line if mark else 1

    def error(self, faults: list[Fault]) -> SpecError:
        """Make the error that shows every fault at its place, in the order of the file."""
        placed = sorted((self._place(fault), i) for i, fault in enumerate(faults))
        error = SpecError(faults)
        error.text = "\n\n".join(self._show(faults[i], *place) for place, i in placed)
        return error

    def _place(self, fault: Fault) -> tuple[int, int]:
        if fault.line is not None:
            return fault.line, fault.column or 1
        mark = self.marks.get(self.known(fault.loc))
        if mark is None:
            return 1, 1
        return (mark.key_line, mark.key_column) if fault.at_key else (mark.line, mark.column)

    def _show(self, fault: Fault, line: int, column: int) -> str:
        shown = [f"{self.name}:{line}:{column}: {fault.message}"]
        lines = self.text.splitlines()
        if line <= len(lines) and lines[line - 1].strip():
            source = lines[line - 1].expandtabs(1)[:200]
            shown += [f"  {line:>4} | {source}", f"       | {' ' * (column - 1)}^"]
        for title in ("expected", "found", "hint"):
            if words := getattr(fault, title):
                shown.append(f"  {title}: {words}")
        return "\n".join(shown)


def parse(name: str, text: str) -> Document:
    """Parse YAML text.

    Parameters
    ----------
    name : what messages call the file.
    text : its content.

    Raises
    ------
    SpecError
        With file, line, column and caret for every fault found.
    """
    empty = Document(name, text)
    if len(text.encode()) > MOST_BYTES:
        raise empty.error([Fault(f"the spec is larger than {MOST_BYTES:,} bytes")])
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise empty.error([_syntax(error, text)]) from None
    except yaml.reader.ReaderError as error:
        raise empty.error(
            [Fault(f"the text holds a character YAML forbids: {error.reason}")]
        ) from None
    except RecursionError:
        raise empty.error([Fault(f"the spec is nested deeper than {MOST_DEPTH} levels")]) from None
    if node is None:
        raise empty.error(
            [
                Fault(
                    "the spec is empty",
                    expected="a mapping with version, name, data, facets and metrics",
                )
            ]
        )
    return _Builder(empty).build(node)


def _syntax(error: yaml.MarkedYAMLError, text: str) -> Fault:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    source = lines[line - 1] if line <= len(lines) else ""
    problem = f"{error.problem}" + (f", {error.context}" if error.context else "")
    return Fault(f"not YAML: {problem}", hint=_advice(source, problem), line=line, column=column)


def _advice(source: str, problem: str) -> str | None:
    if "\t" in source:
        return "YAML indents with spaces; replace the tab"
    if re.search(r":\s*[>|][^\s]", source) or re.search(r":\s*[>|]\s*=?\s*[\d.]", source):
        return "a condition needs quotes, and a limit its own key: {min: 0.8}"
    if re.search(r":\s*[@`%&*!]", source):
        return "quote a text that begins with a special character"
    if "expected a single document" in problem:
        return "one audit in each file; remove what follows ---"
    return None


class _Builder:
    """Builds plain values from YAML nodes, keeping marks and gathering faults."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []
        self.marks: dict[Loc, Mark] = {}
        self.left = MOST_VALUES

    def build(self, node: yaml.Node) -> Document:
        """Build the whole document or raise with every fault."""
        values = self.value(node, ())
        if not isinstance(values, dict) and not self.faults:
            self.fault(node, "the spec is not a mapping", "keys such as version, name and data")
        if self.faults:
            raise self.document.error(self.faults)
        return Document(self.document.name, self.document.text, values, self.marks)

    def fault(self, node: yaml.Node, message: str, expected: str | None = None) -> None:
        """Note a fault at a node."""
        mark = node.start_mark
        self.faults.append(
            Fault(message, expected=expected, line=mark.line + 1, column=mark.column + 1)
        )

    def value(self, node: yaml.Node, path: Loc) -> Any:
        """Build the value of a node; None where it is at fault."""
        self.left -= 1
        if self.left < 0 or len(path) > MOST_DEPTH:
            if not self.faults:
                self.fault(
                    node, f"the spec holds more than {MOST_VALUES:,} values or {MOST_DEPTH} levels"
                )
            return None
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.item(child, child, (*path, i)) for i, child in enumerate(node.value)]
        return self.scalar(node)

    def mapping(self, node: yaml.MappingNode, path: Loc) -> dict[str, Any]:
        """Build a mapping; its keys are the texts that stand in the file."""
        result: dict[str, Any] = {}
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.fault(key, "a key has to be a text")
            elif key.value in result:
                first = self.marks[(*path, key.value)].key_line
                self.fault(key, f"the key {key.value!r} stands twice, first in line {first}")
            elif key.value == "<<":
                self.fault(key, "merge keys (<<) are not part of YAML 1.2")
            else:
                result[key.value] = self.item(key, child, (*path, key.value))
        return result

    def item(self, key: yaml.Node, child: yaml.Node, path: Loc) -> Any:
        """Build a value and keep where it stands."""
        at, key_at = child.start_mark, key.start_mark
        self.marks[path] = Mark(at.line + 1, at.column + 1, key_at.line + 1, key_at.column + 1)
        return self.value(child, path)

    def scalar(self, node: yaml.Node) -> Any:
        """Build a scalar by its tag."""
        text = str(node.value)
        try:
            return _scalar(node.tag, text)
        except KeyError:
            self.fault(node, f"the tag {node.tag!r} is not supported", "plain values")
        except ValueError:
            self.fault(node, f"{text[:40]!r} is not a number that can be read", "a number")
        return None


def _scalar(tag: str, text: str) -> Any:
    match tag:
        case _ if tag == STR:
            return text
        case _ if tag == NULL:
            return None
        case _ if tag == BOOL:
            return text.lower() == "true"
        case _ if tag == INT:
            return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        case _ if tag == FLOAT:
            return float(text)  # .inf and .nan are refused: no limit or value can be one
    raise KeyError(tag)
