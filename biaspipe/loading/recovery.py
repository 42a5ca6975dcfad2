"""Validation in rounds: what is wrong is told and taken out, so that it hides nothing else.

A key that resembles a known one is read as that one. What else is wrong gives way to a harmless
stand-in; whatever is then said of the stand-in, or follows from it, is no fault of the spec.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from biaspipe.conditions import faults_in
from biaspipe.errors import Fault, Loc
from biaspipe.loading.building import Faulty
from biaspipe.loading.document import MOST_FAULTS, Document
from biaspipe.loading.faults import empty_fault, empty_keys, fault_of, is_wrong_key, meant_by
from biaspipe.loading.models import is_metric, loc_of, matches
from biaspipe.loading.parameters import parameter_faults
from biaspipe.plan import refusals
from biaspipe.spec import Audit

__all__ = ["validated"]

MOST_ROUNDS = 50

WAIVED: tuple[Loc, ...] = (("waivers", "*", "metric"), ("waivers", "*", "facet"))
"""Where it is said that a waiver matches nothing, at the key."""

TEXT = "\0"
OUTCOME = {"column": TEXT, "positive": TEXT}
FACET = {"column": TEXT}
WAIVER = {"metric": TEXT, "reason": TEXT, "approved_by": TEXT, "expires": "2000-01-01"}
STAND_INS: dict[Loc, Any] = {
    ("version",): 1,
    ("name",): "audit",
    ("data",): {"path": TEXT},
    ("data", "path"): TEXT,
    ("data", "join", "*"): {"path": TEXT, "on": TEXT},
    ("data", "join", "*", "path"): TEXT,
    ("data", "join", "*", "on"): TEXT,
    ("columns",): {
        "label": OUTCOME,
        "prediction": OUTCOME,
        "strata": [TEXT],
        "features": [TEXT],
    },
    ("columns", "label"): OUTCOME,
    ("columns", "label", "column"): TEXT,
    ("columns", "label", "positive"): TEXT,
    ("columns", "prediction"): OUTCOME,
    ("columns", "prediction", "column"): TEXT,
    ("columns", "prediction", "positive"): TEXT,
    ("columns", "strata"): [TEXT],
    ("columns", "features"): [TEXT],
    ("columns", "features", "exclude"): [TEXT],
    ("facets",): {TEXT: FACET},
    ("facets", "*"): FACET,
    ("facets", "*", "column"): TEXT,
    ("facets", "*", "favored"): TEXT,
    ("facets", "*", "disfavored"): TEXT,
    ("facets", "*", "groups", "*"): TEXT,
    ("waivers", "*"): WAIVER,
    **{("waivers", "*", key): text for key, text in WAIVER.items()},
    ("baseline",): {"report": TEXT},
    ("baseline", "report"): TEXT,
    ("metrics", "*"): {},
    ("facets", "*", "metrics", "*"): {},
}


def validated(document: Document) -> Audit:
    """Validate a document.

    Raises
    ------
    SpecError
        With every fault of the spec at once.
    """
    mending = _Mending(document)
    audit = None
    for _ in range(MOST_ROUNDS):
        audit = mending.round()
        if audit is not None or mending.is_full or not mending.has_mended:
            break
    if audit is not None:
        found = [*refusals(audit), *faults_in(audit.data.where, audit.parameters)]
        found += () if mending.lacks_parameters() else parameter_faults(audit)
        mending.tell(f for f in found if not mending.is_noise(f))
        if not mending.faults:
            return audit
    raise document.error(mending.faults, more=mending.more)


class _Mending:
    """A document's values on their way through the rounds."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.values: Any = deepcopy(document.values)
        self.faults = list(document.faults)
        self.taken: set[Loc] = set()
        self.dropped: set[Loc] = set()
        self.has_mended = False
        self.more = 0

    @property
    def lacking(self) -> frozenset[Loc]:
        """The paths of what is not as the spec has it."""
        return self.document.merged | self.taken

    @property
    def is_full(self) -> bool:
        """Whether enough is told."""
        return len(self.faults) >= MOST_FAULTS

    def tell(self, faults: Iterable[Fault]) -> None:
        """Note faults, each at the place where it stands now."""
        self.faults += [self.document.placed(fault) for fault in faults]

    def round(self) -> Audit | None:
        """Validate once; tell and mend what is wrong."""
        self.has_mended = False
        for loc in self.until_full(list(empty_keys(self.values))):
            self.tell([empty_fault(loc)])
            self.take(loc)
        try:
            return Audit.model_validate(self.values)
        except ValidationError as error:
            self.mend(error.errors(include_url=False))
        return None

    def mend(self, errors: list[ErrorDetails]) -> None:
        """Tell and mend wrong keys first, since a value may be missing only for its key."""
        earlier, told = self.lacking, dict[Loc, ErrorDetails]()
        for e in sorted(errors, key=is_wrong_key, reverse=True):
            told.setdefault(self.existing(loc_of(e)), e)
        keys = [loc for loc, e in told.items() if is_wrong_key(e)]
        for loc in self.until_full(keys):
            self.tell([fault_of(told[loc], loc)])
            self.rename(loc)
        for loc in self.until_full([loc for loc, e in told.items() if not is_wrong_key(e)]):
            if told[loc]["type"] == "missing" and self.holds(loc):
                continue
            if told[loc]["input"] is not Faulty and not _touches(loc, earlier):
                self.tell([fault_of(told[loc], loc)])
            self.take(loc)

    def until_full(self, locs: list[Loc]) -> Iterator[Loc]:
        """Give paths in the order of the file while there is room for faults; count the rest."""
        places = {loc: self.document.line(loc) for loc in locs}
        for i, loc in enumerate(sorted(locs, key=places.__getitem__)):
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
            self.taken.add(loc)
            self.dropped.add(loc)
        else:
            parent[meant] = value
            self.document.renamed[(*self.document.known(loc[:-1]), meant)] = str(key)
            if value is None:
                self.take((*loc[:-1], meant))
        self.has_mended = True

    def take(self, loc: Loc) -> None:
        """Replace what stands at a path, or the nearest part around it that can be replaced."""
        while loc and (loc in self.taken or not self.replace(loc)):
            loc = loc[:-1]
        self.has_mended = self.has_mended or bool(loc)
        self.taken.add(loc)

    def replace(self, loc: Loc) -> bool:
        """Put a stand-in at a path, or take out a key that may be missing; say if that worked."""
        parent, (*_, step) = self.at(loc[:-1]), loc
        if parent is None:
            return True
        stand_in = next((v for p, v in STAND_INS.items() if matches(loc, [p])), None)
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
        """Return what stands at a path, or nothing."""
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

    def holds(self, loc: Loc) -> bool:
        """Whether there is a value at a path by now."""
        return self.at(loc) is not None

    def is_noise(self, fault: Fault) -> bool:
        """Whether a refusal may come from what was taken out rather than from the spec."""
        loc = fault.loc
        if _touches(loc, self.lacking - self.harmless(loc)):
            return True
        if matches(loc, WAIVED) and fault.at_key:
            return self.lacks_checks()
        if loc[-2:-1] in (("facets",), ("cross",)) or matches(loc, [("waivers", "*", "facet")]):
            return ("facets",) in self.lacking
        is_mode = matches(loc, [("facets", "*", "compare")])
        if is_mode and loc[:-1] in {dropped[:-1] for dropped in self.dropped}:
            return True
        return (is_mode or is_metric(loc)) and self.lacks_columns()

    def harmless(self, loc: Loc) -> set[Loc]:
        """Return what is gone inside a check or a facet without bearing on it as a whole."""
        gone = {t for t in self.taken if len(t) > len(loc) and t[: len(loc)] == loc}
        if is_metric(loc):
            return gone
        if matches(loc, [("facets", "*")]):
            return {t for t in gone - self.dropped if t[2] not in ("column", "cross")}
        if matches(loc, [("waivers", "*")]):
            return {t for t in gone - self.dropped if t[2] not in ("metric", "facet")}
        return set()

    def lacks_checks(self) -> bool:
        """Whether something is gone that may have asked for a check, or given it a limit."""
        gone = {t for t in self.lacking if t[:1] in (("metrics",), ("facets",))}
        if any(t[0] == "metrics" or len(t) < 3 or t[2] == "metrics" for t in gone):
            return True
        unknown = {loc[:-1] for loc in self.dropped}
        is_named = () in unknown and not self.holds(("metrics",))
        return is_named or any(t[:1] == ("facets",) for t in unknown) or self.lacks_columns()

    def lacks_parameters(self) -> bool:
        """Whether something is gone that may have declared a parameter, or used it."""
        gone = {*self.lacking, *(loc[:-1] or loc for loc in self.dropped)}
        return any(loc[:1] in (("parameters",), ("data",), ("baseline",)) for loc in gone)

    def lacks_columns(self) -> bool:
        """Whether something is gone that may have declared what metrics need."""
        dropped = {loc[:-1] for loc in self.dropped} | self.document.merged
        return ("columns",) in dropped or (() in dropped and not self.holds(("columns",)))


def _touches(loc: Loc, taken: Iterable[Loc]) -> bool:
    return any(loc[: len(t)] == t or t[: len(loc)] == loc for t in taken)
