"""The facets: columns of protected attributes first, and groups of numbers such as ages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import floor, log10
from typing import Any

from biaspipe.engines.column_contents import ColumnContents, TableContents
from biaspipe.errors import UsageError
from biaspipe.printable_text import escape, list_values
from biaspipe.proposal.columns import described, is_few, is_many_numbers, reason_of, told_size
from biaspipe.proposal.outcomes import column_named, value_named
from biaspipe.proposal.questions import Answer, Choice, Question
from biaspipe.proposal.vocabulary import is_age, is_group, sensitive_ranks

__all__ = ["ProposedFacet", "propose_facets"]

FIVE = 5
"""What bounds of ages are multiples of."""
WITHOUT_NAMES = 3
"""How many columns are proposed where no name is that of a protected attribute."""
SMALL = 30
"""Rows, or people of a table of counts, below which a group is told to be small."""


@dataclass(frozen=True)
class ProposedFacet:
    """A facet.

    Parameters
    ----------
    column : what its column holds.
    groups : named groups with their bounds; none where each value is a group.
    favored : the value or the group that others are compared with; None for the rest.
    unnamed : whether it was proposed without the name of a protected attribute.
    """

    column: ColumnContents
    groups: dict[str, dict[str, float]] = field(default_factory=dict)
    favored: Any = None
    unnamed: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The facet as a spec has it."""
        groups = {"groups": self.groups} if self.groups else {}
        favored = {} if self.favored is None else {"favored": self.favored}
        return {"column": self.column.name, **groups, **favored}

    @property
    def sizes(self) -> tuple[tuple[str, int, float | None], ...]:
        """The rows and people of every group; none where the numbers are too many to be counted."""
        held = self.column.values or ()
        people = self.column.people
        sized = [(v, n, people[i] if people else None) for i, (v, n) in enumerate(held)]
        if not self.groups:
            return tuple((list_values([value]), n, of) for value, n, of in sized)
        if not held:
            return ()
        return tuple(
            (
                name,
                sum(n for v, n, _ in sized if _lies(float(v), bounds)),
                sum(of or 0 for v, _, of in sized if _lies(float(v), bounds)) if people else None,
            )
            for name, bounds in self.groups.items()
        )

    @property
    def words(self) -> str:
        """The groups and their rows."""
        if not self.groups:
            return described(self.column)
        sizes = {name: told_size(n, people) for name, n, people in self.sizes}
        return ", ".join(
            f"{name}: {sizes[name]}" if name in sizes else name for name in self.groups
        )

    @property
    def small(self) -> tuple[str, ...]:
        """The groups of so few people that a value of them says little."""
        return tuple(
            name for name, n, people in self.sizes if (n if people is None else people) < SMALL
        )


def _lies(number: float, bounds: dict[str, float]) -> bool:
    low, high = bounds.get("at_least", number), bounds.get("below", float("inf"))
    return low <= number < high


def propose_facets(
    table: TableContents, given: Sequence[str], taken: Sequence[str], answer: Answer
) -> tuple[ProposedFacet, ...]:
    """Choose the facets.

    Parameters
    ----------
    table : what the table holds.
    given : what the options say, such as sex or sex=male.
    taken : columns that are something else already, or a copy of it.
    answer : answers what the options leave open.

    Raises
    ------
    UsageError
        If an option names what the table lacks, or nothing answers.
    """
    if given:
        facets = tuple(_as_given(table, text) for text in given)
        names = [facet.column.name for facet in facets]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise UsageError(f"--facet: column {twice[0]!r} is named twice")
        return facets
    question = _which(table, taken)
    chosen = answer(question)
    unnamed = [c.value for c in question.proposed if not is_group(str(c.value))]
    found = [_favored(_facet(table.by_name[str(c.value)]), answer) for c in chosen]
    return tuple(replace(facet, unnamed=facet.column.name in unnamed) for facet in found)


