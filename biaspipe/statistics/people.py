"""How many people a group's counts are worth, and which label categories they fall into."""

from biaspipe.counts import Group, Headcount, Table

__all__ = ["categories", "effective", "pooled", "scale"]


def scale(group: Group) -> float:
    """Return what each counted person is worth: below 1 under uneven sampling weights.

    >>> from fractions import Fraction
    >>> scale(Group({(True, None): 30}, effective=Fraction(15))), scale(Group({}))
    (0.5, 1.0)
    """
    return float(group.effective / group.n) if group.effective is not None and group.n else 1.0


def effective(group: Group, people: Headcount) -> float:
    """Return the effective number of some people of a group."""
    return float(people) * scale(group)


def pooled(favored: float, disfavored: float, scale_a: float, scale_d: float) -> float:
    """Return the effective number of people of both groups together.

    Somebody of a group that is worth half as much stands for twice as much variance.

    >>> pooled(30, 10, 1.0, 1.0), pooled(30, 10, 0.5, 0.5)
    (40.0, 20.0)
    """
    return (favored + disfavored) ** 2 / (favored / scale_a + disfavored / scale_d)


def categories(table: Table) -> tuple[str, ...]:
    """Return the categories of the label, and where only one was seen, an unseen second one.

    >>> categories(Table(Group({}, {"hired": 2}), Group({}, {"hired": 1})))
    ('hired', 'not hired')
    """
    seen = table.categories
    return (*seen, f"not {seen[0]}") if len(seen) == 1 else seen
