"""A spec proposed in Python: the one that the command line writes."""

from pathlib import Path

import polars as pl
import pytest

import biaspipe
from tests.cli.calls import call

PEOPLE = pl.DataFrame(
    {"sex": list("mmmfff"), "age": [20, 30, 40, 50, 60, 70], "hired": ["yes", "no"] * 3}
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder of its own, with a table."""
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")


def test_a_path_gives_what_the_command_writes() -> None:
    """A path and options give the text that the command line writes with the same."""
    call("init", "people.csv", "--facet", "sex=m", "--strata", "age", "--label", "hired=no")
    text = biaspipe.init(
        "people.csv", facets="sex=m", strata="age", label="hired=no", folder="audits"
    )
    assert text == Path("audits/people.yaml").read_text(encoding="utf-8")


def test_a_frame_is_run_with_what_is_proposed_for_it() -> None:
    """The spec of a frame says so, and is run with the same frame."""
    text = biaspipe.init(PEOPLE, name="people")
    assert '# These rows are in hand: biaspipe.run("SPEC.yaml", data=frame)' in text
    spec = Path("people.yaml")
    spec.write_text(text, encoding="utf-8")
    assert biaspipe.run(spec, PEOPLE).result.data.rows == 6


def test_what_is_open_is_an_error_or_assumed() -> None:
    """What names and values leave open raises, and is assumed with yes."""
    codes = PEOPLE.with_columns(hired=pl.Series([1, 2] * 3))
    with pytest.raises(biaspipe.UsageError, match="which value of 'hired' is favorable"):
        biaspipe.init(codes)
    with pytest.raises(biaspipe.UsageError, match="which value of 'hired' is favorable"):
        biaspipe.init(codes, yes=True)
    frauds = PEOPLE.with_columns(hired=pl.Series(["fraud", "not fraud"] * 3))
    assert "{column: hired, positive: not fraud}" in biaspipe.init(frauds, yes=True)


def test_what_is_no_data_is_an_error() -> None:
    """What is neither a frame nor a path, and a name that is none, are errors in words."""
    with pytest.raises(biaspipe.UsageError, match="data is no frame: int"):
        biaspipe.init(7)
    with pytest.raises(biaspipe.UsageError, match="the name 'a b' is none of an audit"):
        biaspipe.init(PEOPLE, name="a b")
    with pytest.raises(biaspipe.DataError, match=r"absent\.csv: there is no such file"):
        biaspipe.init("absent.csv")
