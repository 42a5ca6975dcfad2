"""The label and the prediction: which column, and what is favorable in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from biaspipe.engines.column_contents import ColumnContents, TableContents
from biaspipe.errors import UsageError
from biaspipe.plan import literals
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.proposal.columns import is_few, is_many_numbers, is_scale, reason_of
from biaspipe.proposal.favorable_values import LikelyValue, likely_value
from biaspipe.proposal.questions import Answer, Choice, Question
from biaspipe.proposal.vocabulary import (
    is_group,
    is_harm,
    label_rank,
    last_word,
    prediction_rank,
)

__all__ = ["ProposedOutcome", "column_named", "propose_outcome", "value_named"]

MAX_OUTCOMES = 20
"""Values up to which a column is taken for an outcome."""
HALF = 0.5
NONE = "none"
"""What an option says where there is no such outcome."""
BOUNDS = {">=": "at_least", "<=": "at_most", ">": "above", "<": "below"}
BOUND = re.compile(r">=|<=|=|>|<")


@dataclass(frozen=True)
class ProposedOutcome:
    """A column of outcomes, and what is favorable in it.

    Parameters
    ----------
    column : what it holds.
    keys : how a spec says what is favorable: positive, or a bound.
    assumed : why this is favorable; None where an option or an answer says it.
    """

    column: ColumnContents
    keys: dict[str, Any]
    assumed: str | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The outcome as a spec has it."""
        return {"column": self.column.name, **self.keys}

    @property
    def words(self) -> str:
        """What is favorable, and how many rows have it where that was counted."""
        (key, value), *_ = self.keys.items()
        if key != "positive":
            return f"{key.replace('_', ' ')} {value} is positive"
        named = value if isinstance(value, list) else [value]
        rows = sum(n for held, n in self.column.values or () if held in named)
        told = f"{rows:,} of {self.column.rows:,} rows"
        if self.column.people is not None:
            pairs = zip(self.column.values or (), self.column.people, strict=True)
            people = sum(n for (held, _), n in pairs if held in named)
            told += f", {people:,.0f} of {self.column.all_people:,.0f} people"
        return f"{list_values(named)} is positive ({told})"


def propose_outcome(  # noqa: PLR0913, PLR0917 - what is known of one outcome
    role: str,
    table: TableContents,
    given: str | None,
    taken: Sequence[str],
    answer: Answer,
    other: "ProposedOutcome | None" = None,
) -> ProposedOutcome | None:
    """Choose the column of the label or of the prediction, and what is favorable in it.

    Parameters
    ----------
    role, table : "label" or "prediction", and what the table holds.
    given : what the option says, such as repaid, repaid=yes, score>=0.5 or none.
    taken : columns that are something else already.
    answer : answers what the option leaves open.
    other : the other outcome, where it is chosen; beside it this one may be missing.

    Raises
    ------
    UsageError
        If the option names what the table lacks, or nothing answers.
    """
    if given == NONE and NONE not in table.by_name:
        return None
    if given is not None:
        column, keys = _as_given(role, table, given)
        return ProposedOutcome(column, keys) if keys else _favorable(role, column, answer, other)
    question = _which(role, table, taken, other)
    chosen = answer(question)
    if not chosen:
        return None
    found = _favorable(role, table.by_name[str(chosen[0].value)], answer, other)
    if len(question.choices) > 1 and not question.sure and found.assumed is not None:
        why = f"the column too: {question.choices[1].text} may be meant"
        return ProposedOutcome(found.column, found.keys, f"{found.assumed}; {why}")
    return found


