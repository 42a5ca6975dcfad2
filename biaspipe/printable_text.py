"""Text from specs, data and libraries, as messages and reports may show it."""

import re
import unicodedata
from collections.abc import Callable, Iterable

__all__ = [
    "did_you_mean",
    "escape",
    "escape_commands",
    "escape_in_json",
    "escape_in_place",
    "escape_lines",
    "first_line",
    "list_values",
    "quote",
    "shorten",
]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return a hint with the known name that is closest to `name`, if one is close.

    >>> did_you_mean("postive", ["positive", "column"])
    "did you mean 'positive'?"
    >>> did_you_mean("target", ["age"])  # too far from it
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only a fault needs it

    folded = name.casefold()
    by_fold = {candidate.casefold(): candidate for candidate in known}
    possible = [candidate for candidate in by_fold if _may_be_meant(folded, candidate)]
    close = get_close_matches(folded, possible, n=1, cutoff=0.6)
    return f"did you mean {by_fold[close[0]]!r}?" if close else None


def _may_be_meant(name: str, known: str) -> bool:
    """Whether one is the beginning of the other, or both are about as long."""
    short, long = sorted((name, known), key=len)
    return long.startswith(short) or len(long) < 2 * len(short)


INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001d159\U000e0000-\U000e0fff]"
)
"""Signs that Unicode counts as printable, and that show nothing."""
JOINERS = "\u200c\u200d"
"""What keeps letters apart, and what joins letters or pictures."""
SHAPED = re.compile("[\u0600-\u109f\u1780-\u18af]")
"""Letters of scripts in which that shows: Arabic, those of India, and others beside them."""
PICTURE = "\ufe0f"
"""What makes a coloured picture of the sign before it."""
SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
MAX_MARKS = 4
"""Marks that may stand on one letter; more of them are heaped up to cover other lines."""
COMMAND = re.compile(r"##(?=[A-Za-z]*\[)")
"""What begins a command of a CI system anywhere in a line: `##[`, `##vso[`, `##teamcity[`."""
LINE_COMMAND = re.compile(
    r"(?:^|(?<=\r))([^\S\n]*+(?:\x1b\[[0-9;]*+m)*+[^\S\n]*+):(?=:)", re.MULTILINE
)
"""What begins one at the start of a line: `::`."""


def escape(text: object) -> str:
    r"""Return text from a spec, from data or from a library as one line that can only be read.

    What a terminal takes for a command, what shows nothing, and what a CI system takes for a
    command wherever it stands in a line, is spelled out.

    >>> escape("a" + chr(27) + "[31m, b" + chr(10) + "##[error]")
    'a\\x1b[31m, b\\n#\\x23[error]'
    """
    return _replaced(str(text), _spelled_out)


def escape_in_place(text: str) -> str:
    r"""Return text as long as it was, with a sign for each that `escape` spells out.

    >>> ascii(escape_in_place("a" + chr(10) + "b"))
    "'a\\ufffdb'"
    """
    return _replaced(text, lambda _: "\N{REPLACEMENT CHARACTER}")


def escape_lines(text: object) -> str:
    r"""Return text of several lines with each of them as it is shown, and unlike a command.

    >>> escape_lines("DI" + chr(10) + "::error::x")
    'DI\n\\x3a:error::x'
    """
    return escape_commands("\n".join(map(escape, str(text).split("\n"))))


def escape_commands(text: str) -> str:
    r"""Return text of which no line holds a command of a CI system.

    >>> escape_commands("  ::error::x, ##[error]y")
    '  \\x3a:error::x, #\\x23[error]y'
    """
    text = LINE_COMMAND.sub(r"\1\\x3a", text) if "::" in text else text
    return COMMAND.sub(r"#\\x23", text) if "##" in text else text


def escape_in_json(text: str) -> str:
    r"""Return JSON that says the same, and in which no CI system finds a command.

    Whatever prints it may run where one reads along, as `cat` does in a workflow.

    >>> escape_in_json('{"group": "##[error]"}')
    '{"group": "#\\u0023[error]"}'
    """
    return text.replace("##", r"#\u0023")


def _replaced(text: str, replace: Callable[[str], str]) -> str:
    """Replace the signs of a line that do not show, or do more than that."""
    if not (text.isascii() and text.isprintable()):
        signs, marks = [], 0
        for i, sign in enumerate(text):
            marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
            shows = sign.isprintable() and not INVISIBLE.match(sign)
            shows = (shows or _joins(text, i)) and marks <= MAX_MARKS
            signs.append(sign if shows else replace(sign))
        text = "".join(signs)
    return COMMAND.sub(lambda _: "#" + replace("#"), text) if "##" in text else text


def _joins(text: str, place: int) -> bool:
    """Whether a sign that shows nothing itself shapes the letters or pictures beside it.

    >>> _joins("\u0645\u06cc\u200c\u062e", 2), _joins("a\u200cb", 1)
    (True, False)
    """
    sign, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if sign == PICTURE:
        return bool(before) and unicodedata.category(before) == "So"
    if sign not in JOINERS or not before or not after:
        return False
    if SHAPED.match(before) and SHAPED.match(after):
        return True
    pictured = before == PICTURE or unicodedata.category(before) == "So" or before in SKIN_TONES
    return sign == JOINERS[1] and pictured and unicodedata.category(after) == "So"


def _spelled_out(sign: str) -> str:
    return r"\x23" if sign == "#" else sign.encode("unicode_escape").decode()


def first_line(said: object) -> str:
    """Return the first line of what a library says, which is the one for a person.

    >>> first_line(ValueError("no column 'x'; stack: a b c"))
    "no column 'x'; stack: a b c"
    """
    return str(said).strip().split("\n", 1)[0]


def shorten(text: str, most: int) -> str:
    """Cut a text after so many characters, so that no message floods a terminal.

    >>> shorten("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


MAX_QUOTED = 80


def quote(text: object) -> str:
    """Quote a key or a value of a spec, and cut it where it is long.

    >>> quote("min")
    "'min'"
    """
    return repr(shorten(str(text), MAX_QUOTED))


def list_values(values: Iterable[object], *, most: int = 12) -> str:
    """Write values as a list for a person, cut after `most`.

    >>> list_values(["a", 1, True])
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
