"""An audit from spec to report, as a list of steps that reads top to bottom."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from biaspipe.counts import Counts
from biaspipe.engines import Engine, open_engine
from biaspipe.errors import DataError, SpecError, StoreError, TypesChangedError
from biaspipe.loading import Loaded
from biaspipe.pipeline.baseline.comparability import baseline_of, refuse_other
from biaspipe.pipeline.evidence import Evidence
from biaspipe.pipeline.limits import bounded
from biaspipe.pipeline.provenance import Clock
from biaspipe.pipeline.records import data_record, group_records
from biaspipe.pipeline.results import ResultInputs, result_of
from biaspipe.pipeline.smclarify.recount import Counted, counted_again
from biaspipe.pipeline.waivers import Waiving
from biaspipe.plan import (
    ColumnSides,
    FacetTables,
    Plan,
    PlannedCheck,
    bound,
    counted_as,
    make_plan,
    refuse_missing,
    refuse_undeclared_values,
    refuse_unmatched,
    tabulate,
)
from biaspipe.policy import DEFAULT, Policy
from biaspipe.report import AuditRecord, Report, Result, sealed
from biaspipe.spec import EngineName, today
from biaspipe.verdict import FailOn

__all__ = ["Found", "Options", "Progress", "counted", "run"]

Progress = Callable[[str], None]


def silent(step: str) -> None:
    """Show no progress."""


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
    """

    checks: Sequence[PlannedCheck] | None = None
    select: tuple[str, ...] = ()
    as_of: date = field(default_factory=today)
    waive: bool = True
    engine: EngineName | None = None
    frame: object = None
    policy: Policy = DEFAULT
    fail_on: FailOn | None = None

    def asked(self) -> dict[str, Any]:
        """Return what a report says of this."""
        return {
            "as_of": self.as_of.isoformat(),
            "waivers": self.waive,
            "select": self.select,
            "fail_on": self.fail_on,
            "policy": self.policy.sha256,
        }


@dataclass(frozen=True)
class Found:
    """What one count of the data found.

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
    progress : is told each step in a word or two.

    Raises
    ------
    SpecError
        If the spec names a column or value that the data lacks, or a baseline of something else.
    DataError
        If the data cannot be read or is faulty.
    """
    options, loaded = options or Options(), loaded.filled()
    clock = Clock.start(loaded.folder)
    try:
        with bounded(options.policy.limits):
            result, engine = _audited(loaded, options, progress)
    except SpecError as error:
        raise loaded.placed(error) from None
    record = clock.stop(loaded.document.name, engine=engine, asked=options.asked())
    return sealed(result, record)


def _audited(loaded: Loaded, options: Options, progress: Progress) -> tuple[Result, str]:
    """Return the result, and what counted."""
    audit = loaded.audit
    earlier, baseline = baseline_of(audit, loaded.folder, options.policy)
    plan = make_plan(audit, options.checks)
    with closing(_opened(loaded, options)) as engine:
        evidence, found, again = _evidence(loaded, engine, plan, progress)
        given = ResultInputs(
            audit=AuditRecord(
                name=audit.name,
                sha256=loaded.sha256,
                spec=loaded.document.values,
                parameters=audit.parameters or None,
            ),
            data=data_record(audit, found.counts, found.tables, found.columns, engine.inputs()),
            waiving=Waiving(options.as_of, options.waive),
            earlier=earlier,
            baseline=baseline,
            compat=again.record if again else None,
            select=options.select,
        )
    result = result_of(evidence, given)
    refuse_other(earlier, result, selected=options.checks is not None)
    return result, engine.version


def _opened(loaded: Loaded, options: Options) -> Engine:
    return open_engine(
        loaded.audit,
        loaded.folder,
        engine=options.engine,
        frame=options.frame,
        policy=options.policy,
    )


def _evidence(
    loaded: Loaded, engine: Engine, plan: Plan, progress: Progress
) -> tuple[Evidence, Found, Counted | None]:
    """Count, and search for neighbours where there is a fliptest."""
    progress("counting")
    found = counted(engine, plan)
    tables = found.tables
    progress("comparing neighbours" if plan.fliptests else "computing")
    try:
        flips = engine.neighbours(found.plan, tables) if plan.fliptests else {}
        again = _again(loaded, engine, found.plan, tables)
    except TypesChangedError:
        if not engine.settle():
            raise
        return _evidence(loaded, engine, plan, progress)
    evidence = Evidence(
        plan.audit,
        plan.checks,
        {t.facet: t.comparisons for t in tables},
        flips,
        {t.facet: group_records(t, plan.audit) for t in tables},
        tables[0].everyone,
        lambda check: loaded.line(check.loc),
        [loaded.line(("waivers", i)) for i in range(len(plan.audit.waivers))],
        again.second if again else None,
    )
    return evidence, found, again


def _again(
    loaded: Loaded, engine: Engine, plan: Plan, tables: tuple[FacetTables, ...]
) -> Counted | None:
    """Count a second time, as another tool reads the data, where its arithmetic is asked for."""
    if plan.audit.compat is None:
        return None
    return counted_again(engine, plan, tables, loaded.document.values)


def counted(engine: Engine, plan: Plan) -> Found:
    """Bind a plan to the data, count, and make the tables of every comparison.

    Where a text table's values turn out not to fit the types that its first rows suggest,
    the types are taken from all its values, once.
    """
    try:
        refuse_missing(plan.audit, engine.kinds, where=engine.name)
        ready = bound(plan, engine.kinds)
        counts = engine.count(ready)
        tables = tabulate(ready, counts, engine.occurring)
        columns = counted_as(ready, counts, tables)
        refuse_undeclared_values(ready.audit, columns)
        refuse_unmatched(ready.audit, tables)
    except StoreError:
        raise
    except (SpecError, DataError) as error:
        engine.refuse_misread(plan)
        if not isinstance(error, SpecError | TypesChangedError):
            raise
        engine.refuse_empty()
        if not engine.settle():
            raise
        return counted(engine, plan)
    if counts.fault:
        raise counts.fault
    return Found(ready, counts, tables, columns)
