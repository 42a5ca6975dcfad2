"""A spec proposed for data that has none: what its columns may mean, to be looked at by a person.

Nothing of it reaches an audit by itself: it is written as a spec, which says what was assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from biaspipe.engines.column_contents import ColumnContents, TableContents
from biaspipe.errors import UsageError
from biaspipe.plan import Kind
from biaspipe.proposal.columns import (
    copies_of,
    is_few,
    is_many_numbers,
    is_stratum_candidate,
    reason_of,
)
from biaspipe.proposal.facets import ProposedFacet, propose_facets
from biaspipe.proposal.outcomes import ProposedOutcome, column_named, propose_outcome
from biaspipe.proposal.questions import Answer
from biaspipe.proposal.vocabulary import is_count, is_group, is_weight, prediction_rank

__all__ = ["Given", "Proposal", "propose"]

MAX_COUNTED = 10_000
"""Rows up to which a table may be one of counts."""


@dataclass(frozen=True)
class Given:
    """What options say of the columns.

    Parameters
    ----------
    label, prediction : a column, and maybe what is favorable: repaid=yes, score>=0.5.
    facets : columns, each maybe with its favored group.
    strata : columns.
    weight : a column.
    """

    label: str | None = None
    prediction: str | None = None
    facets: Sequence[str] = ()
    strata: Sequence[str] = ()
    weight: str | None = None


@dataclass(frozen=True)
class Proposal:
    """What the columns of a table are taken for.

    Parameters
    ----------
    table : what it holds.
    label, prediction : the outcomes, at least one of them.
    facets : the facets.
    strata : the columns whose values form strata.
    weight : how many people each row stands for, as a spec has it.
    weight_assumed : whether only names and values speak for the weight.
    possible : other columns that may be facets or strata.
    weights : columns that may be weights.
    left_out : columns that are nothing of this, and why.
    """

    table: TableContents
    label: ProposedOutcome | None
    prediction: ProposedOutcome | None
    facets: tuple[ProposedFacet, ...]
    strata: tuple[str, ...]
    weight: str | None
    weight_assumed: bool
    possible: tuple[ColumnContents, ...]
    weights: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def reasons(self) -> dict[str, tuple[str, ...]]:
        """Why columns were left out, and which."""
        found: dict[str, list[str]] = {}
        for column, reason in self.left_out:
            found.setdefault(reason, []).append(column)
        return {reason: tuple(columns) for reason, columns in found.items()}

    @property
    def strata_candidates(self) -> tuple[str, ...]:
        """The columns by which people may be grouped before they are compared."""
        return tuple(c.name for c in self.possible if is_stratum_candidate(c))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What nobody has said, and a person has to look at."""
        pairs = (("label", self.label), ("prediction", self.prediction))
        told = [
            f"{role} {outcome.column.name}: {outcome.words}, {outcome.assumed}"
            for role, outcome in pairs
            if outcome and outcome.assumed
        ]
        told += [
            f"facet {facet.column.name}: only since it has few values; the name is none of a"
            " protected attribute"
            for facet in self.facets
            if facet.unnamed
        ]
        told += [
            f"facet {facet.column.name}: the bounds are round numbers near its thirds"
            for facet in self.facets
            if facet.groups
        ]
        if self.weight and self.weight_assumed:
            told.append(f"weight {self.weight}: each row stands for so many people")
        return tuple(told)


def propose(table: TableContents, given: Given, answer: Answer) -> Proposal:
    """Propose what the columns of a table mean.

    Parameters
    ----------
    table : what it holds.
    given : what options say.
    answer : answers what they leave open.

    Raises
    ------
    UsageError
        If an option names what the table lacks, or nothing answers.
    """
    strata = tuple(column_named(table, name, "strata").name for name in given.strata)
    counted = _weight(table, given)
    table = table.weighted(counted) if counted else table
    used = [_column_of(table, text) for text in given.facets]
    used += [*strata, *([counted] if counted else [])]
    label, prediction = _outcomes(table, given, used, answer)
    found = [outcome for outcome in (label, prediction) if outcome]
    if not found:
        hint = "name one with --label COLUMN=POSITIVE, or --prediction COLUMN=POSITIVE"
        raise UsageError(f"{table.name}: no column is a label or a prediction", hint=hint)
    copies = {
        name: outcome.column.name
        for outcome in found
        for name in copies_of(outcome.column, table)
        if name not in [one.column.name for one in found]
    }
    taken = [*(outcome.column.name for outcome in found), *copies, *strata]
    taken += [counted] if counted else []
    facets = propose_facets(table, given.facets, taken, answer)
    known = {*taken, *(facet.column.name for facet in facets)} - {*copies}
    return Proposal(
        table, label, prediction, facets, strata, counted, given.weight is None,
        *_rest(table, known, copies),
    )  # fmt: skip


def _column_of(table: TableContents, text: str) -> str:
    ends = [i for i, sign in enumerate(text) if sign == "="]
    return next((text[:i] for i in ends if text[:i] in table.by_name), text)


def _outcomes(
    table: TableContents, given: Given, used: Sequence[str], answer: Answer
) -> tuple[ProposedOutcome | None, ProposedOutcome | None]:
    """Choose label and prediction, first the one that an option names; one of them is enough."""
    by_option = {"label": given.label, "prediction": given.prediction}
    order = ["label", "prediction"]
    if given.label is None and given.prediction is not None:
        order.reverse()
    found: dict[str, ProposedOutcome | None] = {}
    taken = [*used]
    for role in order:
        other = next(iter(found.values()), None)
        chosen = propose_outcome(role, table, by_option[role], taken, answer, other)
        found[role] = chosen
        taken += [chosen.column.name] if chosen else []
    return found["label"], found["prediction"]


def _weight(table: TableContents, given: Given) -> str | None:
    """Return the column that says how many people each row is, in a table of counts."""
    if given.weight is not None:
        column = column_named(table, given.weight, "weight")
        if column.ends is None:
            raise UsageError(f"--weight: column {column.name!r} holds no numbers")
        return column.name
    if table.rows > MAX_COUNTED:
        return None
    for column in table.columns:
        others = [c for c in table.columns if c is not column]
        is_number = column.kind is Kind.INTEGER and (column.ends or (-1, 0))[0] >= 0
        if is_number and is_count(column.name) and others and all(map(is_few, others)):
            return column.name if table.differs([c.name for c in others]) else None
    return None


def _rest(
    table: TableContents, known: set[str], copies: dict[str, str]
) -> tuple[tuple[ColumnContents, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return what else columns may be: facets or strata, weights, or nothing, and why."""
    possible: list[ColumnContents] = []
    weights: list[str] = []
    left_out: list[tuple[str, str]] = []
    for column in table.columns:
        if column.name in known:
            continue
        if reason := reason_of(column):
            left_out.append((column.name, reason))
        elif is_weight(column.name) and (column.ends or (-1, 0))[0] >= 0:
            weights.append(column.name)
        elif column.name in copies:
            told = f"each of its values goes with one {copies[column.name]!r} only, as a copy does"
            left_out.append((column.name, told))
        elif is_many_numbers(column) and not is_group(column.name):
            left_out.append((column.name, _of_numbers(column)))
        else:
            possible.append(column)
    return tuple(possible), tuple(weights), tuple(left_out)


def _of_numbers(column: ColumnContents) -> str:
    """Say why numbers are left out."""
    if prediction_rank(column.name) is not None:
        return "numbers that may be a prediction too, by the name"
    return "numbers, and no name of a protected attribute"
