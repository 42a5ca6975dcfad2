"""The templates of pages, and their texts as they can be read: visible, in their direction."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.environment import TemplateModule
from markupsafe import Markup
from markupsafe import escape as markup_escape

from biaspipe.printable_text import escape
from biaspipe.renderers.page.compilation import KeptTemplates
from biaspipe.renderers.signs import SIGNS

__all__ = ["STYLE", "draw", "draw_whole", "environment", "excerpt_style", "readable"]

TEMPLATES = Path(__file__).parent / "templates"
STYLE = (TEMPLATES / "page.css").read_text(encoding="utf-8")
"""How all pages look."""
OF_PAGES = re.compile(
    r"(?m)^(html|h1|h2|h3|nav|header|footer|pre|figure|\.page|\.skip|\.lines|\.ledgers|\.parts?\b"
    r"|\.confusions|\.rows|\.rate|\.stratum|\.swatch|\.ground|\.text|:focus|@media|svg\.).*\n"
)
"""Rules of what only a whole page has."""
WINDOWS = "@media screen and (min-width"
"""Where the rules of wide windows, narrow ones and paper begin."""
COLOURS = re.compile(r":root(\{[^}]*\})")
"""The colours of a page: those for the day, and those for the night."""
USUAL, UNUSUAL = re.compile(r"[ -~\n]+"), re.compile(r"[^ -~\n]+")
"""Letters, digits and signs of ASCII, and what is none of them."""
LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
LEFTWARD_WORDS = re.compile(f"[{LEFTWARD}]+(?:[ \u200c\u200d-]+[{LEFTWARD}]+)*")
"""Words that are written from right to left, which must not carry away what stands beside them."""
ID_PARTS = re.compile(r"([._])(?=[a-zA-Z])")
"""The end of a part of an id, such as that of a metric."""
TEXT = re.compile("(<(?!title)[^>]*>)([^<]+)")
"""A tag and the text behind it, unless it is that of a title, which can hold no tags."""


def readable(page: str) -> str:
    r"""Return a page with what does not show spelled out, and with its directions kept apart.

    >>> readable("<p>a\x1b</p>")
    '<p>a\\x1b</p>'
    >>> readable("<p>\u05d0 1</p>") == "<p><bdi>\u05d0</bdi> 1</p>"
    True
    """
    # what stands between the usual is found five times as fast as the unusual
    spelled = {found: escape(found) for found in set(USUAL.split(page))}
    text = page
    if any(found != shown for found, shown in spelled.items()):
        text = UNUSUAL.sub(lambda found: spelled[found[0]], page)
    return TEXT.sub(_isolated, text) if any(map(LEFTWARD_WORDS.search, spelled)) else text


@cache
def excerpt_style() -> str:
    """Return how a part of somebody else's page looks: rules that hold inside of it alone.

    The class is named thrice, so that its rules weigh more than those of a notebook for all tables.
    """
    day, night = COLOURS.findall(STYLE)
    own = (TEMPLATES / "excerpt.css").read_text(encoding="utf-8")
    everywhere, _, _ = STYLE.partition(WINDOWS)
    rules = OF_PAGES.sub("", COLOURS.sub("", everywhere)).replace("\nbody{", "\n&{") + own
    themes = (
        f".biaspipe{day}",
        f"@media (prefers-color-scheme:dark){{.biaspipe{night}}}",
        f'[data-jp-theme-light="true"] .biaspipe,.vscode-light .biaspipe{day}',
        f'[data-jp-theme-light="false"] .biaspipe,.vscode-dark .biaspipe{night}',
    )
    return "\n".join([*themes, f".biaspipe.biaspipe.biaspipe{{{rules}}}"])


def _isolated(found: re.Match[str]) -> str:
    return found[1] + LEFTWARD_WORDS.sub(r"<bdi>\g<0></bdi>", found[2])


def address(link: str) -> str:
    """Return the relative address of a file, which cannot lead anywhere else.

    >>> address("a%20b/c.html"), address("javascript:x"), address("//example.com")
    ('a%20b/c.html', 'javascript%3Ax', 'example.com')
    """
    return quote(link, safe="/#%").lstrip("/")


def breakable(text: str) -> Markup:
    """Return a text whose ids may go on in the next line behind their dots and underscores.

    >>> breakable("vertex.accuracy_difference")
    Markup('vertex.<wbr>accuracy_<wbr>difference')
    """
    return Markup(ID_PARTS.sub(r"\1<wbr>", str(markup_escape(text))))  # noqa: S704 - is escaped


@cache
def environment() -> Environment:
    """Return the templates of pages, and how they are compiled."""
    made = Environment(
        loader=PackageLoader("biaspipe.renderers.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        bytecode_cache=KeptTemplates(),
    )
    made.filters["address"] = address
    made.filters["breakable"] = breakable
    made.globals["signs"] = SIGNS
    return made


def draw(template: str, macro: str, *arguments: object) -> Markup:
    """Return what a macro makes of its arguments.

    Parameters
    ----------
    template : the file of the macro, without its ending.
    macro : its name.
    arguments : what it takes.
    """
    drawn: Markup = getattr(_macros(template), macro)(*arguments)
    return drawn


def draw_whole(template: str, **named: object) -> str:
    """Return what a template as a whole makes of what it names.

    Parameters
    ----------
    template : its file, without its ending.
    named : what it takes.
    """
    return environment().get_template(f"{template}.html").render(**named)


@cache
def _macros(template: str) -> TemplateModule:
    return environment().get_template(f"{template}.html").module
