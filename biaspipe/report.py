"""The report: what an audit found, with the counts that prove it. Its JSON is the artifact.

`result` depends on the spec and the data alone; what varies from run to run stands in `run`.
"""

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from biaspipe.verdict import Verdict

__all__ = [
    "AuditRecord",
    "CheckRecord",
    "ComparisonRecord",
    "DataRecord",
    "FacetRecord",
    "FlipsRecord",
    "GroupRecord",
    "InputRecord",
    "JoinRecord",
    "LedgerRecord",
    "Report",
    "Result",
    "RunRecord",
    "StratumLeftOut",
    "StratumRecord",
    "canonical",
    "digest",
]

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Record(BaseModel):
    """A part of the report: frozen, and nothing in it is unknown."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, serialize_by_alias=True
    )


class AuditRecord(Record):
    """The spec that was run."""

    name: str = Field(description="The audit's stable id.")
    sha256: Sha256 = Field(description="Digest of the spec file's bytes.")
    spec: dict[str, Any] = Field(description="The spec as it was read.")


class InputRecord(Record):
    """A file that was read."""

    path: str = Field(description="The path as the spec writes it.")
    bytes: int | None = Field(description="Size; null for a remote file.")
    sha256: Sha256 | None = Field(description="Digest; null for a remote file.")


class JoinRecord(Record):
    """A joined table and how it met the data."""

    path: str = Field(description="The path as the spec writes it.")
    on: tuple[str, ...] = Field(description="The key columns.")
    unmatched: int = Field(description="Rows that count and have no partner in it.")


class LedgerRecord(Record):
    """What became of every row read, for one facet; the numbers add up to the rows read."""

    favored: int = Field(description="Rows in a favored group.")
    disfavored: int = Field(description="Rows in a disfavored group.")
    other: int = Field(description="Rows in a group that is not compared.")
    facet_missing: int = Field(description="Rows without a value of the facet.")
    label_missing: int = Field(description="Rows with a group but without a label.")
    prediction_missing: int = Field(description="Rows with group and label, without a prediction.")
    removed_by_where: int = Field(description="Rows that `where` removed.")


class GroupRecord(Record):
    """A group, counted. People are rows, or summed weights where a weight is declared."""

    rows: int = Field(description="Rows of the data.")
    n: int = Field(description="People.")
    TP: int | None = Field(None, description="Label and prediction favorable.")
    FP: int | None = Field(None, description="Label unfavorable, prediction favorable.")
    FN: int | None = Field(None, description="Label favorable, prediction unfavorable.")
    TN: int | None = Field(None, description="Label and prediction unfavorable.")
    positives: int | None = Field(None, description="Favorable labels, without a prediction.")
    negatives: int | None = Field(None, description="Unfavorable labels, without a prediction.")
    predicted_positives: int | None = Field(None, description="Favorable, without a label.")
    predicted_negatives: int | None = Field(None, description="Unfavorable, without a label.")
    labels: dict[str, int] | None = Field(None, description="People by category of the label.")
    label_rate: float | None = Field(None, description="Share of favorable labels.")
    selection_rate: float | None = Field(None, description="Share of favorable predictions.")


class StratumRecord(Record):
    """One stratum of a comparison."""

    stratum: str
    favored: GroupRecord
    disfavored: GroupRecord


class ComparisonRecord(Record):
    """Two groups side by side: the evidence for every value computed from counts."""

    favored: str = Field(description="Name of the favored group.")
    disfavored: str = Field(description="Name of the disfavored group.")
    counts: dict[Literal["favored", "disfavored"], GroupRecord]
    strata: tuple[StratumRecord, ...] | None = None


class FacetRecord(Record):
    """A facet and its comparisons."""

    facet: str
    comparisons: tuple[ComparisonRecord, ...]


class DataRecord(Record):
    """What was read."""

    rows: int = Field(description="Rows read.")
    inputs: tuple[InputRecord, ...]
    joins: tuple[JoinRecord, ...] | None = None
    ledger: dict[str, LedgerRecord] = Field(description="By facet.")
    everyone: GroupRecord = Field(description="All people whose outcomes are known.")


class FlipsRecord(Record):
    """The evidence of a fliptest."""

    F_plus: int = Field(description="People of d predicted unfavorable, their neighbours not.")
    F_minus: int = Field(description="The reverse.")
    n_d: int = Field(description="People of the disfavored group that took part.")
    n_a: int = Field(description="People of the favored group that took part.")
    left_out: int = Field(description="People of both groups that lack a numeric feature.")
    k: int = Field(description="Neighbours asked for.")
    scaling: str = Field(description="How numeric features were scaled.")
    encoding: str = Field(description="How features became distances.")
    features: tuple[str, ...]
    median_distance: float | None = Field(description="To the k-th neighbour, over people of d.")


class StratumLeftOut(Record):
    """A stratum in which one outcome never occurs, so that it has no disparity."""

    stratum: str
    rows: int = Field(description="Rows in it.")
    n: int = Field(description="People in it.")


class CheckRecord(Record):
    """One metric of one comparison, with its verdict."""

    metric: str
    name: str
    facet: str | None = Field(description="Null for a metric that compares no groups.")
    favored: str | None
    disfavored: str | None
    value: float | None = Field(description="Null where infinite or undefined.")
    status: Literal["ok", "infinite", "undefined"]
    sign: Literal[1, -1] | None = Field(None, description="Of an infinite value.")
    reason: str | None = Field(None, description="Why there is no value.")
    parameters: dict[str, int | float | str] | None = None
    limits: dict[str, Any]
    verdict: Verdict
    sentence: str
    note: str | None = Field(None, description="What a reader of the verdict should know.")
    line: int = Field(description="Line of the spec that asks for the check.")
    flips: FlipsRecord | None = None
    strata_left_out: tuple[StratumLeftOut, ...] | None = None


class Result(Record):
    """What depends on the spec and the data alone."""

    audit: AuditRecord
    data: DataRecord
    facets: tuple[FacetRecord, ...]
    checks: tuple[CheckRecord, ...]
    not_computed: dict[str, str] = Field(description="Metrics of `all` left out, with the reason.")
    tally: dict[Literal["pass", "warn", "fail", "undecided", "waived", "reported"], int]
    verdict: Verdict


class RunRecord(Record):
    """What varies from run to run."""

    started_at: str
    seconds: float
    biaspipe: str
    python: str
    polars: str
    spec: str = Field(description="The spec's path as it was given.")
    git: dict[str, str | bool] = Field(description="The commit of the spec's folder, if any.")


class Report(Record):
    """A whole report; every output can be made again from it alone."""

    schema_: Literal["biaspipe-report/1"] = Field(alias="schema")
    result: Result
    result_sha256: Sha256
    run: RunRecord

    def to_json(self) -> str:
        """Write the artifact, for people and programs: sorted keys, indented, UTF-8."""
        values = {**self.model_dump(mode="json"), "result": plain(self.result)}
        return json.dumps(values, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


OPTIONAL = frozenset(
    name
    for model in (DataRecord, GroupRecord, ComparisonRecord, CheckRecord)
    for name, field in model.model_fields.items()
    if field.default is None and name not in ("sign", "reason")
)


def plain(result: Result) -> dict[str, Any]:
    """Return the result as plain JSON values, without the parts that do not apply."""
    values: dict[str, Any] = _without(result.model_dump(mode="json", exclude={"audit": {"spec"}}))
    values["audit"]["spec"] = result.audit.spec
    return values


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without(v) for k, v in value.items() if v is not None or k not in OPTIONAL}
    return [_without(v) for v in value] if isinstance(value, list) else value


def canonical(result: Result) -> str:
    """Return the one text that the digest is taken of: sorted keys, no spaces, as UTF-8."""
    return json.dumps(
        plain(result), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(result: Result) -> str:
    """Return the SHA-256 of the canonical JSON of a result, in hexadecimal."""
    return hashlib.sha256(canonical(result).encode()).hexdigest()
