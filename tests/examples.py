"""How often a property is tried: a part of its examples by default, all of them in CI.

`pytest --hypothesis-profile=thorough` tries all of them.
"""

from collections.abc import Collection

from hypothesis import HealthCheck, settings

__all__ = ["examples"]

FEWEST = 10

for _profile, _share in {"thorough": 100, "quick": 25}.items():
    settings.register_profile(
        _profile, max_examples=_share, deadline=None, derandomize=True, database=None
    )
settings.load_profile("quick")


def examples(number: int, *, unchecked: Collection[HealthCheck] = ()) -> settings:
    """Return the settings of a property; the profile says how many percent of its examples count.

    Parameters
    ----------
    number : examples that the property is tried with in CI.
    unchecked : what hypothesis does not warn of.
    """
    share = max(FEWEST, number * settings().max_examples // 100)
    return settings(max_examples=min(number, share), suppress_health_check=unchecked)
