"""What a verification found, for a person."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from biaspipe.errors import Exit, shown
from biaspipe.renderers.wording import counted_text, parameters_text
from biaspipe.report import CHANGED, Finding, Report

__all__ = ["Step", "render"]

MOST_SHOWN, MOST_FOLLOWING = 50, 5


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


def render(name: str, report: Report | None, steps: Sequence[Step], code: Exit) -> RenderableType:
    """Return what was verified, everything that is wrong, and the outcome.

    Parameters
    ----------
    name : the report's file.
    report : the report, where it could be read.
    steps : the parts of the verification.
    code : what the process ends with.
    """
    text = Text(f"{shown(name)}\n", style="bold")
    if report is not None:
        run, digest = report.run, report.result_sha256[:12]
        about = f"{report.result.audit.name}, {run.started_at}, biaspipe {run.biaspipe}, {digest}"
        text.append(f"{shown(about)}\n", "dim")
        if report.result.audit.parameters:
            text.append(f"with {parameters_text(report.result)}\n", "dim")
    for step in steps:
        state, style = _state(step)
        text.append(f"{state:<8}", style).append(f"{step.about:<8}{_words(step)}\n", "not bold")
    for step in steps:
        _list(text, step.findings)
    sound = code is Exit.PASSED
    text.append("VERIFIED" if sound else "NOT VERIFIED", "bold green" if sound else "bold red")
    return Group(text.append(f"  exit {int(code)}", "not bold"))


def _list(text: Text, findings: Sequence[Finding]) -> None:
    """List what is wrong; where one place was changed, the rest only follows from it."""
    told = [finding for finding in findings if finding.what == CHANGED]
    rest = [finding for finding in findings if finding.what != CHANGED]
    most = MOST_FOLLOWING if told else MOST_SHOWN
    for finding in [*told, *rest[:most]]:
        text.append("WRONG ", "bold red")
        text.append(f"{shown(finding.where)}: {shown(finding.what)}\n", "not bold")
        if finding in told and rest:
            text.append("what follows from it:\n", "not bold")
    if len(rest) > most:
        text.append(f"and {counted_text(len(rest) - most, 'place')} more\n", "not bold")


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
