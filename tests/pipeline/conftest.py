"""Reports that the tests of verification share."""

from pathlib import Path

import pytest

from tests.pipeline.reports import COLUMNS, DAY, PARTS, ROWS, WAIVER, WORSE, report


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report with waivers, a baseline, strata, and a group of five."""
    folder = tmp_path_factory.mktemp("whole")
    report(folder, ROWS, "old", options=DAY, **PARTS)
    baseline = {"report": "old.json", "max_worsening": 0.01}
    return report(folder, WORSE, options=DAY, **PARTS, waivers=[WAIVER], baseline=baseline)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of an audit of two checks."""
    folder = tmp_path_factory.mktemp("small")
    metrics = {"DI": {"min": 0.5}, "KL": {"max": 1}}
    return report(folder, ROWS, options=DAY, columns=COLUMNS, metrics=metrics)
