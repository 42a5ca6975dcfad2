"""Questions to a person at a terminal."""

from collections.abc import Sequence
from dataclasses import replace

import click

from biaspipe.cli.messages import say
from biaspipe.cli.signals import hear_keyboard
from biaspipe.loading.yaml_values import plain_scalar
from biaspipe.printable_text import escape, escape_lines
from biaspipe.proposal.questions import Choice, Question

__all__ = ["ask"]

NONE = "-"
MAX_SHOWN = 20


def ask(question: Question) -> Sequence[Choice]:
    """Show the candidates, and return what a person chooses: by number, or by name.

    Parameters
    ----------
    question : what is to be chosen.
    """
    if question.optional and not question.choices:
        return ()
    say(escape_lines(f"\n{question.asks}"))
    for i, choice in enumerate(question.choices[:MAX_SHOWN], 1):
        place = f"{i:>2}  " if _is_numbered(question) else ""
        say(f"  {place}{choice.text}{f'  ({escape(choice.note)})' if choice.note else ''}")
    if (more := len(question.choices) - MAX_SHOWN) > 0:
        say(f"      and {more:,} more, by name")
    while True:
        hear_keyboard()
        typed = click.prompt(_words(question), default=_default(question), show_default=True)
        found = _chosen(question, str(typed).strip())
        if found is not None:
            return found
        say(f"  {typed!r} is none of them; {question.option} says it beforehand")


def _is_numbered(question: Question) -> bool:
    """Whether a number says which choice is meant, since no choice is a number itself."""
    codes = any(choice.text.isdecimal() for choice in question.choices)
    return not (codes or question.is_number)


def _words(question: Question) -> str:
    one, more = (
        ("number or name", "numbers or names") if _is_numbered(question) else ("one", "some")
    )
    what = f"{more}, with commas" if question.several else one
    what = "a number" if question.is_number else what
    return f"{what}, {NONE} for none" if question.optional else what


def _default(question: Question) -> str | None:
    if question.proposed:
        if not _is_numbered(question):
            return ",".join(choice.text for choice in question.proposed)
        places = [question.choices.index(choice) + 1 for choice in question.proposed]
        return ",".join(map(str, places))
    return NONE if question.optional else None


def _chosen(question: Question, typed: str) -> Sequence[Choice] | None:
    """Return the choices that are typed; None where one of them is not to be told."""
    if question.optional and typed == NONE:
        return ()
    parts = typed.split(",") if question.several else [typed]
    found = [_choice(question, part.strip()) for part in parts]
    return None if None in found else list(dict.fromkeys(filter(None, found)))


def _choice(question: Question, typed: str) -> Choice | None:
    """Return a choice by its number in the list or by its name; a threshold is any number."""
    by_name = [c for c in question.choices if typed in (c.value, c.text)]
    if by_name:
        return by_name[0]
    if question.is_number:
        number = plain_scalar(typed)
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        return replace(question.choices[0], value=number) if is_number else None
    if _is_numbered(question) and typed.isdecimal() and 1 <= int(typed) <= len(question.choices):
        return question.choices[int(typed) - 1]
    return None
