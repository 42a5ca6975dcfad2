"""What `diff`, `verify` and `waivers` found, as pages that are read where no command was seen."""

import shlex
from collections.abc import Iterator, Sequence
from datetime import date

from biaspipe import __version__
from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.about import declared
from biaspipe.renderers.commands.diff import CheckPair, pairs_in_words
from biaspipe.renderers.commands.verification import VerificationStep
from biaspipe.renderers.commands.waivers import WaiverEntry, audits_of
from biaspipe.renderers.story import Facts, Line, Section, Span, Story, StoryPart, Verbatim
from biaspipe.renderers.text import counted_text, verdict_text
from biaspipe.report import Report
from biaspipe.spec import format_value
from biaspipe.verdict import Verdict

__all__ = ["diff_page", "verification_page", "waivers_page"]

WORSENING = "A value is worse where it is farther from parity than in the older report"
MARGIN = ", and regressed where it is so by more than {}, the most that this comparison allows."
NO_MARGIN = "; this comparison allows none to be, so that every worse value counts as regressed."
ASKED = " Whether a value keeps its limit is not asked here: the reports say it."
PROVES = (
    "Verifying recomputes every value, interval and verdict from the counts in the report, and the"
    " digests of all that it says. It shows that the report says what its counts say; reading the"
    " data again, where that was done, shows that the counts are those of the data. It does not"
    " show who wrote the report, nor that the data is right."
)
WAIVING = (
    "A waiver says that somebody accepts a failure, why, and until when. A waived check is counted"
    " apart, and fails again on the day after the last one."
)

LABELS = {"": "waived", "report": "file", "with": "parameters", "result": "digest of the result"}
"""What a page calls what the console has no room to name."""
COMPARED = {
    "report": "the report with itself",
    "spec": "the report with its spec",
    "data": "the report with its data",
}
"""What is compared in each part of a verification."""


def diff_page(
    story: Story,
    reports: tuple[tuple[str, Report], tuple[str, Report]],
    pairs: Sequence[CheckPair],
    rule: tuple[float, Sequence[str]],
    code: Exit,
) -> Story:
    """Return a comparison of two reports as a page.

    Parameters
    ----------
    story : the comparison as the console has it.
    reports : the older and the newer one, each with its file.
    pairs : the checks that both have.
    rule : how much worse a value may be, and what may vanish.
    code : what the process ends with.
    """
    (old, before), (new, now) = reports
    most, allowed = rule
    worse = sum(pair.note.verdict == "regressed" for pair in pairs)
    told = Span(f"{worse:,} of {counted_text(len(pairs), 'check')} got worse", Verdict.FAIL)
    if not worse:
        role = Verdict.PASS if code is Exit.PASSED else None  # something may have vanished
        told = Span(f"None of {counted_text(len(pairs), 'check')} got worse", role)
    than = f" by more than {format_value(most)}" if most else "; none may"
    margin = MARGIN.format(format_value(most)) if most else NO_MARGIN
    counted = [Line.of(told, f"{than}."), story.sections[-1].parts[-1]]
    words = ["biaspipe", "diff", old, new, "--max-worsening", format_value(most)]
    words += [word for name in allowed for word in ("--allow-vanished", name)]
    sections = (
        Section(tuple(counted)),
        Section((Facts(tuple(_compared(old, before))),), "The older report"),
        Section((Facts(tuple(_compared(new, now))),), "The newer report"),
        Section((Line.of(f"{WORSENING}{margin}{ASKED}"),), "What was compared"),
        Section((pairs_in_words(pairs), *story.sections[1].parts[1:]), "The checks"),
        _repeated("The same comparison is made of the two reports by", words),
    )
    name = escape(now.result.audit.name)
    return Story(sections, f"Two reports of {name} compared")


