"""The verdict as a sentence, who answers for what, and what bears on what the verdict is worth."""

from collections.abc import Iterator
from datetime import date

from biaspipe.printable_text import escape
from biaspipe.renderers.about import fact_text, owner_text
from biaspipe.renderers.cautions import caution_lines, cautions
from biaspipe.renderers.evidence_page.wording import (
    PRESENT,
    SINGULAR,
    day_text,
    entry_of,
    listed,
    metric_name,
    pair_text,
    required_text,
    spec_value,
)
from biaspipe.renderers.severity import farthest
from biaspipe.renderers.story import Facts, Line, Section, Span, StoryPart
from biaspipe.renderers.text import counted_text, value_text, verdict_counts
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["conclusion", "conclusion_section"]

OF_AUDIT = {
    Verdict.FAIL: "Does not meet its limits",
    Verdict.UNDECIDED: "Cannot be decided",
    Verdict.WARN: "Meets its limits, with warnings",
    Verdict.WAIVED: "Meets its limits, but for failures that somebody answers for",
    Verdict.PASS: "Meets its limits",
    Verdict.REPORTED: "Nothing was checked, since no check has a limit",
}
"""What the verdict of an audit means."""
KNOWN = ("name", "version", "owner")


def conclusion(report: Report) -> str:
    """Return the verdict of a report in a sentence, with how many checks came to what.

    Parameters
    ----------
    report : the whole report.
    """
    told = "; ".join(filter(None, (_counts(report), _vanished(report), _counted_as(report))))
    return f"{_headline(report)}{f': {told}' if told else ''}."


def conclusion_section(report: Report) -> Section:
    """Return the section that a reader in a hurry reads."""
    verdict = report.result.verdict
    lines = [Line.of(Span(conclusion(report), verdict), role=verdict), *_worst(report)]
    about = Facts(tuple(_about(report)))
    warned = tuple(caution_lines(cautions(report)))
    parts: list[StoryPart] = [*lines, *([Facts(warned)] if warned else [])]
    return Section((*parts, about))


def _headline(report: Report) -> str:
    """Say what the verdict means; what could not be decided is nowhere said to be met."""
    verdict = report.result.verdict
    decided = {check.verdict for check in report.result.checks} - {Verdict.REPORTED}
    if Verdict.UNDECIDED not in decided or verdict in (Verdict.FAIL, Verdict.UNDECIDED):
        return OF_AUDIT[verdict]
    if decided == {Verdict.UNDECIDED}:
        return "Nothing could be decided"
    if verdict is Verdict.WAIVED:
        return "Fails only where somebody answers for it, but not everything could be decided"
    return "Fails nowhere, but not everything could be decided"


def _counts(report: Report) -> str:
    """Say how many checks came to what, the gravest first."""
    counted = dict(verdict_counts(report))
    reported = counted.pop(Verdict.REPORTED, 0)
    whole = sum(counted.values())
    kinds = [verdict for verdict in Verdict if counted.get(verdict)]
    if len(kinds) == 1:
        few = {1: "the only check", 2: "both checks"}
        every = few.get(whole, f"all {whole:,} checks")
        words = [f"{every} {_verb(kinds[0], whole)}"]
    else:
        words = [f"{counted[kind]:,} {_verb(kind, counted[kind])}" for kind in kinds]
        words[:1] = [
            f"{counted[kind]:,} of {counted_text(whole, 'check')} {_verb(kind, counted[kind])}"
            for kind in kinds[:1]
        ]
    told = [listed(words)] if words else []
    if reported:
        verb = "is" if reported == 1 else "are"
        told.append(f"{counted_text(reported, 'value')} {verb} reported without a limit")
    return "; ".join(told)


def _verb(verdict: Verdict, n: int) -> str:
    if n != 1:
        return PRESENT[verdict]
    alone = {Verdict.UNDECIDED: PRESENT[verdict], Verdict.WAIVED: "fails and is waived"}
    return alone.get(verdict, SINGULAR[verdict])


def _vanished(report: Report) -> str:
    baseline = report.result.baseline
    if baseline is None or not baseline.fails:
        return ""
    return f"{len(baseline.vanished):,} of the baseline's checks and groups are gone"


def _counted_as(report: Report) -> str:
    """Say what undecided checks count as, where that is not a failure."""
    undecided = report.result.decision.undecided
    found = any(check.verdict is Verdict.UNDECIDED for check in report.result.checks)
    words = {"warn": "a warning", "pass": "nothing"}
    if not found or undecided == "fail":
        return ""
    return f"what cannot be decided counts as {words[undecided]}, as the spec says"


def _worst(report: Report) -> Iterator[Line]:
    """Say which failure lies farthest beyond its limit."""
    failed = [check for check in report.result.checks if check.verdict is Verdict.FAIL]
    if check := farthest(failed):
        facet = f"{escape(check.facet)}, " if check.facet else ""
        pair = pair_text(check.favored, check.disfavored) if check.disfavored else ""
        about = f"{facet}{pair}: " if pair else ""
        value = f"{metric_name(check)} is {value_text(check)}"
        asked = f"{required_text(check.limits)} is required"
        asked += f"; {escape(check.reason)}" if check.reason else ""
        yield Line.of(
            Span("Farthest beyond its limit: ", "strong"),
            f"{about}{escape(check.sentence)}. {value}; {asked}.",
        )


def _description(spec: object) -> Iterator[Line]:
    """Yield what the spec says of the audit, line by line, under a title of its own."""
    lines = [line for line in str(entry_of(spec, "description") or "").splitlines() if line.strip()]
    for i, line in enumerate(lines):
        words = escape(" ".join(line.split()))
        yield Line.of(words) if i else Line.fact("what the spec says of it", words)


def _about(report: Report) -> Iterator[Line]:
    """Yield when it was run, what was audited, and who answers for it."""
    run, spec = report.run, report.result.audit.spec
    day = day_text(run.day)
    if date.fromisoformat(run.as_of) != run.day:
        day += f", judged as on {day_text(run.as_of)}"
    yield Line.fact("run on", day)
    yield Line.fact("audit", escape(report.result.audit.name))
    yield from _description(spec)
    if owner := owner_text(report):
        yield Line.fact("owner of the audit", owner)
    yield from _model(entry_of(spec, "model"))
    if tags := entry_of(spec, "tags"):
        yield Line.fact("tags", spec_value(tags))
    yield Line.fact("made by", f"biaspipe {run.biaspipe}")


def _model(model: object) -> Iterator[Line]:
    """Yield what the spec says of the model: name, version and owner first."""
    if not isinstance(model, dict) or not model:
        yield Line.fact("model", "the spec says nothing of a model")
        return
    named = {"name": "model", "version": "version of the model", "owner": "owner of the model"}
    first = [key for key in KNOWN if key in model]
    keys = [*first, *sorted((key for key in model if key not in KNOWN), key=str)]
    for key in keys:
        title = named.get(key, f"model, {escape(key or repr(key))}")
        yield Line.fact(title, escape(fact_text(model[key])))
