"""Values or a threshold: Clarify writes both as one list, and a spec says which it is."""

from dataclasses import dataclass
from typing import Any

from biaspipe.engines.column_profiles import ColumnProfile
from biaspipe.plan import Kind, literals, same
from biaspipe.spec import format_value

__all__ = ["ValuesOrThreshold", "prediction_values", "values_or_threshold"]

MAX_CODED_NUMBERS = 20
"""Distinct numbers above which a column measures something rather than coding it."""
DEFAULT = 0.5
"""The threshold of scores where the configuration has none."""
UNIQUE = 0.05
"""Share of distinct values from which on Clarify itself takes a column for continuous."""


@dataclass(frozen=True)
class ValuesOrThreshold:
    """The meaning of a list of values.

    Parameters
    ----------
    threshold : the exclusive lower bound, if it is one.
    values : the values, if they are.
    most : the greatest favorable score, where the favorable ones are not above a threshold.
    comments : how that was told, where it is not plain.
    unsure : whether that has to be looked at by a person.
    """

    threshold: float | None = None
    values: tuple[Any, ...] = ()
    comments: tuple[str, ...] = ()
    unsure: bool = False
    most: float | None = None

    @property
    def side(self) -> Any:
        """The values, or the interval, as a side of a facet."""
        if self.threshold is not None:
            return {"above": self.threshold}
        return self.values[0] if len(self.values) == 1 else list(self.values)

    @property
    def outcome(self) -> dict[str, Any]:
        """The values, or the interval, as what is favorable in a column."""
        if self.most is not None:
            return {"at_most": self.most}
        if self.threshold is not None:
            return {"above": self.threshold}
        return {"positive": self.side}


def values_or_threshold(
    given: list[Any], column: str, profile: ColumnProfile | None
) -> ValuesOrThreshold:
    """Tell values from a threshold.

    Several values, and texts, are values. One number with a fraction is a threshold, and so is
    one in a column that measures: one with fractions, or with many different numbers. Without a
    look at the data, 0 and 1 are values and every other number is a threshold.

    >>> values_or_threshold(["a", "b"], "x", None).side, values_or_threshold([0.5], "x", None).side
    (['a', 'b'], {'above': 0.5})
    """
    number = _number(given[0], profile) if len(given) == 1 else None
    if number is None or (profile and not profile.kind.is_number):
        return ValuesOrThreshold(values=tuple(given))
    told = _guessed(number, column) if profile is None else _measured(number, column, profile)
    is_threshold, comments = told
    if not is_threshold:
        return ValuesOrThreshold(values=tuple(given), comments=comments)
    unsure = profile is None and bool(comments)
    return ValuesOrThreshold(number, comments=comments, unsure=unsure)


