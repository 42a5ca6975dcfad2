"""The effective number of people behind each rate, n_eff, and the label's categories.

Each rate has its own: of the people in its own denominator, by how their weights go with it.
"""

from collections.abc import Sequence
from math import fsum

from biaspipe.counts import (
    EffectiveShare,
    Group,
    Table,
    WeightedTotal,
    n_eff,
    share_of,
)
from biaspipe.metrics import Rate

__all__ = [
    "categories",
    "category_share",
    "effective_categories",
    "effective_share",
    "excess_people",
    "overlap_people",
    "pooled_rate",
]


def effective_share(rate: Rate, group: Group) -> EffectiveShare:
    """Return the effective numbers of a rate's part and of its own denominator.

    Parameters
    ----------
    rate : a rate of a part that lies within the whole.
    group : the group.

    Examples
    --------
    >>> from biaspipe.metrics import selection_rate
    >>> effective_share(selection_rate, Group({(None, True): 3, (None, False): 5}))
    EffectiveShare(part=3.0, whole=8.0)
    """
    part = WeightedTotal.of(group, rate.part)
    return share_of(part, WeightedTotal.of(group, lambda g: rate.whole(g) - rate.part(g)))


def pooled_rate(one: EffectiveShare, other: EffectiveShare) -> float:
    """Return the rate of two groups together, each by its effective number of people."""
    return (one.part + other.part) / (one.whole + other.whole)


def category_share(group: Group, category: str) -> EffectiveShare:
    """Return the effective numbers of a label's category and of all its categories."""
    one = WeightedTotal.of(group, lambda g: g.labels.get(category, 0))
    others = WeightedTotal.of(
        group, lambda g: sum(n for name, n in g.labels.items() if name != category)
    )
    return share_of(one, others)


def effective_categories(group: Group, names: Sequence[str]) -> list[float]:
    """Return the people of each category, of the effective number of their distribution.

    It is that of Rao and Scott's first-order correction: the design effects of all shares are
    averaged, each weighed by what is left of its share to 1.

    Parameters
    ----------
    group : the group.
    names : the categories, two or more.

    References
    ----------
    J. N. K. Rao and A. J. Scott, The analysis of categorical data from complex sample surveys,
    Journal of the American Statistical Association 76 (1981) 221-230.
    """
    people = [float(group.labels.get(name, 0)) for name in names]
    every = fsum(people)
    if group.effective is None or not every:
        return people
    terms = (
        (1 - n / every) / category_share(group, name).whole
        for n, name in zip(people, names, strict=True)
    )
    whole = (len(names) - 1) / fsum(terms)
    return [n * (whole / every) for n in people]


def excess_people(group: Group) -> tuple[float, float, float, float]:
    """Return TP, FP, FN and TN of the effective number of people behind (FP - FN) / n."""
    more = WeightedTotal.of(group, lambda g: g.FP)
    fewer = WeightedTotal.of(group, lambda g: g.FN)
    alike = WeightedTotal.of(group, lambda g: g.TP + g.TN)
    people = float(group.n)
    excess = (more.people - fewer.people) / people
    whole = n_eff([(more, 1 - excess), (fewer, -1 - excess), (alike, -excess)])
    scale = whole / people
    tp, fp, fn, tn = (float(n) * scale for n in (group.TP, group.FP, group.FN, group.TN))
    return tp, fp, fn, tn


def overlap_people(rate: Rate, group: Group) -> tuple[float, float, float]:
    """Return the effective numbers of people in both parts of a ratio, and in one alone.

    The variance is that of the ratio's logarithm.

    Parameters
    ----------
    rate : a ratio of two parts of a group that overlap.
    group : the group.
    """
    shared = rate.both or (lambda _: 0)
    both = WeightedTotal.of(group, shared)
    one = WeightedTotal.of(group, lambda g: rate.part(g) - shared(g))
    other = WeightedTotal.of(group, lambda g: rate.whole(g) - shared(g))
    people = both.people + one.people + other.people
    over, under = (
        people / n if (n := both.people + alone.people) else 0.0 for alone in (one, other)
    )
    whole = n_eff([(both, over - under), (one, over), (other, -under)])
    scale = whole / people if people else 1.0
    return both.people * scale, one.people * scale, other.people * scale


def categories(table: Table) -> tuple[str, ...]:
    """Return the categories of the label, and where only one was seen, an unseen second one.

    >>> categories(Table(Group({}, {"hired": 2}), Group({}, {"hired": 1})))
    ('hired', 'not hired')
    """
    seen = table.categories
    return (*seen, f"not {seen[0]}") if len(seen) == 1 else seen
