"""What a proposal has to know, and who answers: options, a person, or the best guess."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biaspipe.errors import UsageError
from biaspipe.printable_text import escape, shorten

__all__ = ["Answer", "Choice", "Question", "assume", "refuse_open"]

MAX_SHOWN = 12
MAX_TEXT = 60


@dataclass(frozen=True)
class Choice:
    """One of the answers.

    Parameters
    ----------
    value : what is chosen: a column, or a value of one.
    note : what speaks for it.
    """

    value: str | int | float | bool
    note: str = ""

    @property
    def text(self) -> str:
        """The choice as it is shown."""
        shown = self.value if isinstance(self.value, str) else repr(self.value)
        return shorten(escape(shown), MAX_TEXT)


@dataclass(frozen=True)
class Question:
    """What is to be chosen.

    Parameters
    ----------
    asks : the question.
    option : the option that answers it, as it is typed.
    choices : the candidates, the best first.
    proposed : those that are proposed; empty where nothing speaks for any.
    sure : whether names and values leave no doubt.
    several : whether there may be several answers.
    optional : whether there may be none.
    is_number : whether any number is an answer.
    """

    asks: str
    option: str
    choices: tuple[Choice, ...]
    proposed: tuple[Choice, ...] = ()
    sure: bool = False
    several: bool = False
    optional: bool = False
    is_number: bool = False


Answer = Callable[[Question], Sequence[Choice]]
"""Returns what is chosen."""


def refuse_open(question: Question) -> Sequence[Choice]:
    """Return what is proposed where there is no doubt.

    Raises
    ------
    UsageError
        With the option and the candidates.
    """
    if question.sure or (question.optional and not question.proposed):
        return question.proposed
    raise _open(question, " or take what is proposed with --yes" if question.proposed else "")


def assume(question: Question) -> Sequence[Choice]:
    """Return what is proposed.

    Raises
    ------
    UsageError
        If nothing speaks for any candidate.
    """
    if question.proposed or question.optional:
        return question.proposed
    raise _open(question, "")


def _open(question: Question, more: str) -> UsageError:
    shown = [f"{c.text} ({c.note})" if c.note else c.text for c in question.choices[:MAX_SHOWN]]
    rest = len(question.choices) - len(shown)
    told = f"; candidates: {', '.join(shown)}" if shown else "; nothing in the data looks like it"
    words = f"{question.asks}{told}{f' and {rest} more' if rest > 0 else ''}"
    return UsageError(words, hint=f"say it with {question.option}{more}")
