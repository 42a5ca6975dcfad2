"""What a runner of GitHub Actions takes for a command in the log of a step.

It trims a line and reads `::name properties::data` at its start; or else `##[name properties]data`
wherever that first stands in it. Names are those of commands that it knows, in any case of letters.
"""

import re
from typing import NamedTuple

__all__ = ["Command", "commands_in"]

KNOWN = {
    *("add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group"),
    *("internal-set-repo-path", "notice", "remove-matcher", "save-state", "set-env"),
    *("set-output", "stop-commands", "warning"),
}
TOKENS = {"%0D": "\r", "%0A": "\n"}
IN_PROPERTIES = {**TOKENS, "%3A": ":", "%2C": ","}
IN_OLD = {"%3B": ";", **TOKENS, "%5D": "]"}


class Command(NamedTuple):
    """A command that the runner carries out."""

    name: str
    properties: dict[str, str]
    data: str


def commands_in(log: str) -> list[Command]:
    """Return the commands that a runner finds in what a process printed."""
    lines = re.split(r"\r\n|\r|\n", log)
    return [found for line in lines if (found := _command(line) or _old_command(line))]


def _command(line: str) -> Command | None:
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    return _known(line[2:end], ",", line[end + 2 :], (IN_PROPERTIES, TOKENS))


def _old_command(line: str) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    return _known(line[start + 3 : end], ";", line[end + 1 :], (IN_OLD, IN_OLD))


def _known(
    info: str, separator: str, data: str, tokens: tuple[dict[str, str], dict[str, str]]
) -> Command | None:
    name, _, rest = info.partition(" ")
    if name.casefold() not in KNOWN:
        return None
    pairs = [pair.partition("=") for pair in rest.strip().split(separator) if pair]
    named = {key: _unescaped(value, tokens[0]) for key, _, value in pairs if key and value}
    return Command(name.casefold(), named, _unescaped(data, tokens[1]))


def _unescaped(text: str, tokens: dict[str, str]) -> str:
    for token, sign in tokens.items():
        text = text.replace(token, sign)
    return text.replace("%25", "%")
