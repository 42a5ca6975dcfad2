"""A search for subgroups in a report: its verdict, its words, its place in every format."""

import re
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import Exit
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.selection import searches
from biaspipe.plan import missing_limits, planned_checks
from biaspipe.renderers.formats import FORMATS
from biaspipe.renderers.story import StoryTable
from biaspipe.renderers.subgroups import subgroup_section
from biaspipe.report import Report, Result, SubgroupsRecord
from biaspipe.verdict import Verdict
from tests.engines.builders import WAYS, audited, count_as_large, prepare, write
from tests.pipeline.reports import Values, forged, found, table

ROWS = table(
    "sex,race,age,prediction",
    "f,b,30,1 x 20",
    "f,b,30,0 x 80",
    "f,w,30,1 x 50",
    "f,w,50,0 x 50",
    "m,b,50,1 x 50",
    "m,b,30,0 x 50",
    "m,w,50,1 x 100",
    "m,w,30,0 x 100",
    "m,,50,1 x 7",
    ",b,30,0 x 6",
)
FAIR = ROWS.replace("f,b,30,1\n", "f,b,30,1\nf,b,30,1\n", 25).replace("f,b,30,0\n", "", 25)
SEARCH = {"of": ["sex", "race"], "metric": "DPPL", "draws": 1_000}
PARTS: Values = {
    "columns": {"prediction": {"column": "prediction", "positive": 1, "called": "approved"}},
    "facets": {
        "sex": {"column": "sex"},
        "race": {"column": "race"},
        "age": {"column": "age", "groups": {"young": {"below": 40}, "old": {"at_least": 40}}},
    },
    "metrics": {},
}


def searched(folder: Path, rows: str = ROWS, parts: Values = PARTS, **more: Any) -> SubgroupsRecord:
    """Search for subgroups of these rows."""
    search = {**SEARCH, **more}
    record = audited(folder, rows, **{**parts, "subgroups": search}).subgroups
    assert record is not None
    return record


def reported(folder: Path, rows: str = ROWS, **more: Any) -> Report:
    """Run an audit with a search and a check that passes."""
    write(folder / "data.csv", rows)
    metrics = {"DPPL": {"max_abs": 0.9}}
    search = {**SEARCH, "max_gap": 0.1, **more}
    parts = {**PARTS, "metrics": metrics, "subgroups": search}
    return run(prepare(folder, data={"path": "data.csv"}, **parts))


def test_the_worst_subgroup_is_told(tmp_path: Path) -> None:
    """The people of two groups at once who fare worst are found, and explain what else was."""
    record = searched(tmp_path)
    first, *others = record.listed
    assert (first.name, first.groups) == ("f & b", {"sex": "f", "race": "b"})
    assert (first.n, first.counted, first.rest_n, first.rest_counted) == (100, 20, 400, 200)
    assert first.gap == 0.3
    assert first.explained_by is None
    assert {one.explained_by for one in others} == {"f & b"}
    assert (record.found, record.standing, record.examined) == (len(record.listed), 1, 8)
    assert record.sentence.endswith(
        "the share who are approved is larger among the rest than among f & b, by 30 percentage"
        " points, to the disadvantage of f & b"
    )


def test_who_lacks_a_value_takes_part_by_other_facets(tmp_path: Path) -> None:
    """People without a race are counted among those of their sex, and of no race."""
    record = searched(tmp_path, min_rows=1)
    assert record.groups == (("f", "m"), ("b", "w"))
    assert record.cells == (
        "-2 0 6 0",
        "0 0 100 20",
        "0 1 100 50",
        "1 -2 7 7",
        "1 0 100 50",
        "1 1 200 100",
    )
    women = next(one for one in record.listed if one.name == "f")
    assert (women.n, women.rest_n) == (200, 307)


