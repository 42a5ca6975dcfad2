"""The plan of an audit: columns, dimensions, groupings and checks."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.metrics import Needs
from biaspipe.plan.dimensions import Dimension, facet_dimensions, outcome_of, tests_of
from biaspipe.plan.kinds import Kind, literals
from biaspipe.plan.planned_checks import PlannedCheck, planned_checks
from biaspipe.printable_text import did_you_mean, escape, shorten
from biaspipe.spec import Audit, Excluded, Interval, Scalar

__all__ = ["FliptestPlan", "Plan", "bind_plan", "fits", "is_pattern", "make_plan", "refuse_missing"]

MAX_NAME, MAX_NAMES = 60, 300
"""Letters of a column's name that a message shows, and of all that it lists."""
SEPARATORS = (",", ";", "\t", "|")
"""What may stand between the fields of a text table, the usual ones first."""

FEATURES = ("columns", "features")


class FliptestPlan(NamedTuple):
    """One search for neighbours: how many, on which features, scaled how, of which members.

    Parameters
    ----------
    k : the neighbours.
    scaling : "standard", "range" or "none".
    features : columns.
    sample, seed : members of d to draw, None for all, and the number that the draw begins with.
    """

    k: int
    scaling: str
    features: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0


class Plan(NamedTuple):
    """What an engine has to read and count.

    Parameters
    ----------
    audit : the spec.
    checks : every metric on every facet.
    dimensions : the columns to count by, each once.
    groupings : for each facet, the dimensions of its key: its own, then strata, label, prediction,
        earlier prediction.
    joint : the key of the search for subgroups: the dimensions of all its facets, each once, then
        label and prediction; nothing without a search.
    strata, label, prediction : their dimensions.
    kinds : type of every column of the data, once they are known.
    features : columns of the fliptest, once they are known.
    earlier : the dimension of the prediction of an earlier audit, where it is counted too.
    """

    audit: Audit
    checks: tuple[PlannedCheck, ...]
    dimensions: tuple[Dimension, ...]
    groupings: Mapping[str, tuple[Dimension, ...]]
    strata: tuple[Dimension, ...] = ()
    label: Dimension | None = None
    prediction: Dimension | None = None
    kinds: Mapping[str, Kind] | None = None
    features: tuple[str, ...] = ()
    joint: tuple[Dimension, ...] = ()
    earlier: Dimension | None = None

    def lists(self, dimension: Dimension) -> bool:
        """Whether the values that none of a dimension's bins holds are listed.

        Beyond intervals only those of a facet are, and no fractions: their range tells enough.
        """
        if dimension.bins is None or dimension == self.earlier:
            return False
        if not dimension.has_interval:
            return True
        kind = (self.kinds or {}).get(dimension.column)
        is_outcome = dimension in (self.label, self.prediction)
        return not is_outcome and kind not in (Kind.FLOAT, Kind.DECIMAL)

    @property
    def without_earlier(self) -> "Plan":
        """The same without an earlier prediction."""
        if self.earlier is None:
            return self
        return self._replace(
            dimensions=self.dimensions[:-1],
            groupings={facet: key[:-1] for facet, key in self.groupings.items()},
            earlier=None,
        )

    @property
    def fliptests(self) -> dict[str, FliptestPlan]:
        """The neighbour searches, by facet."""
        chosen = {c.facet: c for c in self.checks if Needs.FEATURES in c.metric.needs}
        return {
            str(facet): FliptestPlan(**c.check.parameters(c.metric), features=self.features)
            for facet, c in chosen.items()
        }

    @property
    def keys(self) -> tuple[tuple[Dimension, ...], ...]:
        """Every key to count by, each once; what the joint key holds is counted by that."""
        joint = set(self.joint)
        apart = [key for key in self.groupings.values() if not set(key) <= joint]
        return tuple(dict.fromkeys([*apart, *([self.joint] if joint else [])]))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the engine has to read for the count, each once."""
        weight = self.audit.columns.weight_column
        counted = [d.column for d in self.dimensions]
        return tuple(dict.fromkeys([*counted, *([weight] if weight else [])]))


def make_plan(
    audit: Audit, checks: Iterable[PlannedCheck] | None = None, *, searches: bool = True
) -> Plan:
    """Plan an audit that `refusals` finds no fault with.

    Parameters
    ----------
    audit : the spec.
    checks : a selection of its checks, to which the count is confined; all if left out.
    searches : whether its search for subgroups is among what was selected.
    """
    chosen = planned_checks(audit) if checks is None else tuple(checks)
    selected = {c.facet for c in chosen if c.facet} or set(audit.facets)
    needs = [c.metric.needs for c in chosen]
    columns = audit.columns
    categories = any(Needs.CATEGORIES in n for n in needs)
    label = outcome_of(columns.label, categories=categories) if columns.label else None
    prediction = outcome_of(columns.prediction, categories=False) if columns.prediction else None
    stratified = any(Needs.STRATA in n for n in needs)
    strata = tuple(Dimension(c) for c in columns.strata or ()) if stratified else ()
    shared = [*strata, *(d for d in (label, prediction) if d)]
    groupings = {
        name: (*facet_dimensions(audit, name), *shared)
        for name in audit.facets
        if checks is None or name in selected
    }
    joint = _joint(audit, [d for d in (label, prediction) if d]) if searches else ()
    dimensions = tuple(dict.fromkeys(d for key in (*groupings.values(), joint) for d in key))
    return Plan(audit, chosen, dimensions, groupings, strata, label, prediction, joint=joint)


def _joint(audit: Audit, outcomes: Iterable[Dimension]) -> tuple[Dimension, ...]:
    """Return the key of the search for subgroups; nothing without one."""
    if audit.subgroups is None:
        return ()
    own = (d for name in audit.subgroups.of for d in facet_dimensions(audit, name))
    return tuple(dict.fromkeys([*own, *outcomes]))


def refuse_missing(audit: Audit, kinds: Mapping[str, Kind], *, where: str) -> None:
    """Refuse a spec that names a column which the data lacks.

    Parameters
    ----------
    audit : the spec.
    kinds : the columns that the data has, by name.
    where : the data's name for messages.

    Raises
    ------
    SpecError
        With every such column and the nearest one that is there.
    """
    lacking = [(column, loc) for column, loc in _named(audit) if column not in kinds]
    if lacking and (sign := _other_separator(audit, kinds)):
        raise SpecError([_unsplit(*lacking[0], kinds, where, sign)])
    if lacking:
        raise SpecError(_missing(column, loc, kinds, where) for column, loc in lacking)


def bind_plan(plan: Plan, kinds: Mapping[str, Kind]) -> Plan:
    """Bind a plan to the types of the data's columns.

    Parameters
    ----------
    plan : a plan whose columns are all there.
    kinds : the columns that the data has, by name.

    Raises
    ------
    SpecError
        If the spec names a value that its column cannot hold.
    """
    if faults := list(_unfit(plan, kinds)):
        raise SpecError(faults)
    return plan._replace(kinds=kinds, features=_features(plan, kinds))


def _missing(column: str, loc: Loc, kinds: Mapping[str, Kind], where: str) -> Fault:
    words = f"{where} has no column {column!r}"
    return Fault(words, loc, expected=_listed(kinds), hint=did_you_mean(column, kinds))


def _listed(names: Iterable[str]) -> str:
    """Write the names of columns, as many as a few lines hold."""
    shown = [shorten(escape(name), MAX_NAME) for name in names]
    ends = accumulate(len(name) + 2 for name in shown)
    most = max(1, sum(end <= MAX_NAMES for end in ends))
    rest = len(shown) - most
    return ", ".join(shown[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def _other_separator(audit: Audit, names: Collection[str]) -> str | None:
    """Return what may separate the fields of a table that looks as if it had one column."""
    if len(names) > 1:
        return None
    name, csv = "".join(names), audit.data.csv
    others = [sign for sign in SEPARATORS if sign != csv.separator]
    most = max(others, key=name.count)
    return most if most in name else None


def _unsplit(column: str, loc: Loc, names: Iterable[str], where: str, sign: str) -> Fault:
    """Return the fault of a table whose fields another sign separates than the spec says."""
    hint = f"if {json.dumps(sign)} separates its fields, the spec's data says so: "
    hint += f"csv: {{separator: {json.dumps(sign)}}}"
    words = f"{where} has no column {column!r}, and one column only"
    return Fault(words, loc, found=_listed(names), hint=hint)


def _named(audit: Audit) -> Iterator[tuple[str, Loc]]:
    """Every column that the spec names, with where it does."""
    columns = audit.columns
    for name in ("label", "prediction"):
        if outcome := getattr(columns, name):
            yield outcome.column, ("columns", name, "column")
    for i, column in enumerate(columns.strata or ()):
        yield column, ("columns", "strata", i)
    if columns.weighting:
        is_mapping = not isinstance(columns.weight, str)
        yield columns.weighting.column, ("columns", "weight", *(["column"] if is_mapping else []))
    if columns.key:
        yield columns.key, ("columns", "key")
    excluded = isinstance(columns.features, Excluded)
    path: Loc = (*FEATURES, "exclude") if excluded else FEATURES
    features = columns.features
    named = features.exclude if isinstance(features, Excluded) else features or ()
    for i, column in enumerate(named):
        yield column, (*path, i)
    for name, facet in audit.facets.items():
        if facet.column:
            yield facet.column, ("facets", name, "column")


def _features(plan: Plan, kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    features = plan.audit.columns.features
    if not isinstance(features, Excluded):
        return features or ()
    excluded: tuple[str, ...] = features.exclude
    own = {column for column, loc in _named(plan.audit) if loc[:2] != FEATURES}
    own |= plan.audit.data.keys
    return tuple(c for c in kinds if c not in own and c not in excluded)


def _unfit(plan: Plan, kinds: Mapping[str, Kind]) -> Iterator[Fault]:
    """Yield what no value of its column could meet, because of the column's type."""
    audit = plan.audit
    for column, loc in _named(audit):
        if kinds[column] is Kind.OTHER and loc[:2] != FEATURES:
            hint = "make one of these of it before the audit"
            yield Fault(f"column {column!r} holds {Kind.OTHER}", loc, hint=hint)
        if is_pattern(column):
            hint = "give the column another name"
            yield Fault(f"engines read the name {column!r} as a pattern", loc, hint=hint)
    for column, test, loc in _tests(audit):
        if not fits(test, kinds[column]):
            words = (
                "no interval fits it" if isinstance(test, Interval) else f"{test!r} cannot occur"
            )
            yield Fault(f"column {column!r} holds {kinds[column]}, so {words}", loc)
    weight = audit.columns.weight_column
    if weight and not kinds[weight].is_number:
        yield Fault("the weight is not a number", ("columns", "weight"), found=str(kinds[weight]))
    key = audit.columns.key
    if key and kinds[key] not in (Kind.TEXT, Kind.INTEGER):
        words = "the key is neither text nor whole numbers"
        yield Fault(words, ("columns", "key"), found=str(kinds[key]))
    if audit.columns.features:
        yield from _unfit_features(_features(plan, kinds), kinds)