def _guessed(number: float, column: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a number is a threshold where the data was not looked at, and why."""
    if number != int(number):
        return True, ()
    shown = format_value(number)
    is_threshold = number not in (0, 1)
    read = "a threshold" if is_threshold else "a value"
    other = f"{shown} alone" if is_threshold else f"everything above {shown}"
    write = shown if is_threshold else f"{{above: {shown}}}"
    return is_threshold, (
        f"The data was not looked at: {shown} is taken for {read}.",
        f"If {column} is to be {other}, write {write}.",
    )


def _measured(number: float, column: str, profile: ColumnProfile) -> tuple[bool, tuple[str, ...]]:
    """Return whether a number is a threshold in a column of numbers, and why."""
    shown = format_value(number)
    continuous = profile.kind is not Kind.INTEGER or profile.distinct >= UNIQUE * profile.rows
    measures = (
        number != int(number)
        or profile.distinct > MAX_CODED_NUMBERS
        or not profile.whole
        or (continuous and profile.distinct > 2)
    )
    kinds = f"{column} holds {profile.distinct:,} distinct numbers in {profile.rows:,} rows"
    why = f"{kinds}: {shown} is a {'threshold' if measures else 'value'}."
    if continuous == measures:
        return measures, (why,)
    took = f"everything above {shown}" if continuous else f"exactly {int(number)}"
    return measures, (why, f"Clarify's own code guesses otherwise here, and took {took}.")


def _number(value: Any, profile: ColumnProfile | None) -> float | None:
    """Return a value as a number; a text is one only in a column of numbers."""
    if isinstance(value, int | float):
        return value
    try:
        return float(value) if profile and profile.kind.is_number else None
    except ValueError:
        return None


def prediction_values(
    label: ValuesOrThreshold,
    threshold: float | None,
    column: str,
    profile: ColumnProfile | None,
    labels: ColumnProfile | None = None,
) -> ValuesOrThreshold:
    """Tell predicted labels from scores.

    Scores are what holds numbers with fractions, from 0 to 1 unless `probability_threshold` is
    given; it is 0.5 if left out. They are estimates of the label itself where that is measured.
    Without a look at the data, a given threshold says that there are scores.

    Parameters
    ----------
    label : how the label's values are read.
    threshold : `probability_threshold`, if it is given.
    column : the predictions.
    profile, labels : what they and the labels hold, if that is known.
    """
    if profile is None:
        return _guessed_prediction(label, threshold, column)
    measured = label.threshold is not None and not (labels and labels.whole and labels.share)
    is_share = profile.share or threshold is not None
    is_score = profile.kind.is_number and not profile.whole and is_share
    if not is_score or (measured and threshold is None):
        return ValuesOrThreshold(label.threshold, label.values)
    if threshold is None:
        words = "Clarify's default, since probability_threshold is not given."
        return _score(label, DEFAULT, words)
    return _score(label, threshold, "probability_threshold; a score on it is negative.")


def _guessed_prediction(
    label: ValuesOrThreshold, threshold: float | None, column: str
) -> ValuesOrThreshold:
    """Tell predicted labels from scores where the data was not looked at."""
    if threshold is not None:
        return _score(label, threshold, f"Scores above {format_value(threshold)} are positive.")
    if label.threshold is not None:
        return ValuesOrThreshold(label.threshold)
    ((key, bound),) = _score(label, DEFAULT, "").outcome.items()
    hint = (
        "Predicted labels, with the label's positive values.",
        f"If {column} holds probabilities, write {key}: {bound}, which is Clarify's default.",
    )
    return ValuesOrThreshold(None, label.values, hint, unsure=True)


def _score(label: ValuesOrThreshold, threshold: float, comment: str) -> ValuesOrThreshold:
    """Return which scores are favorable: one above the threshold becomes 1, any other one 0."""
    one, zero = (_is_favorable(label, value) for value in (1, 0))
    if zero and not one:
        words = f"Clarify turns a score above {format_value(threshold)} into 1, and 0 is favorable."
        return ValuesOrThreshold(comments=(words,), most=threshold)
    if one and not zero:
        return ValuesOrThreshold(threshold, (), (comment,))
    found = "Both are" if zero else "Neither is"
    words = (
        f"Clarify turns a score above {format_value(threshold)} into 1 and any other one into 0."
    )
    look = f"{found} favorable by label_values_or_threshold: say which scores are."
    return ValuesOrThreshold(threshold, (), (words, look), unsure=True)


def _is_favorable(label: ValuesOrThreshold, value: int) -> bool:
    """Whether a predicted 1 or 0 is favorable; beside labels that are texts, 1 is."""
    if label.threshold is not None:
        return value > label.threshold
    texts = [v for v in label.values if isinstance(v, str) and not _is_coded(v)]
    if texts:
        return value == 1
    return any(same(v, value) or same(v, bool(value)) for v in label.values)


def _is_coded(text: str) -> bool:
    """Whether a text stands for a number, or for true or false."""
    return bool(literals(text, Kind.FLOAT) or literals(text, Kind.BOOLEAN))
