"""The report: what an audit found, with the counts that prove it. Its JSON is the artifact.

`result` depends on the spec and the data alone; what varies from run to run stands in `run`.
"""

from biaspipe.report.checks import (
    BaselineNote,
    CheckRecord,
    FlipsRecord,
    ParityRecord,
    StratumLeftOut,
    WaiverNote,
)
from biaspipe.report.documents import (
    BaselineRecord,
    DecisionRecord,
    Report,
    Result,
    RunRecord,
    WaiverRecord,
    canonical,
    digest,
    plain,
    seal_of,
    sealed,
    text_digest,
)
from biaspipe.report.evidence import (
    AuditRecord,
    ComparisonRecord,
    DataRecord,
    FacetGroupRecord,
    FacetRecord,
    GroupRecord,
    InputRecord,
    IntervalRecord,
    JoinRecord,
    LedgerRecord,
    ModelBiasRecord,
    People,
    StratumRecord,
)
from biaspipe.report.locator import changed
from biaspipe.report.reading import Finding, faults_of, misspelt, read_report, read_values

__all__ = [
    "AuditRecord",
    "BaselineNote",
    "BaselineRecord",
    "CheckRecord",
    "ComparisonRecord",
    "DataRecord",
    "DecisionRecord",
    "FacetGroupRecord",
    "FacetRecord",
    "Finding",
    "FlipsRecord",
    "GroupRecord",
    "InputRecord",
    "IntervalRecord",
    "JoinRecord",
    "LedgerRecord",
    "ModelBiasRecord",
    "ParityRecord",
    "People",
    "Report",
    "Result",
    "RunRecord",
    "StratumLeftOut",
    "StratumRecord",
    "WaiverNote",
    "WaiverRecord",
    "canonical",
    "changed",
    "digest",
    "faults_of",
    "misspelt",
    "plain",
    "read_report",
    "read_values",
    "seal_of",
    "sealed",
    "text_digest",
]
