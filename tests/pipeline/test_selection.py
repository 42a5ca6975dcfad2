"""A selection by tag, metric and facet: what is kept of which audit, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import UsageError
from biaspipe.loading import Loaded
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.selection import select
from tests.engines.builders import prepare, write

BOTH = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
}
Checks = set[tuple[str, str | None]]


def loan(folder: Path) -> Loaded:
    """Return an audit for release with one facet and three metrics."""
    return prepare(
        folder,
        tags=["release", "credit"],
        data={"path": "data.csv"},
        columns=BOTH,
        facets={"sex": {"column": "sex", "favored": "m"}},
        metrics={"DI": {"min": 0.8}, "DCAcc": None, "GE": None},
    )


def hiring(folder: Path) -> Loaded:
    """Return an audit of two facets and a family, one metric on one facet only."""
    return prepare(
        folder,
        tags=["nightly"],
        data={"path": "data.csv"},
        columns=BOTH,
        facets={"sex": {"column": "sex"}, "race": {"column": "race"}},
        metrics={"DI": None, "DPPL": {"facets": ["race"]}},
    )


@pytest.fixture
def audits(tmp_path: Path) -> list[Loaded]:
    """Return both audits."""
    for name in ("loan", "hiring"):
        (tmp_path / name).mkdir()
    return [loan(tmp_path / "loan"), hiring(tmp_path / "hiring")]


def chosen(audits: list[Loaded], *names: str) -> list[Checks]:
    """Return metric and facet of the selected checks of each audit."""
    return [{(c.metric.id, c.facet) for c in checks} for checks in select(audits, names)]


LOAN: Checks = {("DI", "sex"), ("DCAcc", "sex"), ("GE", None)}
HIRING: Checks = {("DI", "sex"), ("DI", "race"), ("DPPL", "race")}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), [LOAN, HIRING]),
        (("release",), [LOAN, set()]),
        (("release", "credit"), [LOAN, set()]),
        (("release", "nightly"), [LOAN, HIRING]),
        (("DI",), [{("DI", "sex")}, {("DI", "sex"), ("DI", "race")}]),
        (("disparate_impact",), [{("DI", "sex")}, {("DI", "sex"), ("DI", "race")}]),
        (("DCA",), [{("DCAcc", "sex")}, set()]),
        (("GE",), [{("GE", None)}, set()]),
        (("DI", "GE"), [{("DI", "sex"), ("GE", None)}, {("DI", "sex"), ("DI", "race")}]),
        (("sex",), [{("DI", "sex"), ("DCAcc", "sex")}, {("DI", "sex")}]),
        (("race",), [set(), {("DI", "race"), ("DPPL", "race")}]),
        (("sex", "race"), [{("DI", "sex"), ("DCAcc", "sex")}, HIRING]),
        (("sex", "GE"), [set(), set()]),
        (("DI", "race"), [set(), {("DI", "race")}]),
        (("release", "DI"), [{("DI", "sex")}, set()]),
        (("release", "race"), [set(), set()]),
        (("nightly", "sex", "race", "DPPL"), [set(), {("DPPL", "race")}]),
        (("post_training",), [LOAN, HIRING]),
        (("pre_training",), [set(), set()]),
        (("vertex",), [set(), set()]),
        (("all", "sex"), [{("DI", "sex"), ("DCAcc", "sex")}, {("DI", "sex")}]),
        (("FT",), [set(), set()]),
    ],
)
def test_names_select_checks(
    names: tuple[str, ...], expected: list[Checks], audits: list[Loaded]
) -> None:
    """Names of one kind add up, names of different kinds narrow each other down."""
    assert chosen(audits, *names) == expected


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("relaese", "did you mean 'release'?"),
        ("di", "did you mean 'DI'?"),
        ("Sex", "did you mean 'sex'?"),
        ("post-training", "did you mean 'post_training'?"),
        ("", None),
        ("zzzzzz", None),
    ],
)
def test_unknown_name_is_refused(name: str, hint: str | None, audits: list[Loaded]) -> None:
    """A name that is nothing in any audit is a wrong command line, with the nearest name."""
    with pytest.raises(UsageError, match="no tag, metric or facet") as caught:
        select(audits, ["DI", name])
    assert caught.value.hint == hint


def test_selection_keeps_the_order_of_the_spec(audits: list[Loaded]) -> None:
    """Selected checks stand in the order of the spec, not of the selection."""
    (_, checks) = select(audits, ["DPPL", "race", "DI"])
    assert [c.metric.id for c in checks] == ["DI", "DPPL"]


def test_selected_checks_alone_are_run(tmp_path: Path) -> None:
    """A run of a selection computes it, and counts the data as ever."""
    audit = loan(tmp_path)
    write(tmp_path / "data.csv", "sex,label,prediction\nm,1,1\nm,0,0\nf,1,1\nf,0,0\n")
    (checks,) = select([audit], ["DI"])
    selected, whole = run(audit, Options(checks)).result, run(audit).result
    assert [check.metric for check in selected.checks] == ["DI"]
    assert selected.checks[0] == whole.checks[0]
    assert selected.tally["pass"] == 1
    assert selected.data == whole.data


def test_selected_family_of_a_facet(tmp_path: Path) -> None:
    """A family selects those of its metrics that an audit has."""
    facets: dict[str, Any] = {"sex": {"column": "sex", "metrics": {"DPL": None}}}
    audit = prepare(
        tmp_path, data={"path": "x"}, columns=BOTH, facets=facets, metrics={"vertex": None}
    )
    assert chosen([audit], "pre_training") == [{("DPL", "sex")}]
    assert len(chosen([audit], "vertex")[0]) == 7