def _which(table: TableContents, taken: Sequence[str]) -> Question:
    columns = [c for c in table.columns if c.name not in taken and not reason_of(c)]
    protected = [c for c in columns if is_group(c.name) and _may_be(c)]
    protected.sort(key=lambda c: (len(sensitive_ranks(c.name)), sensitive_ranks(c.name)[0]))
    others = [c for c in columns if c not in protected and is_few(c)]
    numbers = [c for c in columns if c not in protected and is_many_numbers(c)]
    proposed = protected or others[:WITHOUT_NAMES]
    listed = [*protected, *others, *numbers]
    choices = {c.name: Choice(c.name, _facet(c).words) for c in listed}
    lost = [
        f"{c.name!r}: {reason_of(c)}" for c in table.columns if is_group(c.name) and reason_of(c)
    ]
    told = f" (left out: {'; '.join(lost)})" if lost and not protected else ""
    return Question(
        f"which columns are facets, the groups to compare?{told}",
        "--facet COLUMN",
        tuple(choices.values()),
        tuple(choices[c.name] for c in proposed),
        sure=bool(protected),
        several=True,
    )


def _may_be(column: ColumnContents) -> bool:
    return is_few(column) or (is_many_numbers(column) and len(_groups(column)) > 1)


def _facet(column: ColumnContents) -> ProposedFacet:
    groups = _groups(column) if is_many_numbers(column) else {}
    return ProposedFacet(column, groups)


def _favored(facet: ProposedFacet, answer: Answer) -> ProposedFacet:
    """Ask who the others are compared with; nobody is assumed to be favored."""
    if facet.groups:
        choices = tuple(Choice(name, f"{n:,} rows") for name, n, _ in facet.sizes)
        choices = choices or tuple(Choice(name) for name in facet.groups)
    else:
        choices = tuple(Choice(value, f"{n:,} rows") for value, n in facet.column.values or ())
    name = facet.column.name
    asks = f"which group of {name!r} are the others compared with? none: each with the rest"
    question = Question(asks, f"--facet {name}=VALUE", choices, sure=True, optional=True)
    chosen = answer(question)
    return ProposedFacet(facet.column, facet.groups, chosen[0].value if chosen else None)


def _as_given(table: TableContents, text: str) -> ProposedFacet:
    """Read an option: a column, and maybe who is favored in it."""
    places = [i for i, sign in enumerate(text) if sign == "="]
    splits = [(text, None), *((text[:i], text[i + 1 :]) for i in places)]
    name, favored = next(
        ((name, value) for name, value in splits if name in table.by_name), (text, None)
    )
    if name not in table.by_name and places:
        name = text[: places[0]]
    column = column_named(table, name, "facet")
    facet = _facet(column)
    if column.values is None and not facet.groups:
        raise UsageError(f"--facet: column {name!r} has too many values for groups")
    if favored is None:
        return ProposedFacet(column, facet.groups)
    if not facet.groups:
        found = value_named(column, favored, "facet")
    elif favored in facet.groups:
        found = favored
    else:
        hint = f"its groups are {list_values(facet.groups)}; others are written into the spec"
        raise UsageError(f"--facet: {favored!r} is no group of {name!r}", hint=hint)
    return ProposedFacet(column, facet.groups, found)


def _groups(column: ColumnContents) -> dict[str, dict[str, float]]:
    """Return groups between round bounds near the thirds of a column of numbers."""
    if column.thirds is None or column.ends is None:
        return {}
    low, high = column.ends
    bounds = _inside(dict.fromkeys(_rounded(column.thirds, column)), low, high)
    if not bounds:
        bounds = _inside(dict.fromkeys(column.thirds), low, high)
    return dict(_named(bounds))


def _inside(bounds: dict[float, None], low: float, high: float) -> list[float]:
    return [bound for bound in bounds if low < bound <= high]


def _rounded(thirds: tuple[float, float], column: ColumnContents) -> Iterator[float]:
    """Yield the thirds as round numbers: ages by fives, others by one digit of their distance."""
    low, high = column.ends or thirds
    step = FIVE if is_age(column.name) and high - low > 2 * FIVE else _step(high - low)
    for third in thirds:
        yield round(round(third / step) * step, 12)


def _step(width: float) -> float:
    """Return a power of ten of which a width has at least ten."""
    return float(10.0 ** floor(log10(width / 10))) if width > 0 else 1.0


def _named(bounds: Sequence[float]) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield groups with names that say their bounds."""
    if not bounds:
        return
    plain = [int(bound) if float(bound).is_integer() else bound for bound in bounds]
    yield escape(f"under {plain[0]}"), {"below": plain[0]}
    for below, above in pairwise(plain):
        yield f"{below} to under {above}", {"at_least": below, "below": above}
    yield f"{plain[-1]} and over", {"at_least": plain[-1]}
