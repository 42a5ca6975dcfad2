"""Random rows, counted into tables by a small loop, give what the row-wise oracle gives."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from biaspipe.counts import Favorable, Group, Stratum, Table
from biaspipe.metrics import METRICS
from tests.examples import examples
from tests.oracle import METRICS as ORACLE_METRICS
from tests.oracle import Row, answer

FAVORED, DISFAVORED = ("a",), ("d", "e")
POSITIVE = ("hired", "trial")

ROWS = st.lists(
    st.builds(
        Row,
        group=st.sampled_from(("a", "a", "d", "d", "e", "other", None)),
        label=st.sampled_from(("hired", "hired", "trial", "refused", "silent", None)),
        prediction=st.sampled_from((True, True, False, False, None)),
        stratum=st.sampled_from(("day", "night", None)),
        weight=st.sampled_from((0, 1, 1, 1, 2, 7, 40)),
        features=st.just(()),
    ),
    max_size=14,
)


def counted(rows: Iterable[Row], name: str) -> Group:
    """Count rows by outcome and label category."""
    cells: dict[tuple[Favorable, Favorable], int] = {}
    labels: dict[str, int] = {}
    for row in rows:
        if row.label is not None and row.prediction is not None:
            outcome = (row.label in POSITIVE, row.prediction)
            cells[outcome] = cells.get(outcome, 0) + row.weight
            labels[row.label] = labels.get(row.label, 0) + row.weight
    return Group(cells, labels, name=name)


def sides(rows: Sequence[Row]) -> tuple[Group, Group]:
    """Count the rows of the favored and those of the disfavored groups."""
    favored = [row for row in rows if row.group in FAVORED]
    disfavored = [row for row in rows if row.group in DISFAVORED]
    return counted(favored, "a"), counted(disfavored, "d")


def tabulated(rows: Sequence[Row]) -> Table:
    """Put the sides next to each other, whole and by stratum; a missing stratum is one too."""
    names = dict.fromkeys(row.stratum for row in rows)
    strata = [
        Stratum(str(name), *sides([row for row in rows if row.stratum == name])) for name in names
    ]
    return Table(*sides(rows), tuple(strata))


def ours(metric: str, rows: Sequence[Row], **parameters: float) -> tuple[str, int | None, object]:
    """Return the package's value as status, sign and number."""
    evidence = counted(rows, "") if metric == "GE" else tabulated(rows)
    value = METRICS[metric](evidence, **parameters)
    return value.status, value.sign, value.number


def theirs(
    metric: str, rows: Sequence[Row], *, p: float = 2, alpha: float = 2
) -> tuple[str, int | None, object]:
    """Return the oracle's answer as status, sign and anything within rounding of its number."""
    found = answer(metric, rows, FAVORED, DISFAVORED, POSITIVE, p=p, alpha=alpha)
    near = None if found.value is None else pytest.approx(found.value, rel=1e-9, abs=1e-9)
    return found.kind, found.sign, near


COUNTED = [metric for metric in METRICS if metric != "FT"]
SMALL = [
    Row("a", "hired", True, "day", 3),
    Row("a", "refused", True, "day"),
    Row("a", "trial", False, "night"),
    Row("a", "silent", False, "night", 2),
    Row("d", "hired", False, "day", 2),
    Row("d", "silent", True, "night"),
    Row("e", "refused", False, None, 4),
    Row("e", "trial", True, None, 7),
    Row("other", "hired", False, "day", 5),
    Row(None, "refused", True, "day"),
    Row("d", None, True, "day"),
    Row("a", "hired", None, "day"),
    Row("d", "hired", True, "day", 0),
]
"""Rows with everything that rows can have, on which every metric has a value."""


def test_oracle_knows_every_metric() -> None:
    """The oracle answers for exactly the metrics of the registry."""
    assert set(ORACLE_METRICS) == set(METRICS)


@pytest.mark.parametrize("metric", [metric for metric in COUNTED if metric != "KL"])
def test_example_rows_have_a_value(metric: str) -> None:
    """The example rows give each metric a number."""
    assert ours(metric, SMALL)[0] == "ok"


@examples(300)
@example(rows=SMALL)
@given(rows=ROWS)
def test_metric_agrees_with_the_oracle(rows: list[Row]) -> None:
    """A metric has the oracle's status, sign and number on any rows."""
    assert {m: ours(m, rows) for m in COUNTED} == {m: theirs(m, rows) for m in COUNTED}


@examples(100)
@example(rows=SMALL)
@given(rows=ROWS)
def test_lp_agrees_with_the_oracle_at_any_order(rows: list[Row]) -> None:
    """LP has the oracle's number for any p."""
    orders = (1, 1.5, 2, 3, 50)
    assert [ours("LP", rows, p=p) for p in orders] == [theirs("LP", rows, p=p) for p in orders]


@examples(100)
@example(rows=SMALL)
@given(rows=ROWS)
def test_ge_agrees_with_the_oracle_at_any_order(rows: list[Row]) -> None:
    """GE has the oracle's number for any alpha, the limits 0 and 1 included."""
    orders = (-2, -0.5, 0, 0.5, 1, 1.5, 2, 3)
    mine = [ours("GE", rows, alpha=alpha) for alpha in orders]
    assert mine == [theirs("GE", rows, alpha=alpha) for alpha in orders]