def is_pattern(column: str) -> bool:
    """Whether a name would stand for other columns than its own."""
    return column == "*" or (column.startswith("^") and column.endswith("$"))


def fits(test: Scalar | Interval, kind: Kind) -> bool:
    """Whether values of a kind could be a value, or lie in an interval."""
    return kind.is_number if isinstance(test, Interval) else bool(literals(test, kind))


def _unfit_features(features: tuple[str, ...], kinds: Mapping[str, Kind]) -> Iterator[Fault]:
    loc: Loc = FEATURES
    if not features:
        yield Fault("no column is left as a feature", loc)
    for name in features:
        if is_pattern(name):
            words = f"engines read the name of the feature {name!r} as a pattern"
            yield Fault(words, loc, hint="exclude it, or give it another name")
        elif kinds[name] is Kind.OTHER:
            hint = "exclude it, or list the features"
            yield Fault(f"the feature {name!r} holds {Kind.OTHER}", loc, hint=hint)


def _tests(audit: Audit) -> Iterator[tuple[str, Scalar | Interval, Loc]]:
    """Every value and interval that the spec names, with its column and place."""
    for name in ("label", "prediction"):
        if outcome := getattr(audit.columns, name):
            for b in outcome_of(outcome, categories=False).bins or ():
                yield outcome.column, b.test, ("columns", name)
    for name, facet in audit.facets.items():
        if facet.column:
            yield from _facet_tests(facet.column, name, audit)


def _facet_tests(
    column: str, name: str, audit: Audit
) -> Iterator[tuple[str, Scalar | Interval, Loc]]:
    facet = audit.facets[name]
    named = facet.groups or {}
    sides = {} if named else {"favored": facet.favored, "disfavored": facet.disfavored}
    for key, side in (*named.items(), *sides.items()):
        loc: Loc = ("facets", name, "groups", key) if named else ("facets", name, key)
        for test in tests_of(side):
            yield column, test, loc
