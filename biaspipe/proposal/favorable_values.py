"""Which value of an outcome is the favorable one, as far as its words and its name tell."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from biaspipe.proposal.vocabulary import BAD, FALSE, GOOD, TRUE, is_harm

__all__ = ["LikelyValue", "likely_value"]

MORE, LESS = (">", "≥", "above", "over"), ("<", "≤", "below", "under", "up to")
NOT = ("not ", "not_", "not-", "no ", "no_", "no-", "non ", "non_", "non-", "non", "un")


class LikelyValue(NamedTuple):
    """A value that is likely favorable.

    Parameters
    ----------
    value : the value; None where nothing tells it.
    why : what speaks for it.
    sure : whether it is usually meant so, so that nobody needs to be asked.
    """

    value: Any
    why: str
    sure: bool = False


NOTHING = LikelyValue(None, "nothing tells which value is favorable")


def likely_value(name: str, values: Sequence[Any]) -> LikelyValue:
    """Return the value that is likely favorable, and whether that leaves no doubt.

    Parameters
    ----------
    name : the column, which may be called by a harm.
    values : its values.

    >>> likely_value("hired", ["no", "yes"])
    LikelyValue(value='yes', why='as these two values are usually meant', sure=True)
    >>> likely_value("fraud", ["fraud", "not fraud"]).value
    'not fraud'
    >>> likely_value("label", [1, 2]).value is None
    True
    """
    meanings = {value: _meaning(str(value).strip().casefold()) for value in values}
    if len(values) == 2:
        meanings = _compared(meanings) or meanings
    return _by_word(name, meanings) or _by_harm(meanings) or _by_answer(name, meanings) or NOTHING


def _meaning(text: str) -> str | None:
    """Return whether a text is good or bad news itself, or says true or false of the column."""
    for meaning, words in (("good", GOOD), ("bad", BAD), ("true", TRUE), ("false", FALSE)):
        if text in words:
            return meaning
    rest = next((text.removeprefix(sign) for sign in NOT if text.startswith(sign)), None)
    if rest is not None and (opposite := _meaning(rest)) in OPPOSITES:
        return OPPOSITES[opposite]
    return "bad" if is_harm(text) else None


OPPOSITES = {"good": "bad", "bad": "good", "true": "false", "false": "true"}


def _compared(meanings: Mapping[Any, str | None]) -> dict[Any, str | None] | None:
    """Read more and less of something, as >50K and <=50K are, like true and false."""
    found = {
        value: "true" if text.startswith(MORE) else "false" if text.startswith(LESS) else None
        for value in meanings
        for text in [str(value).strip().casefold()]
    }
    return found if {*found.values()} == {"true", "false"} else None


def _meant(meanings: Mapping[Any, str | None], meaning: str) -> Any:
    """Return the only value that means this; None where there is none, or several."""
    found = [value for value, meant in meanings.items() if meant == meaning]
    return found[0] if len(found) == 1 else None


def _by_word(name: str, meanings: Mapping[Any, str | None]) -> LikelyValue | None:
    """Take the one value that is good news by its word, whatever the column is called."""
    good = _meant(meanings, "good")
    if good is None:
        return None
    if is_harm(name):
        return LikelyValue(good, f"by its word, while {name} reads like a harm")
    if str(good).strip().casefold() not in GOOD:
        return LikelyValue(good, "by its word, which denies a harm")
    if len(meanings) > 2:
        return LikelyValue(good, "by its word among others")
    return LikelyValue(good, "as these two values are usually meant", sure=True)


def _by_harm(meanings: Mapping[Any, str | None]) -> LikelyValue | None:
    """Take the other one of two values, of which one is bad news by its word."""
    bad = _meant(meanings, "bad")
    if bad is None or len(meanings) != 2:
        return None
    (other,) = (value for value in meanings if value is not bad)
    return LikelyValue(other, f"since {bad!r} reads like a harm")


def _by_answer(name: str, meanings: Mapping[Any, str | None]) -> LikelyValue | None:
    """Take what says true of the column, or false where the column is called by a harm."""
    true, false = _meant(meanings, "true"), _meant(meanings, "false")
    if is_harm(name):
        why = f"{name} reads like a harm, so that {false!r} is favorable"
        return None if false is None else LikelyValue(false, why)
    if len(meanings) == 2 and true is not None and false is not None:
        return LikelyValue(true, "as these two values are usually meant", sure=True)
    if isinstance(true, str):
        return LikelyValue(true, "by its word among others")
    return None
