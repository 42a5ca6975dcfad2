"""The verdict as a sentence, who answers for what, and what bears on what the verdict is worth."""

from collections.abc import Iterator, Sequence
from datetime import date

from biaspipe.printable_text import escape
from biaspipe.renderers.about import fact_text, owner_text
from biaspipe.renderers.cautions import caution_lines, cautions
from biaspipe.renderers.evidence_page.judgement import (
    NOT_WORSE,
    is_only_not_worse,
    judged_by_limit,
    missed_limits,
)
from biaspipe.renderers.evidence_page.losses import greatest_loss
from biaspipe.renderers.evidence_page.wording import (
    VERDICTS,
    day_text,
    listed,
    metric_name,
    pair_text,
    required_text,
    spec_value,
)
from biaspipe.renderers.repetition import repetitions
from biaspipe.renderers.severity import farthest, worst
from biaspipe.renderers.signs import audit_role
from biaspipe.renderers.story import Facts, Line, Role, Section, Span, StoryPart
from biaspipe.renderers.text import counted_text, value_text, verdict_counts
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["conclusion", "conclusion_section"]

SHOWN = 3
"""What vanished since the baseline that is named."""
KNOWN = ("name", "version", "owner")


def conclusion(report: Report) -> str:
    """Return the verdict of a report in a sentence, with how many checks came to what.

    Parameters
    ----------
    report : the whole report.
    """
    parts = (_counts(report), _repeated(report), _vanished(report), _counted_as(report))
    told = "; ".join(filter(None, parts))
    return f"{_headline(report)}{f': {told}' if told else ''}."


def conclusion_section(report: Report) -> Section:
    """Return the section that a reader in a hurry reads."""
    role = _role(report)
    lines = [Line.of(Span(conclusion(report), role), role=role), *_worst(report)]
    if words := greatest_loss(report):
        lines.append(Line.of(Span("Who is missing: ", "strong"), words))
    about = Facts(tuple(_about(report)))
    warned = tuple(caution_lines(cautions(report)))
    parts: list[StoryPart] = [*lines, *([Facts(warned)] if warned else [])]
    return Section((*parts, about))


def _role(report: Report) -> Role:
    """Return what the conclusion is; where nothing was decided, that passes is no good news."""
    verdict = report.result.verdict
    is_decided = _decided(report) != {Verdict.UNDECIDED}
    return audit_role(verdict if is_decided or verdict is not Verdict.PASS else Verdict.UNDECIDED)


def _decided(report: Report) -> set[Verdict]:
    """Return what the checks came to that have something to decide them by."""
    return {ruled.verdict for ruled in report.result.rulings} - {Verdict.REPORTED}


def _headline(report: Report) -> str:
    """Say what the verdict means; what could not be decided is nowhere said to be met."""
    verdict = report.result.verdict
    decided = _decided(report)
    search = report.result.subgroups
    searched = search is not None and search.verdict is Verdict.FAIL
    if verdict is Verdict.FAIL and not missed_limits(report) and not searched:
        return f"Worse than its baseline allows{_limits_kept(report)}"
    if Verdict.UNDECIDED not in decided or verdict in (Verdict.FAIL, Verdict.UNDECIDED):
        return VERDICTS[verdict].audit
    if decided == {Verdict.UNDECIDED}:
        return "Nothing could be decided"
    if verdict is Verdict.WAIVED:
        return "Fails only where somebody answers for it, but not everything could be decided"
    return "Fails nowhere, but not everything could be decided"


def _limits_kept(report: Report) -> str:
    """Say that no limit is missed where only the baseline fails, as far as that is known."""
    limited = [check for check in report.result.checks if check.limits.is_set]
    if not limited or any(check.verdict is Verdict.WAIVED for check in limited):
        return ""
    decided = all(
        judged_by_limit(check, report) is Verdict.PASS
        for check in limited
        if check.verdict in (Verdict.FAIL, Verdict.UNDECIDED)
    )
    return f", though no limit is {'' if decided else 'clearly '}missed"


def _counts(report: Report) -> str:
    """Say how many checks came to what, the gravest first."""
    counted = dict(verdict_counts(report))
    reported = counted.pop(Verdict.REPORTED, 0)
    unlimited = sum(map(is_only_not_worse, report.result.checks))
    counted[Verdict.PASS] = counted.get(Verdict.PASS, 0) - unlimited
    kinds = [(counted[v], _verb(v, counted[v])) for v in Verdict if counted.get(v)]
    if unlimited:
        be = "is" if unlimited == 1 else "are"
        kinds.append((unlimited, f"without a limit {be} {NOT_WORSE} than in the baseline"))
    told = [_kinds_text(kinds)] if kinds else []
    if reported:
        verb = "is" if reported == 1 else "are"
        told.append(f"{counted_text(reported, 'value')} {verb} reported without a limit")
    return "; ".join(told)


