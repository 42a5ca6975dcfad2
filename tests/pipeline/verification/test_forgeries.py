"""Forgeries: a report changed by somebody who knows how it is made, digests and all."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.loading import load
from biaspipe.pipeline.verification import sound_report
from biaspipe.pipeline.verification.reruns import against_spec
from tests.pipeline.reports import COLUMNS, DAY, ROWS, Values, forged, found, group, report, sides


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
    "the rows of a label": (
        lambda v: v["result"]["data"]["counted_as"][0]["sides"][0].update(rows=1),
        "result.data.counted_as[0].sides",
    ),
    "the rows of a value": (
        lambda v: v["result"]["data"]["counted_as"][0]["sides"][0]["values"][0].update(rows=1),
        "result.data.counted_as[0].sides[0].values",
    ),
    "a note on a column": (
        lambda v: v["result"]["data"]["counted_as"][0].update(notes=["all is well"]),
        "result.data.counted_as[0].notes",
    ),
    "what was counted as what": (
        lambda v: v["result"]["data"].pop("counted_as"),
        "result.data.counted_as",
    ),
    "a column that was counted": (
        lambda v: v["result"]["data"]["counted_as"][0].update(column="other"),
        "result.data.counted_as",
    ),
    "a value on another side": (
        lambda v: v["result"]["data"]["counted_as"][0]["sides"][0].update(side="negative"),
        "result.data.counted_as[0].sides",
    ),
    "a value that is no group": (
        lambda v: v["result"]["data"]["counted_as"][-1]["sides"][0]["values"][0].update(value="q"),
        "result.data.counted_as[2].sides",
    ),
    "people who lack a label": (
        lambda v: v["result"]["facets"][0]["groups"][0].update(label_missing=7),
        "result.facets[0].groups",
    ),
    "people of a side who are missing": (
        lambda v: group(v).update(missing=3),
        "result.facets[0].comparisons[0].counts.disfavored.missing",
    ),
    "a warning on a side": (
        lambda v: sides(v)[0].update(warning="90% of f are missing"),
        "result.facets[0].comparisons[0].warning",
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


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report in which a group has vanished since the baseline."""
    folder = tmp_path_factory.mktemp("lost")
    parts: Values = {"columns": COLUMNS, "metrics": {"DI": {"min": 0.1}, "CI": None}}
    report(folder, ROWS, "old", options=DAY, **parts)
    rows = ROWS.replace("\nx,", "\n,")
    return report(folder, rows, options=DAY, **parts, baseline={"report": "old.json"})


def hide_vanished(values: Values) -> None:
    """Say that nothing vanished."""
    values["result"]["baseline"]["vanished"] = []


def allow_vanished(values: Values) -> None:
    """Say that what vanished was allowed to."""
    baseline = values["result"]["baseline"]
    baseline.update(vanished=[], allowed=baseline["vanished"])
    values["result"]["verdict"] = "pass"


def hide_all(values: Values) -> None:
    """Say that nothing vanished, and draw the conclusion."""
    hide_vanished(values)
    values["result"]["verdict"] = "pass"


def test_vanished_fails_the_audit(lost: Path) -> None:
    """The report is sound, its checks pass, and the audit fails for what vanished."""
    values = json.loads(lost.read_text(encoding="utf-8"))["result"]
    assert (found(lost), values["verdict"], values["tally"]["fail"]) == ([], "fail", 0)
    assert values["baseline"]["vanished"][-1] == "group x of sex"


@pytest.mark.parametrize(
    ("forge", "where"),
    [
        (hide_vanished, "result.verdict"),
        (allow_vanished, "result.baseline.allowed"),
        (lambda v: v["result"].update(verdict="pass"), "result.verdict"),
    ],
)
def test_vanished_cannot_be_hidden(
    forge: Callable[[Values], object], where: str, lost: Path
) -> None:
    """What vanished, what may, and the verdict have to fit each other and the spec."""
    assert where in forged(lost, forge)


def test_vanished_follows_from_the_baseline(lost: Path) -> None:
    """With the spec, what vanished is read from the baseline again where that is still there."""
    spec = load(lost.with_name("audit.yaml"))
    assert list(against_spec(sound_report(lost), spec)) == []
    forged(lost, hide_all)
    other = sound_report(lost.with_name("forged.json"))
    places = [finding.where for finding in against_spec(other, spec)]
    assert places == ["result.baseline.vanished"]


def test_vanished_checks_cannot_be_allowed_by_silence(lost: Path) -> None:
    """A report that does not say what may vanish allows for nothing."""

    def silent(values: Values) -> None:
        del values["result"]["baseline"]["allowed"]
        values["result"]["verdict"] = "pass"

    assert "result.verdict" in forged(lost, silent)


@pytest.mark.parametrize("names", [["nonexistent"], ["DI", "nonexistent"], ["RD", ""], ["GE"]])
def test_selection_is_of_the_spec(names: list[str], forged_from: Path) -> None:
    """A name that selects nothing of the spec is found."""
    assert any(
        place.startswith("run.select")
        for place in forged(forged_from, lambda v: v["run"].update(select=names))
    )


@pytest.mark.parametrize(("role", "facet"), [("facet", None), ("other", None), ("facet", "age")])
def test_column_of_a_facet_names_it(role: str, facet: str | None, forged_from: Path) -> None:
    """A column that was counted as a facet without one, or as nothing known, is found."""

    def nameless(values: Values) -> None:
        values["result"]["data"]["counted_as"][2].update(role=role, facet=facet)

    assert forged(forged_from, nameless)


@pytest.fixture
def forged_from(tmp_path: Path) -> Path:
    """Return a sound report with label, prediction and a facet."""
    return report(tmp_path, ROWS, columns=COLUMNS, metrics={"DI": {"min": 0.8}}, options=DAY)
