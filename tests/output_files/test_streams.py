"""Streams on which nothing but what is meant as one is a command of a CI system."""

import io
import sys

import pytest

from biaspipe.output_files.streams import PlainStream, write_commands
from tests.cli.log_commands import commands_in

ATTACKS = [
    "::error::x",
    "  \t\u2003::error::x",
    "a\r::error::x",
    "a\r\n::error::x",
    "a ##[error]x",
    "###[error]x",
    "#####[error]x",
    "::error::##[error]x",
    "::error file=a::\n::set-output name=a::b",
]


def plain() -> tuple[io.BytesIO, PlainStream]:
    """Return a stream and what is written into it."""
    raw = io.BytesIO()
    return raw, PlainStream(raw, "utf-8", newline="")


@pytest.mark.parametrize("text", ATTACKS)
def test_printed_text_commands_nothing(text: str) -> None:
    """Whatever is printed on such a stream, a runner finds no command in it."""
    raw, stream = plain()
    print(text, file=stream, flush=True)
    assert commands_in(text)
    assert commands_in(raw.getvalue().decode()) == []


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pieces_command_nothing(text: str, size: int) -> None:
    """Nor does it where a line is printed in pieces, of which none is a command."""
    raw, stream = plain()
    for start in range(0, len(text), size):
        stream.write(text[start : start + size])
        stream.flush()
    assert commands_in(raw.getvalue().decode()) == []


def test_usual_text_is_printed_as_it_is() -> None:
    """What looks like no command is not touched."""
    raw, stream = plain()
    usual = "a::b ## c [d]\n# Title\n## Title [x]\n:x:: y\n"
    stream.write(usual)
    for sign in usual:
        stream.write(sign)
    stream.flush()
    assert raw.getvalue().decode() == usual * 2


def test_commands_are_written_as_they_are() -> None:
    """A command that is meant stands at the start of a line of its own, behind what was printed."""
    raw, stream = plain()
    stream.write("before ::error::x\n")
    write_commands(["::error title=a::b", "::notice::c"], stream)
    assert [found.name for found in commands_in(raw.getvalue().decode())] == ["error", "notice"]
    other = io.StringIO()
    write_commands(["::notice::c"], other)
    assert other.getvalue() == "::notice::c\n"


def test_nothing_is_written_for_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command there is no line."""
    write_commands([], sys.stdout)
    assert capsys.readouterr().out == ""
