"""Whatever a spec of values holds, it is run or refused in words."""

from copy import deepcopy
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import biaspipe
from biaspipe.metrics import METRICS
from biaspipe.report import Report
from tests.examples import examples

PEOPLE = pl.DataFrame(
    {
        "id": range(24),
        "sex": ["m", "m", "f", None] * 6,
        "age": [20, 30, 40, 50, 60, 70] * 4,
        "score": [0.1, 0.9, 0.6, float("nan"), 0.4, 0.5, 0.7, 1.0] * 3,
        "repaid": ["yes", "no", "yes", "no", "yes", None] * 4,
        "city": ["a", "b", "c"] * 8,
        "n": [1, 2, 3, 4] * 6,
        "income": range(100, 124),
    }
)
SPEC: dict[str, Any] = {
    "version": 1,
    "name": "any",
    "tags": ["release"],
    "data": {"path": "rows", "where": "age > 10"},
    "columns": {
        "label": {"column": "repaid", "positive": "yes"},
        "prediction": {"column": "score", "above": 0.5},
        "strata": ["city"],
        "weight": {"column": "n", "kind": "frequency"},
        "features": {"exclude": ["id"]},
        "key": "id",
    },
    "facets": {
        "sex": {"column": "sex", "favored": "m"},
        "age": {
            "column": "age",
            "groups": {"young": {"below": 35}, "old": {"at_least": 35, "at_most": 90}},
            "compare": "pairs",
            "metrics": {"DI": {"min": 0.5}},
        },
        "both": {"cross": ["sex", "age"]},
    },
    "metrics": {
        "all": None,
        "DPPL": {"max_abs": 0.5, "warn": {"max_abs": 0.1}, "facets": ["sex"]},
        "LP": {"p": 1},
        "FT": {"k": 3, "scaling": "range"},
        "GE": {"alpha": 2},
    },
    "decision": {"confidence": 0.9, "decide_by": "inside", "min_rows": 2, "correction": "holm"},
    "waivers": [
        {"metric": "DI", "reason": "Known", "approved_by": "Ada", "expires": "2099-03-31"},
    ],
}

NUMBERS = st.sampled_from((0, 1, -1, 0.5, 1e-300, 1e300, 2**63, 10**40, 35, 70))
WORDS = st.sampled_from(
    (
        *(
            "sex",
            "age",
            "both",
            "city",
            "score",
            "repaid",
            "id",
            "n",
            "yes",
            "m",
            "f",
            "",
            " ",
            "*",
        ),
        *("rest", "pairs", "best", "favored", "value", "sampling", "post_training", "vertex"),
        *("2026-01-02", "1 = 1", "${HOME}", "é\n", "a'b", 'a"b', "true", "null", *METRICS),
    )
)
SCALARS = st.one_of(WORDS, NUMBERS, st.booleans(), st.none())
KEYS = ("below", "above", "min", "max_abs", "metrics", "where", "positive", "compare", "warn")
JUNK = st.one_of(
    SCALARS,
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.dictionaries(st.one_of(WORDS, st.sampled_from(KEYS)), SCALARS, max_size=2),
)


def places(values: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside of values."""
    pairs = list(values.items() if isinstance(values, dict) else enumerate(values))
    inner = [pair for pair in pairs if isinstance(pair[1], dict | list)]
    found = [(*at, step) for step, _ in pairs]
    return found + [place for step, inside in inner for place in places(inside, (*at, step))]


@st.composite
def changed(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a valid spec after a few changes anywhere."""
    spec = deepcopy(SPEC)
    for _ in range(draw(st.integers(1, 3))):
        *outer, last = draw(st.sampled_from(places(spec)))
        inside: Any = spec
        for step in outer:
            inside = inside[step]
        match draw(st.sampled_from(("out", "other", "renamed"))):
            case "out":
                del inside[last]
            case "renamed" if isinstance(inside, dict):
                inside[draw(WORDS)] = inside.pop(last)
            case _:
                inside[last] = draw(JUNK)
    return spec


def is_run_or_refused(spec: dict[str, Any]) -> None:
    """Check that a spec gives a report that can be read again, or an error."""
    try:
        report = biaspipe.run(spec, data=PEOPLE)
    except biaspipe.BiaspipeError:
        return
    assert Report.model_validate_json(report.to_json()).to_json() == report.to_json()


def test_spec_before_its_changes_is_valid() -> None:
    """The spec that the next test changes runs."""
    assert biaspipe.run(SPEC, data=PEOPLE).result.data.rows == 24


@examples(100)
@given(changed())
def test_any_spec(spec: dict[str, Any]) -> None:
    """A changed spec is run or refused, and nothing breaks on the way to its report."""
    is_run_or_refused(spec)
