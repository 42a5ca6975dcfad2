"""The templates of pages, and how texts stand in them: escaped, on one line, in their direction."""

import re
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as escape_tags

from biaspipe.printable_text import escape
from biaspipe.renderers.signs import SIGNS

__all__ = ["STYLE", "macros", "page_template", "shown"]

STYLE = files(__package__).joinpath("templates", "page.css").read_text(encoding="utf-8")
"""How all pages look."""
LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
LEFTWARD_WORDS = re.compile(f"[{LEFTWARD}](?:[^\x00-\x7f]*(?:[ -][{LEFTWARD}])?)*")
"""Words that are written from right to left, which must not carry away what stands beside them."""


def shown(value: object) -> object:
    """Return what a template shows of a value: texts as they are read, markup and numbers as is.

    >>> shown("a <b>"), shown("\u05d0 1")
    ('a <b>', Markup('<bdi>\u05d0</bdi> 1'))
    """
    if type(value) is not str or (value.isascii() and value.isprintable() and "##" not in value):
        return value
    text = escape(value)
    if text.isascii() or not LEFTWARD_WORDS.search(text):
        return text
    return Markup(LEFTWARD_WORDS.sub(r"<bdi>\g<0></bdi>", escape_tags(text)))  # noqa: S704 - escaped


def unmarked(text: str) -> Markup:
    """Return a text for an attribute or a title, where no markup can stand."""
    return escape_tags(escape(text))


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
        finalize=shown,
    )
    environment.filters |= {
        "address": address,
        "named": lambda title: title.rstrip(": "),
        "unmarked": unmarked,
    }
    environment.globals["signs"] = {str(role): sign for role, sign in SIGNS.items()}
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
