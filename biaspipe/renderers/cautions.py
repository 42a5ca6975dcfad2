"""Cautions: what a run was asked for beside its spec that bears on what its verdict is worth."""

from collections.abc import Iterable, Iterator
from datetime import date

from pydantic import ValidationError

from biaspipe.plan import PlannedCheck, planned_checks
from biaspipe.printable_text import escape, list_values, shorten
from biaspipe.renderers.story import Line, Span
from biaspipe.renderers.text import counted_text
from biaspipe.renderers.waiver_lines import waiver_text
from biaspipe.report import Report
from biaspipe.spec import IN_HAND, Audit

__all__ = ["caution_lines", "cautions"]

YEAR = 365
MAX_WORDS = 600


def caution_lines(told: Iterable[str]) -> Iterator[Line]:
    """Yield a fact for each caution.

    Parameters
    ----------
    told : the cautions in words.
    """
    for words in told:
        title = Span("CAUTION", "caution")
        yield Line.of(shorten(escape(words), MAX_WORDS), titles=[title], role="caution")


def cautions(report: Report) -> Iterator[str]:
    """Yield in words what is not as a plain run has it, from its day to its exit code.

    Parameters
    ----------
    report : the report; its spec may be wrong.
    """
    run, waivers = report.run, report.result.waivers
    as_of = date.fromisoformat(run.as_of)
    if as_of != run.day:
        yield f"judged as on {as_of}, {_apart(as_of, run.day)} it was run"
    if not run.is_of_own_wording:
        yield "sentences, reasons and notes are of another wording, and are not verified"
    yield from _in_hand(report)
    yield from _given(report)
    for waiver in waivers:
        if waiver.state == "active" and date.fromisoformat(waiver.expires) < run.day:
            whose = f"the waiver of {waiver_text(waiver)}, approved by {waiver.approved_by}"
            yield f"{whose}, had expired on {waiver.expires}, before it was run"
    if run.select:
        yield f"holds a selection (--select {' --select '.join(run.select)}): {_left_out(report)}"
    if not run.waivers:
        unused = f": {counted_text(len(waivers), 'waiver')} not applied" if waivers else ""
        yield f"run with --no-waivers{unused}"
    if run.fail_on == "never":
        yield "run with --fail-on never: no verdict could make it fail"
    elif run.warning_fails:
        yield "run with --fail-on warn: a warning made it fail as well"


def _in_hand(report: Report) -> Iterator[str]:
    """Yield that other rows were counted than those that the spec names."""
    audit = report.result.audit
    if report.result.data.is_of_frame and audit.named_place != IN_HAND:
        yield f"run on rows in hand, where the spec says {_listed(audit.named_place)}"


def _listed(place: str | list[str]) -> str:
    return ", ".join(map(str, place if isinstance(place, list) else [place]))


def _given(report: Report) -> Iterator[str]:
    """Yield the data and the parameters that were not as the spec has them by default."""
    audit = report.result.audit
    if audit.data is not None:
        yield f"run on {audit.data} (--data), where the spec says {_listed(audit.named_place)}"
    declared = audit.spec.get("parameters")
    defaults = declared if isinstance(declared, dict) else {}
    for name, value in sorted((audit.parameters or {}).items()):
        default = defaults.get(name)
        if default not in (None, value):
            used, said = list_values([value]), list_values([default])
            yield f"with {name} = {used}, where the spec says {said}"


def _apart(day: date, other: date) -> str:
    """Say how far one day is from another.

    >>> _apart(date(2020, 1, 1), date(2026, 3, 1)), _apart(date(2026, 3, 2), date(2026, 3, 1))
    ('6 years before', '1 day after')
    """
    days = abs((day - other).days)
    words = counted_text(days // YEAR, "year") if days >= YEAR else counted_text(days, "day")
    return f"{words} {'before' if day < other else 'after'}"


def _left_out(report: Report) -> str:
    """Say how many metrics on facets a selection leaves out; each may be of many checks."""
    try:
        record = report.result.audit
        planned = planned_checks(Audit.model_validate(record.spec), record.edition_of_all)
    except ValidationError:
        return "its spec cannot be read"
    here = {(check.metric, check.facet) for check in report.result.checks}
    left = [check for check in planned if _key(check) not in here]
    whole = f"{counted_text(len(planned), 'metric')} by facet"
    limited = sum(check.check.has_limit for check in left)
    words = f"{len(left):,} of the spec's {whole} left out"
    told = f"{words}, {limited:,} of them with a limit" if left else "all that the spec asks for"
    if record.entry("subgroups") and report.result.subgroups is None:
        told += " but its search for subgroups" if not left else ", and its search for subgroups"
    return told


def _key(planned: PlannedCheck) -> tuple[str, str | None]:
    return planned.metric.id, planned.facet
