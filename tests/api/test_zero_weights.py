"""People who count for nobody: groups whose weights are all zero."""

import polars as pl

import biaspipe


def test_facet_that_is_missing_only_for_weight_zero() -> None:
    """An audit whose people all weigh nothing is reported, and nothing is divided by zero."""
    rows = pl.DataFrame(
        {"sex": ["m", "f", None], "hired": ["yes", "no", "yes"], "n": [0, 0, 0], "id": [1, 2, 3]}
    )
    spec = {
        "version": 1,
        "name": "weightless",
        "columns": {"prediction": {"column": "hired", "positive": "yes"}, "weight": "n"},
        "facets": {"sex": {"column": "sex", "favored": "m"}},
        "metrics": {"DPPL": {"max_abs": 0.1}},
    }
    report = biaspipe.run(spec, data=rows)
    assert [check.status for check in report.result.checks] == ["undefined"]
