"""What breaks the structure of a YAML text, said at the place where its author can mend it."""

import re
from itertools import islice

import yaml

from biaspipe.errors import Fault

__all__ = ["forbidden", "lines_of", "syntax_fault"]

LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|(?<!^)\ufeff"
)
OPENED = {"flow mapping": ("{", "}"), "flow sequence": ("[", "]")}


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
    mark, context = error.problem_mark or error.context_mark, error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    lines = lines_of(text)
    source = lines[line] if line < len(lines) else ""
    if "expected a single document" in problem:
        message, hint = "the file holds more than one document", "one audit in each file"
    elif context and (closer := _unclosed(problem, text)):
        line, column = context.line, context.column
        message, hint = f"this {closer[0]} is never closed", f"close it with {closer[1]}"
    elif context and "while scanning a quoted scalar" in problem:
        line, column = context.line, context.column
        message, hint = "this quote is never closed", "end the text with the same quote"
    elif context and "could not find expected ':'" in problem:
        line, column = context.line, context.column
        message = "not YAML: this line is no key with a value"
        hint = _colon(lines[line])
    else:
        message, hint = f"not YAML: {problem}", _advice(source, problem, lines[:line])
    return Fault(message, hint=hint, line=line + 1, column=column + 1)


def _unclosed(problem: str, text: str) -> tuple[str, str] | None:
    if "<stream end>" not in problem:
        return None
    return next((pair for kind, pair in OPENED.items() if f"parsing a {kind}" in problem), None)


def _colon(source: str) -> str:
    if re.match(r"\s*[\w-]+:\S", source):
        return "a colon needs a space behind it"
    return "a key ends with a colon and a space"


def _advice(source: str, problem: str, before: list[str]) -> str | None:
    if "\t" in source:
        return "YAML indents with spaces; replace the tab"
    if re.search(r":\s*[>|]\s*(=|[\d.])", source):
        return "a condition needs quotes, and a limit its own key: {min: 0.8}"
    if re.search(r":\s*[@`%&*!]", source):
        return "quote a text that begins with a special character"
    if "mapping values are not allowed" in problem:
        if re.search(r":\s+[^\s'\"{\[].*: ", source):
            return "quote a text that holds ': '"
        return "begin this line in the same column as the key above it"
    if "found '<scalar>'" in problem:
        return _open_quote(before) or "quote the whole text; nothing may stand behind a quote"
    if "<block mapping start>" in problem or "<block sequence start>" in problem:
        return "begin this line in the same column as the lines beside it"
    return None


def _open_quote(before: list[str]) -> str | None:
    """Name the last line above that opens a quote without closing it."""
    for number in range(len(before), 0, -1):
        if before[number - 1].split(" #")[0].count('"') % 2:
            return f"the quote in line {number} may be the one that is not closed"
    return None
