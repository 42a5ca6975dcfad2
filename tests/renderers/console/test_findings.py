"""What a report comes to, in its first lines."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.renderers.console.drawing import plain_text
from tests.golden.audits import code_of, report_of
from tests.renderers.console.test_drawing import audited

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
