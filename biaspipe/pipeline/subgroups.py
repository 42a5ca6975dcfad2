"""From the cells of a search for subgroups to its record: what was found, and its verdict."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from biaspipe.counts import JointCells
from biaspipe.metrics import Metric, find
from biaspipe.metrics.digits import digits_text
from biaspipe.pipeline.evidence import Evidence
from biaspipe.plan import AND, REST, unmistakable
from biaspipe.report.subgroups import SubgroupRecord, SubgroupsRecord, cell_text
from biaspipe.spec import Decision, Subgroups, format_value
from biaspipe.statistics.subgroups import ExaminedSlice, Search, Settings, Slice, search
from biaspipe.verdict import Ruling, Verdict

__all__ = ["subgroups_record"]

MAX_LISTED = 100
MAX_NAMED = 20
"""Subgroups that are too small which are named."""
MAX_TOLD = 3
"""Those of them that a sentence names."""


class _Examined(NamedTuple):
    """A subgroup with its gap, the interval of that, and what it comes to by itself."""

    found: ExaminedSlice
    gap: Fraction
    ends: tuple[float, float]
    verdict: Verdict


def subgroups_record(evidence: Evidence) -> SubgroupsRecord | None:
    """Search for subgroups, and judge what is found; None where the spec has no search.

    Parameters
    ----------
    evidence : what an audit is computed from.
    """
    spec, cells = evidence.audit.subgroups, evidence.joint
    if spec is None or cells is None:
        return None
    return _Searched(evidence, spec, cells).record()


class _Searched:
    """A search, what it found, and the words for it."""

    def __init__(self, evidence: Evidence, spec: Subgroups, cells: JointCells) -> None:
        self.evidence, self.spec, self.cells = evidence, spec, cells
        self.rules: Decision = evidence.audit.rules
        self.metric: Metric = find(spec.metric)
        self.min_rows = max(spec.min_rows, self.rules.min_rows)
        self.search: Search = search(
            cells,
            Settings(
                spec.depth,
                self.min_rows,
                spec.draws,
                spec.seed,
                self.rules.confidence,
                harmed_above=(self.metric.compares == "d - a") == self._is_harmed(1),
            ),
        )
        self.examined = [self._examined(one) for one in self.search.examined]

    def record(self) -> SubgroupsRecord:
        """Return the record of the search."""
        spec, found = self.spec, self.search
        verdict, reason = self._ruling()
        small = sorted(found.small, key=lambda one: (len(one.terms) > 1, -one.whole))
        shown = self._shown()
        return SubgroupsRecord(
            metric=self.metric.id,
            of=spec.of,
            order=spec.depth,
            min_rows=self.min_rows,
            max_gap=spec.max_gap,
            control=spec.control,
            draws=found.draws,
            seed=spec.seed,
            groups=self.cells.groups,
            cells=tuple(map(cell_text, self.cells.cells)),
            examined=len(self.examined),
            repeated=found.repeated,
            small=len(small),
            in_small=found.in_small,
            small_named=tuple(self._small(one) for one in small[:MAX_NAMED]),
            critical=found.critical,
            smallest_gap=found.smallest_gap,
            found=sum(one.found.is_found for one in self.examined),
            standing=sum(one.found.explained_by == i for i, one in enumerate(self.examined)),
            listed=tuple(self._record(i) for i in self._listed(shown)),
            unlisted=max(0, len(shown) - MAX_LISTED),
            verdict=verdict,
            reason=reason,
            sentence=self._sentence(reason),
            line=self.evidence.search_line,
            spec_key=self.evidence.spec_key(("subgroups",)),
        )

    def _is_harmed(self, gap: Fraction | int) -> bool:
        """Whether a gap is to the disadvantage of the subgroup, and not of the rest."""
        return gap != 0 and (gap > 0) == (self.metric.harms == "disfavored")

    def _examined(self, one: ExaminedSlice) -> _Examined:
        """Return a subgroup with the metric's value, the rest as the favored group."""
        own = Fraction(one.slice.part, one.slice.whole)
        rest = Fraction(one.slice.rest_part, one.slice.rest_whole)
        turned = self.metric.compares == "a - d"
        gap = rest - own if turned else own - rest
        ends = (0.0 - one.high, 0.0 - one.low) if turned else (one.low, one.high)
        return _Examined(one, gap, ends, self._verdict(one, gap, ends))

    def _verdict(self, one: ExaminedSlice, gap: Fraction, ends: tuple[float, float]) -> Verdict:
        """Judge one subgroup: where values decide, a gap beyond the limit may not be chance."""
        most = self.spec.max_gap
        if most is None:
            return Verdict.REPORTED
        if self.rules.decide_by == "value":
            if abs(gap) <= Fraction(repr(most)):
                return Verdict.PASS
            return Verdict.FAIL if one.is_found else Verdict.UNDECIDED
        low, high = ends
        if low > most or high < -most:
            return Verdict.FAIL
        return Verdict.PASS if -most <= low and high <= most else Verdict.UNDECIDED

    def _ruling(self) -> Ruling:
        """Judge the search: it passes where every subgroup does, and no single group is lost."""
        if self.spec.max_gap is None:
            return Verdict.REPORTED, None
        if lost := self.evidence.lost_to(self.spec.of):
            return Verdict.UNDECIDED, lost
        if not self.examined:
            few = f"{self.min_rows:,} people on either side are needed"
            return Verdict.UNDECIDED, f"no subgroup is large enough: {few}"
        verdicts = {one.verdict for one in self.examined}
        unexamined = self._unexamined()
        verdicts |= {Verdict.UNDECIDED} if unexamined else set()
        worst = min(verdicts, key=lambda verdict: verdict.gravity)
        if worst is not Verdict.UNDECIDED:
            return worst, None
        told = self._open() if Verdict.UNDECIDED in self._counted else None
        return worst, "; ".join(filter(None, (unexamined, told)))

    @property
    def _counted(self) -> Counter[Verdict]:
        """How many subgroups came to what."""
        return Counter(one.verdict for one in self.examined)

    def _unexamined(self) -> str | None:
        """Say which groups of a single facet are too small; a check of them could decide nothing.

        Combinations of groups that are too small are counted, and decide nothing either way: among
        ever more facets there are always some.
        """
        lost = sorted((s for s in self.search.small if len(s.terms) == 1), key=lambda s: -s.whole)
        if not lost:
            return None
        named = ", ".join(map(self._small, lost[:MAX_TOLD]))
        more = f" and {len(lost) - MAX_TOLD:,} more" if len(lost) > MAX_TOLD else ""
        verb = "is" if len(lost) == 1 else "are"
        most = f"{self.min_rows:,} people on either side are needed"
        return f"{named}{more} {verb} too small to be examined: {most}"

    def _small(self, one: Slice) -> str:
        """Name a subgroup that is too small, or whose rest is, with the people of that side."""
        if one.whole < self.min_rows:
            people = "1 person" if one.whole == 1 else f"{one.whole:,} people"
            return f"{self._name(one)} ({people})"
        return f"{self._name(one)} ({one.whole:,} people, but {one.rest_whole:,} in the rest)"

    def _open(self) -> str:
        """Say what keeps a search from being decided."""
        n = self._counted[Verdict.UNDECIDED]
        most = format_value(self.spec.max_gap)
        several = f"{n:,} subgroups have gaps" if n > 1 else "1 subgroup has a gap"
        if self.rules.decide_by == "value":
            words = f"{several} of more than {most} that may be chance"
        else:
            intervals = "reach" if n > 1 else "reaches"
            words = f"the interval{'s' if n > 1 else ''} of {n:,} {intervals} across {most}"
        return f"{words}; more people, or a larger min_rows, would tell"

    def _shown(self) -> list[int]:
        """Return the positions of the subgroups that there is something to say of."""
        shown = [
            i
            for i, one in enumerate(self.examined)
            if one.found.is_found or one.verdict in (Verdict.FAIL, Verdict.UNDECIDED)
        ]
        every = range(len(self.examined))
        return shown or sorted(every, key=lambda i: self.examined[i].found.p_value)[:1]

    def _place(self, i: int) -> tuple[bool, int, bool, bool, Fraction, int]:
        """Return where a subgroup is listed: who fares worse than the rest first, worst first."""
        one = self.examined[i]
        stands = one.found.explained_by == i
        gap = one.gap if self._is_harmed(one.gap) else -one.gap
        ranks = one.verdict.gravity, not stands, not one.found.is_found
        return not self._is_harmed(one.gap), *ranks, -abs(gap), i

    def _listed(self, shown: Sequence[int]) -> list[int]:
        """Return those that have a record, the gravest of them, in the order of their places."""
        places = {i: self._place(i) for i in shown}
        gravest = sorted(shown, key=lambda i: (self.examined[i].verdict.gravity, places[i]))
        return sorted(gravest[:MAX_LISTED], key=places.__getitem__)

    def _record(self, i: int) -> SubgroupRecord:
        one = self.examined[i]
        by, people = one.found.explained_by, one.found.slice
        return SubgroupRecord(
            name=self._name(people),
            groups={self.spec.of[f]: self.cells.groups[f][g] for f, g in people.terms},
            n=people.whole,
            counted=people.part,
            rest_n=people.rest_whole,
            rest_counted=people.rest_part,
            gap=float(one.gap),
            low=one.ends[0],
            high=one.ends[1],
            p_value=one.found.p_value,
            found=one.found.is_found,
            explained_by=None
            if by in (None, i)
            else self._name(self.examined[by or 0].found.slice),
            verdict=one.verdict,
            sentence=self._says(one),
        )

    def _name(self, people: Slice) -> str:
        """Name a subgroup by its groups; by their facets too, where these could be mistaken."""
        within = len(people.terms) > 1
        named = (
            (self.spec.of[f], unmistakable(self.cells.groups[f][g], within=within))
            for f, g in people.terms
        )
        return AND.join(
            f"{facet} {name}" if name in self._ambiguous else name for facet, name in named
        )

    @property
    def _ambiguous(self) -> set[str]:
        """The names that groups of several facets have, and the bare numbers."""
        names = [name for groups in self.cells.groups for name in groups]
        return {n for n in names if names.count(n) > 1 or not any(map(str.isalpha, n))}

    def _says(self, one: _Examined) -> str:
        """Say what the gap of a subgroup means."""
        apart = [self.spec.max_gap] if self.spec.max_gap else []
        words = self.metric.says(
            float(one.gap),
            REST,
            self._name(one.found.slice),
            apart=apart,
            phrases=self.evidence.phrases,
        )
        return words if one.found.is_found or not one.gap else f"{words}, which may be chance"

    def _sentence(self, reason: str | None) -> str:
        """Say what the search came to."""
        return "; ".join(filter(None, self._told(reason)))

    def _told(self, reason: str | None) -> Iterator[str | None]:
        n = len(self.examined)
        if not n:
            yield reason or f"no subgroup has {self.min_rows:,} people on either side"
            return
        found = sum(one.found.is_found for one in self.examined)
        if not found:
            which = (
                f"none of {n:,} subgroups differs" if n > 1 else "the only subgroup is no different"
            )
            yield f"{which} from the rest by more than chance"
            if seen := self.search.smallest_gap:
                gap = f"a gap of {digits_text(seen)}"
                yield f"in the smallest one {gap} would be found four times in five"
        else:
            verb = "differs" if found == 1 else "differ"
            yield f"{found:,} of {n:,} subgroups {verb} from the rest by more than chance"
            yield self._says(self._worst)
        yield reason
        yield from self._left_out(reason)

    @property
    def _worst(self) -> _Examined:
        """The subgroup that fails and fares worst; of those found, where none fails."""

        def rank(i: int) -> tuple[bool | int, ...]:
            one = self.examined[i]
            fails, stands = one.verdict is Verdict.FAIL, one.found.explained_by == i
            return not fails, not one.found.is_found, not self._is_harmed(one.gap), not stands

        every = range(len(self.examined))
        return self.examined[min(every, key=lambda i: (rank(i), -abs(self.examined[i].gap), i))]

    def _left_out(self, reason: str | None) -> Iterator[str]:
        """Say who was not examined, whatever the others came to; single groups by name."""
        unexamined = self._unexamined()
        if unexamined and unexamined not in (reason or ""):
            yield unexamined
        if n := sum(len(one.terms) > 1 for one in self.search.small):
            many = "1 combination of groups was" if n == 1 else f"{n:,} combinations of groups were"
            yield f"{many} too small to be examined"
