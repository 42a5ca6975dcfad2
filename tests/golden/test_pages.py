"""The page of a report, word by word, with the numbers of its pictures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.renderers.evidence_page import page_story
from tests.golden.audits import HERE, NAMES, report_of
from tests.renderers.evidence_page.story_text import story_text

Golden = Callable[[Path, str], None]


@pytest.mark.parametrize("name", NAMES)
def test_page_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The page says what was read and found right."""
    golden(HERE / "pages" / f"{name}.txt", story_text(page_story(report_of(name))))
