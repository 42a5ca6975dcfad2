"""How sentences name the outcomes that metrics count."""

from typing import NamedTuple

__all__ = ["GENERIC", "Phrases"]


class Phrases(NamedTuple):
    """The outcomes of an audit as pieces of a sentence.

    Parameters
    ----------
    predicted, unpredicted : a favorable prediction and another one, as they stand behind "are".
    observed : what people with a favorable label did or have, as it stands behind "they".
    holding : the same behind "people".
    others : people whose label is not favorable.
    label : the label itself.
    strata : what people of one stratum have in common.

    >>> f"of those {GENERIC.holding}, the share who are {GENERIC.predicted} is larger among men"
    'of those with the favorable label, the share who are predicted favorable is larger among men'
    """

    predicted: str = "predicted favorable"
    unpredicted: str = "predicted unfavorable"
    observed: str = "have the favorable label"
    holding: str = "with the favorable label"
    others: str = "people with an unfavorable label"
    label: str = "the label"
    strata: str = "stratum"


GENERIC = Phrases()
"""What holds where no audit says which outcomes are meant."""