def _which(
    role: str, table: TableContents, taken: Sequence[str], other: ProposedOutcome | None
) -> Question:
    beside = other is not None
    ranked = sorted(
        ((_rank(role, c), i, c) for i, c in enumerate(table.columns) if _may_be(role, c, taken)),
        key=lambda found: (found[0] is None, found[0] or (), found[1]),
    )
    named = [(rank, c) for rank, _, c in ranked if rank]
    unnamed = [c for rank, _, c in ranked if rank is None and is_few(c, 2)]
    others = [c for c in unnamed if role != "label" or prediction_rank(c.name) != 0]
    best = [c for rank, c in named if rank == named[0][0]]
    best.sort(key=lambda c: _speaks_of_positive(c, other) is not True)
    proposed = best[:1]
    if not named and role == "label" and not beside:
        proposed = others[-1:]
        others = [*proposed, *others[:-1]]
    listed = list(dict.fromkeys([*best, *(c for _, c in named), *others]))
    sure = len(best) == 1 and (is_few(best[0], MAX_OUTCOMES) or role == "prediction")
    optional = role == "prediction" or beside or _has_prediction(table, taken)
    choices = {c.name: Choice(c.name, _held(c)) for c in listed}
    return Question(
        f"which column is the {role}?",
        f"--{role} COLUMN=POSITIVE" + (f" (or --{role} none)" if optional else ""),
        tuple(choices.values()),
        tuple(choices[c.name] for c in proposed),
        sure=sure,
        optional=optional,
    )


def _speaks_of_positive(column: ColumnContents, other: ProposedOutcome | None) -> bool | None:
    """Whether a name such as prob_1 ends with what is favorable in the other outcome.

    None where it ends with no value of it.
    """
    values = other.column.values or () if other else ()
    positive = other.keys.get("positive") if other else None
    said = [v for v, _ in values if last_word(str(v)) == last_word(column.name) != ""]
    return said[0] == positive if len(said) == 1 and positive is not None else None


def _has_prediction(table: TableContents, taken: Sequence[str]) -> bool:
    """Whether a column is a prediction by its name, so that an audit may go without a label."""
    return any(
        _may_be("prediction", c, taken) and _rank("prediction", c) is not None
        for c in table.columns
    )


def _may_be(role: str, column: ColumnContents, taken: Sequence[str]) -> bool:
    if column.name in taken or is_group(column.name) or reason_of(column):
        return False
    is_named = (label_rank if role == "label" else prediction_rank)(column.name) is not None
    return is_few(column, MAX_OUTCOMES) or (is_named and is_scale(column))


def _rank(role: str, column: ColumnContents) -> tuple[int, int] | None:
    """Return how well a column's name and values fit a role, the lowest best; None by no name."""
    as_label, as_prediction = label_rank(column.name), prediction_rank(column.name)
    if role == "label" and (as_label is None or as_prediction == 0):
        return None
    rank = as_label if role == "label" else as_prediction
    if rank is None:
        return None
    kinds = (is_few(column, 2), _is_share(column), is_few(column, MAX_OUTCOMES), True)
    return rank, kinds.index(True)


def _is_share(column: ColumnContents) -> bool:
    """Whether numbers lie between 0 and 1, some on each side of a half."""
    low, high = column.ends or (1, 0)
    return is_scale(column) and 0 <= low < HALF <= high <= 1


def _held(column: ColumnContents) -> str:
    if column.values is not None and not is_many_numbers(column):
        return list_values([value for value, _ in column.values], most=3)
    low, high = column.ends or (0, 0)
    return f"{low:.6g} to {high:.6g}"


def _favorable(
    role: str, column: ColumnContents, answer: Answer, other: ProposedOutcome | None
) -> ProposedOutcome:
    """Choose what is favorable in a column."""
    if is_scale(column):
        return _threshold(role, column, answer, other)
    values = [value for value, _ in column.values or ()]
    found = _as_other(column.name, values, other) or likely_value(column.name, values)
    proposed = [value for value in values if found.value is not None and value == found.value][:1]
    ordered = [*proposed, *(value for value in values if value not in proposed)]
    choices = tuple(Choice(value, _rows(column, value)) for value in ordered)
    asks = f"which value of {column.name!r} is favorable?"
    option = f"--{role} {column.name}=VALUE"
    likely = choices[: len(proposed)]
    chosen = answer(Question(asks, option, choices, likely, sure=found.sure))
    taken = chosen[0].value
    return ProposedOutcome(column, {"positive": taken}, found.why if [taken] == proposed else None)


def _as_other(
    name: str, values: Sequence[Any], other: ProposedOutcome | None
) -> LikelyValue | None:
    """Return the favorable value of the other outcome, where this one has the same values."""
    if other is None or {*values} != {value for value, _ in other.column.values or ()}:
        return None
    positive = other.keys.get("positive")
    if positive not in values:
        return None
    found = LikelyValue(positive, f"as in {other.column.name!r}", sure=True)
    if not is_harm(name) or likely_value(name, values).value == positive:
        return found
    return found._replace(sure=False) if other.assumed is None else LikelyValue(None, "")


