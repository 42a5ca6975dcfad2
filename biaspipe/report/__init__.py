"""The report: what an audit found, with the counts that prove it. Its JSON is the artifact.

`result` depends on the spec and the data alone; what varies from run to run stands in `run`.
"""

from biaspipe.report.checks import (
    BaselineNote,
    CheckRecord,
    LimitsRecord,
    ParityRecord,
    StratumLeftOut,
    WaiverNote,
)
from biaspipe.report.counts import DrawnRecord, FlipsRecord, GroupRecord, OutcomesRecord, People
from biaspipe.report.documents import (
    BaselineRecord,
    DecisionRecord,
    Report,
    Result,
    RunRecord,
    WaiverRecord,
    canonical_json,
    digest,
    plain_values,
    seal_of,
    seal_report,
    text_digest,
)
from biaspipe.report.evidence import (
    AuditRecord,
    ComparisonRecord,
    CountedAsRecord,
    DataRecord,
    FacetGroupRecord,
    FacetRecord,
    InputRecord,
    IntervalRecord,
    JoinRecord,
    LedgerRecord,
    ModelBiasRecord,
    RateRecord,
    SideRecord,
    ValueRecord,
)
from biaspipe.report.locator import differences
from biaspipe.report.report_files import CHANGED, SCHEMAS, Finding
from biaspipe.report.smclarify import CompatNote, CompatRecord
from biaspipe.report.subgroups import SubgroupRecord, SubgroupsRecord

__all__ = [
    "CHANGED",
    "SCHEMAS",
    "AuditRecord",
    "BaselineNote",
    "BaselineRecord",
    "CheckRecord",
    "ComparisonRecord",
    "CompatNote",
    "CompatRecord",
    "CountedAsRecord",
    "DataRecord",
    "DecisionRecord",
    "DrawnRecord",
    "FacetGroupRecord",
    "FacetRecord",
    "Finding",
    "FlipsRecord",
    "GroupRecord",
    "InputRecord",
    "IntervalRecord",
    "JoinRecord",
    "LedgerRecord",
    "LimitsRecord",
    "ModelBiasRecord",
    "OutcomesRecord",
    "ParityRecord",
    "People",
    "RateRecord",
    "Report",
    "Result",
    "RunRecord",
    "SideRecord",
    "StratumLeftOut",
    "SubgroupRecord",
    "SubgroupsRecord",
    "ValueRecord",
    "WaiverNote",
    "WaiverRecord",
    "canonical_json",
    "differences",
    "digest",
    "plain_values",
    "seal_of",
    "seal_report",
    "text_digest",
]
