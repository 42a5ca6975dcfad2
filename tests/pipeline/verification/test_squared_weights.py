"""Sums of squared weights in a report: possible, and those of its people and intervals."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.reports import COLUMNS, Values, forged, found, report, table

WEIGHTS = table(
    "sex,prediction,label,dept,w",
    *(
        f"{sex},{p},{y},{d},{w}"
        for sex in "mf"
        for d in "xy"
        for p, y, w in [
            (1, 1, "1.3 x 9"),
            (1, 0, "0.7 x 4"),
            (0, 1, "2.1 x 7"),
            (0, 0, "0.9 x 8"),
        ]
    ),
)
COMPARISON = "result.facets[0].comparisons[0]"


@pytest.fixture(scope="module")
def weighted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sound report of a weighted sample, with strata."""
    columns = {**COLUMNS, "strata": ["dept"], "weight": {"column": "w", "kind": "sampling"}}
    folder = tmp_path_factory.mktemp("weighted")
    return report(folder, WEIGHTS, columns=columns, metrics={"all": None})


def side(values: Values) -> Values:
    """Return the counts of the favored side."""
    counted: Values = facet(values)["comparisons"][0]["counts"]["favored"]
    return counted


def facet(values: Values) -> Values:
    """Return the first facet."""
    found_facet: Values = values["result"]["facets"][0]
    return found_facet


def halve(values: Values) -> None:
    """Say of the whole side that its squares, and so its rows' worth, are others."""
    for squares in (side(values)["squares"], side(values)["label_squares"]):
        for name in squares:
            squares[name] *= 2


FORGERIES: dict[str, tuple[Callable[[Values], object], str]] = {
    "less than even weights have": (
        lambda v: side(v)["squares"].update(TP=0.5),
        f"{COMPARISON}.counts.favored.squares",
    ),
    "more than one person's": (
        lambda v: side(v)["squares"].update(TP=1e6),
        f"{COMPARISON}.counts.favored.squares.TP",
    ),
    "none": (
        lambda v: side(v)["squares"].update(TP=0.0),
        f"{COMPARISON}.counts.favored.squares.TP",
    ),
    "one outcome's moved to another": (
        lambda v: side(v)["squares"].update(TP=31.42, FN=60.74),
        f"{COMPARISON}.strata",
    ),
    "another number than Kish's": (halve, f"{COMPARISON}.counts.favored.squares"),
    "an outcome left out": (
        lambda v: side(v)["squares"].pop("TN"),
        f"{COMPARISON}.counts.favored.squares",
    ),
    "a category's": (
        lambda v: side(v)["label_squares"].update({"1": 90.0}),
        f"{COMPARISON}.counts.favored.label_squares",
    ),
    "a group's": (
        lambda v: facet(v)["groups"][0]["counts"]["squares"].update(FP=9.0),
        "result.facets[0].groups[0].counts.squares",
    ),
    "a stratum's": (
        lambda v: facet(v)["comparisons"][0]["strata"][0]["favored"]["squares"].update(FP=4.0),
        f"{COMPARISON}.strata",
    ),
    "all of one side taken away": (lambda v: side(v).pop("squares"), f"{COMPARISON}.strata"),
    "without sampling weights": (
        lambda v: side(v).pop("effective"),
        f"{COMPARISON}.counts.favored.squares",
    ),
}


def test_report_of_a_weighted_sample_is_sound(weighted: Path) -> None:
    """What is read back of squared weights makes the same intervals."""
    assert found(weighted) == []


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_squares_are_found(name: str, weighted: Path) -> None:
    """Squares that no weights have, or that do not fit those around them, are found."""
    forge, place = FORGERIES[name]
    assert place in forged(weighted, forge)


def bare(value: object, *names: str) -> None:
    """Take keys away wherever they stand."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        bare(part, *names)
    if isinstance(value, dict):
        for name in names:
            value.pop(name, None)


def everywhere(*names: str) -> Callable[[Values], None]:
    """Return a forgery that takes keys away from all that was counted."""

    def take(values: Values) -> None:
        bare(values["result"]["facets"], *names)
        bare(values["result"]["data"], *names)

    return take


@pytest.mark.parametrize(
    ("names", "lacking"),
    [
        (("squares", "label_squares"), "squares"),
        (("label_squares",), "label_squares"),
        (("squares", "label_squares", "effective"), "effective"),
    ],
)
def test_weighted_samples_have_all_their_squares(
    names: tuple[str, ...], lacking: str, weighted: Path
) -> None:
    """A report whose squares were all taken away lacks them everywhere, and is not sound."""
    places = forged(weighted, everywhere(*names))
    of_groups = [f"{COMPARISON}.counts.favored", f"{COMPARISON}.counts.disfavored"]
    of_groups += ["result.data.everyone"]
    if lacking != "label_squares":
        of_groups += [f"{COMPARISON}.strata[1].favored"]
        at = "result.facets[0].groups[0]"
        of_groups += [at if lacking == "effective" else f"{at}.counts"]
    assert {f"{place}.{lacking}" for place in of_groups} <= set(places)


def test_parts_by_an_earlier_prediction_have_their_squares(tmp_path: Path) -> None:
    """The people by the prediction of a baseline are weighed as all others are."""
    shared: Values = {"strata": ["dept"], "weight": {"column": "w", "kind": "sampling"}}
    then, now = (
        {**shared, "prediction": {"column": name, "positive": 1}}
        for name in ("label", "prediction")
    )
    report(tmp_path, WEIGHTS, "old", columns=then, metrics={"CDDPL": None})
    path = report(
        tmp_path, WEIGHTS, columns=now, metrics={"CDDPL": None}, baseline={"report": "old.json"}
    )
    assert found(path) == []
    whole = forged(path, lambda v: bare(facet(v)["comparisons"][0]["earlier"], "squares"))
    where = f"{COMPARISON}.earlier.favorable"
    assert {f"{where}.counts.favored.squares", f"{where}.strata[0].favored.squares"} <= set(whole)
