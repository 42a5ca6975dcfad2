"""The exception tree and the exit codes.

Every error that a user can cause is one of these; anything else is a bug and says so.

    BiaspipeError
    ├── UsageError        the command line is wrong                        exit 2
    ├── SpecError         the spec is wrong, or names what the data lacks  exit 2
    └── DataError         the data cannot be read, or is faulty            exit 3
        ├── TypesChangedError   a text table does not keep its types       exit 3
        ├── LimitError          an audit takes more than a policy allows   exit 3
        ├── StoreError          a store does not answer, or refuses        exit 3
        └── OutputError         a report cannot be written                 exit 3
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

__all__ = [
    "BiaspipeError",
    "DataError",
    "Exit",
    "FailOn",
    "Fault",
    "LimitError",
    "Loc",
    "OutputError",
    "SpecError",
    "StoreError",
    "TypesChangedError",
    "UsageError",
    "cut",
    "first_line",
    "listing",
    "nearest",
    "printable",
    "quoted",
    "shown",
    "shown_in_place",
    "unlike_commands",
]

Loc = tuple[str | int, ...]


class Exit(IntEnum):
    """What the process says to its caller, with the code that stands for it.

    >>> Exit.worst([Exit.PASSED, Exit.UNDECIDED, Exit.FAILED]).name
    'FAILED'
    """

    PASSED = 0
    FAILED = 1
    WRONG_SPEC = 2
    WRONG_DATA = 3
    UNDECIDED = 4
    NOTHING_CHECKED = 5
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143

    @classmethod
    def worst(cls, codes: Iterable["Exit"]) -> "Exit":
        """Return the code that takes precedence; without any, nothing was checked."""
        present = set(codes)
        return next((code for code in PRECEDENCE if code in present), cls.NOTHING_CHECKED)


FailOn = Literal["fail", "warn", "never"]
"""The mildest verdict that ends a run with `Exit.FAILED`."""

PRECEDENCE = (
    Exit.TERMINATED,
    Exit.HUNG_UP,
    Exit.INTERRUPTED,
    Exit.WRONG_SPEC,
    Exit.WRONG_DATA,
    Exit.FAILED,
    Exit.UNDECIDED,
    Exit.NOTHING_CHECKED,
    Exit.PASSED,
)


class BiaspipeError(Exception):
    """The root of the tree; `exit` is the code that the command line ends with.

    Message and hint are a line each, whatever they quote: no value of a spec begins a line.
    """

    exit = Exit.WRONG_DATA

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = shown(message)
        self.hint = shown(hint) if hint else hint
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


class UsageError(BiaspipeError):
    """The command line asks for something that does not exist."""

    exit = Exit.WRONG_SPEC


class DataError(BiaspipeError):
    """The data cannot be read, or holds something that no audit may count."""


class TypesChangedError(DataError):
    """A text table holds values that do not fit the types that its first rows suggest."""


class LimitError(DataError):
    """More is to be read than the limits of a policy allow."""


class StoreError(DataError):
    """A store in the cloud, or a web server, does not hand over what is asked for."""


class OutputError(DataError):
    """A report cannot be written where it was asked for."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a spec.

    `loc` is the path of keys from the top of the spec, `at_key` whether the key itself is at
    fault rather than its value; `line` and `column` count from 1 where `loc` cannot say.
    """

    message: str
    loc: Loc = ()
    expected: str | None = None
    found: str | None = None
    hint: str | None = None
    at_key: bool = False
    line: int | None = None
    column: int | None = None


class SpecError(BiaspipeError):
    """A spec with its faults, all of them at once.

    `text` is filled in by whoever knows the file: every fault with file, line, column and caret.
    """

    exit = Exit.WRONG_SPEC

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        self.text: str | None = None
        super().__init__("; ".join(fault.message for fault in self.faults))

    def __str__(self) -> str:
        return self.text or self.message


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return a hint with the known name that is closest to `name`, if one is close.

    >>> nearest("postive", ["positive", "column"])
    "did you mean 'positive'?"
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only a fault needs it

    by_fold = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_fold, n=1, cutoff=0.6)
    return f"did you mean {by_fold[close[0]]!r}?" if close else None


INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001d159\U000e0000-\U000e0fff]"
)
"""Signs that Unicode counts as printable, and that show nothing."""
MOST_MARKS = 4
"""Marks that may stand on one letter; more of them are heaped up to cover other lines."""
COMMAND = re.compile(r"##(?=[A-Za-z]*\[)")
"""What begins a command of a CI system anywhere in a line: `##[`, `##vso[`, `##teamcity[`."""
LINE_COMMAND = re.compile(r"^([^\S\n]*+(?:\x1b\[[0-9;]*+m)*+[^\S\n]*+):(?=:)", re.MULTILINE)
"""What begins one at the start of a line: `::`."""


def shown(text: object) -> str:
    r"""Return text from a spec, from data or from a library as one line that can only be read.

    What a terminal takes for a command, what shows nothing, and what a CI system takes for a
    command wherever it stands in a line, is spelled out.

    >>> shown("a" + chr(27) + "[31m, b" + chr(10) + "##[error]")
    'a\\x1b[31m, b\\n#\\x23[error]'
    """
    return _replaced(str(text), _spelled_out)


def shown_in_place(text: str) -> str:
    r"""Return text as long as it was, with a sign for each that `shown` spells out.

    >>> ascii(shown_in_place("a" + chr(10) + "b"))
    "'a\\ufffdb'"
    """
    return _replaced(text, lambda _: "\N{REPLACEMENT CHARACTER}")


def printable(text: object) -> str:
    r"""Return text of several lines with each of them as it is shown, and unlike a command.

    >>> printable("DI" + chr(10) + "::error::x")
    'DI\n\\x3a:error::x'
    """
    return unlike_commands("\n".join(map(shown, str(text).split("\n"))))


def unlike_commands(text: str) -> str:
    r"""Return text of which no line begins like a command of a CI system.

    >>> unlike_commands("  ::error::x")
    '  \\x3a:error::x'
    """
    return LINE_COMMAND.sub(r"\1\\x3a", text) if "::" in text else text


def _replaced(text: str, replace: Callable[[str], str]) -> str:
    """Replace the signs of a line that do not show, or do more than that."""
    if not (text.isascii() and text.isprintable()):
        signs, marks = [], 0
        for sign in text:
            marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
            shows = sign.isprintable() and marks <= MOST_MARKS and not INVISIBLE.match(sign)
            signs.append(sign if shows else replace(sign))
        text = "".join(signs)
    return COMMAND.sub(lambda _: "#" + replace("#"), text) if "##" in text else text


def _spelled_out(sign: str) -> str:
    return r"\x23" if sign == "#" else sign.encode("unicode_escape").decode()


def first_line(said: object) -> str:
    """Return the first line of what a library says, which is the one for a person.

    >>> first_line(ValueError("no column 'x'; stack: a b c"))
    "no column 'x'; stack: a b c"
    """
    return str(said).strip().split("\n", 1)[0]


def cut(text: str, most: int) -> str:
    """Cut a text after so many characters, so that no message floods a terminal.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


MOST_QUOTED = 80


def quoted(text: object) -> str:
    """Quote a key or a value of a spec, and cut it where it is long.

    >>> quoted("min")
    "'min'"
    """
    return repr(cut(str(text), MOST_QUOTED))


def listing(values: Iterable[object], *, most: int = 12) -> str:
    """Write values as a list for a person, cut after `most`.

    >>> listing(["a", 1, True])
    "'a', 1, true"
    """
    shown = [_written(value) for value in values]
    rest = len(shown) - most
    return ", ".join(shown[:most]) + (f" and {rest} more" if rest > 0 else "")


def _written(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return repr(value)
        case None:
            return "missing"
        case _:
            return str(value)
