"""An audit from spec to report, as a list of steps that reads top to bottom."""

from collections.abc import Callable, Sequence
from contextlib import closing

from biaspipe.counts import Counts
from biaspipe.engines import Engine, open_engine
from biaspipe.errors import SpecError, TypesChangedError
from biaspipe.loading import Loaded
from biaspipe.pipeline.clock import Clock
from biaspipe.pipeline.records import Evidence, check_records, data_record, facet_record
from biaspipe.plan import (
    FacetTables,
    Plan,
    PlannedCheck,
    bound,
    make_plan,
    not_computable,
    refuse_missing,
    tabulate,
)
from biaspipe.report import AuditRecord, Report, Result, digest
from biaspipe.verdict import overall, tally

__all__ = ["Progress", "counted", "run"]

Progress = Callable[[str], None]


def silent(step: str) -> None:
    """Show no progress."""


def run(
    loaded: Loaded,
    checks: Sequence[PlannedCheck] | None = None,
    *,
    progress: Progress = silent,
) -> Report:
    """Run an audit.

    Parameters
    ----------
    loaded : a validated spec.
    checks : a selection of its checks; all of them if left out.
    progress : is told each step in a word or two.

    Raises
    ------
    SpecError
        If the spec names a column or value that the data lacks.
    DataError
        If the data cannot be read or is faulty.
    """
    clock = Clock.start(loaded.folder)
    plan = make_plan(loaded.audit, checks)
    try:
        with closing(open_engine(loaded.audit.data, loaded.folder)) as engine:
            evidence = _evidence(loaded, engine, plan, progress)
            result = _result(loaded, engine, evidence)
    except SpecError as error:
        raise loaded.placed(error) from None
    return Report(
        schema="biaspipe-report/1",
        result=result,
        result_sha256=digest(result),
        run=clock.stop(loaded.document.name),
    )


def _evidence(loaded: Loaded, engine: Engine, plan: Plan, progress: Progress) -> Evidence:
    progress("counting")
    ready, counts, tables = counted(engine, plan)
    progress("comparing neighbours" if plan.fliptests else "computing")
    try:
        flips = engine.neighbours(ready, tables) if plan.fliptests else {}
    except TypesChangedError:
        if not engine.settle():
            raise
        return _evidence(loaded, engine, plan, progress)
    return Evidence(ready, counts, {t.facet: t for t in tables}, flips, loaded.line)


def counted(engine: Engine, plan: Plan) -> tuple[Plan, Counts, tuple[FacetTables, ...]]:
    """Bind a plan to the data, count, and make the tables of every comparison.

    Where a text table's values turn out not to fit the types that its first rows suggest,
    the types are taken from all its values, once.
    """
    try:
        refuse_missing(plan.audit, engine.kinds, where=engine.name)
        bound_plan = bound(plan, engine.kinds)
        counts = engine.count(bound_plan)
        tables = tabulate(bound_plan, counts, engine.occurring)
    except (SpecError, TypesChangedError):
        engine.refuse_empty()
        if not engine.settle():
            raise
        return counted(engine, plan)
    if counts.fault:
        raise counts.fault
    return bound_plan, counts, tables


def _result(loaded: Loaded, engine: Engine, evidence: Evidence) -> Result:
    checks = tuple(check_records(evidence))
    verdicts = [check.verdict for check in checks]
    return Result(
        audit=AuditRecord(
            name=loaded.audit.name, sha256=loaded.sha256, spec=loaded.document.values
        ),
        data=data_record(evidence, engine.inputs()),
        facets=tuple(facet_record(t, evidence.plan) for t in evidence.tables.values()),
        checks=checks,
        not_computed=not_computable(loaded.audit),
        tally=tally(verdicts),
        verdict=overall(verdicts),
    )
