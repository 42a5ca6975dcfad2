"""What a run is at: nothing that slows it, a line that changes on a terminal, steps with `-v`."""

import re
from pathlib import Path

import pytest

from biaspipe.cli.progress import amount, remaining, state_text
from biaspipe.pipeline.progress import Measure
from tests.cli.calls import call, write_audit

STEPS = ["opening the data", "counting", "computing values and intervals", "writing"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder of its own."""
    monkeypatch.chdir(tmp_path)


def told(text: str) -> list[str]:
    """Return the lines of steps without their times."""
    return [re.sub(r" \(after [0-9.]+ s\)$", "", line) for line in text.splitlines()]


def test_steps_are_lines_with_verbose() -> None:
    """With `-v` each step is a line on standard error, with the bytes that are counted."""
    ended = call("run", write_audit(), "-v")
    size = Path("data.csv").stat().st_size
    steps = [f"{step}, {size} bytes" if step == "counting" else step for step in STEPS]
    assert told(ended.err) == [f"audit.yaml: {step}" for step in steps]
    assert "opening" not in ended.out


def test_fliptest_is_a_step() -> None:
    """A fliptest is a step of its own, between counting and computing."""
    columns = {
        "prediction": {"column": "prediction", "positive": 1},
        "features": ["label"],
    }
    ended = call("run", write_audit(columns=columns, metrics={"FT": None}), "-v")
    assert told(ended.err)[2] == "audit.yaml: comparing neighbours"


def test_several_specs_show_their_place() -> None:
    """Of several specs each says which of them it is."""
    ended = call("run", write_audit("a"), write_audit("b"), "--verbose")
    places = [line.split(": ")[0] for line in told(ended.err)]
    assert places == ["1 of 2, a.yaml"] * 4 + ["2 of 2, b.yaml"] * 4


def test_nothing_is_told_without_verbose() -> None:
    """Where nobody asks and nothing is a terminal, standard error stays empty."""
    assert call("run", write_audit()).err == ""


@pytest.mark.parametrize(
    ("found", "seconds", "words"),
    [
        ((500, 2000), 1.0, "500 bytes of 2 kB, 25%"),
        ((500, 2000), 6.0, "500 bytes of 2 kB, 25%, about 18 s left"),
        ((1999, 2000), 6.0, "2 kB of 2 kB, 100%"),
        ((1, 2000), 6.0, "1 bytes of 2 kB, 0%"),
        ((2000, 2000), 6.0, "6 s"),
        (None, 125.0, "2 min 5 s"),
    ],
)
def test_share_and_time_are_told_where_they_are_known(
    found: tuple[int, int] | None, seconds: float, words: str
) -> None:
    """A share is told where it is known, the time left once it can be, else the time so far."""
    assert state_text(Measure("bytes", lambda: found), seconds) == words


def test_amounts_are_short() -> None:
    """Bytes have three digits, people all of theirs, and too early no time is told."""
    assert [amount(n, "bytes") for n in (999, 1_234_567, 98_765_432_100)] == [
        "999 bytes",
        "1.23 MB",
        "98.8 GB",
    ]
    assert amount(30_229, "people") == "30,229 people"
    assert remaining(0.5, 1.0) is None
