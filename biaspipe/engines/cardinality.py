"""How many groups, strata and cells an audit may have: more are refused before they are objects."""

from collections.abc import Sequence

import polars as pl

from biaspipe.counts import MOST_JOINT_CELLS
from biaspipe.engines.keys import Codes
from biaspipe.errors import DataError
from biaspipe.plan import Dimension, Plan, own_dimensions
from biaspipe.policy import Limits
from biaspipe.printable_text import escape, list_values, shorten

__all__ = ["MAX_CELLS", "refuse_joint", "refuse_many", "refuse_more"]

MAX_CELLS = 1_000_000
"""Cells of one count; a cell is a group in a stratum with its outcomes."""
MAX_NAME = 60
"""Letters of a column's name that a message shows."""


def refuse_many(plan: Plan, facet: str, limits: Limits, codes: Codes) -> None:
    """Refuse a facet of too many groups, and too many strata.

    Parameters
    ----------
    plan : what is counted.
    facet : the facet's name.
    limits : how many there may be.
    codes : those of its cells, or of some of them.

    Raises
    ------
    DataError
        With the columns, how many there are at least, and the policy's key.
    """
    own, strata = own_dimensions(plan, facet), plan.strata
    _refuse(codes, own, limits.groups, f"facet {facet}: {_named(own)} has", "groups")
    _refuse(codes, strata, limits.strata, f"strata: {_named(strata)} has", "strata")


def refuse_more(dimensions: Sequence[Dimension]) -> None:
    """Refuse a count of more than `MAX_CELLS`.

    Parameters
    ----------
    dimensions : what was counted by.

    Raises
    ------
    DataError
        With the columns.
    """
    words = f"{_named(dimensions)} have more than {MAX_CELLS:,} combinations of values"
    raise DataError(words, hint="count by fewer columns, or by columns of fewer values")


def refuse_joint(plan: Plan, codes: Codes) -> None:
    """Refuse a search for subgroups of people in too many different combinations of groups.

    Parameters
    ----------
    plan : what is counted, with a search.
    codes : those of its cells, or of some of them.

    Raises
    ------
    DataError
        With how many groups each facet has.
    """
    search = plan.audit.subgroups
    own = [d for d in plan.joint if d not in (plan.label, plan.prediction)]
    found = pl.DataFrame([codes[d].alias(f"code{i}") for i, d in enumerate(own)])
    if search is None or found.height <= MOST_JOINT_CELLS or found.n_unique() <= MOST_JOINT_CELLS:
        return
    sizes = (f"{shorten(escape(d.column), MAX_NAME)} {codes[d].n_unique():,}" for d in own)
    raise DataError(
        f"subgroups: {list_values(search.of)} have at least {found.n_unique():,} combinations of"
        f" groups, and at most {MOST_JOINT_CELLS:,} are searched: values of {', '.join(sizes)}",
        hint="search fewer facets, or give those of many values `groups`",
    )


def _refuse(
    codes: Codes, dimensions: Sequence[Dimension], most: int, whose: str, what: str
) -> None:
    columns = [codes[d].alias(f"code{i}") for i, d in enumerate(dimensions)]
    if not columns or len(columns[0]) <= most:
        return
    found = pl.DataFrame(columns).drop_nulls().n_unique()
    if found > most:
        raise DataError(
            f"{whose} at least {found:,} {what}, and at most {most:,} are counted",
            hint=f"does it hold a key, or a number? A policy with limits: {{{what}: {found}}}"
            " would allow them",
        )


def _named(dimensions: Sequence[Dimension]) -> str:
    return list_values([d.column for d in dimensions])
