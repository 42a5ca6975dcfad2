"""What breaks the structure of a YAML text, said at the place where its author can mend it."""

import re
from itertools import islice

import yaml

from biaspipe.errors import Fault

__all__ = ["forbidden", "lines_of", "syntax_fault"]

LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]|(?<!^)\ufeff"
)
"""What YAML allows in no text; named itself, since the rest of Unicode takes long to compile."""
BEGUN = (
    ("expected ',' or '}'.* flow mapping", "this { is not closed", "close it with }"),
    ("expected ',' or ']'.* flow sequence", "this [ is not closed", "close it with ]"),
    ("end of stream.* quoted scalar", "this quote is not closed", "end the text with a quote"),
    (
        "could not find expected ':'",
        "not YAML: this line is no key with a value",
        "a key ends with a colon, and a colon needs a space behind it",
    ),
)
"""What shows at the end of what was begun: in PyYAML's words, in ours, and what to do."""

ADVICE = (
    ("\t", "", "YAML indents with spaces; replace the tab"),
    (
        r":\s*[>|]\s*(=|[\d.])",
        "",
        "a condition needs quotes, and a limit its own key: {min: 0.8}",
    ),
    (r"\$\{", "'{'", "inside of { } and [ ], a text that holds ${name} stands in quotes"),
    (r":\s*[@`%&*!]", "", "quote a text that begins with a special character"),
    (r":\s+[^\s'\"{\[].*: ", "mapping values are not allowed", "quote a text that holds ': '"),
    ("", "mapping values are not allowed", "begin this line in the column of the key above it"),
    ("", "<block mapping start>", "begin this line in the column of the lines beside it"),
    ("", "<block sequence start>", "begin this line in the column of the lines beside it"),
    ("", "found '<scalar>'", "quote the whole text; nothing may stand behind a quote"),
)
"""What a line and a problem have in common, and what may be meant."""


OPEN_QUOTE = re.compile(r"""[:,\[{-]\s*(["'])(?:(?!\1).)*$""")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, divided as YAML divides them."""
    return LINE_END.split(text)


def forbidden(text: str) -> list[Fault]:
    """Return a fault for each character that may not stand in a YAML text, at most a hundred."""
    return [_character(text, match.start()) for match in islice(FORBIDDEN.finditer(text), 100)]


def _character(text: str, position: int) -> Fault:
    lines = lines_of(text[:position])
    code = f"U+{ord(text[position]):04X}"
    is_mark = text[position] == "\ufeff"
    what = "a byte order mark inside" if is_mark else "a control character in"
    return Fault(
        f"there is {what} the text, {code}",
        hint="remove the character, which an editor may not show",
        line=len(lines),
        column=len(lines[-1]) + 1,
    )


def syntax_fault(error: yaml.MarkedYAMLError, text: str) -> Fault:
    """Say what PyYAML found, where it began and what may be meant."""
    problem = f"{error.problem}" + (f", {error.context}" if error.context else "")
    lines = lines_of(text)
    mark, begin = error.problem_mark or error.context_mark, error.context_mark
    for sign, message, hint in BEGUN:
        if begin and mark and begin.line < mark.line and re.search(sign, problem):
            return _at(begin, message, hint)
    if mark is None:
        return Fault(f"not YAML: {problem}")
    if "expected a single document" in problem:
        return _at(mark, "the file holds more than one document", "one audit in each file")
    before, source = lines[: mark.line], lines[mark.line] if mark.line < len(lines) else ""
    return _at(mark, f"not YAML: {problem}", _advice(source, problem, before))


def _at(mark: yaml.Mark, message: str, hint: str | None) -> Fault:
    return Fault(message, hint=hint, line=mark.line + 1, column=mark.column + 1)


def _advice(source: str, problem: str, before: list[str]) -> str | None:
    if "found '<scalar>'" in problem and (number := _open_quote(before)):
        return f"the quote in line {number} may be the one that is not closed"
    fitting = (
        hint
        for in_source, in_problem, hint in ADVICE
        if re.search(in_source, source) and in_problem in problem
    )
    return next(fitting, None)


def _open_quote(before: list[str]) -> int | None:
    """Return the number of the last line above that opens a quote without closing it."""
    opened = (number for number, line in enumerate(before, 1) if OPEN_QUOTE.search(line))
    return max(opened, default=None)
