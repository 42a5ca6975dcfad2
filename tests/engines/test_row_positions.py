"""What a value of a text table means does not depend on the row that it stands in."""

from pathlib import Path

import pytest

from tests.engines.builders import audited, comparisons

USUAL = "m,1\nf,1\n" * 600
COLUMNS = {"prediction": {"column": "p", "positive": 1}}


def selection_rates(folder: Path, rows: str) -> list[float | None]:
    """Return the selection rates of men and women in a table of these rows."""
    result = audited(folder, "sex,p\n" + rows, columns=COLUMNS)
    (comparison,) = comparisons(result)
    counts = comparison.counts
    return [counts["favored"].selection_rate, counts["disfavored"].selection_rate]


@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        ('f,""\n', [1.0, 1.0]),
        ("f,+1\n", [1.0, 1.0]),
        ('f," 1"\n', [1.0, 1.0]),
        ("f,nan\n", [1.0, 1.0]),
        ("f,01\n", [1.0, 1.0]),
        ("f,x\n", [1.0, 0.6]),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_odd_values_mean_the_same_first_and_last(
    odd: str, expected: list[float], first: bool, tmp_path: Path
) -> None:
    """An empty, padded or signed value is read alike before and after a thousand usual ones."""
    rows = odd * 400 + USUAL if first else USUAL + odd * 400
    assert selection_rates(tmp_path, rows) == expected
