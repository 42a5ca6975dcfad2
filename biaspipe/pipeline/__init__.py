"""An audit from spec to report, as a list of steps that reads top to bottom."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from biaspipe.counts import Counts, Flips
from biaspipe.engines import open_engine
from biaspipe.errors import DataError, FailOn, SpecError, StoreError, TypesChangedError
from biaspipe.loading import Loaded
from biaspipe.metrics import EDITION
from biaspipe.pipeline.evidence import Evidence
from biaspipe.pipeline.progress import Measure, Progress, silent
from biaspipe.pipeline.provenance import Clock
from biaspipe.pipeline.records import data_record, group_records
from biaspipe.pipeline.resource_limits import within_limits
from biaspipe.pipeline.results import ResultInputs, result_of
from biaspipe.pipeline.selection import searches
from biaspipe.pipeline.waiver_records import WaiverRules
from biaspipe.plan import (
    ColumnSides,
    FacetTables,
    Plan,
    PlannedCheck,
    asks_for_all,
    bind_plan,
    counted_as,
    make_plan,
    refuse_missing,
    refuse_undeclared_values,
    refuse_unmatched,
    subgroup_cells,
    tabulate,
    with_earlier_predictions,
    with_earlier_tables,
)
from biaspipe.policy import DEFAULT, Policy, refuse_file
from biaspipe.report import AuditRecord, BaselineRecord, Report, Result, seal_report
from biaspipe.report.analysis import read_analysis
from biaspipe.sources.files import InputFile
from biaspipe.spec import Audit, EngineName, today

if TYPE_CHECKING:
    from biaspipe.engines.counting import Engine
    from biaspipe.pipeline.baseline.worsening import BaselineInput
    from biaspipe.pipeline.smclarify.recount import Recount

__all__ = ["CountedData", "Options", "Progress", "count_data", "read_baseline", "run"]


@dataclass(frozen=True)
class Options:
    """What a command line adds to a spec.

    Parameters
    ----------
    checks : a selection of the spec's checks; all of them if None.
    select : the names that selected them, for the record.
    as_of : the day on which waivers have to hold.
    waive : whether waivers are applied.
    engine : what counts, instead of what the spec says.
    frame : rows in hand, instead of what the spec says is read.
    policy : what the spec may reach.
    fail_on : the mildest verdict that ends the process with 1, for the record.
    edition : that of the family `all`.
    """

    checks: Sequence[PlannedCheck] | None = None
    select: tuple[str, ...] = ()
    as_of: date = field(default_factory=today)
    waive: bool = True
    engine: EngineName | None = None
    frame: object = None
    policy: Policy = DEFAULT
    fail_on: FailOn | None = None
    edition: int = EDITION

    def asked(self) -> dict[str, Any]:
        """Return the options as a report holds them."""
        return {
            "as_of": self.as_of.isoformat(),
            "waivers": self.waive,
            "select": self.select,
            "fail_on": self.fail_on,
            "policy": self.policy.sha256,
        }


class CountedData(NamedTuple):
    """What one count of the data came to.

    Parameters
    ----------
    plan : the plan, bound to the columns of the data.
    counts : what the engine counted.
    tables : the comparisons of every facet.
    columns : which values were counted as what.
    """

    plan: Plan
    counts: Counts
    tables: tuple[FacetTables, ...]
    columns: tuple[ColumnSides, ...]


def run(loaded: Loaded, options: Options | None = None, *, progress: Progress = silent) -> Report:
    """Run an audit.

    Parameters
    ----------
    loaded : a validated spec.
    options : what the command line adds to it.
    progress : is told each step in a word or two, and how far it is.

    Raises
    ------
    SpecError
        If the spec names a column or value that the data lacks, or a baseline of something else.
    DataError
        If the data cannot be read or is faulty.
    """
    options, loaded = options or Options(), loaded.filled()
    audit, policy, clock = loaded.audit, options.policy, Clock.start(loaded.file)
    try:
        with within_limits(policy.limits):
            baseline = read_baseline(audit, loaded.folder, policy)
            with closing(_engine(loaded, options, progress)) as engine:
                plan = _planned(audit, options, baseline, engine)
                data, flips, recount = _counts(engine, plan, loaded, progress)
                read = data_record(audit, *data[1:], _named(engine, loaded))
            progress("computing values and intervals")
            inputs = ResultInputs(
                audit=_audit_record(loaded, options.edition),
                data=read,
                waiver_rules=WaiverRules(options.as_of, options.waive),
                baseline=baseline,
                compat=recount.record if recount else None,
                select=options.select,
            )
            result = result_of(_evidence(loaded, plan, data, flips, recount), inputs)
            _refuse_other(baseline, result, options)
    except SpecError as error:
        raise loaded.placed(error) from None
    asked = options.asked() | _place(loaded)
    return seal_report(result, clock.stop(loaded.document.name, **engine.versions, asked=asked))


def _place(loaded: Loaded) -> dict[str, str]:
    """Return where the data was that was given in place of the spec's, as a report holds it."""
    return {"data": loaded.given.place} if loaded.given else {}


