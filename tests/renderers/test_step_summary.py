"""The summary of a step: whole sections as far as there is room, and a line on the others."""

import pytest

from biaspipe.errors import Exit
from biaspipe.renderers.commands.index_page import entry_without
from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.step_summary import error_story, step_summary
from biaspipe.renderers.story import Line, Section, Story
from tests.golden.audits import report_of


def story(name: str, sizes: list[int]) -> Story:
    """Return a page of sections of so many letters."""
    sections = [Section((Line.of("x" * n),), f"{name} {i}") for i, n in enumerate(sizes)]
    return Story(tuple(sections), name)


def test_every_page_has_its_first_section_before_one_has_its_second() -> None:
    """Room goes to the first sections of all pages, then to the second ones."""
    text = step_summary([story("a", [900, 900]), story("b", [900, 900])], 4_200)
    titles = [line for line in text.splitlines() if line.startswith("#")]
    assert titles == ["# a", "## a 0", "## a 1", "# b", "## b 0"]
    left = "1 section of 1 of 2 pages left out below: a summary has no room for more."
    assert f"{left} The reports have all of it.\n\n# b" in text


@pytest.mark.parametrize("room", [20_000, 900])
def test_table_of_all_audits_has_room_before_them(room: int) -> None:
    """However many audits there are, their table stands first; one line tells what is missing."""
    audits = [story(f"audit {i}", [50]) for i in range(2_000)]
    text = step_summary([story("table", [100]), *audits], room)
    assert text.startswith("# table\n\n## table 0\n\nxxx")
    assert text.count("left out") == 1
    assert "of 2,001 pages left out below: a summary has no room for more." in text
    assert len(text.encode()) <= room


def test_summary_without_its_first_page_is_none() -> None:
    """Where the table of all audits has no room, nothing stands for it."""
    assert step_summary([story("table", [2_000]), story("audit", [10])], 1_500) == ""


@pytest.mark.parametrize("room", [*range(0, 12_000, 411), 10**6])
def test_summary_has_room(room: int) -> None:
    """However little room there is, the summary takes no more, and no section is cut in two."""
    pages = [page_story(report_of(name)) for name in ("every-verdict", "german-credit")]
    text = step_summary(pages, room)
    assert len(text.encode()) <= room
    whole = step_summary(pages, 10**9)
    for part in text.split("\n## ")[1:]:
        heading = part.splitlines()[0]
        body = part.split("\n\n")[1] if part.count("\n\n") else ""
        assert heading in whole
        assert body in whole or "left out here" in body


def test_no_room_is_no_summary() -> None:
    """Where there is no room for a line, there is no summary at all."""
    assert step_summary([story("a", [10])], 30) == ""
    assert step_summary([], 1000) == ""


def test_title_of_what_is_left_out_is_only_read() -> None:
    """A long or hostile title in the line on what is left out is short and is no markup."""
    page = Story(
        (Section((Line.of("x"),)), Section((Line.of("x" * 5_000),), "[a](b) " + "y" * 500)), "a"
    )
    text = step_summary([page], 1_000)
    assert text.startswith("# a\n\nx\n\n1 section left out here, from “\\[a\\](b) y")
    assert len(text) < 300


def test_error_is_shown_as_it_was_said() -> None:
    """A spec that gave no report has its code, and the error line by line."""
    entry = entry_without("##[x].yaml", "wrong spec", Exit.WRONG_SPEC, "")
    text = step_summary([error_story(entry, "a.yaml:1:1: `oops`\n   ```^")], 2_000)
    assert text == (
        "# #\\\\x23\\[x\\].yaml\n\n✗ **WRONG SPEC**  exit 2\n\n"
        "````\na.yaml:1:1: `oops`\n   ```^\n````\n"
    )
