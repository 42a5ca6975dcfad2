"""What a spec leaves unguarded is said, each time with the direction and with what to write."""

from typing import Any

import pytest

from biaspipe.plan import missing_limits
from biaspipe.spec import Audit

Parts = dict[str, Any]
USUAL: Parts = {
    "version": 1,
    "name": "loans",
    "data": {"path": "d.csv"},
    "columns": {
        "label": {"column": "y", "positive": 1},
        "prediction": {"column": "p", "positive": 1},
    },
    "facets": {"sex": {"column": "sex", "favored": "m"}},
}
SAID = {"reason": "known", "approved_by": "Ada", "expires": "2099-01-01"}


def said(**parts: Any) -> list[tuple[str, str | None]]:
    """Return the notes on a spec, each with what it proposes."""
    audit = Audit.model_validate({**USUAL, **parts})
    return [(note.message, note.hint) for note in missing_limits(audit)]


MEANT = "if that is not meant"
CASES: dict[str, tuple[Parts, str, str]] = {
    "difference above": (
        {"DPPL": {"max": 0.1}},
        (
            "DPPL is not guarded below 0: with max 0.1 any value passes, down to -1,"
            " to the disadvantage of the favored group"
        ),
        f"write max_abs: 0.1 instead {MEANT}",
    ),
    "difference below": (
        {"RD": {"min": -0.2}},
        (
            "RD is not guarded above 0: with min -0.2 any value passes, up to 1,"
            " to the disadvantage of the disfavored group"
        ),
        f"write max_abs: 0.2 instead {MEANT}",
    ),
    "bound beyond the range": (
        {"DPPL": {"min": -2, "max": 0.1}},
        (
            "DPPL is not guarded below 0: with min -2 and max 0.1 any value passes, down to -1,"
            " to the disadvantage of the favored group"
        ),
        f"write max_abs: 0.1 instead {MEANT}",
    ),
    "bound on the other side of parity": (
        {"DPPL": {"max": -0.1}},
        (
            "DPPL is not guarded below 0: with max -0.1 any value passes, down to -1,"
            " to the disadvantage of the favored group"
        ),
        f"add a min {MEANT}",
    ),
    "ratio from below": (
        {"DI": {"min": 0.8}},
        (
            "DI is not guarded above 1: with min 0.8 any value passes, however high,"
            " to the disadvantage of the favored group"
        ),
        f"add max: 1.25 {MEANT}",
    ),
    "ratio from above": (
        {"DI": {"max": 1.25}},
        (
            "DI is not guarded below 1: with max 1.25 any value passes, down to 0,"
            " to the disadvantage of the disfavored group"
        ),
        f"add min: 0.8 {MEANT}",
    ),
    "warnings alone": (
        {"TE": {"warn": {"max": 2}}},
        (
            "TE is not guarded below 0: with warn max 2 any value passes, however low,"
            " to the disadvantage of the favored group"
        ),
        f"write max_abs: 2 instead {MEANT}",
    ),
}


@pytest.mark.parametrize(("metrics", "message", "hint"), CASES.values(), ids=list(CASES))
def test_open_side_is_said(metrics: Parts, message: str, hint: str) -> None:
    """Limits on one side say which direction passes, whom it harms, and what guards it."""
    assert said(metrics=metrics) == [(message, hint)]


@pytest.mark.parametrize(
    ("metrics", "compare"),
    [
        ({"DPPL": {"max_abs": 0.1}, "DI": {"min": 0.8, "max": 1.25}}, None),
        ({"KL": {"max": 0.1}, "GE": {"max": 0.5}, "LP": {"p": 1, "max": 0.2}}, None),
        ({"DPPL": {"max": 0.1}, "DI": {"min": 0.8}}, "best"),
        ({"DPPL": {"max": 0.1}, "vertex.dpppl": {"max": 0.1}}, "pairs"),
        ({"DPPL": None, "pre_training": None}, None),
    ],
)
def test_what_is_guarded_is_not_said(metrics: Parts, compare: str | None) -> None:
    """Nothing is open where the range ends at parity, or the comparison is made so that it does."""
    facet = {"column": "sex", "compare": compare} if compare else {"column": "sex", "favored": "m"}
    assert said(metrics=metrics, facets={"sex": facet}) == []


def test_note_of_several_facets_stands_once() -> None:
    """A check of the whole audit is said to be open once, whatever the number of its facets."""
    facets = {name: {"column": name, "favored": "m"} for name in ("a", "b", "c")}
    assert len(said(facets=facets, metrics={"DI": {"min": 0.8}})) == 1


def test_facet_without_checks_is_said() -> None:
    """A facet that all checks pass over by their `facets` is compared with nothing."""
    facets = {**USUAL["facets"], "race": {"column": "race", "favored": "w"}}
    metrics = {"DPPL": {"max_abs": 0.1, "facets": ["sex"]}}
    assert said(facets=facets, metrics=metrics) == [
        (
            "facet race: compared with nothing, no check covers it",
            "add a metric for it, or take the facet out",
        )
    ]


LOST = (
    "DPPL cannot fail on sex: this takes the place of max_abs 0.1 in metrics",
    "repeat the limits here, or leave the metric out here",
)


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({"DPPL": None}, [LOST]),
        ({"DPPL": {"warn": {"max_abs": 0.05}}}, [LOST]),
        ({"DPPL": {"max_abs": 0.3}}, []),
        ({"RD": None}, []),
        ({"post_training": None}, []),
    ],
)
def test_limit_that_a_facet_takes_away_is_said(
    own: Parts, expected: list[tuple[str, str | None]]
) -> None:
    """A check under a facet that has no limit of its own takes the limit of the audit away."""
    facets = {"sex": {"column": "sex", "favored": "m", "metrics": own}}
    columns = {**USUAL["columns"], "strata": ["s"], "features": ["age"]}
    metrics = {"DPPL": {"max_abs": 0.1}}
    assert said(facets=facets, metrics=metrics, columns=columns) == expected


@pytest.mark.parametrize(
    ("bound", "limits", "expected"),
    [
        (
            {"max": 0.15},
            {"max_abs": 0.1},
            (
                "with max 0.15 this waiver covers any DPPL, down to -1",
                f"write max_abs: 0.15 instead {MEANT}",
            ),
        ),
        ({"max_abs": 0.15}, {"max_abs": 0.1}, None),
        ({"max": 0.15}, {"min": -1, "max": 0.1}, None),
    ],
)
def test_bound_of_a_waiver_that_is_open_is_said(
    bound: Parts, limits: Parts, expected: tuple[str, str] | None
) -> None:
    """A bound may not waive on a side what the check's own limits hold back there."""
    waiver = {"metric": "DPPL", "bound": bound, **SAID}
    notes = said(metrics={"DPPL": limits}, waivers=[waiver])
    assert [note for note in notes if "waiver" in note[0]] == ([expected] if expected else [])


def test_bound_of_a_ratio_proposes_the_other_side() -> None:
    """The bound of a ratio is mirrored at parity."""
    waiver = {"metric": "DI", "bound": {"min": 0.5}, **SAID}
    metrics = {"DI": {"min": 0.8, "max": 1.25}}
    assert said(metrics=metrics, waivers=[waiver]) == [
        ("with min 0.5 this waiver covers any DI, however high", f"add max: 2 {MEANT}")
    ]
