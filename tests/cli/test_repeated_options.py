"""Options of one value are given once, and flags take none: what is said of other calls."""

from pathlib import Path

import click
import pytest

from biaspipe.cli.commands import command
from tests.cli.calls import ROWS, call, write_audit

SINGLE = [
    (name, option)
    for name, one in command.commands.items()
    for option in one.params
    if isinstance(option, click.Option) and not (option.is_flag or option.multiple)
]
VALUES = {"date": "2026-11-22", "float range": "0.1"}
"""A value for each type of option; any word for the rest."""


def value_of(parameter: click.Parameter) -> str:
    """Return a value that an option or argument takes."""
    if isinstance(parameter.type, click.Choice):
        return str(parameter.type.choices[0])
    return VALUES.get(parameter.type.name, "word")


@pytest.mark.parametrize(
    ("name", "option"), SINGLE, ids=[f"{name} {option.opts[-1]}" for name, option in SINGLE]
)
def test_second_value_is_refused(name: str, option: click.Option) -> None:
    """No command passes over the first of two values of one option."""
    one = command.commands[name]
    needed = [value_of(each) for each in one.params if isinstance(each, click.Argument)]
    twice = [option.opts[-1], value_of(option)] * 2
    above = click.Context(command, **command.context_settings)  # click keeps what help is called
    assert not one.make_context(name, [*needed, *twice[:2]], above).args
    with pytest.raises(click.BadParameter, match="it is given twice, and takes one value"):
        one.make_context(name, [*needed, *twice], above)


def test_no_data_is_passed_over() -> None:
    """Of two tables neither is audited, and no older report stays."""
    path = write_audit()
    Path("ok.csv").write_text(ROWS, encoding="utf-8")
    words = ("run", path, "--data", "ok.csv", "-o", "report.json")
    assert call(*words).code == 0
    ended = call(*words, "--data=nope.csv")
    assert (ended.code, ended.out) == (2, "")
    assert "Invalid value for '--data': it is given twice, and takes one value" in ended.err
    assert not Path("report.json").exists()


def test_flag_may_be_repeated() -> None:
    """A flag says the same twice as once, and help is shown whatever stands beside it."""
    assert call("run", write_audit(), "-q", "-q").code == 0
    assert call("run", "--data", "a.csv", "--data", "b.csv", "--help").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("verify", "r.json", "--data", "a.csv"), "or the report where `run --data` gave it"),
        (("verify", "r.json", "--data=a.csv"), "or the report where `run --data` gave it"),
        (("explain", "--compat", "DI", "DPL"), None),
        (("explain", "DI", "--compat", "DPL"), "What smclarify computes otherwise."),
        (("explain", "DI", "DPL"), None),
    ],
)
def test_value_of_a_flag_is_answered_by_what_it_does(
    words: tuple[str, ...], told: str | None
) -> None:
    """A word too many behind a flag is told as that, and what the flag says by itself."""
    ended = call(*words)
    assert ended.code == 2
    assert "Error: " in ended.err
    flag = "--compat" if "explain" in words else "--data"
    assert (f"Error: {flag} takes no value. It says: " in ended.err) == (told is not None)
    assert (told or "Got unexpected extra argument") in ended.err
