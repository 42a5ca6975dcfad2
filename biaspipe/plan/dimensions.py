"""What is counted: the columns of an audit, each reduced to a few codes or taken as it is."""

from typing import NamedTuple

from biaspipe.spec import Audit, Facet, FacetSide, Interval, Outcome, Scalar, format_value, scalars

__all__ = [
    "MAX_GROUPS",
    "OTHER",
    "Bin",
    "Dimension",
    "components",
    "dimension_of",
    "facet_dimensions",
    "outcome_of",
    "side_name",
    "sides_as_groups",
    "tests_of",
]

MAX_GROUPS = 250
"""Groups of one facet that are compared."""
OTHER = -1
"""The code of a value that no bin holds; a missing value has the code None."""


class Bin(NamedTuple):
    """A value or an interval that a spec names, and the group that it belongs to."""

    group: str
    test: Scalar | Interval

    def text(self, column: str) -> str:
        """Write what the bin holds, for a message."""
        return self.test.text(column) if isinstance(self.test, Interval) else repr(self.test)


class Dimension(NamedTuple):
    """A column, counted by the position of the first bin that holds its value.

    Without bins it is counted by its values. A value in no bin has the code `OTHER`.
    """

    column: str
    bins: tuple[Bin, ...] | None = None

    @property
    def has_interval(self) -> bool:
        """Whether one of the bins is an interval."""
        return any(isinstance(b.test, Interval) for b in self.bins or ())

    def first_of(self, position: object) -> int:
        """Return the first bin of the group that the bin at this position belongs to."""
        groups = [b.group for b in self.bins or ()]
        return groups.index(groups[int(str(position))]) if position != OTHER else len(groups)


def dimension_of(facet: Facet) -> Dimension:
    """Return the dimension of the column of a facet, which is not a cross."""
    groups = facet.groups or sides_as_groups(facet)
    return Dimension(str(facet.column), _bins(groups) if groups else None)


def sides_as_groups(facet: Facet) -> dict[str, FacetSide] | None:
    """Return the declared sides as groups where they say it all and one of them is an interval.

    >>> facet = Facet(column="age", disfavored=Interval(at_least=40))
    >>> list(sides_as_groups(facet))
    ['age >= 40']
    """
    sides = [side for side in (facet.favored, facet.disfavored) if side is not None]
    if (facet.disfavored is None and facet.compare != "over_rest") or not any(
        isinstance(side, Interval) for side in sides
    ):
        return None
    return {side_name(side, str(facet.column)): side for side in sides}


def side_name(side: FacetSide, column: str) -> str:
    """Return the name in reports of a side that a spec spells out."""
    if isinstance(side, Interval):
        return side.text(column)
    return ", ".join(format_value(value) for value in scalars(side))


def outcome_of(outcome: Outcome, *, categories: bool) -> Dimension:
    """Return the dimension of a label or prediction: favorable or not, or all its categories."""
    if outcome.positive is None:
        interval = Interval(
            above=outcome.above,
            at_least=outcome.at_least,
            below=outcome.below,
            at_most=outcome.at_most,
        )
        return Dimension(outcome.column, (Bin("positive", interval),))
    bins = tuple(Bin("positive", value) for value in outcome.positive)
    return Dimension(outcome.column, None if categories else bins)


def _bins(groups: dict[str, FacetSide]) -> tuple[Bin, ...]:
    return tuple(Bin(name, test) for name, side in groups.items() for test in tests_of(side))


def tests_of(side: FacetSide | None) -> tuple[Scalar | Interval, ...]:
    """Return the values that a side names, or its interval."""
    return (side,) if isinstance(side, Interval) else scalars(side)


def components(audit: Audit, facet: Facet) -> tuple[Facet, ...]:
    """Return the facets whose intersections a facet compares: itself unless it is a cross."""
    return tuple(audit.facets[name] for name in facet.cross) if facet.cross else (facet,)


def facet_dimensions(audit: Audit, name: str) -> tuple[Dimension, ...]:
    """Return the dimensions of the groups of a facet: one, or those that it crosses."""
    return tuple(map(dimension_of, components(audit, audit.facets[name])))
