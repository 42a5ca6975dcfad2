"""The report as one document: its result, its run, its digests."""

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from biaspipe.errors import Exit, FailOn
from biaspipe.printable_text import escape_in_json
from biaspipe.report.checks import (
    BoundsRecord,
    CheckRecord,
    LimitsRecord,
    SimultaneousRecord,
    WaiverNote,
)
from biaspipe.report.counts import GroupRecord, Record, Sha256
from biaspipe.report.evidence import AuditRecord, ComparisonRecord, DataRecord, FacetRecord
from biaspipe.report.locator import check_sums, lines
from biaspipe.report.runs import DayText, RunRecord
from biaspipe.report.smclarify import CompatRecord
from biaspipe.report.subgroups import SubgroupsRecord
from biaspipe.spec import Correction, DecideBy, WhenUndecided
from biaspipe.verdict import TALLIED, Verdict, exit_code

__all__ = [
    "SCHEMA",
    "BaselineRecord",
    "ComparedRows",
    "DecisionRecord",
    "Report",
    "Result",
    "WaiverRecord",
    "canonical_json",
    "digest",
    "plain_values",
    "seal_of",
    "seal_report",
    "text_digest",
]

if TYPE_CHECKING:
    Tallied = str
else:  # what pydantic reads
    Tallied = Literal[*map(str, TALLIED)]

Schema = Literal["biaspipe-report/1"]
SCHEMA: Schema = "biaspipe-report/1"


WaiverBound = Annotated[
    BoundsRecord,
    WithJsonSchema({"additionalProperties": {"type": "number"}, "type": "object"}),
]
WaiverState = Literal["active", "expired", "not applied"]
"""Whether a waiver holds."""


class DecisionRecord(Record):
    """How values were decided."""

    confidence: float
    decide_by: DecideBy
    min_rows: int
    max_missing: float | None = Field(
        None, description="The share of a group's people that may lack label, prediction or facet."
    )
    undecided: WhenUndecided
    correction: Correction
    family: str | None = Field(
        None, description="The tests that p-values were corrected for, where they were."
    )


class WaiverRecord(Record):
    """A waiver, and what it came to."""

    metric: str | None
    facet: str | None
    favored: str | None
    disfavored: str | None
    reason: str
    approved_by: str
    ticket: str | None
    expires: DayText
    bound: WaiverBound | None = Field(title="Bound")
    regression: bool | None = Field(
        None, description="True if a value that is worse than in the baseline is accepted too."
    )
    state: WaiverState
    waived: int = Field(description="Checks that it waives.")
    line: int = Field(description="Its line in the spec.")
    spec_key: str | None = Field(
        None, description="Its key in the spec, where that was given as values."
    )


ComparedRows = Literal["same", "other", "unknown"]
"""Whether two results are of the same rows; unknown where no digest tells."""


class BaselineRecord(Record):
    """The earlier report that values were compared with."""

    report: str = Field(description="Its path as the spec writes it.")
    result_sha256: Sha256
    max_worsening: float
    new: tuple[str, ...] = Field(description="Checks that it does not have, by name.")
    vanished: tuple[str, ...] = Field(
        description="Checks and groups that it has and this audit has not; they fail the audit."
    )
    allowed: tuple[str, ...] | None = Field(
        None, description="Those that the spec allows to vanish."
    )
    rows: ComparedRows | None = Field(
        None,
        description="same: it is of the same rows, by the digests of what was read; other: it is"
        " not; unknown: no digest tells, and they are taken for other people.",
    )
    other_prediction: Literal[True] | None = Field(
        None, description="True where it is of another prediction of the same rows."
    )

    @property
    def fails(self) -> bool:
        """Whether something vanished that the spec does not allow to."""
        return bool(self.vanished)


