"""`--select` narrows a run down to tags, metrics and facets, and never to a silent nothing."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit

ROWS = """\
sex,region,prediction,label
m,north,1,1
m,south,1,1
m,north,0,0
f,south,1,1
f,north,0,1
f,south,0,0
"""
METRICS = {
    "DI": {"min": 0.1},
    "DPPL": {"max_abs": 0.9},
    "RD": {"max_abs": 0.9},
    "CI": None,
    "GE": {"max": 5},
    "vertex.dpppl": {"max_abs": 0.9},
}


def write(name: str = "audit", **parts: Any) -> Path:
    """Write an audit of two facets, six metrics and two tags."""
    facets = {
        "sex": {"column": "sex", "favored": "m"},
        "region": {"column": "region", "favored": "north"},
    }
    usual = {"facets": facets, "metrics": METRICS, "tags": ["release", "credit"]}
    return write_audit(name, rows=ROWS, **{**usual, **parts})


def selected(*names: str) -> Ended:
    """Run the audit with these selections."""
    return call("run", write(), "--all", *(word for name in names for word in ("--select", name)))


def checks(ended: Ended) -> list[str]:
    """Return facet and metric of every check that a console report shows."""
    facet, found = "", []
    lines = ended.out.splitlines()
    for i, line in enumerate(lines):
        if line.split()[:2] == ["verdict", "metric"]:
            above = [above for above in lines[:i] if above in ("sex", "region", "all people")]
            facet = above[-1]
        if line.startswith(("PASS", "FAIL", "reported")):
            found.append(f"{facet} {line.split()[1]}")
    return found


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["DI"], ["sex DI", "region DI"]),
        (["disparate_impact"], ["sex DI", "region DI"]),
        (["equal opportunity"], ["sex RD", "region RD"]),
        (["DPPPL"], ["sex vertex.dpppl", "region vertex.dpppl"]),
        (["DI", "DPPL", "sex"], ["sex DI", "sex DPPL"]),
        (["region", "RD"], ["region RD"]),
        (["GE"], ["all people GE"]),
        (["vertex"], ["sex vertex.dpppl", "region vertex.dpppl"]),
        (["pre_training", "sex"], ["sex CI"]),
        (["release", "DI", "sex"], ["sex DI"]),
        (["release", "credit", "GE"], ["all people GE"]),
    ],
)
def test_selection_is_what_is_shown(names: list[str], expected: list[str]) -> None:
    """Names of one kind add up, and names of different kinds narrow each other down."""
    assert checks(selected(*names)) == expected


def test_everything_is_run_without_a_selection() -> None:
    """Without a selection every check is shown, GE once."""
    assert len(checks(selected())) == 11


def test_tag_selects_audits() -> None:
    """A tag leaves out the audits that lack it, and says so."""
    ended = call("run", write("a"), write("b", tags=[]), "--select", "release")
    assert ended.code == 0
    assert "audit   a" in ended.out
    assert "audit   b" not in ended.out
    assert "b.yaml: nothing selected" in ended.err


def test_facet_of_another_audit_is_no_error() -> None:
    """A facet that only one of the audits has selects nothing of the others."""
    facets = {"sex": {"column": "sex", "favored": "m"}}
    ended = call("run", write("a"), write("b", facets=facets), "--select", "region")
    assert (ended.code, ended.err) == (0, "b.yaml: nothing selected\n")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("sx", "sex"), ("relaese", "release"), ("DPPPPL", "DPPPL"), ("vertx", "vertex")],
)
def test_unknown_name_is_refused(name: str, hint: str) -> None:
    """A name that is no tag, metric or facet ends with 2 before anything is run."""
    ended = selected(name)
    assert (ended.code, ended.out) == (2, "")
    assert f"--select {name}: no tag, metric or facet of the audits has this name" in ended.err
    assert f"did you mean {hint!r}?" in ended.err


@pytest.mark.parametrize("names", [["KL"], ["GE", "sex"], ["KL", "KS", "region"]])
def test_empty_selection_is_five(names: list[str]) -> None:
    """A selection that leaves no check ends with 5, says so, and shows no report."""
    ended = selected(*names)
    assert (ended.code, ended.out) == (5, "")
    assert "nothing was checked: the selection is empty; exit 5" in ended.err


def test_empty_selection_says_so_though_it_may_not_fail() -> None:
    """With --fail-on never an empty selection ends with 0 and still says that it is empty."""
    ended = call("run", write(), "--select", "KL", "--fail-on", "never")
    assert (ended.code, ended.out) == (0, "")
    assert "nothing was checked: the selection is empty" in ended.err


def test_selection_of_reported_metrics_is_five() -> None:
    """A selection that leaves only checks without a limit ends with 5 and says so."""
    ended = selected("CI")
    assert ended.code == 5
    assert "NOTHING CHECKED: no check has a limit" in ended.last


def test_empty_selection_leaves_no_output() -> None:
    """A selection that leaves no check writes no artifact."""
    call("run", write(), "--select", "KL", "-o", "report.json")
    assert not Path("report.json").exists()


def test_selection_does_not_hide_a_wrong_spec() -> None:
    """A wrong spec beside an empty selection ends with 2."""
    wrong = write("wrong", metrics={"DI": {"minn": 1}})
    assert call("run", write(), wrong, "--select", "KL").code == 2
