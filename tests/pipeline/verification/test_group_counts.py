"""Rates of groups follow from counts that add up; a forger has to know all of it, and cannot."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.reports import COLUMNS, ROWS, Values, forged, found, report, sides, table
from tests.pipeline.verification.test_consistency import FACETS

WITHOUT_MISSING = ROWS.replace(",1,1,day\n", "")
WEIGHED = table(
    "sex,prediction,label,shift,w",
    "m,1,1,day,1.3 x 9",
    "m,0,0,day,0.7 x 8",
    "f,1,0,day,2.1 x 7",
    "f,0,1,day,0.9 x 9",
    "x,0,1,day,0.1 x 3",
)


def member(values: Values, name: str = "f") -> Any:
    """Return a group of the only facet."""
    return next(g for g in values["result"]["facets"][0]["groups"] if g["group"] == name)


def move(values: Values, name: str = "f") -> None:
    """Move a person of a group from one outcome to another."""
    counts = member(values, name)["counts"]
    counts["TP"] += 1
    counts["TN"] -= 1


def strip(values: Values) -> None:
    """Take counts and rates from a single group."""
    del member(values)["counts"]
    del member(values)["rates"]


def count_missing(values: Values) -> None:
    """Give outcomes to the people whose value is missing."""
    member(values, "(missing)").update(counts={"TP": 4, "FP": 0, "FN": 0, "TN": 0})


PLACE = "result.facets[0].groups[0]"
FORGERIES: dict[str, tuple[Callable[[Values], object], str]] = {
    "a rate": (lambda v: member(v)["rates"]["TPR"].update(value=0.6), f"{PLACE}.rates.TPR.value"),
    "an end of its interval": (
        lambda v: member(v)["rates"]["TPR"].update(high=0.99),
        f"{PLACE}.rates.TPR.high",
    ),
    "its people": (lambda v: member(v)["rates"]["TPR"].update(n=20), f"{PLACE}.rates.TPR.n"),
    "a rate without its value": (
        lambda v: member(v)["rates"]["TPR"].update(value=None, low=None, high=None),
        f"{PLACE}.rates.TPR.value",
    ),
    "a rate taken away": (lambda v: member(v)["rates"].pop("FNR"), f"{PLACE}.rates.FNR"),
    "all rates taken away": (lambda v: member(v).pop("rates"), f"{PLACE}.rates"),
    "a group that is not counted": (strip, f"{PLACE}.counts"),
    "a person moved": (move, "result.facets[0].comparisons[0].counts"),
    "a person added": (
        lambda v: member(v)["counts"].update(TP=11),
        f"{PLACE}.counts",
    ),
    "fewer than nobody": (
        lambda v: member(v)["counts"].update(FP=-1, TP=11),
        f"{PLACE}.counts",
    ),
    "an outcome of another kind": (
        lambda v: member(v)["counts"].update(positives=0),
        f"{PLACE}.counts.positives",
    ),
    "outcomes of people without a value": (count_missing, "result.facets[0].groups[3].counts"),
    "a worth without weights": (lambda v: member(v).update(effective=99.0), f"{PLACE}.effective"),
}


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sound report of three groups and some people without one."""
    return report(tmp_path_factory.mktemp("listed"), ROWS, columns=COLUMNS, metrics={"DI": None})


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_group_is_found(name: str, listed: Path) -> None:
    """A count, a rate or an end that does not fit is found, whatever digests stand beside it."""
    forge, place = FORGERIES[name]
    assert found(listed) == []
    assert place in forged(listed, forge)


def drop_rates(values: Values) -> None:
    """Take the rates out of every group, with the counts that they follow from."""
    for group in values["result"]["facets"][0]["groups"]:
        group.pop("counts", None)
        group.pop("rates", None)


def test_report_without_rates_is_sound(listed: Path) -> None:
    """A report from before there were rates and wordings is verified as ever."""

    def before(values: Values) -> None:
        drop_rates(values)
        del values["run"]["wording"]

    assert forged(listed, before) == []


def test_rates_that_were_left_out_are_found(listed: Path) -> None:
    """A report with a wording has rates in every facet, of whatever version it says to be."""

    def of_another_version(values: Values) -> None:
        drop_rates(values)
        values["run"]["biaspipe"] = "0.0.9"

    assert f"{PLACE}.counts" in forged(listed, drop_rates)
    assert f"{PLACE}.counts" in forged(listed, of_another_version)


def test_rates_without_counts_are_found(listed: Path) -> None:
    """Rates that no counts stand behind follow from nothing."""

    def claim(values: Values) -> None:
        for group in values["result"]["facets"][0]["groups"]:
            group.pop("counts", None)

    assert f"{PLACE}.rates" in forged(listed, claim)


@pytest.mark.parametrize("facet", FACETS.values(), ids=list(FACETS))
def test_moved_person_is_found_however_groups_are_compared(facet: Values, tmp_path: Path) -> None:
    """A person who is moved in any group of a facet is found, even in one that is not compared."""
    path = report(
        tmp_path, WITHOUT_MISSING, columns=COLUMNS, facets={"sex": facet}, metrics={"DI": None}
    )
    assert found(path) == []
    facet_record = json.loads(path.read_text(encoding="utf-8"))["result"]["facets"][0]
    for group in facet_record["groups"]:
        places = forged(path, partial(move, name=group["group"]))
        assert any(
            place.startswith(("result.facets[0].comparisons", "result.facets[0].groups"))
            and ".rates." not in place
            for place in places
        )


@pytest.mark.parametrize("compare", ["favored", "rest", "over_rest", "pairs", "best"])
def test_weighted_groups_add_up(compare: str, tmp_path: Path) -> None:
    """Sums of sampling weights, which are rounded, leave a sound report."""
    columns = {key: part for key, part in COLUMNS.items() if key != "strata"}
    columns["weight"] = {"column": "w", "kind": "sampling"}
    facet: Values = {"column": "sex", "compare": compare}
    if compare == "favored":
        facet["favored"] = "m"
    path = report(tmp_path, WEIGHED, columns=columns, facets={"sex": facet}, metrics={"DI": None})
    assert found(path) == []
    assert f"{PLACE}.effective" in forged(path, lambda v: member(v).update(effective=99.0))
    assert any("comparisons" in place for place in forged(path, move))


def test_uncompared_group_cannot_have_more_than_everyone(tmp_path: Path) -> None:
    """Where some have no group, the groups still cannot have more of an outcome than all people."""
    rows = WITHOUT_MISSING + ",0,0,day\n"
    facets = {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}}
    path = report(tmp_path, rows, columns=COLUMNS, facets=facets, metrics={"DI": None})
    assert found(path) == []
    assert "result.facets[0].groups" in forged(path, lambda values: move(values, "x"))


def test_sides_of_comparisons_are_still_what_they_were(listed: Path) -> None:
    """The groups name a side that was changed, where its comparison alone would hold."""

    def exchange(values: Values) -> None:
        for side in sides(values):
            counts = side["counts"]["favored"]
            counts["TP"], counts["FP"] = counts["TP"] - 1, counts["FP"] + 1

    assert "result.facets[0].comparisons[0].counts" in forged(listed, exchange)
