"""What is wrong with where the data is and what counts it: engines, tables, connections."""

from collections.abc import Iterator

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import Needs
from biaspipe.plan.planned_checks import planned_checks
from biaspipe.spec import DEFAULT_ENGINE, KEEPS_ORDER, READS_JSON, Audit, Source

__all__ = ["engine_faults", "sample_needs_key"]


def engine_faults(audit: Audit) -> Iterator[Fault]:
    """Yield what the data's place and the engine keep from being counted."""
    data = audit.data
    yield from _place_faults(audit)
    reads_json = (audit.engine or DEFAULT_ENGINE) in READS_JSON
    sources: list[tuple[Source, Loc]] = [(data, ("data",))]
    sources += [(join, ("data", "join", i)) for i, join in enumerate(data.join)]
    for source, loc in sources:
        of_files = {"csv", "format", "fields", "records"} & source.model_fields_set
        for key in sorted(of_files) if source.table else ():
            yield Fault(f"{key} is about files, and a table is none", (*loc, key), at_key=True)
        if source.records and source.format != "json":
            words = "records is about one document of JSON"
            yield Fault(words, (*loc, "records"), at_key=True, expected="format: json beside it")
        if (source.fields or source.format == "json") and not reads_json:
            words = f"{audit.engine} counts, and rows inside of JSON are read by engine: polars"
            yield Fault(words, (*loc, "fields" if source.fields else "format"), at_key=True)
    for i, join in enumerate(data.join):
        if (join.table is None) != (data.table is None):
            here, there = ("tables", "files") if data.table else ("files", "tables")
            words = f"{join.places[0]}: {here} cannot be joined with {there}"
            yield Fault(words, ("data", "join", i))
    yield from _order_faults(audit)


def _place_faults(audit: Audit) -> Iterator[Fault]:
    data = audit.data
    if data.table and not data.connection:
        hint = "connection: postgresql://host/name"
        yield Fault("nothing says which database the table is in", ("data", "table"), hint=hint)
    if data.connection and not data.table:
        words = "nothing says which table of the database is audited"
        yield Fault(words, ("data", "connection"), hint="table: decisions")
    if audit.engine and data.table:
        words = f"a table is counted by its database, so {audit.engine} does nothing"
        yield Fault(words, ("engine",))
    if audit.spark and audit.engine not in (None, "spark"):
        words = f"this is about engine: spark, and the engine is {audit.engine}"
        yield Fault(words, ("spark",), at_key=True)


def _order_faults(audit: Audit) -> Iterator[Fault]:
    """Yield what needs rows in their order, where the engine keeps none."""
    counter = audit.engine or (DEFAULT_ENGINE if audit.data.path else "a database")
    if counter in KEEPS_ORDER:
        return
    if audit.compat:
        words = f"{audit.compat} is computed by engine: polars, and {counter} counts"
        yield Fault(words, ("compat",))
    for i, join in enumerate(audit.data.join):
        if join.by == "position":
            words = f"{counter} keeps no order of rows, so they cannot be joined by position"
            hint = "join by a key" + (", or count with polars" if audit.data.path else "")
            yield Fault(words, ("data", "join", i, "by"), hint=hint)
    for planned in planned_checks(audit):
        is_sampled = Needs.FEATURES in planned.metric.needs and planned.check.sample
        if is_sampled and audit.columns.key is None:
            yield sample_needs_key(counter, (*planned.loc, "sample"))
            return


def sample_needs_key(counter: str, loc: Loc) -> Fault:
    """Return the fault of a sample that is to be drawn without a key.

    Parameters
    ----------
    counter : what counts, and keeps no order of rows.
    loc : where in the spec the fault is.
    """
    words = f"{counter} keeps no order of rows, by which a sample could be drawn"
    hint = "name a column that tells rows apart: columns: {key: applicant_id}"
    return Fault(words, loc, hint=hint)
