"""What GitHub is told of an audit, word by word: the annotations and the summary of the step."""

from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.errors import Exit
from biaspipe.renderers.ci.alerts import alerts
from biaspipe.renderers.ci.annotations import annotations_of, draw_annotations
from biaspipe.renderers.commands.index_page import entry_of, entry_without
from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.step_summary import LIMIT, error_story, run_story, step_summary
from tests.golden.audits import HERE, NAMES, code_of, report_of

Golden = Callable[[Path, str], None]


@pytest.mark.parametrize("name", NAMES)
def test_annotations_are_the_reviewed_ones(name: str, golden: Golden) -> None:
    """The commands are those that were read and found right, ten of a level at most."""
    lines = draw_annotations([annotations_of(alerts(report_of(name)))])
    golden(HERE / "github" / f"{name}.txt", "".join(f"{line}\n" for line in lines))


def test_summary_of_several_audits_is_the_reviewed_one(golden: Golden) -> None:
    """The summary begins with a table of all audits, and each follows, in 12,000 bytes."""
    entries = [
        entry_without("audits/lost.yaml", "not audited", Exit.WRONG_DATA, "a.csv: it is not there"),
        entry_of(report_of("every-verdict"), code_of(report_of("every-verdict")), ["out/a.json"]),
        entry_of(report_of("berkeley-admissions"), Exit.PASSED, ["out/b.json", "out/b.html"]),
    ]
    pages = [
        run_story(entries, Exit.WRONG_DATA),
        error_story(entries[0], "a.csv: it is not there\n  hint: look in `data`"),
        page_story(report_of("every-verdict")),
        page_story(report_of("berkeley-admissions")),
    ]
    text = step_summary(pages, 12_000)
    assert len(text.encode()) <= 12_000
    golden(HERE / "github" / "summary.md", text)


@pytest.mark.parametrize("name", NAMES)
def test_summary_of_one_audit_is_its_page(name: str) -> None:
    """Where there is room the summary says all that the page says."""
    from biaspipe.renderers.markdown import markdown

    found = step_summary([page_story(report_of(name))], LIMIT)
    assert found.replace("\n\n", "\n") == markdown(report_of(name)).replace("\n\n", "\n")
