"""The exception tree and the exit codes.

Every error that a user can cause is one of these; anything else is a bug and says so.

    BiaspipeError
    ├── UsageError        the command line is wrong                        exit 2
    ├── SpecError         the spec is wrong, or names what the data lacks  exit 2
    └── DataError         the data cannot be read, or is faulty            exit 3
        ├── TypesChangedError   a text table does not keep its types       exit 3
        ├── LimitError          more is to be read than a policy allows    exit 3
        ├── StoreError          a store does not answer, or refuses        exit 3
        └── OutputError         a report cannot be written                 exit 3
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

__all__ = [
    "BiaspipeError",
    "DataError",
    "Exit",
    "Fault",
    "LimitError",
    "Loc",
    "OutputError",
    "SpecError",
    "StoreError",
    "TypesChangedError",
    "UsageError",
    "first_line",
    "listing",
    "nearest",
    "printable",
    "shown",
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
    INTERRUPTED = 130

    @classmethod
    def worst(cls, codes: Iterable["Exit"]) -> "Exit":
        """Return the code that takes precedence; without any, nothing was checked."""
        present = set(codes)
        return next((code for code in PRECEDENCE if code in present), cls.NOTHING_CHECKED)


PRECEDENCE = (
    Exit.INTERRUPTED,
    Exit.WRONG_SPEC,
    Exit.WRONG_DATA,
    Exit.FAILED,
    Exit.UNDECIDED,
    Exit.NOTHING_CHECKED,
    Exit.PASSED,
)


class BiaspipeError(Exception):
    """The root of the tree; `exit` is the code that the command line ends with."""

    exit = Exit.WRONG_DATA

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

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


def printable(text: object) -> str:
    r"""Return text that a terminal cannot take for a command: control characters are spelled out.

    >>> printable("a" + chr(27) + "[31m")
    'a\\x1b[31m'
    """
    kept = (c if c.isprintable() or c == "\n" else _spelled_out(c) for c in str(text))
    return "".join(kept)


def first_line(said: object) -> str:
    """Return the first line of what a library says, which is the one for a person.

    >>> first_line(ValueError("no column 'x'; stack: a b c"))
    "no column 'x'; stack: a b c"
    """
    return str(said).strip().split("\n", 1)[0]


def shown(name: object) -> str:
    """Return a name from a spec or from data as one line that a terminal can only show."""
    return printable(name).replace("\n", "\\n")


def _spelled_out(character: str) -> str:
    return character.encode("unicode_escape").decode()


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
