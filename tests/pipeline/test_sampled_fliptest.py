"""A sampled fliptest in a report: its evidence, its words, and what verification makes of it."""

from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from biaspipe.counts import Drawn, Flips
from biaspipe.engines.counting import Engine
from biaspipe.pipeline import run
from biaspipe.renderers.console.drawing import console_for, draw
from biaspipe.renderers.console.facets import facet_section
from biaspipe.renderers.story import Story
from biaspipe.report import Report
from tests.engines.builders import prepare, write
from tests.pipeline.reports import COLUMNS, ROWS, Values, forged, found

FLIPS = Flips(3, 1, 50, 40, 2, 5, "standard", ("shift",), 0.5, Drawn(20, 7, (30, 12), (20, 8)))


def audited(folder: Path, flips: Flips, monkeypatch: pytest.MonkeyPatch, **wanted: Any) -> Report:
    """Run an audit whose engine found some flips."""

    def neighbours(_: object, __: object, tables: Any) -> Values:
        return {"sex": tuple(flips for _ in tables[0].comparisons)}

    monkeypatch.setattr(Engine, "neighbours", neighbours)
    write(folder / "data.csv", ROWS)
    columns, metrics = {**COLUMNS, "features": ["shift"]}, {"FT": {**wanted, "max_abs": 0.5}}
    return run(prepare(folder, data={"path": "data.csv"}, columns=columns, metrics=metrics))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the report of an audit whose engine found these flips."""
    made = audited(tmp_path, FLIPS, monkeypatch, sample=20, seed=7)
    check = made.result.checks[0]
    assert check.value == 0.1
    assert check.interval is not None
    assert check.interval.method == "mover-drawn"
    assert check.flips is not None
    assert check.flips.drawn is not None
    assert (check.flips.drawn.unfavorable, check.flips.drawn.favorable) == ((30, 12), (20, 8))
    shown = StringIO()
    story = Story((facet_section(made, "sex", made.result.checks),))
    console_for(shown, width=200).print(draw(story))
    told = " ".join(shown.getvalue().split())
    assert "of a sample of 20 from 50 people (seed 7), 3 are " in told
    assert "and 1 the other way round (F-); alike by " in told
    written = tmp_path / "report.json"
    written.write_text(made.to_json(), encoding="utf-8")
    return written


def flips(values: Values) -> Values:
    """Return the evidence of the first check."""
    evidence: Values = values["result"]["checks"][0]["flips"]
    return evidence


def test_sampled_fliptest_is_recomputed_from_its_report(path: Path) -> None:
    """Value and interval follow from the sample that stands in the report."""
    assert found(path) == []


FORGERIES: dict[str, Callable[[Values], object]] = {
    "drawn.seed": lambda v: flips(v)["drawn"].update(seed=8),
    "drawn.sample": lambda v: flips(v)["drawn"].update(sample=21),
    "drawn": lambda v: flips(v)["drawn"].update(unfavorable=[31, 12]),
    "shared": lambda v: flips(v).update(shared=1),
}


@pytest.mark.parametrize("place", FORGERIES)
def test_changed_samples_are_found(place: str, path: Path) -> None:
    """A seed, a sample or a stratum that does not go with the rest is found."""
    assert f"result.checks[0].flips.{place}" in forged(path, FORGERIES[place])


def test_lost_sample_is_found(path: Path) -> None:
    """A report cannot pass a sample off as everybody."""
    assert "result.checks[0].flips.drawn.sample" in forged(path, lambda v: flips(v).pop("drawn"))


def test_changed_flips_are_found(path: Path) -> None:
    """A value that does not follow from the flips of the sample is found."""
    assert "result.checks[0].value" in forged(path, lambda v: flips(v).update(F_plus=5))


@pytest.mark.parametrize("change", [{"shared": 41}, {"shared": 0}, {"shared": None}])
def test_changed_chance_in_the_neighbours_is_found(
    change: Values, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interval that does not follow from what neighbours share is found."""
    everybody = replace(FLIPS, drawn=None, shared=40)
    made = audited(tmp_path, everybody, monkeypatch)
    assert made.result.checks[0].interval is not None
    assert made.result.checks[0].interval.method == "paired-jackknife"
    written = tmp_path / "report.json"
    written.write_text(made.to_json(), encoding="utf-8")
    assert found(written) == []
    changed = forged(written, lambda values: flips(values).update(change))
    assert any(place.startswith("result.checks[0].interval") for place in changed)
