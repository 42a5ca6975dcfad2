"""The rates of one group, each with its interval."""

from typing import NamedTuple

from biaspipe.counts import Group, Headcount
from biaspipe.metrics import Rate
from biaspipe.statistics.closed_form import share
from biaspipe.statistics.proportions import quantile

__all__ = ["RateEstimate", "estimate_rate"]


class RateEstimate(NamedTuple):
    """A rate of a group, with the ends of its interval; None where it is a rate of nobody.

    Parameters
    ----------
    value : the rate, from 0 to 1.
    low, high : the ends of its interval, which holds the value.
    n : the people whom it is a rate of.
    """

    value: float | None
    low: float | None
    high: float | None
    n: Headcount


def estimate_rate(rate: Rate, group: Group, confidence: float) -> RateEstimate:
    """Return a share of a group with Wilson's score interval.

    Under sampling weights the interval counts the effective people of the rate's denominator.

    Parameters
    ----------
    rate : a rate that is a share of people.
    group : the group.
    confidence : between 0 and 1, such as 0.95.

    Examples
    --------
    >>> from biaspipe.metrics import selection_rate
    >>> group = Group({(None, True): 81, (None, False): 182})
    >>> value, low, high, n = estimate_rate(selection_rate, group, 0.95)
    >>> round(value, 4), round(low, 4), round(high, 4), n
    (0.308, 0.2553, 0.3662, 263)
    >>> estimate_rate(selection_rate, Group({}), 0.95)
    RateEstimate(value=None, low=None, high=None, n=0)
    """
    whole = rate.whole(group)
    if not whole:
        return RateEstimate(None, None, None, whole)
    value = float(rate.part(group) / whole)
    low, _, high = share(rate, group, quantile(confidence))
    return RateEstimate(value, min(low, value), max(high, value), whole)
