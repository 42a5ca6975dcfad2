"""A draft as YAML text: one key a line down to the values, comments above what they are about."""

import json
import re
from collections.abc import Iterator, Sequence
from textwrap import TextWrapper
from typing import Any

import yaml

from biaspipe.errors import Loc
from biaspipe.loading.yaml_values import Loader
from biaspipe.migration.draft import Draft
from biaspipe.printable_text import escape, escape_in_json

__all__ = ["text_of"]

WIDTH = 96
BLOCKS: tuple[Loc, ...] = (("data",), ("columns",), ("facets",), ("metrics",))
"""What is written one key a line."""
PLAIN_TEXT = re.compile(r"[A-Za-z_./][A-Za-z0-9_ ./*@+-]*(?<! )")


def text_of(draft: Draft) -> str:
    r"""Write a draft.

    >>> draft = Draft({"version": 1, "data": {"path": "a.csv"}, "metrics": {"DI": None}})
    >>> draft.say(("metrics", "DI"), "no limit yet")
    >>> text_of(draft)
    'version: 1\n\ndata:\n  path: a.csv\n\nmetrics:\n  # no limit yet\n  DI:\n'
    """
    lines = [*_comments(draft.head, ""), *_mapping(draft, draft.values, ())]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _mapping(draft: Draft, values: dict[str, Any], loc: Loc) -> Iterator[str]:
    indent = "  " * len(loc)
    for key, value in values.items():
        at = (*loc, key)
        if at in BLOCKS:
            yield ""
        yield from _comments(draft.comments.get(at, ()), indent)
        begun = f"{indent}{_key(key)}:"
        if value and isinstance(value, dict) and (at in BLOCKS or _has_comment(draft, at)):
            yield begun
            yield from _mapping(draft, value, at)
        elif value is None:
            yield begun
        else:
            yield from _folded(begun, value)


def _has_comment(draft: Draft, loc: Loc) -> bool:
    """Whether a comment stands inside a mapping, so that it takes several lines."""
    return any(path[: len(loc)] == loc and len(path) > len(loc) for path in draft.comments)


def _comments(comments: Sequence[str], indent: str) -> Iterator[str]:
    begun = f"{indent}# "
    for comment in comments:
        hanging = begun + ("  " if comment.startswith("- ") else "")
        wrapper = TextWrapper(WIDTH, begun, hanging, break_long_words=False, break_on_hyphens=False)
        yield from wrapper.wrap(escape(comment)) or [begun.rstrip()]


def _folded(begun: str, value: Any) -> Iterator[str]:
    """Write a value behind its key, over several lines where one is too long."""
    flow = _flow(value)
    if len(begun) + 1 + len(flow) <= WIDTH or not isinstance(value, list | dict):
        yield f"{begun} {flow}"
        return
    inner = " " * (len(begun) - len(begun.lstrip()) + 4)
    line = f"{begun} {flow[0]}"
    for part in _parts(value):
        if len(line) + 1 + len(part) > WIDTH:
            yield line
            line = inner + part
        else:
            line += ("" if line.endswith(("[", "{")) else " ") + part
    yield line + flow[-1]


def _parts(value: Any) -> Iterator[str]:
    flow = (
        [_flow(item) for item in value]
        if isinstance(value, list)
        else [f"{_key(key)}: {_flow(item)}" for key, item in value.items()]
    )
    yield from (f"{part}," for part in flow[:-1])
    yield from flow[-1:]


def _flow(value: Any) -> str:
    match value:
        case dict():
            return f"{{{' '.join(_parts(value))}}}"
        case list():
            return f"[{' '.join(_parts(value))}]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """Write a single value so that it is read as what it is.

    >>> _scalar("yes"), _scalar("10"), _scalar(10), _scalar("a: b"), _scalar("capital gain")
    ('"yes"', '"10"', '10', '"a: b"', 'capital gain')
    """
    if not isinstance(value, str):
        return json.dumps(value)
    if PLAIN_TEXT.fullmatch(value) and not _is_taken_for_another(value):
        return value
    if escape(value) == value:
        return json.dumps(value, ensure_ascii=False)
    return escape_in_json(json.dumps(value))


def _key(key: str) -> str:
    """Write a key; `on` is one, whatever YAML 1.1 takes it for."""
    return key if key == "on" else _scalar(key)


def _is_taken_for_another(text: str) -> bool:
    """Whether a text would be no text in YAML 1.2, or in the 1.1 that other readers speak."""
    readers: tuple[Any, ...] = (Loader(""), yaml.SafeLoader(""))
    tags = {reader.resolve(yaml.ScalarNode, text, (True, False)) for reader in readers}
    return tags != {"tag:yaml.org,2002:str"}
