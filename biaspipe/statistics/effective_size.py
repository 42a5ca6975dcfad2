"""The effective number of people behind counts, n_eff, and the label's categories.

Under uneven sampling weights a sample says as much as a smaller one in which all weigh the same.
"""

from biaspipe.counts import Group, Headcount, Table

__all__ = ["categories", "efficiency", "n_eff", "pooled_n_eff"]


def efficiency(group: Group) -> float:
    """Return n_eff / n of a group: Kish's, below 1 under uneven sampling weights.

    >>> from fractions import Fraction
    >>> efficiency(Group({(True, None): 30}, effective=Fraction(15))), efficiency(Group({}))
    (0.5, 1.0)
    """
    return float(group.effective / group.n) if group.effective is not None and group.n else 1.0


def n_eff(group: Group, people: Headcount) -> float:
    """Return the effective number of some people of a group."""
    return float(people) * efficiency(group)


def pooled_n_eff(
    favored: float, disfavored: float, efficiency_a: float, efficiency_d: float
) -> float:
    """Return the effective number of people of both groups together.

    Somebody of a group of half the efficiency stands for twice as much variance.

    >>> pooled_n_eff(30, 10, 1.0, 1.0), pooled_n_eff(30, 10, 0.5, 0.5)
    (40.0, 20.0)
    """
    return (favored + disfavored) ** 2 / (favored / efficiency_a + disfavored / efficiency_d)


def categories(table: Table) -> tuple[str, ...]:
    """Return the categories of the label, and where only one was seen, an unseen second one.

    >>> categories(Table(Group({}, {"hired": 2}), Group({}, {"hired": 1})))
    ('hired', 'not hired')
    """
    seen = table.categories
    return (*seen, f"not {seen[0]}") if len(seen) == 1 else seen
