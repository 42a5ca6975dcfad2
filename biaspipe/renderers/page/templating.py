"""The templates of pages, and their texts as they can be read: visible, in their direction."""

import re
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from biaspipe.printable_text import escape
from biaspipe.renderers.signs import SIGNS

__all__ = ["STYLE", "macros", "page_template", "readable"]

STYLE = files(__package__).joinpath("templates", "page.css").read_text(encoding="utf-8")
"""How all pages look."""
UNUSUAL = re.compile(r"[^ -~\n]+")
"""What is not a letter, a digit or a sign of ASCII."""
LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
LEFTWARD_WORDS = re.compile(f"[{LEFTWARD}]+(?:[ -]+[{LEFTWARD}]+)*")
"""Words that are written from right to left, which must not carry away what stands beside them."""
TEXT = re.compile("(<(?!title)[^>]*>)([^<]+)")
"""A tag and the text behind it, unless it is that of a title, which can hold no tags."""


def readable(page: str) -> str:
    r"""Return a page with what does not show spelled out, and with its directions kept apart.

    >>> readable("<p>a\x1b</p>")
    '<p>a\\x1b</p>'
    >>> readable("<p>\u05d0 1</p>") == "<p><bdi>\u05d0</bdi> 1</p>"
    True
    """
    known: dict[str, str] = {}

    def spelled(found: re.Match[str]) -> str:
        if found[0] not in known:
            known[found[0]] = escape(found[0])
        return known[found[0]]

    text = UNUSUAL.sub(spelled, page)
    return TEXT.sub(_isolated, text) if any(map(LEFTWARD_WORDS.search, known)) else text


def _isolated(found: re.Match[str]) -> str:
    return found[1] + LEFTWARD_WORDS.sub(r"<bdi>\g<0></bdi>", found[2])


def address(link: str) -> str:
    """Return the relative address of a file, whatever its name is.

    >>> address("a b/c.html"), address("javascript:x")
    ('a%20b/c.html', 'javascript%3Ax')
    """
    return quote(link, safe="/#")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("biaspipe.renderers.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["address"] = address
    environment.globals["signs"] = SIGNS
    return environment


@cache
def macros(name: str) -> Any:
    """Return the macros of a template as a module of functions.

    Parameters
    ----------
    name : its file, such as "parts.html".
    """
    return _environment().get_template(name).module


def page_template() -> Any:
    """Return the template of a whole page."""
    return _environment().get_template("page.html")