def _compared(file: str, report: Report) -> Iterator[Line]:
    result, run = report.result, report.run
    yield _fact("file", file)
    yield _fact("audit", result.audit.name)
    yield from (Line.fact(*pair) for pair in declared(result.audit.spec))
    yield _fact("run on", run.day.isoformat())
    yield Line.fact("verdict", Span(verdict_text(report), result.verdict))
    yield _fact("people", counted_text(result.data.everyone.n, "person"))
    yield _fact("made by", f"biaspipe {run.biaspipe}")
    yield _fact("result, sha256", report.result_sha256)


def verification_page(
    story: Story,
    report: Report | None,
    steps: Sequence[VerificationStep],
    command: Sequence[str],
    ended: tuple[Exit, date],
) -> Story:
    """Return a verification as a page.

    Parameters
    ----------
    story : the verification as the console has it.
    report : the report, where it could be read.
    steps : the parts of the verification.
    command : what verifies it in the same way.
    ended : what the process ends with, and the day on which it was verified.
    """
    (code, today), (facts, *wrong, outcome) = ended, story.sections[0].parts
    day = f"Verified on {today} by biaspipe {__version__}; it ended with exit code {int(code)}."
    sections = [Section((_outcome(outcome), Line.of(day)))]
    if code is not Exit.PASSED:
        sections.append(Section(tuple(wrong), "What is wrong"))
    sections += [
        Section((Facts(tuple(_labelled(facts, len(steps)))),), "Which report was verified"),
        Section((Facts(tuple(map(_step, steps))),), "What was compared"),
        Section((Line.of(PROVES),), "What that shows"),
        _repeated("The same is found by", command),
    ]
    name = f" of {escape(report.result.audit.name)}" if report else ""
    return Story(tuple(sections), f"Verification of a report{name}")


def _outcome(outcome: StoryPart) -> Line:
    """Say whether the report is verified, and as another sentence what its verdict is."""
    if not isinstance(outcome, Line):
        raise TypeError("a verification ends in a line")
    first, *others = outcome.spans[:-1]  # the last one is the exit code
    told = [Span(". The verdict that the report holds is "), others[-1]] if others else []
    return Line.of(first, *told, ".", role=outcome.role)


def _labelled(facts: StoryPart, steps: int) -> Iterator[Line]:
    """Yield what a report says of itself, each under a label of its own."""
    lines = facts.lines[:-steps] if isinstance(facts, Facts) else ()
    for line in lines:
        title = line.titles[0]
        words = LABELS.get(title.text, title.text)
        yield line._replace(titles=(title._replace(text=words), *line.titles[1:]))


def _step(step: VerificationStep) -> Line:
    """Say of a part of a verification whether it holds."""
    if not step.done:
        return Line.fact(COMPARED[step.about], Span(escape(step.words), "aside"))
    if step.findings:
        places = counted_text(len(step.findings), "place")
        told = f": {places} not as {'they have' if len(step.findings) > 1 else 'it has'} to be"
        return Line.fact(COMPARED[step.about], Span("does not hold", Verdict.FAIL), told)
    return Line.fact(COMPARED[step.about], Span("holds", Verdict.PASS), f": {escape(step.words)}")


def waivers_page(
    story: Story, entries: Sequence[WaiverEntry], specs: Sequence[str], as_of: date
) -> Story:
    """Return the waivers of some specs as a page.

    Parameters
    ----------
    story : the waivers as the console has them.
    entries : the waivers.
    specs : the specs or folders that were looked at.
    as_of : the day that counts as today.
    """
    *table, tally = story.sections[0].parts
    sections = [Section((tally, Line.of(WAIVING)))]
    sections += [Section(tuple(table), "The waivers")] if table else []
    sections += [Section((audits_of(entries),), "The audits that they are of")] if entries else []
    words = ["biaspipe", "waivers", *specs, "--as-of", as_of.isoformat()]
    sections.append(_repeated("The same list is made by", words))
    return Story(tuple(sections), f"Waivers as of {as_of}")


def _fact(title: str, words: str) -> Line:
    return Line.fact(title, escape(words))


def _repeated(words: str, command: Sequence[str]) -> Section:
    parts = (Line.of(f"{words}:"), Verbatim((escape(shlex.join(command)),)))
    return Section(parts, "How to repeat this")