@pytest.mark.parametrize(
    ("decide_by", "rows", "max_gap", "verdict"),
    [
        ("value", ROWS, 0.29, "fail"),
        ("value", ROWS, 0.3, "pass"),
        ("value", FAIR, 0.1, "pass"),
        ("inside", ROWS, 0.1, "fail"),
        ("inside", ROWS, 0.29, "undecided"),
        ("inside", FAIR, 0.1, "undecided"),
        ("inside", FAIR, 0.3, "pass"),
        ("outside", ROWS, 0.1, "fail"),
        ("outside", FAIR, 0.1, "undecided"),
    ],
)
def test_verdict(tmp_path: Path, decide_by: str, rows: str, max_gap: float, verdict: str) -> None:
    """A gap beyond the limit fails where it is no chance; intervals decide where they are to."""
    parts = {**PARTS, "decision": {"decide_by": decide_by}}
    record = searched(tmp_path, rows, parts, max_gap=max_gap)
    assert record.verdict.value == verdict
    assert (record.reason is None) == (verdict != "undecided")


def test_a_gap_that_may_be_chance_is_undecided(tmp_path: Path) -> None:
    """A gap beyond the limit among few people neither passes nor fails."""
    rows = table(
        "sex,race,prediction", *(f"{s},{r},{p} x 10" for s in "fm" for r in "bw" for p in "01")
    )
    rows = rows.replace("f,b,1\n", "f,b,0\n", 3)
    parts = {**PARTS, "facets": {n: {"column": n} for n in ("sex", "race")}}
    record = searched(tmp_path, rows, parts, max_gap=0.1, min_rows=20)
    assert record.verdict is Verdict.UNDECIDED
    assert record.found == 0
    assert record.reason is not None
    assert record.reason.endswith("more people, or a larger min_rows, would tell")
    assert {one.verdict for one in record.listed} == {Verdict.UNDECIDED}


def test_nobody_large_enough_is_undecided(tmp_path: Path) -> None:
    """Where no subgroup is large enough nothing is decided, and the small ones are counted."""
    record = searched(tmp_path, max_gap=0.1, min_rows=400)
    assert record.verdict is Verdict.UNDECIDED
    assert (record.examined, record.small, record.in_small) == (0, 8, 513)
    assert record.small_named[0] == "m (307 people)"


def shares(**groups: tuple[int, int]) -> str:
    """Return rows of groups, each so many approved of so many."""
    parts = [(race, p, n) for race, (k, of) in groups.items() for p, n in ((1, k), (0, of - k))]
    return table("race,prediction", *(f"{race},{p} x {n}" for race, p, n in parts if n))


BY_RACE: Values = {**PARTS, "facets": {"race": {"column": "race"}}}


def test_who_fares_worse_is_told_first(tmp_path: Path) -> None:
    """The disadvantaged are listed first, the worst first, and never folded under a majority."""
    rows = shares(white=(1_200, 2_000), black=(180, 400), native=(25, 60))
    record = searched(tmp_path, rows, BY_RACE, of=["race"], max_gap=0.1)
    assert [one.name for one in record.listed] == ["native", "black", "white"]
    assert [one.explained_by for one in record.listed[:2]] == [None, None]


@pytest.mark.parametrize(("metric", "worst"), [("DPPL", "b"), ("DAR", "a")])
def test_harm_is_what_the_metric_says(tmp_path: Path, metric: str, worst: str) -> None:
    """Fewer approvals harm by one metric, and fewer of them that are right by another."""
    rows = table(
        "race,label,prediction",
        *("a,1,1 x 100", "a,0,1 x 200", "a,0,0 x 50", "b,1,1 x 90", "b,0,1 x 10", "b,0,0 x 250"),
    )
    columns = {**PARTS["columns"], "label": {"column": "label", "positive": 1}}
    parts = {**BY_RACE, "columns": columns}
    record = searched(tmp_path, rows, parts, of=["race"], metric=metric, max_gap=0.1)
    assert record.listed[0].name == worst
    assert record.sentence.endswith(f"to the disadvantage of {worst}")
    assert record.standing == 1


