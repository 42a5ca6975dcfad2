"""Clarify's facets to those of a spec: its values are the disfavored side."""

from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.clarify.columns import remark
from biaspipe.migration.clarify.dataset import ClarifyDataset
from biaspipe.migration.clarify.values_or_threshold import values_or_threshold
from biaspipe.migration.draft import Draft

__all__ = ["write_facets"]

GUIDE = (
    "value_or_threshold is Clarify's facet d, the disfavored group, as its code, its SDK and its",
    "output have it; in one place the guide calls it the favored group.",
)
EXPECTED = '[{"name_or_index": "sex", "value_or_threshold": ["female"]}]'


def write_facets(dataset: ClarifyDataset, draft: Draft) -> None:
    """Write the facets, or note the fault that there are none."""
    facets = dataset.config.facet or []
    if any(facet.value_or_threshold for facet in facets if facet.name_or_index is not None):
        draft.say(("facets",), *GUIDE)
    for i, (facet, column) in enumerate(zip(facets, dataset.facets, strict=True)):
        if column is not None:
            _write_facet(dataset, draft, i, facet.value_or_threshold, column)
    if all(facet.name_or_index is None for facet in facets):
        message = "facet is missing: bias is a difference between groups"
        dataset.faults.append(Fault(message, ("facet",), expected=EXPECTED))


def _write_facet(
    dataset: ClarifyDataset, draft: Draft, i: int, given: list[Any] | None, column: str
) -> None:
    """Write a facet: its values against the rest, or each value if it has none."""
    taken = draft.values.get("facets", {})
    at: Loc = ("facets", column if column not in taken else f"{column}_{i + 1}")
    if not given:
        words = "No value_or_threshold: each value against the rest."
        draft.put(at, {"column": column}, ("facet", i), words)
        return
    loc: Loc = ("facet", i, "value_or_threshold")
    found = values_or_threshold(given, column, dataset.profiles.get(column))
    draft.put(at, {"column": column, "disfavored": found.side}, ("facet", i))
    draft.origins[(*at, "disfavored")] = loc
    remark(dataset, draft, at, found, loc)
