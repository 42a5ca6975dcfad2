"""Sums: the counts of a report have to add up, however groups are compared."""

from pathlib import Path

import pytest

from tests.pipeline.reports import COLUMNS, ROWS, Values, forged, found, group, report, sides, table

WEIGHTS = table(
    "sex,prediction,label,w", "m,1,1,1.3 x 9", "m,0,0,0.7 x 8", "f,1,0,2.1 x 7", "f,0,1,0.9 x 9"
)


def test_effective_people_are_no_more_than_rows(tmp_path: Path) -> None:
    """Nobody can make a weighted sample worth more than the rows that it consists of."""
    weight = {"column": "w", "kind": "sampling"}
    columns = {key: part for key, part in COLUMNS.items() if key != "strata"}
    path = report(
        tmp_path, WEIGHTS, columns={**columns, "weight": weight}, metrics={"DI": {"min": 0.1}}
    )
    assert found(path) == []
    where = "result.facets[0].comparisons[0].counts.disfavored.effective"
    assert where in forged(path, lambda v: group(v).update(effective=99.0))


def test_people_are_rows_without_weights(whole: Path) -> None:
    """Rows that are not as many as the people of a group are found where there are no weights."""
    changed = forged(whole, lambda v: v["result"]["data"]["everyone"].update(rows=80))
    assert changed == ["result.data.everyone.rows"]


def test_fliptest_is_made_as_its_check_says(tmp_path: Path) -> None:
    """The neighbours of a fliptest are those that its parameters ask for."""
    columns = {**COLUMNS, "features": ["shift"]}
    path = report(tmp_path, ROWS, columns=columns, metrics={"FT": {"k": 3}})
    assert found(path) == []
    changed = forged(path, lambda v: v["result"]["checks"][0]["flips"].update(k=7))
    assert changed == ["result.checks[0].flips.k"]


FACETS: dict[str, Values] = {
    "against one": {"column": "sex", "favored": "m"},
    "one against one": {"column": "sex", "favored": "m", "disfavored": "f"},
    "lists": {"column": "sex", "favored": ["m", "x"], "disfavored": ["f"]},
    "the rest": {"column": "sex"},
    "one against the rest": {"column": "sex", "disfavored": ["f", "x"]},
    "pairs": {"column": "sex", "compare": "pairs"},
    "best": {"column": "sex", "compare": "best"},
    "groups": {"column": "sex", "groups": {"a": "m", "b": "f"}, "favored": "a"},
    "groups and the rest": {"column": "sex", "groups": {"a": "m", "b": "f"}},
}


@pytest.mark.parametrize("facet", FACETS.values(), ids=list(FACETS))
@pytest.mark.parametrize("crossed", [False, True])
def test_sums_hold_for_every_way_to_compare(facet: Values, crossed: bool, tmp_path: Path) -> None:
    """However groups are compared, a sound report is sound, and a lost comparison is found."""
    facets: Values = {"sex": facet}
    if crossed:
        facets["shift"] = {"column": "shift"}
        facets["both"] = {"cross": ["sex", "shift"], "compare": "pairs"}
    path = report(tmp_path, ROWS, columns=COLUMNS, facets=facets, metrics={"DI": None})
    assert found(path) == []
    place = "result.facets[0].comparisons"

    def lose(values: Values) -> None:
        sides(values).pop()

    assert place in forged(path, lose)


def test_conditions_and_missing_values_add_up(tmp_path: Path) -> None:
    """Rows that `where` removes, or that lack a label, leave a sound report."""
    rows = ROWS + "m,1,,day\nf,,1,day\n,,1,day\n"
    data = {"path": "data.csv", "where": "shift <> 'night' OR sex <> 'x'"}
    from biaspipe.pipeline import run
    from tests.engines.builders import prepare, write

    write(tmp_path / "data.csv", rows)
    made = run(prepare(tmp_path, data=data, columns=COLUMNS, metrics={"all": None}))
    path = tmp_path / "report.json"
    path.write_text(made.to_json(), encoding="utf-8")
    assert made.result.data.ledger["sex"].removed_by_where == 2
    assert found(path) == []
