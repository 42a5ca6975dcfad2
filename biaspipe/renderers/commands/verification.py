"""What a verification found, for a person: what the report says, and whether that holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from biaspipe.errors import Exit
from biaspipe.printable_text import escape, shorten
from biaspipe.renderers.about import about
from biaspipe.renderers.cautions import caution_lines, cautions
from biaspipe.renderers.story import Facts, Line, Role, Section, Span, Story
from biaspipe.renderers.text import counted_text, parameters_text, tally_text, verdict_text
from biaspipe.renderers.waiver_lines import waiver_text
from biaspipe.report import CHANGED, Finding, Report, WaiverRecord
from biaspipe.verdict import Verdict

__all__ = ["VerificationStep", "verification_story"]

MAX_SHOWN, MAX_FOLLOWING, MAX_WAIVERS = 50, 5, 20
MAX_WORDS = 600


@dataclass(frozen=True)
class VerificationStep:
    """A part of a verification.

    Parameters
    ----------
    about : what was looked at.
    words : what holds where nothing was found, or why it was not looked at.
    findings : what is wrong.
    done : whether it was looked at.
    """

    about: str
    words: str
    findings: tuple[Finding, ...] = ()
    done: bool = True


def verification_story(
    name: str,
    report: Report | None,
    steps: Sequence[VerificationStep],
    codes: tuple[Exit, Exit | None],
    today: date,
) -> Story:
    """Return the story of a verification: the report, the steps, every finding and the outcome.

    Parameters
    ----------
    name : the report's file.
    report : the report, where it could be read.
    steps : the parts of the verification.
    codes : what the process ends with, and what a run that comes to this report does.
    today : the day on which it is verified.
    """
    code, ends = codes
    facts = [_fact("report", name)]
    sound = code is Exit.PASSED
    if report is not None and ends is not None:
        facts += [*_said(report, today), _verdict(report, ends, sound=sound)]
    facts += map(_step, steps)
    wrong = (line for step in steps for line in _wrong(step.findings))
    outcome = _outcome(report if sound else None, code)
    return Story((Section((Facts(tuple(facts)), *wrong, outcome)),))


def _outcome(report: Report | None, code: Exit) -> Line:
    """Say whether the report is verified, and what one that is says."""
    role: Role = "verified" if code is Exit.PASSED else Verdict.FAIL
    words = [Span("VERIFIED" if code is Exit.PASSED else "NOT VERIFIED", role)]
    if report is not None:
        of = " of a selection" if report.run.select else ""
        but = "" if report.run.is_of_own_wording else " but for its sentences"
        words.append(Span(f"{but}, and the verdict{of} is "))
        words.append(Span(verdict_text(report), report.result.verdict))
    return Line.of(*words, f"  exit {int(code)}", role=role)


def _fact(title: str, words: str) -> Line:
    return Line.fact(title, shorten(escape(words), MAX_WORDS))


def _said(report: Report, today: date) -> Iterator[Line]:
    """Yield what a report says of its audit and of its run."""
    result, run = report.result, report.run
    yield _fact("audit", result.audit.name)
    yield from (Line.fact(*pair) for pair in about(report))
    yield _fact("spec", f"{run.spec}  sha256 {result.audit.sha256}")
    by = f"biaspipe {run.biaspipe}, python {run.python}, polars {run.polars}"
    engine = f"; counted by {run.engine}" if run.engine else ""
    if result.audit.parameters:
        yield _fact("with", parameters_text(result))
    yield _fact("run", f"{run.started_at}, {by}{engine}")
    if run.policy:
        yield _fact("policy", f"sha256 {run.policy}")
    if commit := run.git.get("commit"):
        modified = ", and files beside it that are not in it" if run.git.get("modified") else ""
        yield _fact("commit", f"{commit}{modified}")
    yield _fact("result", f"sha256 {report.result_sha256}")
    if result.waivers:
        holding = [waiver for waiver in result.waivers if waiver.waived]
        words = f"judged as on {run.as_of}; {len(holding):,} of {len(result.waivers):,} applied"
        yield _fact("waivers", words)
        for waiver in holding[:MAX_WAIVERS]:
            yield _fact("", _applied(waiver, today))
        if len(holding) > MAX_WAIVERS:
            yield _fact("", f"and {len(holding) - MAX_WAIVERS:,} more")
    yield from caution_lines([*cautions(report), *_in_future(report, today)])


def _applied(waiver: WaiverRecord, today: date) -> str:
    """Say what a waiver does, who answers for it, and until when."""
    over = ", which is over" if date.fromisoformat(waiver.expires) < today else ""
    whose = f"by {waiver.approved_by} until {waiver.expires}{over}"
    return f"{waiver_text(waiver)}: {counted_text(waiver.waived, 'check')}, {whose}"


def _in_future(report: Report, today: date) -> Iterator[str]:
    """Yield that a report says to be of a day that has not come; clocks may differ a little."""
    if report.run.day > today + timedelta(days=1):
        yield f"says that it was run on {report.run.day}, which is not yet"


def _verdict(report: Report, ends: Exit, *, sound: bool) -> Line:
    told = "" if sound else ", as it says of itself"
    words = f"{told}: {tally_text(report)}; a run that comes to this ends with exit {int(ends)}"
    verdict = Span(verdict_text(report), report.result.verdict)
    return Line.fact("verdict", verdict, words)


def _wrong(findings: Sequence[Finding]) -> Iterator[Line]:
    """List what is wrong; where one place was changed, the rest only follows from it."""
    told = [finding for finding in findings if finding.what == CHANGED]
    rest = [finding for finding in findings if finding.what != CHANGED]
    most = MAX_FOLLOWING if told else MAX_SHOWN
    for finding in [*told, *rest[:most]]:
        where, what = (shorten(escape(x), MAX_WORDS) for x in (finding.where, finding.what))
        words = f" {where}: {what}"
        yield Line.of(Span("WRONG", Verdict.FAIL), words, role=Verdict.FAIL)
        if finding in told and rest:
            yield Line.of("what follows from it:")
    if len(rest) > most:
        yield Line.of(f"and {counted_text(len(rest) - most, 'place')} more")


def _step(step: VerificationStep) -> Line:
    state, role = _state(step)
    return Line.of(_words(step), titles=[Span(state, role), step.about], role=role)


def _state(step: VerificationStep) -> tuple[str, Role]:
    if not step.done:
        return "-", "aside"
    return ("WRONG", Verdict.FAIL) if step.findings else ("ok", Verdict.PASS)


def _words(step: VerificationStep) -> str:
    if step.findings:
        many = len(step.findings) > 1
        words = "are not as they have to be" if many else "is not as it has to be"
        return f"{counted_text(len(step.findings), 'place')} {words}"
    return escape(step.words)
