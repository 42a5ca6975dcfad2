"""What GitHub Actions is told of a command: annotations, and the summary of the step."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from biaspipe.cli.messages import tell
from biaspipe.errors import Exit, OutputError
from biaspipe.output_files.streams import write_commands
from biaspipe.printable_text import escape
from biaspipe.renderers.ci.annotations import Annotation, annotations_of_error, draw_annotations
from biaspipe.secrets import clean_message

if TYPE_CHECKING:
    from biaspipe.cli.outcomes import AuditOutcome
    from biaspipe.renderers.story import Story
    from biaspipe.report import Report

__all__ = ["annotate", "in_repository", "report_commands", "tell_github", "tells_github"]

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file of the step's summary."""
EMPTY = Annotation("error", "nothing checked", "nothing was checked: the selection is empty")


def tells_github(chosen: str | None) -> bool:
    """Whether GitHub Actions is to be told what a command finds.

    Parameters
    ----------
    chosen : what `--format` says.
    """
    at_github = os.environ.get("GITHUB_ACTIONS") == "true"
    return chosen == "github" or (at_github and chosen != "none")


def repository_path(name: str) -> str:
    """Return the path of a file from the top of its repository, as far as anybody knows it.

    Parameters
    ----------
    name : the file; nothing is returned for one that is not there.
    """
    from biaspipe.pipeline.provenance import path_of  # noqa: PLC0415 - only needed here

    file = Path(name)
    if path := path_of(file).get("path"):
        return escape(path)
    with suppress(OSError, ValueError, RuntimeError):
        top = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd())
        return escape(file.resolve(strict=True).relative_to(top.resolve()).as_posix())
    return ""


def tell_github(
    outcomes: "Sequence[AuditOutcome]", code: Exit, *, error: BaseException | None = None
) -> None:
    """Annotate what a run found, and write it into the summary of the step.

    Parameters
    ----------
    outcomes : what became of each spec.
    code : the worst of their exit codes.
    error : what ended the run before its time.
    """
    groups = [list(_annotations(outcome)) for outcome in outcomes]
    if error is not None:
        groups.append(annotations_of_error(error, "biaspipe", repository_path))
    elif not outcomes and code is not Exit.PASSED:
        groups.append([EMPTY])
    annotate([*groups, _written_summary(outcomes, code)])


def report_commands(report: "Report", code: Exit) -> list[str]:
    """Write a report into the summary of the step, and return the commands that annotate it.

    Parameters
    ----------
    report : the whole report.
    code : the exit code that it stands for.
    """
    from biaspipe.cli.outcomes import AuditOutcome  # noqa: PLC0415 - only needed here

    outcome = AuditOutcome.of(report, code, ())
    return draw_annotations([[*_annotations(outcome)], _written_summary([outcome], code)])


def in_repository(groups: Sequence[Sequence[Annotation]]) -> list[list[Annotation]]:
    """Return annotations with files as their repository has them, not as they were given.

    Parameters
    ----------
    groups : those of each spec.
    """
    return [
        [one._replace(path=one.path and repository_path(one.path)) for one in group]
        for group in groups
    ]


def annotate(groups: Sequence[Sequence[Annotation]]) -> None:
    """Print annotations beside what a command prints, which may go into a pipe.

    Parameters
    ----------
    groups : those of each spec.
    """
    sys.stdout.flush()
    write_commands(draw_annotations(groups), sys.stderr)


def _annotations(outcome: "AuditOutcome") -> Iterator[Annotation]:
    from biaspipe.renderers.ci.alerts import alerts  # noqa: PLC0415 - only needed here
    from biaspipe.renderers.ci.annotations import annotations_of  # noqa: PLC0415 - as above

    entry, report, error, line = outcome
    if report is not None:
        yield from annotations_of(alerts(report), repository_path(report.run.spec))
    if error is not None:
        about = entry.spec, line
        yield from annotations_of_error(error, entry.words, repository_path, about)


def _written_summary(outcomes: "Sequence[AuditOutcome]", code: Exit) -> list[Annotation]:
    """Write the summary of the step; return what kept it from being written."""
    if not outcomes:
        return []
    if not (name := os.environ.get(SUMMARY)):
        tell(f"{SUMMARY} names no file, so there is no summary of the step")
        return []
    try:
        _append(Path(name), outcomes, code)
    except OutputError as error:
        tell(clean_message(error))
        return [Annotation("warning", "no summary of the step", clean_message(error))]
    return []


def _append(path: Path, outcomes: "Sequence[AuditOutcome]", code: Exit) -> None:
    """Write the summary behind what stands in its file, as far as there is room.

    Raises
    ------
    OutputError
        If it cannot be written, or nothing of it has room.
    """
    from biaspipe.renderers.step_summary import LIMIT, step_summary  # noqa: PLC0415 - as above

    try:
        with path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            text = step_summary(list(_pages(outcomes, code)), LIMIT - size - 2)
            if not text:
                raise OutputError(f"{path}: the summary has no room for more")
            try:
                file.write(f"{'' if not size else chr(10)}{text}".encode(errors="replace"))
                file.flush()
            except OSError:
                file.truncate(size)
                raise
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None


def _pages(outcomes: "Iterable[AuditOutcome]", code: Exit) -> "Iterator[Story]":
    """Yield what there is to read: a table of several audits, and each of them, the worst first."""
    from biaspipe.renderers.evidence_page import page_story  # noqa: PLC0415 - as above
    from biaspipe.renderers.step_summary import error_story, run_story  # noqa: PLC0415 - as above

    found = sorted(outcomes, key=lambda one: one.entry.rank)
    if len(found) > 1:
        yield run_story([outcome.entry for outcome in found], code)
    for entry, report, error, _ in found:
        if report is not None:
            yield page_story(report)
        else:
            yield error_story(entry, clean_message(error))