def _kinds_text(kinds: Sequence[tuple[int, str]]) -> str:
    """Say how many checks of how many are of each kind."""
    whole = sum(n for n, _ in kinds)
    (first, words), *others = kinds
    if not others:
        few = {1: "the only check", 2: "both checks"}
        return f"{few.get(whole, f'all {whole:,} checks')} {words}"
    of_all = f"{first:,} of {counted_text(whole, 'check')} {words}"
    return listed([of_all, *(f"{n:,} {each}" for n, each in others)])


def _repeated(report: Report) -> str:
    """Say how many of the failures say again what another one says."""
    again = sum(check.verdict is Verdict.FAIL for check, _ in repetitions(report))
    if not again:
        return ""
    verb = "repeats another" if again == 1 else "repeat others"
    return f"{again:,} of the failures {verb}, under another name or the other way round"


def _verb(verdict: Verdict, n: int) -> str:
    if n != 1:
        return VERDICTS[verdict].several
    alone = {Verdict.UNDECIDED: VERDICTS[verdict].several, Verdict.WAIVED: "fails and is waived"}
    return alone.get(verdict, VERDICTS[verdict].one)


def _vanished(report: Report) -> str:
    baseline = report.result.baseline
    if baseline is None or not baseline.fails:
        return ""
    gone = [f"“{escape(name)}”" for name in baseline.vanished]
    if len(gone) == 1:
        return f"{gone[0]} of the baseline is gone"
    more = f" and {len(gone) - SHOWN:,} more" if len(gone) > SHOWN else ""
    named = f"{', '.join(gone[:SHOWN])}{more}"
    return f"{len(gone):,} of the baseline's checks and groups are gone: {named}"


def _counted_as(report: Report) -> str:
    """Say what undecided checks count as, where that is not a failure."""
    undecided = report.result.decision.undecided
    found = any(ruled.verdict is Verdict.UNDECIDED for ruled in report.result.rulings)
    words = {"warn": "a warning", "pass": "nothing"}
    if not found or undecided == "fail":
        return ""
    return f"what cannot be decided counts as {words[undecided]}, as the spec says"


def _worst(report: Report) -> Iterator[Line]:
    """Say which failure lies farthest beyond its limit, else which the baseline fails first."""
    missed = missed_limits(report)
    gravest = worst(report)
    failed = gravest if gravest and gravest.verdict is Verdict.FAIL else None
    check = farthest(missed)
    lead = "Farthest beyond its limit: " if check else "Worse than in the baseline: "
    if check := check or (None if missed else failed):
        facet = f"{escape(check.facet)}, " if check.facet else ""
        pair = pair_text(check.favored, check.disfavored) if check.disfavored else ""
        about = f"{facet}{pair}: " if pair else ""
        value = f"{metric_name(check)} is {value_text(check)}"
        asked = [f"{required_text(check.limits)} is required"] if check.limits.is_set else []
        asked += [escape(check.reason)] if check.reason else []
        words = "; ".join([value, *asked])
        yield Line.of(Span(lead, "strong"), f"{about}{escape(check.sentence)}. {words}.")


def _description(report: Report) -> Iterator[Line]:
    """Yield what the spec says of the audit, line by line, under a title of its own."""
    words = str(report.result.audit.entry("description") or "")
    for i, line in enumerate(line for line in words.splitlines() if line.strip()):
        shown = escape(" ".join(line.split()))
        yield Line.of(shown) if i else Line.fact("what the spec says of it", shown)


def _about(report: Report) -> Iterator[Line]:
    """Yield when it was run, what was audited, and who answers for it."""
    run, audit = report.run, report.result.audit
    day = day_text(run.day)
    if date.fromisoformat(run.as_of) != run.day:
        day += f", judged as on {day_text(run.as_of)}"
    yield Line.fact("run on", day)
    yield Line.fact("audit", escape(audit.name))
    yield from _description(report)
    yield Line.fact("owner of the audit", owner_text(report) or "the spec names none")
    yield from _model(audit.entry("model"))
    if tags := audit.entry("tags"):
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
