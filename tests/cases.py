"""Texts with their expected messages: many named cases to a file, each as follows.

=== name of the case
the text
---
the message

with an empty line between two cases.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

__all__ = ["Case", "cases_of", "rewrite"]

TITLE = re.compile(r"(?:^|\n\n)=== (\w+)\n")
SEPARATOR = "---\n"


class Case(NamedTuple):
    """A text, and the message that it is answered with."""

    file: Path
    name: str
    text: str
    message: str


def cases_of(file: Path) -> list[Case]:
    """Read the cases of a file; the last line of only `---` ends a text."""
    content = file.read_bytes().decode()  # line ends are part of what is tested
    before, *parts = TITLE.split(content)
    assert before == "", f"{file} begins with no case"
    cases = []
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        text, separator, message = f"\n{part}".rpartition(f"\n{SEPARATOR}")
        assert separator, f"{file}: {name} has no message"
        cases.append(Case(file, name, f"{text}\n"[1:], message.removesuffix("\n")))
    assert len({case.name for case in cases}) == len(cases), f"{file}: a name stands twice"
    return cases


def rewrite(cases: Iterable[Case], message_of: Callable[[Case], str]) -> None:
    """Write files anew with the messages that are given now; read the diff as a user would."""
    files: dict[Path, list[str]] = {}
    for case in cases:
        part = f"=== {case.name}\n{case.text}{SEPARATOR}{message_of(case)}\n"
        files.setdefault(case.file, []).append(part)
    for file, parts in files.items():
        file.write_bytes("\n".join(parts).encode())
