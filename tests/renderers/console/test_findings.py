"""What a report comes to, in its first lines."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.renderers.console.drawing import full_text, plain_text
from biaspipe.renderers.evidence_page import page_story
from tests.golden.audits import code_of, report_of
from tests.renderers.console.test_drawing import audited
from tests.renderers.evidence_page.story_text import story_text

ROWS = "sex,prediction,n\nm,1,60\nm,0,40\nf,1,30\nf,0,70\n"


@pytest.mark.parametrize(
    ("metrics", "parts", "words"),
    [
        ({"DI": {"min": 0.4}}, {}, "PASS: the only check passed"),
        ({"DI": {"min": 0.4}, "DPPL": {"max_abs": 0.5}}, {}, "PASS: all 2 checks passed"),
        ({"DI": {"min": 0.8}}, {}, "FAIL: the only check failed"),
        ({"DI": {"min": 0.8}, "DPPL": {"max_abs": 0.1}}, {}, "FAIL: all 2 checks failed"),
        ({"DI": {"min": 0.8}, "DPPL": {"max_abs": 0.5}}, {}, "FAIL: 1 of 2 checks failed"),
        (
            {"DI": {"min": 0.8}, "DPPL": {"warn": {"max_abs": 0.1}}, "CI": None},
            {},
            "FAIL: 1 of 2 checks failed, 1 warned",
        ),
        ({"DPPL": {"warn": {"max_abs": 0.1}}}, {}, "WARN: the only check warned"),
        (
            {"DI": {"min": 0.8}},
            {"decision": {"min_rows": 500}},
            "UNDECIDED: the only check undecided",
        ),
        ({"DI": None}, {}, "NOTHING CHECKED: no check has a limit"),
    ],
)
def test_first_line_says_what_it_comes_to(
    metrics: dict[str, Any], parts: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """The first line has the verdict, and how many of the checks that have a limit came to it."""
    report = audited(tmp_path, ROWS, metrics=metrics, **parts)
    assert plain_text(report, code_of(report)).splitlines()[0] == f"verdict {words}"


def test_first_line_says_what_vanished() -> None:
    """What the baseline had and the audit has not is a failure that no check is."""
    text = plain_text(report_of("second-release"), code_of(report_of("second-release")))
    first = (
        "verdict FAIL: 2 of 14 checks failed, 10 undecided, 1 warned; 6 vanished since the baseline"
    )
    assert text.splitlines()[0] == first


def test_second_line_says_the_worst_in_words(tmp_path: Path) -> None:
    """The worst finding stands behind the verdict, in words; where all passed, there is none."""
    report = audited(tmp_path, ROWS, metrics={"DPPL": {"max_abs": 0.2}, "DI": {"min": 0.8}})
    second = plain_text(report, code_of(report)).splitlines()[1]
    assert second.startswith("worst   DI on sex: the share who are ")
    assert "0.5 times as large among f as among m, to the disadvantage of f" in second
    report = audited(tmp_path, ROWS, metrics={"DI": {"min": 0.4}})
    assert "\nworst " not in plain_text(report, code_of(report))


def test_caution_stands_above_the_verdict() -> None:
    """What bears on what the verdict is worth is read before it."""
    report = report_of("every-verdict")
    run = report.run.model_copy(update={"fail_on": "never"})
    text = plain_text(report.model_copy(update={"run": run}), code_of(report))
    assert text.startswith("CAUTION run with --fail-on never")
    assert text.splitlines()[1].startswith("verdict FAIL: ")


IMPACT = {"min_ratio": "4/5", "significance": 0.05, "flip": True}


def test_what_decides_names_adverse_impact(tmp_path: Path) -> None:
    """Where adverse impact is judged, its p-value and flip are named beside the values."""
    report = audited(tmp_path, ROWS, metrics={"DI": {"impact": IMPACT}})
    text = " ".join(full_text(report, code_of(report)).split())
    what = "the ratio of the selection rates, its p-value and the move of one selection"
    assert f"decided by the values, adverse impact by {what}, min_rows 0" in text
    page = story_text(page_story(report))
    assert "What decides, but for adverse impact, is the value alone" in page
    assert f"What decides about adverse impact is {what}." in page
    assert "But for adverse impact, checks were decided by the value alone." in page
    assert f"Adverse impact was decided by {what}, whatever decided the rest." in page


def test_side_of_parity_that_nobody_would_see_is_named(tmp_path: Path) -> None:
    """With everything shown the console says in a sentence what would be told, and what not."""
    rows = "sex,prediction,n\nm,1,60\nm,0,340\nf,1,3\nf,0,17\n"
    report = audited(tmp_path, rows, metrics={"DI": {"min": 0.1}})
    text = full_text(report, code_of(report))
    words = "f: these people would tell from chance four times in five DI above 2.72 (none below 1)"
    assert words in text
