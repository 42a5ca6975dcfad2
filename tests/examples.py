"""How much is tried: a quarter of examples, cases and combinations by default, all of them in CI.

`pytest --hypothesis-profile=thorough` tries all of them.
"""

from collections.abc import Collection, Iterable
from typing import TypeVar

from hypothesis import HealthCheck, settings

__all__ = ["examples", "is_thorough", "some"]

T = TypeVar("T")

ALL, FEWEST = 100, 10

for _profile, _share in {"thorough": ALL, "quick": 25}.items():
    settings.register_profile(
        _profile, max_examples=_share, deadline=None, derandomize=True, database=None
    )
settings.load_profile("quick")


def is_thorough() -> bool:
    """Tell whether everything is tried."""
    return settings().max_examples == ALL


def examples(number: int, *, unchecked: Collection[HealthCheck] = ()) -> settings:
    """Return the settings of a property; the profile says how many percent of its examples count.

    Parameters
    ----------
    number : examples that the property is tried with in CI.
    unchecked : what hypothesis does not warn of.
    """
    share = max(FEWEST, number * settings().max_examples // ALL)
    return settings(max_examples=min(number, share), suppress_health_check=unchecked)


def some(cases: Iterable[T]) -> list[T]:
    """Return every fourth of many cases, and all of them where everything is tried."""
    return list(cases)[:: 1 if is_thorough() else 4]