@pytest.mark.parametrize(
    ("native", "verdict", "told"),
    [
        (49, "undecided", "native (49 people) is too small to be examined"),
        (50, "pass", None),
    ],
)
def test_a_single_group_too_small_to_examine(
    tmp_path: Path, native: int, verdict: str, told: str | None
) -> None:
    """A search does not pass over a group of one facet that it could not examine."""
    rows = shares(white=(500, 1_000), black=(500, 1_000), native=(native // 2, native))
    record = searched(tmp_path, rows, BY_RACE, of=["race"], max_gap=0.2)
    assert record.verdict.value == verdict
    assert (told in record.sentence) if told else (record.reason is None)


def test_small_combinations_are_counted_and_decide_nothing(tmp_path: Path) -> None:
    """People of two groups at once who are too few leave the verdict, and are told of."""
    rows = table(
        "sex,race,prediction",
        *(f"{s},{r},{p} x {n}" for s, r, n in TINY for p in "01"),
    )
    record = searched(tmp_path, rows, max_gap=0.3, parts={**PARTS, "facets": TWO_FACETS})
    assert record.verdict is Verdict.PASS
    assert record.sentence.endswith("; 1 combination of groups was too small to be examined")


TINY = (("f", "b", 20), ("f", "w", 100), ("m", "b", 100), ("m", "w", 100))
TWO_FACETS = {name: {"column": name} for name in ("sex", "race")}


def test_a_rest_that_is_too_small_is_told_as_such(tmp_path: Path) -> None:
    """A group of many people is not called small where its rest is."""
    rows = shares(a=(480, 963), b=(20, 37))
    record = searched(tmp_path, rows, BY_RACE, of=["race"], max_gap=0.1)
    assert record.small_named == ("a (963 people, but 37 in the rest)", "b (37 people)")


def test_decision_min_rows_and_max_missing_hold(tmp_path: Path) -> None:
    """What the decision asks of every comparison it asks of subgroups, too."""
    parts = {**PARTS, "decision": {"min_rows": 150}}
    assert searched(tmp_path, parts=parts).min_rows == 150
    parts = {**PARTS, "decision": {"max_missing": 0.01}}
    record = searched(tmp_path, parts=parts, max_gap=0.1)
    assert record.verdict is Verdict.UNDECIDED
    assert "of all people have no value of the facet" in str(record.reason)


def test_frequency_weights_are_people(tmp_path: Path) -> None:
    """A row of weight n is n people, and gives what n rows give."""
    weighed = ROWS.replace("prediction\n", "prediction,w\n")
    lines = sorted(set(ROWS.splitlines()[1:]))
    counts = {line: ROWS.splitlines().count(line) for line in lines}
    rows = "\n".join([weighed.splitlines()[0], *(f"{x},{n}" for x, n in counts.items())]) + "\n"
    parts = {**PARTS, "columns": {**PARTS["columns"], "weight": "w"}}
    one, other = searched(tmp_path), searched(tmp_path, rows, parts)
    assert one.model_copy(update={"line": 0}) == other.model_copy(update={"line": 0})


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_count(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facets counted together or by themselves, learned or new: the cells are the same."""
    expected = searched(tmp_path).cells
    count_as_large(monkeypatch, way)
    assert searched(tmp_path).cells == expected
    assert searched(tmp_path, parts={**PARTS, "engine": "duckdb"}).cells == expected


def test_crosses_and_named_groups(tmp_path: Path) -> None:
    """A cross counts as one facet; who is in no named group is of the rest."""
    facets = {**PARTS["facets"], "both": {"cross": ["sex", "race"]}}
    facets["age"] = {"column": "age", "groups": {"young": {"below": 40}}}
    parts = {**PARTS, "facets": facets}
    record = searched(tmp_path, parts=parts, of=["both", "age"], min_rows=1)
    assert record.groups == (("f & b", "f & w", "m & b", "m & w"), ("young",))
    young = next(one for one in record.listed if one.name == "young")
    assert (young.n, young.rest_n) == (306, 207)


def test_selection(tmp_path: Path) -> None:
    """A search is selected by its metric and all its facets, or by a tag."""
    audit = prepare(
        tmp_path, data={"path": "data.csv"}, **PARTS, tags=["release"], subgroups=SEARCH
    ).audit
    wanted = [[], ["release"], ["DPPL"], ["sex", "race"], ["sex"], ["DI"], ["sex", "race", "DPL"]]
    assert [searches(audit, names) for names in wanted] == [True] * 4 + [False] * 3


def test_a_selection_says_that_the_search_is_left_out(tmp_path: Path) -> None:
    """What is not selected is not searched, not missed by verification, and said to be left out."""
    write(tmp_path / "data.csv", ROWS)
    parts = {
        **PARTS,
        "metrics": {"DPPL": {"max_abs": 0.9}},
        "subgroups": {**SEARCH, "max_gap": 0.1},
    }
    loaded = prepare(tmp_path, data={"path": "data.csv"}, **parts)
    checks = tuple(c for c in planned_checks(loaded.audit) if c.facet == "sex")
    made = run(loaded, Options(checks=checks, select=("sex",)))
    assert made.result.subgroups is None
    assert made.exit_code is Exit.PASSED
    (tmp_path / "r.json").write_text(made.to_json(), encoding="utf-8")
    assert found(tmp_path / "r.json") == []
    told = FORMATS["text"].text(made, made.exit_code)
    assert "and its search for subgroups" in told


def test_a_failing_search_fails_the_audit(tmp_path: Path) -> None:
    """The search has a part in tally, verdict and exit code."""
    made = reported(tmp_path)
    result: Result = made.result
    assert {name: n for name, n in result.tally.items() if n} == {"pass": 6, "fail": 1}
    assert (result.verdict, made.exit_code) == (Verdict.FAIL, Exit.FAILED)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"json", "rates", "clarify", "violations"}))
def test_every_format_shows_it(tmp_path: Path, name: str) -> None:
    """A search that fails is nowhere out of sight."""
    made = reported(tmp_path)
    told = FORMATS[name].text(made, made.exit_code)
    for escaped in ("&amp;", r"\u0026", "&#38;"):
        told = told.replace(escaped, "&")
    assert "f & b" in told


def test_an_undecided_search_is_no_pass_for_readers_of_tests(tmp_path: Path) -> None:
    """JUnit has an undecided search as an error, and skipped where the spec counts it otherwise."""
    told = [
        FORMATS["junit"].text(made, made.exit_code)
        for undecided in ("fail", "pass")
        for made in [_undecided(tmp_path, undecided)]
    ]
    assert ["<error" in text for text in told] == [True, False]
    assert ["<skipped" in text for text in told] == [False, True]


def _undecided(folder: Path, undecided: str) -> Report:
    write(folder / "data.csv", ROWS)
    parts = {**PARTS, "decision": {"undecided": undecided}}
    search = {**SEARCH, "max_gap": 0.1, "min_rows": 400}
    return run(prepare(folder, data={"path": "data.csv"}, **parts, subgroups=search))


def test_what_fails_is_shown(tmp_path: Path) -> None:
    """What fails has a row by default though another one explains it."""
    made = reported(tmp_path)
    assert made.result.subgroups is not None
    failing = [one for one in made.result.subgroups.listed if one.verdict is Verdict.FAIL]
    assert any(one.explained_by for one in failing)
    section = subgroup_section(made, everything=False)
    assert section is not None
    (shown,) = (part for part in section.parts if isinstance(part, StoryTable))
    assert [row.texts[1] for row in shown.rows] == [one.name for one in failing]


def test_what_cannot_be_listed_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more was found than has room the gravest have it, and the others are counted."""
    monkeypatch.setattr("biaspipe.pipeline.subgroups.MAX_LISTED", 1)
    made = reported(tmp_path)
    record = made.result.subgroups
    assert record is not None
    assert [one.name for one in record.listed] == ["f & b"]
    assert record.unlisted == record.found - 1
    told = FORMATS["text"].text(made, made.exit_code)
    assert f"{record.unlisted} more are not listed" in told


def test_rows_stand_as_cards_where_there_is_little_room(tmp_path: Path) -> None:
    """On a narrow page a subgroup is a card with the names of its values."""
    made = reported(tmp_path)
    page = FORMATS["html"].text(made, made.exit_code)
    kind = re.search(r'<table class="(\w+)[^"]*">(?:(?!</table>).)*f &amp; b', page, re.DOTALL)
    assert kind is not None
    assert kind[1] == "cards"


def test_facets_of_a_search_are_covered(tmp_path: Path) -> None:
    """A facet that is searched is not called one that no check covers."""
    audit = prepare(tmp_path, data={"path": "data.csv"}, **PARTS, subgroups=SEARCH).audit
    assert [note.loc for note in missing_limits(audit)] == [("facets", "age")]


def forge_first(key: str, value: object) -> Any:
    """Return what changes a key of the first subgroup that is listed."""
    return lambda values: values["result"]["subgroups"]["listed"][0].update({key: value})


def forge(key: str, value: object) -> Any:
    """Return what changes a key of the search."""
    return lambda values: values["result"]["subgroups"].update({key: value})


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (forge_first("gap", 0.01), "result.subgroups.listed[0].gap"),
        (forge_first("high", 0.02), "result.subgroups.listed[0].high"),
        (forge_first("p_value", 0.5), "result.subgroups.listed[0].p_value"),
        (forge_first("found", False), "result.subgroups.listed[0].found"),
        (forge_first("explained_by", "f"), "result.subgroups.listed[0].explained_by"),
        (forge("critical", 9.0), "result.subgroups.critical"),
        (forge("seed", 5), "result.subgroups.seed"),
        (forge("draws", 5), "result.subgroups.draws"),
        (forge("unlisted", 3), "result.subgroups.unlisted"),
        (forge("small_named", ["nobody"]), "result.subgroups.small_named"),
        (forge("small", 3), "result.subgroups.small"),
        (forge("verdict", "pass"), "result.subgroups.verdict"),
        (forge("sentence", "all is well"), "result.subgroups.sentence"),
        (forge("max_gap", 0.9), "result.subgroups.max_gap"),
        (forge("listed", []), "result.subgroups.listed"),
        (lambda v: v["result"].pop("subgroups"), "result"),
        (lambda v: v["result"]["subgroups"]["cells"].pop(), "result.subgroups.cells"),
        (
            lambda v: v["result"]["subgroups"]["cells"].__setitem__(1, "0 0 100 50"),
            "result.subgroups.cells",
        ),
        (
            lambda v: v["result"]["subgroups"].update(
                cells=[
                    "-2 0 6 0",
                    "0 0 100 50",
                    "0 1 100 20",
                    "1 -2 7 7",
                    "1 0 100 50",
                    "1 1 200 100",
                ]
            ),
            "result.subgroups.groups[1][0]",
        ),
        (
            lambda v: v["result"]["subgroups"]["cells"].__setitem__(1, "0 7 100 20"),
            "result.subgroups.cells[1]",
        ),
    ],
)
def test_a_forger_is_found(tmp_path: Path, change: Any, where: str) -> None:
    """Nothing of a search can be changed, though every digest is made anew."""
    path = tmp_path / "r.json"
    path.write_text(reported(tmp_path).to_json(), encoding="utf-8")
    assert where in forged(path, change)


def test_a_sound_report_verifies(tmp_path: Path) -> None:
    """What a run wrote follows from its cells, draws included."""
    path = tmp_path / "r.json"
    path.write_text(reported(tmp_path).to_json(), encoding="utf-8")
    assert found(path) == []
