"""What is typed at a question, and what it means."""

from collections.abc import Iterator
from typing import Any

import click
import pytest

from biaspipe.cli.prompts import ask
from biaspipe.proposal.questions import Choice, Question

COLUMNS = tuple(map(Choice, ("sex", "age", "a,b")))
CODES = (Choice(0, "3 rows"), Choice(1, "3 rows"))


def answered(question: Question, monkeypatch: pytest.MonkeyPatch, *typed: str) -> list[Any]:
    """Return what is chosen where this is typed; a blank takes the default, as click does."""
    left: Iterator[str] = iter(typed)
    monkeypatch.setattr(click, "prompt", lambda *_, default, **__: next(left) or default)
    return [choice.value for choice in ask(question)]


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (["1"], ["sex"]),
        (["age"], ["age"]),
        (["1,2"], ["sex", "age"]),
        (["2, sex ,2"], ["age", "sex"]),
        (["3"], ["a,b"]),
        ([""], ["sex", "age"]),
        (["9", "", "never read"], ["sex", "age"]),
        (["0", "sx", "2"], ["age"]),
    ],
)
def test_several_are_chosen(
    typed: list[str], chosen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers and names choose, in any mixture; what is neither is asked for again."""
    question = Question("which?", "--facet", COLUMNS, COLUMNS[:2], several=True)
    assert answered(question, monkeypatch, *typed) == chosen


@pytest.mark.parametrize(("typed", "chosen"), [("", 0), ("0", 0), ("1", 1)])
def test_codes_are_chosen_by_themselves(
    typed: str, chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the choices are numbers, a number is the choice and not its place in the list."""
    question = Question("which?", "--label", CODES, CODES[:1])
    assert answered(question, monkeypatch, typed) == [chosen]


def test_a_bound_is_any_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a bound is asked for, any number is an answer, and nothing else."""
    middle = (Choice(2.5, "the middle"),)
    question = Question("from which?", "--label", middle, middle, is_number=True)
    assert answered(question, monkeypatch, "x", "true", "7") == [7]
    assert answered(question, monkeypatch, "") == [2.5]


def test_none_is_an_answer_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash is none, and so is a blank where nothing is proposed; no candidate, no question."""
    question = Question("which?", "--prediction", COLUMNS, COLUMNS[:1], optional=True)
    assert answered(question, monkeypatch, "-") == []
    open_one = Question("which?", "--prediction", COLUMNS, optional=True)
    assert answered(open_one, monkeypatch, "") == []
    assert answered(Question("which?", "--prediction", (), optional=True), monkeypatch) == []


def test_what_is_shown_is_only_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names of columns cannot be obeyed by a terminal, and long lists are cut."""
    choices = (Choice("\x1b[31mred"), *(Choice(f"c{i}") for i in range(30)))
    question = Question("which?", "--facet", choices, choices[:1])
    assert answered(question, monkeypatch, "c29") == ["c29"]
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "and 11 more, by name" in out
