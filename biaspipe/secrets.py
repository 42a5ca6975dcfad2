"""Secrets: the names that tell them, and the values that no message, report or log shows."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from urllib.parse import quote, quote_plus, unquote, unquote_plus

__all__ = [
    "SECRET_VARIABLES",
    "VARIABLE",
    "clean_message",
    "forget",
    "mask_secrets",
    "names_secret",
    "remember",
    "remove_values",
    "secret_parameters",
]

HIDDEN = "***"
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A variable of the environment, as a spec names it."""
SECRET_VARIABLES = ("PGPASSWORD",)
"""Variables that drivers take secrets from by themselves."""
PASSWORDS = re.compile(r"password|passwd|passphrase|pwd", re.I)
"""The names of passwords, told even where nothing shows that they are parameters."""
SECRET_NAMES = re.compile(
    rf"{PASSWORDS.pattern}|secret|token|credential|signature|jwt|bearer"
    r"|(api|access|private|account)[._-]?key|(key|key[._-]?id|sig|auth|authorization)$"
    r"|(^|[^a-z])(pass|sas)$",
    re.I,
)
"""The names of parameters and settings that let people in."""
PIECE = re.compile(r"([?&;#]?)([^?&;#]*)")
"""A parameter of a URL, behind what separates it."""
WORD = re.compile(r"[^\s\"']+")
LONG, CUT, GRAM = 12, 16, 10
"""Characters from which a value is hidden inside of words, and those of a part that is."""
SHORT = 3
"""Characters from which a value is hidden where it is a word; shorter ones only between signs."""

_filled_in: dict[str, None] = {}


def names_secret(name: str) -> bool:
    """Whether a parameter or a setting lets people in, by its name.

    >>> [names_secret(name) for name in ("X-Amz-Signature", "jwt", "version", "keyword")]
    [True, True, False, False]
    """
    return SECRET_NAMES.search(unquote(name)) is not None


def secret_parameters(url: str) -> list[tuple[str, str]]:
    """Return names and values of what lets people in: in query, fragment and path of a URL.

    Parameters
    ----------
    url : as it is written.

    >>> secret_parameters("https://host/a;token=1?page=2&sig=3#jwt=4")
    [('token', '1'), ('sig', '3'), ('jwt', '4')]
    """
    pieces = [found[2].partition("=") for found in PIECE.finditer(url) if found[1]]
    return [(unquote(name), value) for name, sign, value in pieces if sign and names_secret(name)]


def mask_secrets(text: str) -> str:
    """Return text with stars for what looks like a secret, as long as it was.

    Parameters
    ----------
    text : of any length; the time that it takes grows with it, and no faster.

    >>> mask_secrets("postgresql://me:pass@host/db?jwt=abc and ${DB}://${ME}:${WORD}@host")
    'postgresql://*******@host/db?jwt=*** and ${DB}://${ME}:${WORD}@host'
    """
    return WORD.sub(_masked_word, text)


def _masked_word(found: re.Match[str]) -> str:
    signs = list(found[0])
    for start, end in (*_userinfo(found[0]), *_values(found[0])):
        signs[start:end] = "*" * (end - start)
    return "".join(signs)


def _userinfo(word: str) -> Iterator[tuple[int, int]]:
    """Yield where the name and password before a host stand."""
    end, start = word.rfind("@"), word.find("://") + 3
    while 3 <= start < end:
        colon, slash = word.find(":", start), word.find("/", start)
        is_web = word[:start].lower().endswith(("http://", "https://"))
        if start <= colon < end and (slash < 0 or colon < slash):
            if VARIABLE.sub("", word[colon + 1 : end]):
                yield start, end
            return
        if is_web and not start <= slash < end and VARIABLE.sub("", word[start:end]):
            yield start, end
            return
        start = word.find("://", start) + 3


def _values(word: str) -> list[tuple[int, int]]:
    """Return where the values of secret parameters stand."""
    places, goes_on = [], False
    for found in PIECE.finditer(word):
        name, sign, value = found[2].partition("=")
        start, told = found.start(2) + len(name) + 1, names_secret if found[1] else _is_password
        if goes_on and found[1] == "?":
            places.append(found.span())
        else:
            goes_on = bool(sign) and told(name)
            places += [(start, found.end())] if goes_on and VARIABLE.sub("", value) else []
    return places


def _is_password(name: str) -> bool:
    return "://" not in name and PASSWORDS.search(name) is not None


def remember(values: Iterable[str]) -> None:
    """Keep values that were filled in, so that no message of this process shows them.

    Parameters
    ----------
    values : of variables, and what is made of them.
    """
    _filled_in.update(dict.fromkeys(values))


def forget() -> None:
    """Forget the values of an earlier run in the same process."""
    _filled_in.clear()


def clean_message(text: object) -> str:
    """Return a message without what was filled in, and without what looks like a secret.

    Parameters
    ----------
    text : an error, or its words.
    """
    return mask_secrets(remove_values(str(text), _filled_in))


def remove_values(text: str, values: Iterable[str]) -> str:
    """Return text without values, however they are written, and without long parts of them.

    Parameters
    ----------
    text : what a library says.
    values : those that were filled in. A short one is hidden where it stands by itself, since it
        would take the letters out of other words.

    >>> remove_values("no a%40Bc at DB1.EXAMPLE.ORG, but a BC", ["a@bc", "db1.example.org", "b"])
    'no *** at ***, but a BC'
    """
    folded, hidden = _folded(text), bytearray(len(text))
    for value in filter(None, dict.fromkeys(values)):
        for form in {_folded(form) for form in _forms(value)}:
            for start, end in _found(form, folded):
                hidden[start:end] = b"\1" * (end - start)
    runs = groupby(zip(text, hidden, strict=True), key=lambda pair: pair[1])
    return "".join(HIDDEN if is_hidden else "".join(c for c, _ in run) for is_hidden, run in runs)


def _folded(text: str) -> str:
    """Return text in small letters, each at its place."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _forms(value: str) -> set[str]:
    plain = {value, unquote(value), unquote_plus(value)}
    coded = {form for text in plain for form in (quote(text), quote(text, ""), quote_plus(text))}
    spelled = {repr(text)[1:-1] for text in plain}
    escaped = {text.encode("unicode_escape").decode() for text in plain}
    return plain | coded | spelled | escaped


def _found(form: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where a form of a value stands in a text, and where long parts of it do."""
    before, after = "", ""
    if len(form) < SHORT:
        before, after = r"(?<=[\"'`:/@=(])", r"(?=[\"'`:/@=?&#;,)]|$)"
    elif len(form) < LONG:
        before, after = r"(?<![^\W_])", r"(?![^\W_])"
    for found in re.finditer(before + re.escape(form) + after, text):
        yield found.span()
    if len(form) >= CUT:
        parts = {form[i : i + GRAM] for i in range(len(form) - GRAM + 1)}
        at = range(len(text) - GRAM + 1)
        yield from ((i, i + GRAM) for i in at if text[i : i + GRAM] in parts)
