"""What `diff`, `verify` and `waivers` found, as pages that are read where no command was seen."""

import shlex
from collections.abc import Iterator, Sequence
from datetime import date

from biaspipe import __version__
from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.commands.diff import CheckPair
from biaspipe.renderers.story import Facts, Line, Section, Span, Story, Verbatim
from biaspipe.renderers.text import counted_text, verdict_text
from biaspipe.report import Report
from biaspipe.spec import format_value
from biaspipe.verdict import Verdict

__all__ = ["diff_page", "verification_page", "waivers_page"]

WORSENING = (
    "A value is worse where it is farther from parity than in the older report, and regressed where"
    " it is so by more than {}, the most that this comparison allows. Whether a value keeps its"
    " limit is not asked here: the reports say it."
)
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
    lead = [Line.of(told, f" by more than {format_value(most)}."), story.sections[-1].parts[-1]]
    words = ["biaspipe", "diff", old, new, "--max-worsening", format_value(most)]
    words += [word for name in allowed for word in ("--allow-vanished", name)]
    sections = (
        Section(tuple(lead)),
        Section((Facts(tuple(_compared(old, before))),), "The older report"),
        Section((Facts(tuple(_compared(new, now))),), "The newer report"),
        Section((Line.of(WORSENING.format(format_value(most))),), "What was compared"),
        *(Section(one.parts, "The checks") for one in story.sections[1:-1]),
        _repeated("The same comparison is made of the two reports by", words),
    )
    name = escape(now.result.audit.name)
    return Story(sections, f"Two reports of {name} compared")


def _compared(file: str, report: Report) -> Iterator[Line]:
    result, run = report.result, report.run
    yield _fact("file", file)
    yield _fact("audit", result.audit.name)
    yield _fact("run on", run.day.isoformat())
    yield Line.fact("verdict", Span(verdict_text(report), result.verdict))
    yield _fact("people", counted_text(result.data.everyone.n, "person"))
    yield _fact("made by", f"biaspipe {run.biaspipe}")
    yield _fact("result, sha256", report.result_sha256)


def verification_page(
    story: Story, file: str, report: Report | None, code: Exit, today: date
) -> Story:
    """Return a verification as a page.

    Parameters
    ----------
    story : the verification as the console has it.
    file : the report's file.
    report : the report, where it could be read.
    code : what the process ends with.
    today : the day on which it was verified.
    """
    facts, *wrong, outcome = story.sections[0].parts
    day = f"Verified on {today} by biaspipe {__version__}."
    sections = [Section((outcome, Line.of(day)))]
    if code is not Exit.PASSED:
        sections.append(Section(tuple(wrong), "What is wrong"))
    sections += [
        Section((facts,), "What was verified"),
        Section((Line.of(PROVES),), "What that shows"),
        _repeated("The same is found by", ["biaspipe", "verify", file]),
    ]
    name = f" of {escape(report.result.audit.name)}" if report else ""
    return Story(tuple(sections), f"Verification of a report{name}")


def waivers_page(story: Story, specs: Sequence[str], as_of: date) -> Story:
    """Return the waivers of some specs as a page.

    Parameters
    ----------
    story : the waivers as the console has them.
    specs : the specs or folders that were looked at.
    as_of : the day that counts as today.
    """
    *table, tally = story.sections[0].parts
    sections = [Section((tally, Line.of(WAIVING)))]
    sections += [Section(tuple(table), "The waivers")] if table else []
    words = ["biaspipe", "waivers", *specs, "--as-of", as_of.isoformat()]
    sections.append(_repeated("The same list is made by", words))
    return Story(tuple(sections), f"Waivers as of {as_of}")


def _fact(title: str, words: str) -> Line:
    return Line.fact(title, escape(words))


def _repeated(words: str, command: Sequence[str]) -> Section:
    parts = (Line.of(f"{words}:"), Verbatim((escape(shlex.join(command)),)))
    return Section(parts, "How to repeat this")