class Result(Record):
    """What depends on the spec and the data alone."""

    audit: AuditRecord
    data: DataRecord
    facets: tuple[FacetRecord, ...]
    checks: tuple[CheckRecord, ...]
    decision: DecisionRecord
    waivers: tuple[WaiverRecord, ...]
    baseline: BaselineRecord | None = None
    subgroups: SubgroupsRecord | None = Field(
        None, description="The search for the groups of several facets that fare worst."
    )
    compat: CompatRecord | None = Field(
        None, description="How another tool reads the data, where its arithmetic was asked for."
    )
    statistics: int | None = Field(
        None,
        ge=1,
        description="The edition of the methods that made its intervals, tests and verdicts; the"
        " first one where it is left out.",
    )
    not_computed: dict[str, str] = Field(
        description="Metrics of `all` and optional ones left out, with the reason."
    )
    tally: dict[Tallied, int]
    verdict: Verdict

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Yield what is shown of it: one line, where all of it would be thousands of letters."""
        yield "audit", self.audit.name
        yield "verdict", self.verdict.value
        yield from ((verdict.past, n) for verdict in Verdict if (n := self.tally.get(verdict)))
        if self.baseline and self.baseline.fails:
            yield "vanished", len(self.baseline.vanished)
        if (compared := self.data.least_compared) != self.data.rows:
            yield "compared", f"{compared:,} of {self.data.rows:,} rows"

    @property
    def rulings(self) -> tuple[CheckRecord | SubgroupsRecord, ...]:
        """Everything that the tally counts: the checks, and the search for subgroups."""
        return (*self.checks, *([self.subgroups] if self.subgroups else []))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What everything came to, and a failure for what vanished since the baseline."""
        lost = [Verdict.FAIL] if self.baseline and self.baseline.fails else []
        return (*(ruled.verdict for ruled in self.rulings), *lost)

    @property
    def comparisons(self) -> dict[tuple[str | None, str | None, str | None], ComparisonRecord]:
        """Every comparison by its facet, favored and disfavored group."""
        return {
            (facet.facet, comparison.favored, comparison.disfavored): comparison
            for facet in self.facets
            for comparison in facet.comparisons
        }

    @property
    def has_no_spec_file(self) -> bool:
        """Whether the spec was given as values, so that no file has its digest and its lines."""
        return any(ruled.spec_key is not None for ruled in self.rulings)

    def waiver_of(self, note: WaiverNote) -> WaiverRecord:
        """Return the waiver that a check has."""
        return self.waivers[note.number - 1]


class Report(Record):
    """A whole report; every output can be made again from it alone."""

    schema_: Schema = Field(alias="schema")
    result: Result
    result_sha256: Sha256
    run: RunRecord

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Yield what is shown of it: what is shown of its result, and what selected its checks."""
        yield from self.result.__repr_args__()
        if self.run.select:
            yield "select", self.run.select

    @property
    def exit_code(self) -> Exit:
        """The code that `biaspipe run` ends with, a number: 0, 1, 4 or 5.

        A warning fails where the report is of `biaspipe run --fail-on warn`; `--fail-on never`
        changes nothing here.
        """
        fail_on: FailOn = "warn" if self.run.warning_fails else "fail"
        return exit_code(self.result.verdicts, fail_on, self.result.decision.undecided)

    def to_values(self) -> dict[str, Any]:
        """Return the artifact as plain JSON values."""
        rest = self.model_dump(mode="json", exclude={"result": True, "run": self.run.unsaid})
        return {**rest, "result": plain_values(self.result)}

    def to_json(self) -> str:
        """Write the artifact, for people and programs: sorted keys, indented, UTF-8."""
        text = json.dumps(self.to_values(), indent=2, sort_keys=True, ensure_ascii=False)
        return escape_in_json(text) + "\n"


def seal_report(result: Result, run: RunRecord) -> Report:
    """Return the report of a result, with its digests and the means to find a change."""
    text = lines(plain_values(result))
    values = run.model_dump(mode="json", exclude={"locator", "sha256", *run.unsaid})
    sha256 = _sha256(text.replace("\n", ""))
    locator = check_sums(f'{{"result":{text},\n"run":{lines(values)}}}')
    values["locator"] = list(locator)
    seal = seal_of({"result_sha256": sha256, "run": values})
    closed = run.model_copy(update={"locator": locator, "sha256": seal})
    return Report(schema=SCHEMA, result=result, result_sha256=sha256, run=closed)


def seal_of(values: dict[str, Any]) -> str:
    """Return the digest of the `run` of a report, and of its `result_sha256`."""
    run = {key: part for key, part in values["run"].items() if key != "sha256"}
    return text_digest({"result_sha256": values["result_sha256"], "run": run})


PARTS: list[type[Record]] = [
    *Record.__subclasses__(),
    GroupRecord,
    LimitsRecord,
    SimultaneousRecord,
]
OPTIONAL = frozenset(
    name
    for model in PARTS
    if model is not RunRecord
    for name, field in model.model_fields.items()
    if field.default is None and name not in ("sign", "reason", "interval")
)
"""Keys that are left out where they do not apply."""


def plain_values(result: Result) -> dict[str, Any]:
    """Return the result as plain JSON values, without the parts that do not apply."""
    values: dict[str, Any] = _without(result.model_dump(mode="json", exclude={"audit": {"spec"}}))
    values["audit"]["spec"] = result.audit.spec
    return values


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without(v) for k, v in value.items() if v is not None or k not in OPTIONAL}
    return [_without(v) for v in value] if isinstance(value, list) else value


def canonical_json(result: Result) -> str:
    """Return the one text that the digest is taken of: sorted keys, no spaces, as UTF-8."""
    return _text(plain_values(result))


def digest(result: Result) -> str:
    """Return the SHA-256 of the canonical JSON of a result, in hexadecimal."""
    return text_digest(plain_values(result))


def text_digest(values: Any) -> str:
    """Return the SHA-256 of the canonical JSON of plain values, in hexadecimal."""
    return _sha256(_text(values))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _text(values: Any) -> str:
    return lines(values).replace("\n", "")