def _named(engine: "Engine", loaded: Loaded) -> tuple[InputFile, ...]:
    """Return the inputs that were read, by the names that a result has for them."""
    given, found = loaded.given, engine.inputs()
    if given is None:
        return found
    own = engine.main_files
    return tuple(f._replace(path=given.named(f.path)) if f.path in own else f for f in found)


def _refuse_other(baseline: "BaselineInput | None", result: Result, options: Options) -> None:
    if baseline is not None:
        from biaspipe.pipeline.baseline.comparability import refuse_other  # noqa: PLC0415 - fast start

        refuse_other(baseline, result, selected=options.checks is not None)


def read_baseline(audit: Audit, folder: Path, policy: Policy = DEFAULT) -> "BaselineInput | None":
    """Read the baseline of a spec; None if it names none.

    Parameters
    ----------
    audit : the spec.
    folder : what the baseline's path is relative to.
    policy : what the spec may reach.

    Raises
    ------
    DataError
        If the baseline cannot be read, or is neither a report nor an analysis of Clarify.
    """
    named = audit.baseline
    if named is None:
        return None
    from biaspipe.pipeline.baseline.clarify_baseline import ClarifyBaseline  # noqa: PLC0415 - as above
    from biaspipe.pipeline.baseline.worsening import BaselineInput, BaselineValues  # noqa: PLC0415 - as above
    from biaspipe.pipeline.verification import sound_report  # noqa: PLC0415 - as above

    path = folder / named.report
    refuse_file(policy, path, named.report, ("baseline", "report"))
    analysis = read_analysis(path)
    if analysis is not None:
        values: BaselineValues = ClarifyBaseline({}, analysis=analysis, audit=audit)
        sha256 = analysis.sha256
    else:
        report = sound_report(path)
        values, sha256 = BaselineValues.of(report), report.result_sha256
    record = BaselineRecord(
        report=named.report,
        result_sha256=sha256,
        max_worsening=named.max_worsening,
        new=(),
        vanished=(),
        allowed=(),
    )
    return BaselineInput(values, record)


def _planned(
    audit: Audit, options: Options, baseline: "BaselineInput | None", engine: "Engine"
) -> Plan:
    """Plan an audit, by the prediction of the baseline too, where that is another one."""
    plan = make_plan(audit, options.checks, searches=searches(audit, options.select))
    if baseline is None or baseline.values.result is None:
        return plan
    from biaspipe.pipeline.baseline.same_rows import other_prediction  # noqa: PLC0415 - as above

    earlier = other_prediction(baseline.values.result.audit, plan.audit)
    return plan if earlier is None else with_earlier_predictions(plan, earlier, engine.kinds)


