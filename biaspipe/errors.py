"""The exception tree and the exit codes.

Every error that a user can cause is one of these; anything else is a bug and says so.

    BiaspipeError
    ├── UsageError        the command line is wrong                        exit 2
    ├── SpecError         the spec is wrong, or names what the data lacks  exit 2
    ├── VerdictError      an audit did not pass; raised in Python only     exit 1, 4 or 5
    └── DataError         the data cannot be read, or is faulty            exit 3
        ├── TypesChangedError   a text table does not keep its types       exit 3
        ├── LimitError          an audit takes more than a policy allows   exit 3
        ├── StoreError          a store does not answer, or refuses        exit 3
        └── OutputError         a report cannot be written                 exit 3
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, NamedTuple

from biaspipe.printable_text import escape

__all__ = [
    "PRECEDENCE",
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
    "VerdictError",
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
"""The codes in the order in which one stands for several, the worst first."""


class BiaspipeError(Exception):
    """The root of the tree; `exit` is the code that the command line ends with.

    Message and hint are a line each, whatever they quote: no value of a spec begins a line.
    """

    exit = Exit.WRONG_DATA

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = escape(message)
        self.hint = escape(hint) if hint else hint
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


class Fault(NamedTuple):
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

    `text` is filled in by whoever knows the file: every fault with file, line, column and caret;
    so is `file`, and the places of the faults.
    """

    exit = Exit.WRONG_SPEC

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        self.text: str | None = None
        self.file: str | None = None
        super().__init__("; ".join(fault.message for fault in self.faults))

    def __str__(self) -> str:
        return self.text or self.message


class VerdictError(BiaspipeError):
    """An audit came to something else than a pass, which is a verdict and no fault.

    `findings` are what did not pass, a line each, and `exit` is the code of the verdict.
    """

    exit = Exit.FAILED

    def __init__(
        self, message: str, findings: Iterable[str] = (), code: Exit = Exit.FAILED
    ) -> None:
        super().__init__(message)
        self.findings = tuple(map(escape, findings))
        self.exit = code

    def __str__(self) -> str:
        return "\n  ".join([self.message, *self.findings])
