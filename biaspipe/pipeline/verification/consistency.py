"""Counts of a report that have to add up: rows, groups, sides, strata, labels, baseline."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from biaspipe.pipeline.verification.baseline_consistency import baseline_inconsistencies
from biaspipe.pipeline.verification.group_counts import (
    UNNAMED,
    group_inconsistencies,
)
from biaspipe.pipeline.verification.squared_weights import (
    counted_people,
    impossible_effective,
    is_sample,
)
from biaspipe.pipeline.verification.subgroup_counts import subgroup_inconsistencies
from biaspipe.pipeline.verification.sums import is_same
from biaspipe.plan import REST, Kind, literals
from biaspipe.report import (
    ComparisonRecord,
    CountedAsRecord,
    DrawnRecord,
    FacetRecord,
    Finding,
    FlipsRecord,
    GroupRecord,
    PeopleRecord,
    Result,
)
from biaspipe.report.counts import CELLS
from biaspipe.spec import Audit, Scalar, format_value, joint_digest

__all__ = ["inconsistencies"]

Placed = tuple[str, GroupRecord]
PLAYED = {"favored", "disfavored", "compared", "not compared", "missing"}
"""The sides of a facet whose groups are single values."""


def inconsistencies(result: Result, audit: Audit, *, is_listed: bool = False) -> Iterator[Finding]:
    """Yield the counts of a report that do not fit each other.

    Parameters
    ----------
    result : what is to be verified.
    audit : the spec that stands in it.
    is_listed : whether its groups have to be counted by outcome; those of older reports are not.
    """
    is_listed = is_listed or any(g.counts is not None for f in result.facets for g in f.groups)
    yield from _unexpected(result, audit)
    yield from _ledger(result)
    yield from _counted_as(result)
    yield from _roles(result, audit)
    yield from _group("result.data.everyone", result.data.everyone, audit)
    for f, record in enumerate(result.facets):
        where = f"result.facets[{f}]"
        if record.facet in result.data.ledger and record.facet in audit.facets:
            yield from _groups(where, record, result)
            yield from _lost(where, record, result)
            yield from _sides(where, record, result, audit)
            if is_listed:
                yield from group_inconsistencies(where, record, result, audit)
        for c, comparison in enumerate(record.comparisons):
            yield from _people(f"{where}.comparisons[{c}]", comparison, audit)
            for by, people in dict(comparison.earlier or ()).items():
                yield from _people(f"{where}.comparisons[{c}].earlier.{by}", people, audit)
            yield from _compat(f"{where}.comparisons[{c}]", comparison, record.facet, result)
    yield from _flips(result)
    yield from baseline_inconsistencies(result, audit)
    yield from subgroup_inconsistencies(result, audit)


def _compat(
    where: str, comparison: ComparisonRecord, facet: str, result: Result
) -> Iterator[Finding]:
    """Yield a count by another tool that leaves somebody out, or counts somebody twice."""
    ledger = result.data.ledger.get(facet)
    if comparison.compat is not None and ledger is not None:
        expected = result.data.rows - ledger.removed_by_where
        rows = sum(group.rows for group in comparison.compat.counts.values())
        if rows != expected:
            words = f"adds up to {rows:,} rows, and {expected:,} count"
            yield Finding(f"{where}.compat.counts", words)


def _unexpected(result: Result, audit: Audit) -> Iterator[Finding]:
    """Yield rows and digests that the spec did not let pass."""
    expected, rows = audit.data.expect, result.data.rows
    if expected and expected.rows and rows not in expected.rows:
        words = f"{rows:,} rows, and the spec expects {expected.rows.text}"
        yield Finding("result.data.rows", words)
    known = {record.path: record.sha256 or "" for record in result.data.inputs}
    for source in (audit.data, *audit.data.join):
        if source.expect is None or source.expect.sha256 is None:
            continue
        if source is audit.data and result.audit.data:
            continue  # the digest of several files is of their names, too
        paths = source.places if all(path in known for path in source.places) else ()
        files = known if not audit.data.join else {path: known[path] for path in paths}
        if files and joint_digest(files) != source.expect.sha256:
            words = f"the digest of {source.places[0]} is not the one that the spec expects"
            yield Finding("result.data.inputs", words)


def _ledger(result: Result) -> Iterator[Finding]:
    """Yield facets whose rows are not those that were read."""
    facets = [record.facet for record in result.facets]
    for name in sorted({*facets} ^ {*result.data.ledger}):
        yield Finding(f"result.data.ledger.{name}", "ledger and facets do not go together")
    for name, ledger in result.data.ledger.items():
        total = sum(ledger.model_dump().values())
        if total != result.data.rows:
            words = f"adds up to {total:,} rows, and {result.data.rows:,} were read"
            yield Finding(f"result.data.ledger.{name}", words)


def _groups(where: str, record: FacetRecord, result: Result) -> Iterator[Finding]:
    """Yield groups whose rows are not those of the ledger."""
    ledger, rows = result.data.ledger[record.facet], Counter[str]()
    for group in record.groups:
        rows[group.part] += group.rows
    disfavored, none = rows["disfavored"] + rows["both"], rows["in no group"]
    grouped = ledger.favored + ledger.disfavored + ledger.other
    for words, found, expected in (
        ("without a value", rows["missing"], {ledger.facet_missing}),
        ("of disfavored groups", disfavored, {ledger.disfavored}),
        ("of favored groups", rows["favored"], {ledger.favored, ledger.favored - none}),
        ("of all groups", rows.total() - rows["missing"], {grouped}),
    ):
        if found not in expected:
            told = f"the rows {words} are {found:,}, and {max(expected):,} in the ledger"
            yield Finding(f"{where}.groups", told)
    everyone = result.data.everyone.rows
    if not grouped <= everyone <= grouped + ledger.facet_missing:
        words = f"{everyone:,} rows, and the groups of {record.facet} hold {grouped:,}"
        yield Finding("result.data.everyone.rows", words)


def _lost(where: str, record: FacetRecord, result: Result) -> Iterator[Finding]:
    """Yield groups whose losses are not those of the ledger, of the joins, or of their sides."""
    ledger = result.data.ledger[record.facet]
    for name in ("label_missing", "prediction_missing"):
        found = [getattr(g, name) for g in record.groups if getattr(g, name) is not None]
        if found and sum(found) != getattr(ledger, name):
            words = f"add up to {sum(found):,}, and {getattr(ledger, name):,} in the ledger"
            yield Finding(f"{where}.groups", f"{name} of the groups {words}")
    for i, join in enumerate(result.data.joins or ()):
        alone = sum(g.unmatched[i] for g in record.groups if g.unmatched and len(g.unmatched) > i)
        if any(g.unmatched is not None for g in record.groups) and alone != join.unmatched:
            words = f"the rows without a partner in {join.path} are {alone:,} by group"
            yield Finding(f"{where}.groups", f"{words}, and {join.unmatched:,} in all")
    joins = len(result.data.joins or ())
    for g, one in enumerate(record.groups):
        if one.unmatched is not None and len(one.unmatched) != joins:
            yield Finding(f"{where}.groups[{g}].unmatched", "it has to have every join")
    missing = {g.group: g.lost_people for g in record.groups if g.part not in UNNAMED}
    for c, comparison in enumerate(record.comparisons):
        names = {"favored": comparison.favored, "disfavored": comparison.disfavored}
        for side, group in comparison.counts.items():
            lacking, expected = group.missing or 0, missing.get(names[side], 0)
            if names[side] in missing and names[side] != REST and not is_same(lacking, expected):
                words = f"{lacking:,} lack label or prediction, and {expected:,} in the group"
                yield Finding(f"{where}.comparisons[{c}].counts.{side}.missing", words)


def _counted_as(result: Result) -> Iterator[Finding]:
    """Yield columns whose sides are not all the rows that count, or list more than they hold."""
    removed = {ledger.removed_by_where for ledger in result.data.ledger.values()}
    for i, column in enumerate(result.data.counted_as or ()):
        where, rows = f"result.data.counted_as[{i}]", sum(side.rows for side in column.sides)
        if {result.data.rows - rows} != removed:
            yield Finding(f"{where}.sides", f"they add up to {rows:,} rows, which is not all")
        for s, side in enumerate(column.sides):
            listed = sum(value.rows for value in side.values or ())
            if side.values and (listed > side.rows if side.others else listed != side.rows):
                words = f"the values have {listed:,} rows, and their side {side.rows:,}"
                yield Finding(f"{where}.sides[{s}].values", words)


def _roles(result: Result, audit: Audit) -> Iterator[Finding]:
    """Yield columns that the spec does not have counted so, and those that it has and are gone."""
    outcomes = {name: getattr(audit.columns, name) for name in ("label", "prediction")}
    expected: list[tuple[str, str | None, str]] = [
        (name, None, outcome.column) for name, outcome in outcomes.items() if outcome
    ]
    shown = {record.facet: record for record in result.facets}
    for name in shown:
        facet = audit.facets.get(name)
        if facet is not None and facet.column is not None:
            expected.append(("facet", name, facet.column))
    columns = result.data.counted_as or ()
    if sorted(map(str, expected)) != sorted(str((c.role, c.facet, c.column)) for c in columns):
        words = "these are not the label, the prediction and the facets of the spec"
        yield Finding("result.data.counted_as", words)
        return
    for i, column in enumerate(columns):
        where = f"result.data.counted_as[{i}].sides"
        if column.facet is None:
            yield from _outcome(where, column, outcomes[column.role].positive)
        elif not audit.facets[column.facet].groups:
            yield from _parts(where, column, shown[column.facet])


def _outcome(
    where: str, column: CountedAsRecord, positive: tuple[Scalar, ...] | None
) -> Iterator[Finding]:
    """Yield values that stand on another side than the spec says."""
    named = {
        format_value(literal)
        for scalar in positive or ()
        for kind in Kind
        for literal in literals(scalar, kind)
    }
    chosen = set(map(format_value, positive or ()))
    for side in column.sides if positive else ():
        for value in side.values or ():
            if side.side == "positive":  # times may stand in another zone
                wrong = value.value not in named and ":" not in value.value
            else:
                wrong = value.value in chosen
            if wrong:
                yield Finding(where, f"{value.value!r} is not {side.side} by the spec")


def _parts(where: str, column: CountedAsRecord, record: FacetRecord) -> Iterator[Finding]:
    """Yield values of a facet that are none of its groups, or not all of their rows."""
    rows = {group.group: group.rows + group.lost_rows for group in record.groups}
    if {side.side for side in column.sides} - PLAYED:
        return  # the sides are intervals, and their values no groups
    for side in column.sides:
        for value in side.values or ():
            names = (value.value, repr(value.value))
            if value.rows not in map(rows.get, names):
                words = f"{value.value!r} has {value.rows:,} rows, which no group of it has"
                yield Finding(where, words)


def _sides(where: str, record: FacetRecord, result: Result, audit: Audit) -> Iterator[Finding]:
    """Yield comparisons that are missing, or whose rows are not those of their groups."""
    ledger, facet = result.data.ledger[record.facet], audit.facets[record.facet]
    grouped = ledger.favored + ledger.disfavored + ledger.other
    rows = {g.group: g.rows for g in record.groups if g.part not in UNNAMED}
    sides = [(c.counts["favored"], c.counts["disfavored"]) for c in record.comparisons]
    over_rest = facet.mode == "over_rest"
    is_each = (facet.favored if over_rest else facet.disfavored) is None
    for i, (a, d) in enumerate(sides):
        comparison, at = record.comparisons[i], f"{where}.comparisons[{i}]"
        name, one = (comparison.favored, a) if over_rest else (comparison.disfavored, d)
        single = is_each and rows.get(name) != one.rows
        paired = facet.mode == "pairs" and rows.get(comparison.favored) != a.rows
        rest = facet.mode in ("rest", "over_rest") and a.rows + d.rows != grouped
        against = facet.mode in ("favored", "best") and a.rows != ledger.favored
        if single or paired or rest or against:
            yield Finding(at, "the rows of its sides are not those of their groups")
    total = sum((a if over_rest and is_each else d).rows for a, d in sides)
    if facet.mode == "pairs":
        if len(sides) != len(rows) * (len(rows) - 1) // 2:
            words = f"{len(sides):,} comparisons are not the pairs of {len(rows):,} groups"
            yield Finding(f"{where}.comparisons", words)
    elif total != ledger.disfavored:
        words = f"the disfavored rows are {total:,}, and {ledger.disfavored:,} in the ledger"
        yield Finding(f"{where}.comparisons", words)


def _people(
    where: str, comparison: ComparisonRecord | PeopleRecord, audit: Audit
) -> Iterator[Finding]:
    for side, whole in comparison.counts.items():
        yield from _group(f"{where}.counts.{side}", whole, audit)
        parts: list[Placed] = [
            (f"{where}.strata[{s}].{side}", getattr(stratum, side))
            for s, stratum in enumerate(comparison.strata or ())
        ]
        yield from chain.from_iterable(_group(at, part, audit) for at, part in parts)
        for name, number in counted_people(whole).items() if parts else ():
            total = sum(counted_people(part)[name] for _, part in parts)
            if not is_same(total, number):
                words = f"{name} of {side} adds up to {total:,}, not {number:,}"
                yield Finding(f"{where}.strata", words)


def _group(where: str, group: GroupRecord, audit: Audit) -> Iterator[Finding]:
    """Yield what cannot be in the counts of a group."""
    weighting, labels = audit.columns.weighting, sorted((group.labels or {}).values())
    counted = [n for n in (group.rows, group.n, *labels) if n < 0]
    if counted or any((getattr(group, name) or 0) < 0 for name in CELLS):
        yield Finding(where, "there cannot be fewer than no people")
    if weighting is None and group.rows != group.n:
        yield Finding(f"{where}.rows", f"{group.rows:,} rows are not {group.n:,} people")
    yield from impossible_effective(where, group, group, group.n, sampled=is_sample(audit))
    if labels and not is_same(sum(labels), group.n):
        yield Finding(f"{where}.labels", f"add up to {sum(labels):,}, not {group.n:,} people")
    elif labels and len(labels) <= 2:
        positive = sum(getattr(group, name) or 0 for name in ("TP", "FN", "positives"))
        if not any(is_same(n, positive) for n in (*labels, group.n, 0)):
            yield Finding(f"{where}.labels", f"no label has the {positive:,} favorable ones")


def _flips(result: Result) -> Iterator[Finding]:
    """Yield fliptests that were made otherwise than their check says, or of more than there are."""
    for i, check in enumerate(result.checks):
        if check.flips is None or check.parameters is None:
            continue
        where, drawn = f"result.checks[{i}].flips", check.flips.drawn
        made: dict[str, object] = {"k": check.flips.k, "scaling": check.flips.scaling}
        made |= {"drawn.sample": drawn.sample, "drawn.seed": drawn.seed} if drawn else {}
        asked = {"seed": 0, **check.parameters} if drawn else check.parameters
        names = dict.fromkeys([*made, *(["drawn.sample"] if "sample" in asked else [])])
        for name in names:
            wanted = asked.get(name.removeprefix("drawn."))
            if made.get(name) != wanted:
                words = f"{made.get(name)!r} stands here, {wanted!r} in the parameters"
                yield Finding(f"{where}.{name}", words)
        if drawn and check.flips.shared is not None:
            yield Finding(f"{where}.shared", "of a sample, what neighbours share is not known")
        if drawn:
            yield from _drawn(f"{where}.drawn", check.flips, drawn)


def _drawn(where: str, flips: FlipsRecord, drawn: DrawnRecord) -> Iterator[Finding]:
    """Yield a sample that its fliptest cannot be of."""
    strata = (drawn.unfavorable, drawn.favorable)
    people, members = sum(n for n, _ in strata), sum(m for _, m in strata)
    if people != flips.n_d:
        yield Finding(where, f"drawn from {people:,} members, and n_d is {flips.n_d:,}")
    if members != max(min(drawn.sample, people), sum(n > 0 for n, _ in strata)):
        yield Finding(where, f"{members:,} were drawn, and {drawn.sample:,} asked for")
    for (n, m), found in zip(strata, (flips.F_plus, flips.F_minus), strict=True):
        if not 0 <= found <= m <= n or (n > 0) != (m > 0):
            yield Finding(where, f"{found:,} flips of {m:,} drawn from {n:,} members")
