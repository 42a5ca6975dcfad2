"""Every fault of a spec at once: what is wrong is noted and replaced, and the rest validated again.

Pydantic alone hides faults behind others: it runs a model's own validators only where all of its
keys are right, and says nothing of what stands below a key that it does not know; and a plan is
made of whole audits. So the spec is validated in rounds. A key that resembles a known one is read
as that one. What else is wrong gives way to a harmless stand-in; whatever is then said of the
stand-in, or may follow from it, is no fault of the spec.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from biaspipe.conditions import faults_in
from biaspipe.errors import Fault, Loc
from biaspipe.loading.document import MAX_FAULTS, Document
from biaspipe.loading.faults import empty_fault, empty_keys, fault_of, is_wrong_key, meant_by
from biaspipe.loading.known_keys import is_metric, loc_of, matches
from biaspipe.loading.parameters import parameter_faults
from biaspipe.loading.yaml_values import Unreadable
from biaspipe.plan import refusals
from biaspipe.spec import Audit

__all__ = ["validate_spec"]

MAX_ROUNDS = 50

TEXT = "\0"
OUTCOME = {"column": TEXT, "positive": TEXT}
FACET = {"column": TEXT}
AUDIT = {
    "version": 1,
    "name": "audit",
    "data": {"path": TEXT},
    "columns": {"label": OUTCOME, "prediction": OUTCOME, "strata": [TEXT], "features": [TEXT]},
    "facets": {TEXT: FACET},
    "baseline": {"report": TEXT},
}
STAND_INS: dict[Loc, Any] = {
    (): AUDIT,
    ("data", "join", "*"): {"path": TEXT, "on": TEXT},
    ("columns", "features", "exclude"): [TEXT],
    ("facets", "*"): FACET,
    ("facets", "*", "favored"): TEXT,
    ("facets", "*", "disfavored"): TEXT,
    ("facets", "*", "groups", "*"): TEXT,
    ("metrics", "*"): {},
    ("facets", "*", "metrics", "*"): {},
    ("waivers", "*"): {
        "metric": TEXT,
        "reason": TEXT,
        "approved_by": TEXT,
        "expires": "2000-01-01",
    },
}
"""What stands in for faulty values, and by its keys for theirs; every other key is left out."""

ESSENTIAL = {"facets": ("column", "cross"), "waivers": ("metric", "facet")}
"""The keys on which everything rests that is said of a facet or a waiver as a whole."""


def validate_spec(document: Document) -> Audit:
    """Validate a document.

    Raises
    ------
    SpecError
        With every fault of the spec at once.
    """
    recovery = _Recovery(document)
    audit = recovery.audit()
    if audit is not None:
        found = [*refusals(audit), *faults_in(audit.data.where, audit.parameters)]
        found += () if recovery.lacks_parameters() else parameter_faults(audit)
        recovery.note(fault for fault in found if not recovery.may_explain(fault))
        if not recovery.faults:
            return audit
    raise document.error(recovery.faults, more=recovery.more)


class _Recovery:
    """The values of a document, with stand-ins for those of which faults are noted."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.values: Any = deepcopy(document.values)
        self.faults = list(document.faults)
        self.replaced: set[Loc] = set()
        self.dropped: set[Loc] = set()
        self.has_changed = False
        self.more = 0

    @property
    def lacking(self) -> frozenset[Loc]:
        """The paths of what is not as the spec has it."""
        return self.document.merged | self.replaced

    @property
    def incomplete(self) -> frozenset[Loc]:
        """The paths of mappings of which a key is gone that may have been any."""
        return self.document.merged | {loc[:-1] for loc in self.dropped}

    @property
    def is_full(self) -> bool:
        """Whether enough faults are noted."""
        return len(self.faults) >= MAX_FAULTS

    def note(self, faults: Iterable[Fault]) -> None:
        """Note faults, each at the place where it stands now."""
        self.faults += [self.document.placed(fault) for fault in faults]

    def audit(self) -> Audit | None:
        """Validate until nothing is wrong, or nothing more can be replaced or noted."""
        for _ in range(MAX_ROUNDS):
            self.has_changed = False
            for loc in self.until_full(list(empty_keys(self.values))):
                self.note([empty_fault(loc)])
                self.replace(loc)
            try:
                return Audit.model_validate(self.values)
            except ValidationError as error:
                self.handle(error.errors(include_url=False))
            if self.is_full or not self.has_changed:
                break
        return None

    def handle(self, errors: list[ErrorDetails]) -> None:
        """Note and replace wrong keys first, since a value may be missing only for its key."""
        earlier, found = self.lacking, dict[Loc, ErrorDetails]()
        for e in sorted(errors, key=is_wrong_key, reverse=True):
            found.setdefault(self.existing(loc_of(e)), e)
        for loc in self.until_full([loc for loc, e in found.items() if is_wrong_key(e)]):
            self.note([fault_of(found[loc], loc)])
            self.rename(loc)
        for loc in self.until_full([loc for loc, e in found.items() if not is_wrong_key(e)]):
            if found[loc]["type"] == "missing" and self.at(loc) is not None:
                continue
            if found[loc]["input"] is not Unreadable and not _touches(loc, earlier):
                self.note([fault_of(found[loc], loc)])
            self.replace(loc)

    def until_full(self, locs: list[Loc]) -> Iterator[Loc]:
        """Yield paths in the order of the file while there is room for faults; count the rest."""
        for i, loc in enumerate(sorted(locs, key=self.document.line)):
            if self.is_full:
                self.more += len(locs) - i
                return
            yield loc

    def rename(self, loc: Loc) -> None:
        """Read a wrong key as the known one that it resembles, or drop it."""
        parent, (*_, key) = self.at(loc[:-1]), loc
        if not isinstance(parent, dict):
            return
        value, meant = parent.pop(key, None), None if is_metric(loc) else meant_by(loc)
        if meant is None or meant in parent:
            self.replaced.add(loc)
            self.dropped.add(loc)
        else:
            parent[meant] = value
            self.document.renamed[(*self.document.known(loc[:-1]), meant)] = str(key)
            if value is None:
                self.replace((*loc[:-1], meant))
        self.has_changed = True

    def replace(self, loc: Loc) -> None:
        """Replace what stands at a path, or the nearest part around it that can be replaced."""
        while loc and (loc in self.replaced or not self.put_stand_in(loc)):
            loc = loc[:-1]
        self.has_changed = self.has_changed or bool(loc)
        self.replaced.add(loc)

    def put_stand_in(self, loc: Loc) -> bool:
        """Put a stand-in at a path, or take out a key that may be missing; say if that worked."""
        parent, (*_, step) = self.at(loc[:-1]), loc
        if parent is None:
            return True
        stand_in = _stand_in(loc)
        if stand_in is not None:
            parent[step] = deepcopy(stand_in)
        elif isinstance(step, int):
            parent[step] = f"{TEXT}{step}"
        elif step in parent:
            del parent[step]
        else:
            return False
        return True

    def at(self, loc: Loc) -> Any:
        """Return the value at a path; None if there is none."""
        values = self.values
        for step in loc:
            try:
                values = values[step]
            except (LookupError, TypeError):
                return None
        return values

    def existing(self, loc: Loc) -> Loc:
        """Cut a path that leads into a single value, which the validator takes for a list."""
        while loc and not isinstance(self.at(loc[:-1]), dict | list):
            loc = loc[:-1]
        return loc

    def may_explain(self, fault: Fault) -> bool:
        """Whether a refusal may come from what was replaced rather than from the spec."""
        loc = fault.loc
        if _touches(loc, self.lacking - self.harmless(loc)):
            return True
        if fault.at_key and matches(loc, ("waivers", "*", "metric"), ("waivers", "*", "facet")):
            return self.lacks_checks()
        if loc[-2:-1] in (("facets",), ("cross",)) or matches(loc, ("waivers", "*", "facet")):
            return ("facets",) in self.lacking
        is_mode = matches(loc, ("facets", "*", "compare"))
        if is_mode and loc[:-1] in self.incomplete:
            return True
        return (is_mode or is_metric(loc)) and self.lacks_keys("columns")

    def harmless(self, loc: Loc) -> set[Loc]:
        """Return the paths below a check, facet or waiver that do not bear on it as a whole."""
        below = {r for r in self.replaced if len(r) > len(loc) and r[: len(loc)] == loc}
        if is_metric(loc):
            return below
        if len(loc) != 2 or loc[0] not in ESSENTIAL:
            return set()
        return {r for r in below - self.dropped if r[2] not in ESSENTIAL[str(loc[0])]}

    def lacks_checks(self) -> bool:
        """Whether something is gone that may have asked for a check, or given it a limit."""
        gone = {loc for loc in self.lacking if loc[:1] in (("metrics",), ("facets",))}
        inside = {loc for loc in gone - self.dropped if loc[0] == "facets" and loc[2:3] != ()}
        values = {loc for loc in inside if loc[2] != "metrics"}
        return bool(gone - values) or self.lacks_keys("metrics") or self.lacks_keys("columns")

    def lacks_parameters(self) -> bool:
        """Whether something is gone that may have declared a parameter, or used it."""
        return any(loc[:1] in (("parameters",), ("data",), ("baseline",)) for loc in self.lacking)

    def lacks_keys(self, section: str) -> bool:
        """Whether something is gone that may have been a key of a section, or the section."""
        gone = self.incomplete
        return (section,) in gone or (() in gone and self.at((section,)) is None)


def _stand_in(loc: Loc) -> Any:
    """Return the stand-in of a value: its own, or its part of one around it."""
    own = next((value for pattern, value in STAND_INS.items() if matches(loc, pattern)), None)
    if own is not None or not loc:
        return own
    around = _stand_in(loc[:-1])
    return around.get(loc[-1]) if isinstance(around, dict) else None


def _touches(loc: Loc, gone: Iterable[Loc]) -> bool:
    return any(loc[: len(g)] == g or g[: len(loc)] == loc for g in gone)
