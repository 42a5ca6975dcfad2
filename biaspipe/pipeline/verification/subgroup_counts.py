"""The cells of a search for subgroups against the groups of the facets, counted by themselves."""

from collections import defaultdict
from collections.abc import Iterator

from biaspipe.counts import NO_VALUE, Group, JointCell
from biaspipe.plan import subgroup_rate
from biaspipe.report import FacetRecord, Finding, Result, SubgroupsRecord
from biaspipe.spec import Audit

__all__ = ["subgroup_inconsistencies"]

WHERE = "result.subgroups"


def subgroup_inconsistencies(result: Result, audit: Audit) -> Iterator[Finding]:
    """Yield cells that cannot be those of the people whom the rest of a report counts.

    Parameters
    ----------
    result : what is to be verified.
    audit : the spec that stands in it.
    """
    search = result.subgroups
    if search is None or audit.subgroups is None:
        return
    faults = list(_malformed(search, audit))
    yield from faults
    rate = subgroup_rate(audit.subgroups.metric)
    if faults or rate is None:
        return
    cells = search.to_cells().cells
    everyone = result.data.everyone.to_group("")
    found = sum(cell.whole for cell in cells), sum(cell.part for cell in cells)
    if found != (rate.whole(everyone), rate.part(everyone)):
        yield Finding(f"{WHERE}.cells", "these are not all people whose outcomes are known")
    facets = {record.facet: record for record in result.facets}
    for place, name in enumerate(search.of):
        if name in facets:
            yield from _groups(search, place, facets[name])


def _malformed(search: SubgroupsRecord, audit: Audit) -> Iterator[Finding]:
    """Yield cells that name no groups, or stand twice or out of order."""
    spec, cells = audit.subgroups, search.to_cells().cells
    sizes = tuple(map(len, search.groups))
    if spec is None or search.of != spec.of or len(sizes) != len(spec.of):
        yield Finding(f"{WHERE}.groups", "these are not the facets that the spec searches")
        return
    if [cell.codes for cell in cells] != sorted({cell.codes for cell in cells}):
        yield Finding(f"{WHERE}.cells", "cells stand twice, or not in their order")
    for i, cell in enumerate(cells):
        codes = len(cell.codes) == len(sizes) and all(
            NO_VALUE <= code < size for code, size in zip(cell.codes, sizes, strict=True)
        )
        if not codes or cell.part > cell.whole:
            yield Finding(f"{WHERE}.cells[{i}]", "no such people can be")


def _groups(search: SubgroupsRecord, place: int, record: FacetRecord) -> Iterator[Finding]:
    """Yield the groups of a facet that have other people in the cells than by themselves."""
    rate = subgroup_rate(search.metric)
    counted = {group.group: group.to_group() for group in record.groups if group.counts}
    by_code = defaultdict[int, list[JointCell]](list)
    for cell in search.to_cells().cells:
        by_code[cell.codes[place]].append(cell)
    for code, name in enumerate(search.groups[place]):
        own = by_code[code]
        found = sum(cell.whole for cell in own), sum(cell.part for cell in own)
        people = counted.get(name) or Group({})
        if rate is not None and found != (rate.whole(people), rate.part(people)):
            where = f"{WHERE}.groups[{place}][{code}]"
            yield Finding(where, "the cells have other people than the group has")
