"""What a verification found, for a person: what the report says, and whether that holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from biaspipe.errors import Exit, cut, shown
from biaspipe.renderers.asked import caution_lines, cautions
from biaspipe.renderers.facets import STYLES
from biaspipe.renderers.findings import about
from biaspipe.renderers.wording import counted_text, parameters_text, tally_text, verdict_text
from biaspipe.report import CHANGED, Finding, Report, WaiverRecord

__all__ = ["Step", "render"]

MOST_SHOWN, MOST_FOLLOWING, MOST_WAIVERS = 50, 5, 20
MOST_WORDS = 600


@dataclass(frozen=True)
class Step:
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


def render(
    name: str,
    report: Report | None,
    steps: Sequence[Step],
    codes: tuple[Exit, Exit | None],
    today: date,
) -> RenderableType:
    """Return what the report says, what was verified, everything that is wrong, and the outcome.

    Parameters
    ----------
    name : the report's file.
    report : the report, where it could be read.
    steps : the parts of the verification.
    codes : what the process ends with, and what a run that comes to this report does.
    today : the day on which it is verified.
    """
    code, ends = codes
    parts: list[RenderableType] = [_line("report", name)]
    sound = code is Exit.PASSED
    if report is not None and ends is not None:
        parts += _said(report, today)
        parts += [_verdict(report, ends, sound=sound)]
    for step in steps:
        state, style = _state(step)
        words = Text(f"{state:<8}", style).append(f"{step.about:<8}{_words(step)}", "not bold")
        parts.append(words)
    for step in steps:
        parts += _list(step.findings)
    last = Text("VERIFIED" if sound else "NOT VERIFIED", "bold green" if sound else "bold red")
    if sound and report is not None:
        of = " of a selection" if report.run.select else ""
        last.append(f", and the verdict{of} is ", "not bold")
        last.append(verdict_text(report), STYLES[report.result.verdict])
    return Group(*parts, last.append(f"  exit {int(code)}", "not bold"))


def _line(title: str, words: str, style: str = "dim") -> Text:
    return Text(f"{title:<8}", style).append(cut(shown(words), MOST_WORDS), "not dim not bold")


def _said(report: Report, today: date) -> Iterator[RenderableType]:
    """Yield what a report says of its audit and of its run."""
    result, run = report.result, report.run
    yield _line("audit", result.audit.name)
    yield _line("spec", f"{run.spec}  sha256 {result.audit.sha256}")
    by = f"biaspipe {run.biaspipe}, python {run.python}, polars {run.polars}"
    engine = f"; counted by {run.engine}" if run.engine else ""
    if result.audit.parameters:
        yield _line("with", parameters_text(result))
    yield _line("run", f"{run.started_at}, {by}{engine}")
    if run.policy:
        yield _line("policy", f"sha256 {run.policy}")
    if commit := run.git.get("commit"):
        modified = ", and files beside it that are not in it" if run.git.get("modified") else ""
        yield _line("commit", f"{commit}{modified}")
    yield _line("result", f"sha256 {report.result_sha256}")
    if result.waivers:
        holding = [waiver for waiver in result.waivers if waiver.waived]
        words = f"judged as on {run.as_of}; {len(holding):,} of {len(result.waivers):,} applied"
        yield _line("waivers", words)
        for waiver in holding[:MOST_WAIVERS]:
            yield _line("", _applied(waiver, today))
        if len(holding) > MOST_WAIVERS:
            yield _line("", f"and {len(holding) - MOST_WAIVERS:,} more")
    yield from caution_lines([*cautions(report), *_in_future(report, today)])


def _applied(waiver: WaiverRecord, today: date) -> str:
    """Say what a waiver does, who answers for it, and until when."""
    over = ", which is over" if date.fromisoformat(waiver.expires) < today else ""
    whose = f"by {waiver.approved_by} until {waiver.expires}{over}"
    return f"{about(waiver)}: {counted_text(waiver.waived, 'check')}, {whose}"


def _in_future(report: Report, today: date) -> Iterator[str]:
    """Yield that a report says to be of a day that has not come; clocks may differ a little."""
    if report.run.day > today + timedelta(days=1):
        yield f"says that it was run on {report.run.day}, which is not yet"


def _verdict(report: Report, ends: Exit, *, sound: bool) -> Text:
    told = "" if sound else ", as it says of itself"
    words = f"{told}: {tally_text(report)}; a run that comes to this ends with exit {int(ends)}"
    line = Text("verdict ", "dim").append(verdict_text(report), STYLES[report.result.verdict])
    return line.append(words, "not dim not bold")


def _list(findings: Sequence[Finding]) -> Iterator[RenderableType]:
    """List what is wrong; where one place was changed, the rest only follows from it."""
    told = [finding for finding in findings if finding.what == CHANGED]
    rest = [finding for finding in findings if finding.what != CHANGED]
    most = MOST_FOLLOWING if told else MOST_SHOWN
    for finding in [*told, *rest[:most]]:
        line = Text("WRONG ", "bold red")
        words = f"{cut(shown(finding.where), MOST_WORDS)}: {cut(shown(finding.what), MOST_WORDS)}"
        yield line.append(words, "not bold")
        if finding in told and rest:
            yield Text("what follows from it:")
    if len(rest) > most:
        yield Text(f"and {counted_text(len(rest) - most, 'place')} more")


def _state(step: Step) -> tuple[str, str]:
    if not step.done:
        return "-", "dim"
    return ("WRONG", "bold red") if step.findings else ("ok", "green")


def _words(step: Step) -> str:
    if step.findings:
        many = len(step.findings) > 1
        words = "are not as they have to be" if many else "is not as it has to be"
        return f"{counted_text(len(step.findings), 'place')} {words}"
    return shown(step.words)
