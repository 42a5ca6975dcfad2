"""Verification: whatever was changed in a report is found, and named."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from biaspipe.errors import DataError
from biaspipe.pipeline import Options
from biaspipe.pipeline.verification import differences, verify
from tests.pipeline.reports import Values, digits, forged, found, report, resealed, table

COLUMNS: Values = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
    "strata": ["shift"],
}
ROWS = table(
    "sex,prediction,label,shift",
    "m,1,1,day x 20",
    "m,0,0,night x 15",
    "m,1,0,night x 5",
    "f,1,1,day x 10",
    "f,0,0,night x 15",
    "f,0,1,day x 9",
    "x,0,0,day x 3",
    "x,1,1,night x 2",
    ",1,1,day x 4",
)
WORSE = ROWS.replace("f,1,1,day\n", "f,0,1,day\n", 4)
WAIVER = {
    "metric": "DPPL",
    "disfavored": "f",
    "reason": "known",
    "approved_by": "Ada",
    "expires": "2099-01-01",
}
PARTS: Values = {
    "columns": COLUMNS,
    "metrics": {
        "DI": {"min": 0.8},
        "DPPL": {"max_abs": 0.1},
        "RD": None,
        "DPL": None,
        "KL": {"max": 1},
        "CDDL": None,
    },
    "decision": {"min_rows": 3},
}
DAY = Options(as_of=date(2026, 11, 21))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report with waivers, a baseline, strata, and a group of five."""
    folder = tmp_path_factory.mktemp("whole")
    report(folder, ROWS, "old", options=DAY, **PARTS)
    baseline = {"report": "old.json", "max_worsening": 0.01}
    return report(folder, WORSE, options=DAY, **PARTS, waivers=[WAIVER], baseline=baseline)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of an audit of two checks."""
    folder = tmp_path_factory.mktemp("small")
    metrics = {"DI": {"min": 0.5}, "KL": {"max": 1}}
    return report(folder, ROWS, options=DAY, columns=COLUMNS, metrics=metrics)


def test_sound_reports_have_no_findings(whole: Path, small: Path) -> None:
    """A report that nobody touched has nothing wrong in it."""
    assert found(whole) == []
    assert found(small) == []


def misses(path: Path, chosen: list[int], folder: Path) -> list[str]:
    """Return the digits whose change is not found, or not named."""
    text, other = path.read_text(encoding="utf-8"), folder / "changed.json"
    where = dict(digits(text))
    missed = []
    for i in chosen:
        place = where[i]
        new = text[:i] + ("7" if text[i] != "7" else "3") + text[i + 1 :]
        path_ = place.path
        if place.is_key:
            name = json.loads(new[place.start : place.end])
            path_ = ".".join([*place.path.split(".")[:-1], name])
        other.write_text(new, encoding="utf-8")
        if path_ not in found(other):
            missed.append(f"{place.path}: {text[place.start : place.end]}")
    return missed


def test_every_changed_digit_is_found_and_named(small: Path, tmp_path: Path) -> None:
    """Every single digit of a report, turned into another one, is found and its place is named."""
    chosen = [i for i, _ in digits(small.read_text(encoding="utf-8"))]
    assert len(chosen) > 500
    assert misses(small, chosen, tmp_path) == []


def test_changed_digits_of_a_larger_report_are_named(whole: Path, tmp_path: Path) -> None:
    """Digits chosen by chance in a report with every feature are found and named."""
    chosen = [i for i, _ in digits(whole.read_text(encoding="utf-8"))]
    assert misses(whole, Random(11).sample(chosen, 150), tmp_path) == []


def found_or_refused(path: Path) -> list[str]:
    """Return what is found in a report, or why it is none any more."""
    try:
        return found(path)
    except DataError as error:
        return [str(error)]


def test_changed_letters_are_named(whole: Path, tmp_path: Path) -> None:
    """A single other letter in any word of a report is found, and most often its place is named."""
    text, other = whole.read_text(encoding="utf-8"), tmp_path / "changed.json"
    letters = [i for i, c in enumerate(text) if c.isalpha()]
    for i in Random(12).sample(letters, 150):
        other.write_text(text[:i] + ("q" if text[i] != "q" else "z") + text[i + 1 :])
        assert found_or_refused(other)


WORDS: dict[str, tuple[str, str, str]] = {
    "a verdict": ('"verdict": "fail"', '"verdict": "pass"', "result.checks[0].verdict"),
    "a name": ('"approved_by": "Ada"', '"approved_by": "Bob"', "result.audit.spec.waivers[0]"),
    "a state": ('"state": "active"', '"state": "expired"', "result.waivers[0].state"),
    "a method": ('"method": "mover-ratio"', '"method": "newcombe"', "result.checks[0]"),
    "a time": ('"as_of": "2026-11-21"', '"as_of": "2026-11-20"', "run.as_of"),
    "a spec": ('"select": []', '"select": ["DI"]', "run.select"),
    "no waivers": ('"waivers": true', '"waivers": false', "run.waivers"),
}


@pytest.mark.parametrize(("old", "new", "where"), WORDS.values(), ids=list(WORDS))
def test_changed_words_are_named(
    old: str, new: str, where: str, whole: Path, tmp_path: Path
) -> None:
    """A word that was exchanged for another one is found, first of all where it stands."""
    text, other = whole.read_text(encoding="utf-8"), tmp_path / "changed.json"
    assert old in text
    other.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert any(place.startswith(where) for place in found(other))


def sides(values: Values) -> Any:
    """Return the comparisons of the only facet."""
    return values["result"]["facets"][0]["comparisons"]


def group(values: Values, side: str = "disfavored") -> Any:
    """Return the counts of a side of the first comparison."""
    return sides(values)[0]["counts"][side]


def recount(values: Values) -> None:
    """Make the tally anew from the verdicts that stand in a report."""
    tally = dict.fromkeys(values["result"]["tally"], 0)
    for check in values["result"]["checks"]:
        tally[check["verdict"]] += 1
    values["result"]["tally"] = tally


def checks(values: Values, *metrics: str) -> list[Values]:
    """Return the checks of some metrics."""
    return [check for check in values["result"]["checks"] if check["metric"] in metrics]


def move(values: Values) -> None:
    """Move a person of a stratum from one cell to another."""
    stratum = sides(values)[0]["strata"][0]["disfavored"]
    stratum["TP"] += 1
    stratum["FN"] -= 1


def hide_group(values: Values) -> None:
    """Take a group out of the comparisons, the groups, the checks and the tally."""
    facet = values["result"]["facets"][0]
    facet["comparisons"] = [c for c in facet["comparisons"] if c["disfavored"] != "x"]
    facet["groups"] = [g for g in facet["groups"] if g["group"] != "x"]
    kept = [c for c in values["result"]["checks"] if c["disfavored"] != "x"]
    values["result"]["checks"] = kept
    recount(values)


def hide_group_as_missing(values: Values) -> None:
    """Take a group out, and say that its rows have no value."""
    hide_group(values)
    ledger = values["result"]["data"]["ledger"]["sex"]
    ledger["disfavored"] -= 5
    ledger["facet_missing"] += 5


def hide_baseline(values: Values) -> None:
    """Take the baseline out, with all that follows from it."""
    del values["result"]["baseline"]
    for check in values["result"]["checks"]:
        check.pop("baseline", None)
        if not check["limits"]:
            check.update(verdict="reported", reason=None)
        elif check["reason"] and "worse" in check["reason"]:
            check.update(verdict="pass", reason=None)
    recount(values)


def hide_regression(values: Values) -> None:
    """Say of a check that got worse that the baseline does not have it."""
    for check in checks(values, "RD", "DPL", "CDDL"):
        del check["baseline"]
        check.update(verdict="reported", reason=None)
    recount(values)


def allow_more(values: Values) -> None:
    """Raise what the baseline allows, beside the spec."""
    values["result"]["baseline"]["max_worsening"] = 0.9
    for check in values["result"]["checks"]:
        note = check.get("baseline")
        if note and note["verdict"] == "regressed":
            note["verdict"] = "worse"
            note["sentence"] = note["sentence"].removesuffix(", more than 0.01")
            if not check["limits"]:
                check.update(verdict="pass", reason=None)
    recount(values)


def swap_verdicts(values: Values) -> None:
    """Exchange the verdicts of the first failing and the first passing check."""
    first = {c["verdict"]: c for c in reversed(values["result"]["checks"])}
    first["fail"]["verdict"], first["pass"]["verdict"] = "pass", "fail"


Forgery = tuple[Callable[[Values], object], str]
FORGERIES: dict[str, Forgery] = {
    "a value": (
        lambda v: v["result"]["checks"][0].update(value=0.9),
        "result.checks[0].value",
    ),
    "an end of an interval": (
        lambda v: v["result"]["checks"][0]["interval"].update(high=0.7),
        "result.checks[0].interval.high",
    ),
    "a verdict": (
        lambda v: v["result"]["checks"][0].update(verdict="pass"),
        "result.checks[0].verdict",
    ),
    "two verdicts swapped": (swap_verdicts, "result.checks[0].verdict"),
    "a p-value": (
        lambda v: v["result"]["checks"][0]["parity"].update(p_value=0.5),
        "result.checks[0].parity.p_value",
    ),
    "a sentence": (
        lambda v: v["result"]["checks"][0].update(sentence="all is well"),
        "result.checks[0].sentence",
    ),
    "a limit": (
        lambda v: v["result"]["checks"][0]["limits"].update(min=0.1),
        "result.checks[0].limits.min",
    ),
    "a limit of the spec": (
        lambda v: v["result"]["audit"]["spec"]["metrics"]["DI"].update(min=0.1),
        "result.checks[0].limits.min",
    ),
    "a limit taken away": (
        lambda v: v["result"]["checks"][0].update(limits={}),
        "result.checks[0].limits.min",
    ),
    "a count": (lambda v: group(v).update(TP=25), "result.checks[0].value"),
    "a count that fits its sums": (
        lambda v: group(v).update(TP=group(v)["TP"] + 4, FN=group(v)["FN"] - 4),
        "result.checks[0].value",
    ),
    "a count below nothing": (
        lambda v: group(v).update(TP=-5),
        "result.facets[0].comparisons[0].counts.disfavored",
    ),
    "the rows of a side": (
        lambda v: group(v).update(rows=999),
        "result.facets[0].comparisons[0]",
    ),
    "the people of a label": (
        lambda v: group(v)["labels"].update({"0": 99}),
        "result.facets[0].comparisons[0].counts.disfavored.labels",
    ),
    "labels moved": (
        lambda v: group(v)["labels"].update({"0": 14, "1": 20}),
        "result.facets[0].comparisons[0].counts.disfavored.labels",
    ),
    "a selection rate": (
        lambda v: group(v).update(selection_rate=0.5),
        "result.facets[0].comparisons[0].counts.disfavored.selection_rate",
    ),
    "a stratum's count": (
        lambda v: sides(v)[0]["strata"][0]["disfavored"].update(TP=99),
        "result.facets[0].comparisons[0].strata",
    ),
    "a stratum's person moved": (move, "result.facets[0].comparisons[0].strata"),
    "everyone": (
        lambda v: v["result"]["data"]["everyone"].update(TP=999),
        "result.data.everyone.n",
    ),
    "rows of everyone": (
        lambda v: v["result"]["data"]["everyone"].update(rows=999),
        "result.data.everyone.rows",
    ),
    "the rows of a group": (
        lambda v: v["result"]["facets"][0]["groups"][0].update(rows=999),
        "result.facets[0].groups",
    ),
    "a group taken away": (
        lambda v: v["result"]["facets"][0]["groups"].pop(2),
        "result.facets[0].groups",
    ),
    "the part of a group": (
        lambda v: v["result"]["facets"][0]["groups"][1].update(part="not compared"),
        "result.facets[0].groups",
    ),
    "a group and its comparison": (hide_group, "result.facets[0].comparisons"),
    "a group called missing": (hide_group_as_missing, "result.facets[0].groups"),
    "a comparison twice": (
        lambda v: sides(v).append(sides(v)[0]),
        "result.facets[0].comparisons",
    ),
    "the ledger's parts": (
        lambda v: v["result"]["data"]["ledger"]["sex"].update(favored=45, disfavored=34),
        "result.facets[0].groups",
    ),
    "the ledger's facet": (
        lambda v: v["result"]["data"]["ledger"].clear(),
        "result.data.ledger.sex",
    ),
    "the rows read": (
        lambda v: v["result"]["data"].update(rows=1),
        "result.data.ledger.sex",
    ),
    "the facets": (lambda v: v["result"]["facets"].clear(), "result.data.ledger.sex"),
    "a check taken away": (lambda v: v["result"]["checks"].pop(0), "result.checks"),
    "a check twice": (
        lambda v: v["result"]["checks"].append(v["result"]["checks"][0]),
        "result.checks",
    ),
    "the tally": (
        lambda v: v["result"]["tally"].update({"pass": 9}),
        "result.tally.pass",
    ),
    "the verdict of the audit": (
        lambda v: v["result"].update(verdict="pass"),
        "result.verdict",
    ),
    "min_rows": (
        lambda v: v["result"]["decision"].update(min_rows=0),
        "result.decision.min_rows",
    ),
    "the confidence": (
        lambda v: v["result"]["decision"].update(confidence=0.99),
        "result.decision.confidence",
    ),
    "what is not computed": (
        lambda v: v["result"]["not_computed"].update(FT="no time"),
        "result.not_computed.FT",
    ),
    "a waiver's use": (
        lambda v: v["result"]["waivers"][0].update(waived=9),
        "result.waivers[0].waived",
    ),
    "a waiver's end": (
        lambda v: v["result"]["waivers"][0].update(expires="2100-01-01"),
        "result.waivers[0].expires",
    ),
    "a waiver taken away": (lambda v: v["result"]["waivers"].clear(), "result"),
    "the baseline taken away": (hide_baseline, "result.baseline"),
    "a regression called new": (hide_regression, "result.checks[4].baseline"),
    "what the baseline allows": (allow_more, "result.baseline.max_worsening"),
    "the baseline's file": (
        lambda v: v["result"]["baseline"].update(report="other.json"),
        "result.baseline.report",
    ),
    "a number of another kind": (
        lambda v: v["result"]["data"].update(rows=float(v["result"]["data"]["rows"])),
        "result.data.rows",
    ),
    "a key": (lambda v: v["result"]["checks"][0].update(more=1), "result.checks[0].more"),
    "a key of the spec": (
        lambda v: v["result"]["audit"]["spec"].update(more=1),
        "result.audit.spec.more",
    ),
    "the name": (lambda v: v["result"]["audit"].update(name="nice"), "result.audit.name"),
    "a day that there is not": (lambda v: v["run"].update(as_of="2026-02-30"), "run.as_of"),
    "a day in other words": (lambda v: v["run"].update(as_of="2026-W48-1"), "run.as_of"),
    "a selection": (lambda v: v["run"].update(select=["DPPL"]), "result.checks"),
    "waivers not applied": (
        lambda v: v["run"].update(waivers=False),
        "result.waivers[0].state",
    ),
    "a day after the end": (
        lambda v: v["run"].update(as_of="2099-01-02"),
        "result.waivers[0].state",
    ),
}


@pytest.mark.parametrize(("forge", "where"), FORGERIES.values(), ids=list(FORGERIES))
def test_forgeries_with_new_digests_are_found(
    forge: Callable[[Values], object], where: str, whole: Path
) -> None:
    """What does not follow from the counts is found, though all digests were made anew."""
    assert where in forged(whole, forge)


@pytest.mark.parametrize("forge", [forge for forge, _ in FORGERIES.values()], ids=list(FORGERIES))
def test_forgeries_with_old_digests_are_found(
    forge: Callable[[Values], object], whole: Path
) -> None:
    """The same changes are found where the digests are left as they were."""
    assert forged(whole, forge, seal=False)


@pytest.mark.parametrize("part", ["result", "run", "result_sha256"])
def test_missing_parts_are_named(part: str, whole: Path) -> None:
    """Parts that a report has to have are named where they are missing."""
    assert forged(whole, lambda v: v.pop(part), seal=False)[0] == part


@pytest.mark.parametrize("key", ["locator", "sha256"])
def test_seals_have_to_be_there(key: str, whole: Path) -> None:
    """A report without a locator or without the digest of its run is not sound."""
    assert "run.sha256" in forged(whole, lambda v: v["run"].pop(key), seal=False)


@pytest.mark.parametrize("part", ["zzzzzzzz", "", "\uff11", "-1"])
def test_locator_that_is_no_number_is_found(part: str, whole: Path) -> None:
    """A check sum that is no hexadecimal number is found like any other change."""
    changed = forged(whole, lambda v: v["run"]["locator"].__setitem__(0, part), seal=False)
    assert {"run.locator[0]", "run.sha256"} <= set(changed)


def test_first_leaf_is_not_accused_of_its_check_sum(whole: Path) -> None:
    """A changed check sum over all leaves is named itself, not the first leaf."""
    changed = forged(whole, lambda v: v["run"]["locator"].__setitem__(0, "0" * 8), seal=False)
    assert changed == ["run.locator[0]", "run.sha256"]


@pytest.mark.parametrize(
    ("number", "again"), [("0.8", "0.80"), ("0.8", "8e-1"), ("3", "3.0"), ("3", "03")]
)
def test_number_in_other_digits_is_found(
    number: str, again: str, whole: Path, tmp_path: Path
) -> None:
    """The same number written otherwise is found, since a digit was changed."""
    text, other = whole.read_text(encoding="utf-8"), tmp_path / "changed.json"
    key = "min" if number == "0.8" else "min_rows"
    other.write_text(text.replace(f'"{key}": {number}', f'"{key}": {again}', 1))
    words = found_or_refused(other)
    assert any(word.endswith(key) or "not a JSON document" in word for word in words)


def test_key_that_stands_twice_is_found(whole: Path, tmp_path: Path) -> None:
    """A key that stands twice is refused, whichever of the two is sound."""
    text, other = whole.read_text(encoding="utf-8"), tmp_path / "changed.json"
    for verdict in ('"verdict": "pass"', '"verdict": "fail"'):
        other.write_text(text.replace('"verdict": "fail"', f'"verdict": "fail", {verdict}', 1))
        with pytest.raises(DataError, match="the key 'verdict' stands twice"):
            verify(other)


def test_white_space_is_nobodys_business(whole: Path, tmp_path: Path) -> None:
    """A report that another program formatted anew is still sound."""
    values, other = json.loads(whole.read_text(encoding="utf-8")), tmp_path / "other.json"
    tool = subprocess.run(
        [sys.executable, "-m", "json.tool", str(whole)], capture_output=True, check=True
    ).stdout
    backwards = dict(reversed(values.items()))
    for content in (
        tool,
        json.dumps(values, separators=(",", ":")).encode(),
        json.dumps(backwards, indent=1, ensure_ascii=False).encode(),
        whole.read_bytes().replace(b"\n", b"\r\n"),
    ):
        other.write_bytes(content)
        assert found(other) == []


def test_halves_of_characters_are_found(whole: Path) -> None:
    """Half a character, as a changed digit of an escape can leave it, is found and named."""
    changed = forged(whole, lambda v: v["result"]["audit"].update(name="\ud83d"), seal=False)
    assert changed[0] == "result.audit.name"


@pytest.mark.parametrize("depth", [200, 900])
def test_deep_documents_are_found(depth: int, whole: Path, tmp_path: Path) -> None:
    """A spec of many lists in each other is wrong, and no accident."""
    text, other = whole.read_text(encoding="utf-8"), tmp_path / "changed.json"
    other.write_text(text.replace('"version": 1', f'"version": {"[" * depth}{"]" * depth}'))
    assert "result.audit.spec.version" in found(other)


def test_other_versions_are_named(whole: Path) -> None:
    """A report of a version that there is not yet names its schema."""
    changed = forged(whole, lambda v: v.update(schema="biaspipe-report/2"), seal=False)
    assert changed[0] == "schema"


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


def test_resealing_a_sound_report_changes_nothing(whole: Path) -> None:
    """The tests forge as the product seals: a sound report is the same after it."""
    values = json.loads(whole.read_text(encoding="utf-8"))
    assert resealed(json.loads(json.dumps(values))) == values


def test_differences_tell_kinds_apart() -> None:
    """One and 1.0 and true are three things, and a list that grew is one difference."""
    assert list(differences({"a": 1}, {"a": 1.0})) == [("a", "1", "1.0")]
    assert list(differences({"a": 1}, {"a": True})) == [("a", "1", "true")]
    assert list(differences({"a": [1]}, {"a": [1, 2]})) == [("a", "[1]", "[1, 2]")]
