"""What is said on a terminal is wrapped between words, and elsewhere not at all."""

import re

import click
import pytest

from biaspipe.cli.commands import command
from biaspipe.cli.messages import wrapped
from tests.cli.calls import call, write_audit

HINT = "  hint: one of column, groups, cross, favored, disfavored"


def test_lines_are_wrapped_between_words() -> None:
    """A long line goes on in the next one, set in, so that only ours begin at the margin."""
    assert wrapped(f"error: a.yaml: unknown key\n{HINT}", 24).split("\n") == [
        "error: a.yaml: unknown",
        "  key",
        "  hint: one of column,",
        "    groups, cross,",
        "    favored, disfavored",
    ]


def test_lines_that_fit_stay_as_they_are() -> None:
    """Lines that fit, and lines of what is no terminal, are not touched."""
    assert wrapped(HINT, len(HINT)) == HINT
    assert wrapped("a " * 500, None) == "a " * 500


def test_wide_signs_take_two_columns() -> None:
    """Signs that are two columns wide are counted as such."""
    assert wrapped("note: 男性 女性 男性", 14).split("\n") == ["note: 男性", "  女性 男性"]


def test_word_that_no_line_has_room_for_is_broken() -> None:
    """What is longer than a line is set in as well, where it goes on."""
    lines = wrapped("note: " + "v" * 50, 20).split("\n")
    assert "".join(line.strip() for line in lines) == "note:" + "v" * 50
    assert [line for line in lines[1:] if not line.startswith("  ")] == []


@pytest.mark.parametrize("columns", [40, 60])
@pytest.mark.parametrize("place", [5, 30, 120])
def test_caret_stays_below_its_sign(columns: int, place: int) -> None:
    """An excerpt of a spec is cut so that the sign at fault is there, with the caret below it."""
    source = "".join("!" if i == place else "." for i in range(200))
    cut, caret = wrapped(f"     5 | {source}\n       | {' ' * place}^", columns).split("\n")
    assert max(len(cut), len(caret)) <= columns
    assert cut[caret.index("^")] == "!"


def test_messages_are_whole_off_a_terminal() -> None:
    """What grep reads has every message in one line; COLUMNS says how wide a page is."""
    path = write_audit()
    ended = call("run", path, "--select", "nobody")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    narrow = call("check", path, "--data", COLUMNS="50")
    assert max(map(len, narrow.out.splitlines())) <= 50
    assert " ".join(narrow.out.split()) == " ".join(call("check", path, "--data").out.split())


def help_of(name: str, width: int) -> str:
    """Return the help of a command on a page of a width."""
    one = command.commands[name] if name else command
    with one.context_class(one, info_name=name, terminal_width=width) as context:
        return one.get_help(context)


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("name", ["", *command.commands])
def test_help_breaks_no_word(name: str, width: int) -> None:
    """Help says every word whole; on a page of 80 columns it has room."""
    one = command.commands[name] if name else command
    options = [p for p in one.params if isinstance(p, click.Option)]
    words = " ".join([one.help or "", *(option.help or "" for option in options)]).split()
    text = help_of(name, width)
    assert set(words) - set(text.split()) <= {"\b"}
    lines = [line for line in text.splitlines() if "biaspipe completion" not in line]
    assert width < 80 or max(map(len, lines)) <= width


def test_options_stand_above_their_help_where_it_is_narrow() -> None:
    """On a narrow page the help of an option has nearly all of it."""
    assert re.search(r"\n  --output-dir DIR +\S", help_of("run", 80))
    assert re.search(r"\n  --output-dir DIR\n +\S", help_of("run", 60))
