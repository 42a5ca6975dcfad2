"""`diff`: two reports side by side."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from biaspipe.cli.file_kinds import told_apart
from biaspipe.cli.messages import tell
from biaspipe.cli.story_outputs import StoryOutputs, story_outputs
from biaspipe.errors import Exit, UsageError
from biaspipe.pipeline.baseline.comparability import incomparable
from biaspipe.pipeline.baseline.new_and_vanished import changes
from biaspipe.pipeline.baseline.worsening import BaselineValues, ChangeRules, compare
from biaspipe.pipeline.selection import selector
from biaspipe.pipeline.verification import sound_report
from biaspipe.plan import EarlierTables
from biaspipe.printable_text import escape
from biaspipe.renderers.commands.diff import CheckPair, diff_story
from biaspipe.renderers.commands.pages import diff_page
from biaspipe.renderers.text import counted_text
from biaspipe.report import CheckRecord, Report, Result
from biaspipe.spec import Audit
from biaspipe.statistics import swapped_tables
from biaspipe.verdict import Verdict

__all__ = ["compare_reports"]


def compare_reports(  # noqa: PLR0913 - each is an option
    old: Path,
    new: Path,
    max_worsening: float,
    allow: Sequence[str] = (),
    *,
    outputs: Sequence[Path] = (),
    quiet: bool = False,
) -> Exit:
    """Compare two reports, print what changed, and return the exit code.

    Parameters
    ----------
    old, new : the JSON artifacts of two runs.
    max_worsening : how much farther from parity a value may be in the new one.
    allow : what may vanish.
    quiet : whether only the last line is printed.
    outputs : files to write the comparison to, too.

    Raises
    ------
    DataError
        If one of them cannot be read, or was changed.
    UsageError
        If they do not measure the same.
    """
    read = [("report", old), ("report", new)]
    with story_outputs(outputs, read, quiet=quiet) as pages:
        return _compared((old, new), (max_worsening, allow), pages)


def _compared(
    files: tuple[Path, Path], rule: tuple[float, Sequence[str]], pages: StoryOutputs
) -> Exit:
    (old, new), (max_worsening, allow) = files, rule
    before, now = _read(old), _read(new)
    if reasons := list(incomparable(before.result, now.result)):
        raise UsageError(f"{old} and {new} cannot be compared: {'; '.join(map(escape, reasons))}")
    values = BaselineValues.of(before)
    result = now.result
    said = values.sameness(result.audit, result.data)
    rules = ChangeRules(max_worsening, result.decision.decide_by, **said)
    pairs = [
        CheckPair(check, compare(check, value._replace(people=_people(check, now, before)), rules))
        for check in now.result.checks
        if (value := values.value_of(check))
    ]
    asked = selector(Audit.model_validate(now.result.audit.spec), now.run.select)
    found = changes(now.result, values, allow, asked)
    outside = sum(not asked(key[0], key[1]) for key in values.values)
    if outside:
        names, many = " ".join(now.run.select), "is" if outside == 1 else "are"
        words = f"{new} holds a selection ({names}): {counted_text(outside, 'check')} of {old}"
        tell(escape(f"{words} {many} not compared"))
    code = _code(
        [*(pair.note.verdict for pair in pairs), *_search_notes(before.result, now)],
        lost=bool(found.vanished),
        partial=bool(outside),
    )
    reports = ((str(old), before), (str(new), now))
    story = diff_story(*reports, pairs, found, code)
    pages.show(story, lambda: diff_page(story, reports, pairs, rule, code))
    return code


def _people(check: CheckRecord, now: Report, before: Report) -> EarlierTables | None:
    """Return a check's people by both predictions, where one report was run against the other."""
    if people := _counted(check, now, before):
        return people
    people = _counted(check, before, now)
    return people and EarlierTables(*swapped_tables(*people))


def _counted(check: CheckRecord, report: Report, against: Report) -> EarlierTables | None:
    """Return a check's people by the prediction of a report and by that of its baseline."""
    baseline = report.result.baseline
    if baseline is None or baseline.result_sha256 != against.result_sha256:
        return None
    found = report.result.comparisons.get((check.facet, check.favored, check.disfavored))
    return found.earlier.to_tables() if found and found.earlier else None


def _read(path: Path) -> Report:
    with told_apart(path, "report", "diff"):
        return sound_report(path)


def _search_notes(before: Result, now: Report) -> Iterator[str]:
    """Yield what became of the verdict of a search for subgroups, where that got worse.

    A search that is no more searched tells nothing; what a selection leaves out was not asked for.
    """
    old, new = before.subgroups, now.result.subgroups
    if old is None or old.max_gap is None or (new is None and now.run.select):
        return
    came_to = new.verdict if new else Verdict.REPORTED
    if came_to is Verdict.FAIL and old.verdict is not Verdict.FAIL:
        yield "regressed"
    elif came_to is not old.verdict and came_to in (Verdict.UNDECIDED, Verdict.REPORTED):
        yield "undecided"


def _code(became: Iterable[str], *, lost: bool, partial: bool) -> Exit:
    """Return the exit code for what became of the checks.

    Parameters
    ----------
    became : what became of each check that both reports have, and of the search.
    lost : whether something vanished.
    partial : whether some checks are not compared.
    """
    verdicts = set(became)
    if lost or "regressed" in verdicts:
        return Exit.FAILED
    return Exit.UNDECIDED if partial or "undecided" in verdicts else Exit.PASSED
