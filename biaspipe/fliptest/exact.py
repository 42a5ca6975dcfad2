"""The exact fliptest of an audit: its folded rows, split into the sides of a comparison."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.counts import Flips
from biaspipe.fliptest.cost import refuse_unaffordable
from biaspipe.fliptest.features import (
    apart,
    is_known,
    is_number,
    origin,
    unknown,
    written,
)
from biaspipe.fliptest.neighbours import Members, flips
from biaspipe.fliptest.passes import key_of
from biaspipe.fliptest.search_pass import members_of
from biaspipe.plan import OTHER, Comparison, Plan, group_names, own_dimensions

__all__ = ["Fliptests"]


class Fliptests:
    """Runs the fliptests of a plan on its folded rows.

    Parameters
    ----------
    plan : the bound plan.
    frame : distinct rows: `key0`... codes of the plan's dimensions, `feature0`... the features,
        `n` the people that each stands for.
    """

    def __init__(self, plan: Plan, frame: pl.DataFrame) -> None:
        self.plan = plan
        known = [key_of(plan, d) for d in (plan.label, plan.prediction) if d]
        self.frame = frame.drop_nulls(known)
        self.members = self._members()

    def _members(self) -> Members:
        features = [self.frame[f"feature{i}"] for i in range(len(self.plan.features))]
        if self.frame.height and not any(map(is_known, features)):
            raise unknown(self.plan)
        numbers = [series for series in features if is_number(series.dtype)]
        origins = [origin(s) if is_number(s.dtype) else None for s in features]
        known = [written(s).unique().sort() for s in features if not is_number(s.dtype)]
        zeros = {i: zero for i, zero in enumerate(map(origin, numbers)) if zero is not None}
        prediction = self.plan.prediction
        favorable = (
            self.frame[key_of(self.plan, prediction)] != OTHER
            if prediction
            else pl.repeat(True, self.frame.height, eager=True)
        )
        found = members_of(
            self.frame.with_columns(favorable=favorable), origins, [k.to_list() for k in known]
        )
        whole = {i: apart(numbers[i], zero) for i, zero in zeros.items()}
        return Members(found.numbers, found.categories, found.people, found.favorable, whole)

    def groups(self, facet: str) -> NDArray[np.str_]:
        """Return the group of a facet that each row is in."""
        own = [key_of(self.plan, d) for d in own_dimensions(self.plan, facet)]
        keys = self.frame.select(own).rows()
        names = dict(zip(set(keys), group_names(self.plan, facet, set(keys)), strict=True))
        return np.array(["\0missing" if names[k] is None else names[k] for k in keys], dtype=str)

    def run(self, facet: str, comparisons: Iterable[Comparison]) -> tuple[Flips, ...]:
        """Run the fliptest on every comparison of a facet.

        Raises
        ------
        SpecError
            If so many pairs take too long, and no sample is asked for.
        """
        groups, wanted = self.groups(facet), self.plan.fliptests[facet]
        sides = [
            (np.isin(groups, c.favored_groups), np.isin(groups, c.disfavored_groups))
            for c in comparisons
        ]
        whole = self.members.complete
        sizes = [(int((a & whole).sum()), int((d & whole).sum())) for a, d in sides]
        refuse_unaffordable(self.plan, facet, sizes)
        return tuple(
            flips(
                self.members.only(a),
                self.members.only(d),
                k=wanted.k,
                scaling=wanted.scaling,
                features=wanted.features,
            )
            for a, d in sides
        )