def _rows(column: ColumnContents, value: object) -> str:
    rows = next(n for held, n in column.values or () if held is value or held == value)
    return f"{rows:,} rows"


def _threshold(
    role: str, column: ColumnContents, answer: Answer, other: ProposedOutcome | None
) -> ProposedOutcome:
    share = _is_share(column)
    bound = HALF if share else column.middle or 0
    bound = int(bound) if float(bound).is_integer() else bound
    why = "a half of a score from 0 to 1" if share else "the middle; nothing else speaks for it"
    speaks = _speaks_of_positive(column, other)
    harms = is_harm(column.name) or (other is not None and is_harm(other.column.name))
    is_below = harms if speaks is None else not speaks
    key, sign, side = ("below", "<", "Below") if is_below else ("at_least", ">=", "From")
    choice = Choice(bound, why)
    asks = f"{side} which number is {column.name!r} favorable?"
    option = f'--{role} "{column.name}{sign}NUMBER"'
    sure = share and role == "prediction" and not is_below
    chosen = answer(Question(asks, option, (choice,), (choice,), sure=sure, is_number=True))
    if other and speaks is not None:
        why += f"; the name speaks of the {last_word(column.name)!r} of {other.column.name!r}"
    elif harms:
        why += "; the name reads like a harm, so that low numbers are favorable"
    said = chosen[0].value
    return ProposedOutcome(column, {key: said}, why if said == bound else None)


def _as_given(role: str, table: TableContents, given: str) -> tuple[ColumnContents, dict[str, Any]]:
    """Read what an option says of an outcome: a column, and maybe what is favorable in it."""
    splits = [(given, "", "")] + [
        (given[: at.start()], at[0], given[at.end() :]) for at in BOUND.finditer(given)
    ]
    for name, sign, value in splits:
        if name.strip() in table.by_name or name in table.by_name:
            column = column_named(table, name if name in table.by_name else name.strip(), role)
            if sign in BOUNDS:
                return column, {BOUNDS[sign]: _number(role, given, value)}
            return column, {"positive": value_named(column, value, role)} if sign else {}
    name = BOUND.split(given)[0]
    raise _no_column(table, name, role)


def column_named(table: TableContents, name: str, option: str) -> ColumnContents:
    """Return a column that an option names, if an audit can be about it.

    Raises
    ------
    UsageError
        If there is none, or it holds nothing to compare.
    """
    if name not in table.by_name:
        raise _no_column(table, name, option)
    column = table.by_name[name]
    reason = reason_of(column)
    if reason and len(column.values or ()) < 2 and not is_many_numbers(column):
        raise UsageError(f"--{option}: column {name!r} cannot be used: {reason}")
    return column


def _no_column(table: TableContents, name: str, option: str) -> UsageError:
    names = list(table.by_name)
    hint = did_you_mean(name, names) or f"its columns are {list_values(names)}"
    return UsageError(f"--{option}: {table.name} has no column {name!r}", hint=hint)


def _number(role: str, given: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise UsageError(f"--{role} {given}: {text.strip()!r} is no number")
    return int(number) if number.is_integer() else number


def value_named(column: ColumnContents, text: str, option: str) -> Any:
    """Return the value of a column that an option names, or the several that it lists.

    Raises
    ------
    UsageError
        If it does not occur.
    """
    held = [value for value, _ in column.values or ()]
    if (found := _value(column, held, text)) is not None:
        return found
    several = [_value(column, held, part) for part in text.split(",")]
    if len(several) > 1 and None not in several:
        return several
    what = f"--{option}: {text!r} does not occur in column {column.name!r}"
    hint = did_you_mean(text, map(str, held)) or f"it holds {list_values(held)}"
    raise UsageError(what, hint=hint)


def _value(column: ColumnContents, held: Sequence[Any], text: str) -> Any:
    from biaspipe.loading.yaml_values import plain_scalar  # noqa: PLC0415 - options only need it

    if text in held:
        return text
    meant = literals(plain_scalar(text), column.kind)
    return next((value for value in held for one in meant if value == one), None)