def _engine(loaded: Loaded, options: Options, progress: Progress) -> "Engine":
    progress("opening the data")
    return open_engine(
        loaded.audit,
        loaded.folder,
        engine=options.engine,
        frame=options.frame,
        policy=options.policy,
    )


CountResults = tuple[CountedData, Mapping[str, Sequence[Flips]], "Recount | None"]
"""The count, the evidence of every fliptest by facet, and what smclarify counts under compat."""


def _counts(engine: "Engine", plan: Plan, loaded: Loaded, progress: Progress) -> CountResults:
    """Count, search for neighbours where there is a fliptest, and recount under compat.

    Where values of other columns than those that were counted do not fit the types that the first
    rows suggest, all of it is done again with the types of all values.
    """
    while True:
        progress("counting", Measure("bytes", engine.bytes_read))
        data = count_data(engine, plan)
        if plan.fliptests:
            progress("comparing neighbours", Measure("people", engine.tally.measure))
        try:
            own = data.plan.without_earlier
            flips = engine.neighbours(own, data.tables) if plan.fliptests else {}
            return data, flips, _recount(engine, data, loaded)
        except TypesChangedError:
            if not engine.infer_all_types():
                raise


def count_data(engine: "Engine", plan: Plan) -> CountedData:
    """Bind a plan to the data, count, and make the tables of every comparison.

    Where a text table's values turn out not to fit the types that its first rows suggest,
    the types are taken from all its values, once.

    Parameters
    ----------
    engine : the engine, which has opened the data.
    plan : what to count.
    """
    while True:
        try:
            data = _counted(engine, plan)
            break
        except StoreError:
            raise
        except (SpecError, DataError) as error:
            engine.refuse_misread(plan)
            if not isinstance(error, SpecError | TypesChangedError):
                raise
            engine.refuse_empty()
            if not engine.infer_all_types():
                raise
    if data.counts.fault:
        raise data.counts.fault
    return data


def _counted(engine: "Engine", plan: Plan) -> CountedData:
    refuse_missing(plan.audit, engine.kinds, where=engine.name)
    ready = bind_plan(plan, engine.kinds)
    counts = engine.count(ready)
    tables = tabulate(ready, counts, engine.commonest_values)
    tables = with_earlier_tables(ready, counts, tables)
    columns = counted_as(ready, counts, tables)
    refuse_undeclared_values(ready.audit, columns)
    refuse_unmatched(ready.audit, tables)
    return CountedData(ready, counts, tables, columns)


def _recount(engine: "Engine", data: CountedData, loaded: Loaded) -> "Recount | None":
    if data.plan.audit.compat is None:
        return None
    from biaspipe.pipeline.smclarify.recount import recount  # noqa: PLC0415 - under compat

    return recount(engine, data.plan, data.tables, loaded.document.values)


def _evidence(
    loaded: Loaded,
    plan: Plan,
    data: CountedData,
    flips: Mapping[str, Sequence[Flips]],
    recount: "Recount | None",
) -> Evidence:
    audit = plan.audit
    return Evidence(
        audit,
        plan.checks,
        {t.facet: t.comparisons for t in data.tables},
        flips,
        {t.facet: group_records(t, audit) for t in data.tables},
        data.tables[0].everyone,
        lambda check: loaded.line(check.loc),
        [loaded.line(("waivers", i)) for i in range(len(audit.waivers))],
        recount.counts if recount else None,
        loaded.document.has_lines,
        subgroup_cells(plan, data.counts.joint),
        loaded.line(("subgroups",)),
    )


def _audit_record(loaded: Loaded, edition: int) -> AuditRecord:
    return AuditRecord(
        name=loaded.audit.name,
        sha256=loaded.sha256,
        spec=loaded.document.values,
        parameters=loaded.audit.parameters or None,
        data=loaded.given.name if loaded.given else None,
        edition=edition if edition > 1 and asks_for_all(loaded.audit) else None,
    )
