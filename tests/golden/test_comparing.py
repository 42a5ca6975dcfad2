"""What `verify`, `diff` and `waivers` print, word by word."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biaspipe.cli.commands import command
from biaspipe.errors import Exit
from tests.golden.audits import HERE, report_of, written

Golden = Callable[[Path, str], None]
CALLS: dict[str, tuple[Exit, str]] = {
    "verify-sound": (Exit.PASSED, "verify second-release.json"),
    "verify-data": (
        Exit.PASSED,
        "verify second-release.json --spec second-release.yaml --data",
    ),
    "verify-other-spec": (Exit.FAILED, "verify first-release.json --spec second-release.yaml"),
    "verify-one-count": (Exit.FAILED, "verify one-count.json"),
    "verify-several": (Exit.FAILED, "verify several.json"),
    "verify-no-report": (Exit.FAILED, "verify no-report.json"),
    "diff": (Exit.FAILED, "diff first-release.json second-release.json"),
    "diff-itself": (Exit.PASSED, "diff first-release.json first-release.json"),
    "diff-lenient": (
        Exit.PASSED,
        "diff first-release.json second-release.json --max-worsening 0.7 --allow-vanished east",
    ),
    "waivers": (Exit.PASSED, "waivers every-verdict.yaml first-release.yaml --as-of 2026-01-01"),
    "waivers-none": (Exit.PASSED, "waivers first-release.yaml"),
}
"""The exit code and the words of each call."""

each_call = pytest.mark.parametrize("name", CALLS)


def one_count(report: dict[str, Any]) -> None:
    """Give one group one person more."""
    report["result"]["facets"][0]["comparisons"][0]["counts"]["favored"]["TP"] += 1


def several(report: dict[str, Any]) -> None:
    """Make a failure a pass, and the waivers of another day."""
    (check, *_) = (c for c in report["result"]["checks"] if c["verdict"] == "fail")
    check["verdict"], check["sentence"] = "pass", "All is well."
    report["result"]["verdict"] = "pass"
    report["run"]["as_of"] = "2027-01-01"


def no_report(report: dict[str, Any]) -> None:
    """Take away what a report has to have."""
    del report["result"]["tally"]
    report["result"]["checks"][0]["verdict"] = "fine"
    report["extra"] = 1


TAMPERED = {"one-count": one_count, "several": several, "no-report": no_report}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with specs, data, and reports as they were written and as they were not."""
    path = tmp_path_factory.mktemp("comparing")
    for name in ("every-verdict", "first-release", "second-release"):
        written(name, path)
    text = report_of("second-release").to_json()
    (path / "second-release.json").write_text(text, encoding="utf-8")
    for name, tamper in TAMPERED.items():
        values = json.loads(text)
        tamper(values)
        words = json.dumps(values, indent=2, sort_keys=True, ensure_ascii=False)
        (path / f"{name}.json").write_text(words + "\n", encoding="utf-8")
    return path


@pytest.fixture
def printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str, int], str]:
    """Return what makes a call in so many columns and returns what it prints."""
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)

    def call(name: str, width: int) -> str:
        code, words = CALLS[name]
        monkeypatch.setenv("COLUMNS", str(width))
        assert command.main(words.split(), prog_name="biaspipe", standalone_mode=False) == code
        shown = capsys.readouterr()
        assert shown.err == ""
        return "".join(line.rstrip() + "\n" for line in shown.out.splitlines())

    return call


@each_call
@pytest.mark.parametrize("width", [80, 120])
def test_text_is_the_reviewed_one(
    name: str, width: int, printed: Callable[[str, int], str], golden: Golden
) -> None:
    """What a call prints is what was read and found right, and fits its page."""
    text = printed(name, width)
    golden(HERE / "comparing" / f"{name}.{width}.txt", text)
    assert max(map(len, text.splitlines())) <= width


@each_call
def test_no_words_are_lost(name: str, printed: Callable[[str, int], str]) -> None:
    """A narrow page has every word of a wide one, but for titles of columns that left the rows."""
    wide, narrow = (
        {word.rstrip(",") for word in printed(name, width).replace("─", "").split()}
        for width in (120, 80)
    )
    assert wide - narrow <= {"spec", "reason"}
    assert narrow <= wide
