"""`check` says what the checks leave unguarded; `run` names the facet that no check covers."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import call, write_audit

FACETS: dict[str, Any] = {
    "sex": {"column": "sex", "favored": "m"},
    "label": {"column": "label", "favored": 1},
}
METRICS: dict[str, Any] = {"DPPL": {"max": 0.3, "facets": ["sex"]}}


@pytest.mark.parametrize("words", [(), ("--data",)])
def test_notes_stand_at_their_lines_and_do_not_fail(words: tuple[str, ...]) -> None:
    """Each note is one line with the line of the spec, in its order; the exit code stays 0."""
    path = write_audit(facets=FACETS, metrics=METRICS)
    ended = call("check", path, *words)
    lines = path.read_text(encoding="utf-8").splitlines()
    facet = next(i for i, line in enumerate(lines, 1) if '"label": {' in line and i > 15)
    check = next(i for i, line in enumerate(lines, 1) if '"DPPL"' in line)
    assert (ended.code, ended.err) == (0, "")
    assert [line for line in ended.out.splitlines() if ": note: " in line] == [
        (
            f"audit.yaml:{facet}: note: facet label: compared with nothing, no check covers it;"
            " add a metric for it, or take the facet out"
        ),
        (
            f"audit.yaml:{check}: note: DPPL is not guarded below 0: with max 0.3 any value passes,"
            " down to -1, to the disadvantage of the favored group; write max_abs: 0.3 instead if"
            " that is not meant"
        ),
    ]


def test_run_names_the_facet_that_no_check_covers() -> None:
    """The console says of a facet without a check that it was compared with nothing."""
    ended = call("run", write_audit(facets=FACETS, metrics=METRICS), "-o", "report.txt")
    line = "facet label: compared with nothing, no check covers it"
    assert ended.out.splitlines().count(line) == 1
    assert line in Path("report.txt").read_text(encoding="utf-8")
    assert "not guarded" not in ended.out


@pytest.mark.parametrize("name", ["sex", "GE"])
def test_selection_does_not_uncover_a_facet(name: str) -> None:
    """A facet whose checks were not selected is not called uncovered."""
    path = write_audit(facets=FACETS, metrics={"DPPL": {"max_abs": 0.3}, "GE": {"max": 5}})
    ended = call("run", path, "--select", name)
    assert (ended.code, "compared with nothing" in ended.out) == (0, False)


IMPACT: dict[str, Any] = {"min_ratio": "4/5", "significance": 0.05}


@pytest.mark.parametrize(
    ("more", "notes"),
    [
        (
            {},
            [
                (
                    "DI is not guarded above 1: with impact 4/5, p < 0.05 any value passes, however"
                    " high, to the disadvantage of the favored group; add max: 1.25 if that is not"
                    " meant"
                )
            ],
        ),
        ({"max": 1.25}, []),
    ],
)
def test_impact_guards_the_disfavored_group_alone(more: dict[str, Any], notes: list[str]) -> None:
    """Adverse impact leaves open what the favored group may lose, unless a max holds beside it."""
    sex = {"sex": FACETS["sex"]}
    ended = call("check", write_audit(facets=sex, metrics={"DI": {"impact": IMPACT, **more}}))
    found = [line for line in ended.out.splitlines() if ": note: " in line]
    assert [line.partition(": note: ")[2] for line in found] == notes
