"""What the report of an audit says of its power: gaps, people, and whoever needs more."""

import json
from typing import Any

import polars as pl
import pytest

import biaspipe
from biaspipe.metrics import find
from biaspipe.pipeline.power_records import gap_sentence, rounded_up
from biaspipe.report import CheckRecord, Report, seal_report
from biaspipe.statistics.power import Gap
from tests.cli.calls import call

SPEC: dict[str, Any] = {
    "version": 1,
    "name": "loans",
    "columns": {"prediction": {"column": "p", "positive": 1}},
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"DPPL": {"max_abs": 0.1}},
    "decision": {"decide_by": "inside"},
}


def people(times: int = 1, m: tuple[int, int] = (150, 300), f: tuple[int, int] = (84, 200)) -> Any:
    """Return rows of two groups, of each the favorable predictions and all people."""
    rows = [(sex, int(i < yes)) for sex, (yes, n) in (("m", m), ("f", f)) for i in range(n)]
    return pl.DataFrame(rows * times, schema=["sex", "p"], orient="row")


def checked(rows: Any, **parts: Any) -> CheckRecord:
    """Return the one check of an audit."""
    (check,) = biaspipe.run({**SPEC, **parts}, data=rows).result.checks
    return check


def test_undecided_check_says_how_many_people_more_decide_it() -> None:
    """An undecided check names the people of each group, and the audit of as many decides."""
    check = checked(people())
    assert check.verdict == "undecided"
    assert check.power is not None
    needed = check.power.people_needed
    assert needed is not None
    assert (needed.favored, needed.disfavored, needed.more) == (13_000, 8_100, 20_000)
    assert needed.smaller_group_alone is None  # 300 men alone leave more doubt than is allowed
    assert check.reason is not None
    assert check.reason.endswith(
        "about 20,000 more people would decide it four times in five if it stays what it is:"
        " 12,000 of m and 7,900 of f"
    )
    assert checked(people(41)).verdict == "pass"


def test_smaller_group_alone_may_do() -> None:
    """Where enough people are in the larger group, how many the smaller one lacks is told."""
    check = checked(people(m=(2_000, 4_000), f=(45, 100)))
    assert check.power is not None
    needed = check.power.people_needed
    assert needed is not None
    assert needed.smaller_group_alone is not None
    times = needed.smaller_group_alone // 100 + 1
    more = people(m=(2_000, 4_000), f=(45 * times, 100 * times))
    assert checked(more).verdict == "pass"
    assert checked(people(m=(2_000, 4_000), f=(90, 200))).verdict == "undecided"


def test_value_on_its_limit_is_decided_by_nobody() -> None:
    """A value on the limit asks for no people, and says why."""
    check = checked(people(m=(150, 300), f=(80, 200)))
    assert check.reason is not None
    assert check.reason.endswith("the value is on the limit, where no number of people decides it")
    assert check.power is not None
    assert check.power.people_needed is None


def test_value_very_near_its_limit_asks_for_no_silly_number() -> None:
    """Beyond a billion people no number is told."""
    limit = {"DPPL": {"max_abs": 0.080001}}
    check = checked(people(), metrics=limit)
    assert check.reason is not None
    assert check.reason.endswith(
        "so near to the limit that more than a billion people would not tell"
    )


def test_too_few_people_ask_for_the_people_of_min_rows() -> None:
    """Where min_rows is not met, the reason stays the one that names it."""
    check = checked(people(m=(9, 20), f=(8, 20)))
    assert check.reason == "of f, only 20 people, and of m, only 20; 30 are needed"
    assert check.power is not None
    assert check.power.people_needed is None


def test_wider_interval_that_decides_takes_more_people() -> None:
    """Under a correction the gap and the people are those of the interval that decides."""
    spec = {"metrics": {"DPPL": {"max_abs": 0.1}}}
    facets = {"sex": {"column": "sex", "favored": "m"}, "again": {"column": "sex", "favored": "m"}}
    plain = checked(people(), **spec)
    decision = {"decide_by": "inside", "correction": "holm"}
    audit = {**SPEC, **spec, "facets": facets, "decision": decision}
    first, _ = biaspipe.run(audit, data=people()).result.checks
    assert first.simultaneous is not None
    for check, gap, more in ((plain, 0.1254, 20_000), (first, 0.1377, 25_000)):
        assert check.power is not None
        assert check.power.smallest_gap is not None
        assert check.power.smallest_gap.high == pytest.approx(gap, abs=5e-4)
        assert check.power.people_needed is not None
        assert check.power.people_needed.more == pytest.approx(more, rel=0.02)


@pytest.mark.parametrize(
    ("metric", "gap", "words"),
    [
        ("DPPL", Gap(-0.0413, 0.0409), "a gap of 4.1 percentage points"),
        (
            "DPPL",
            Gap(-0.021, 0.048),
            "a gap of 2.1 percentage points below or 4.8 percentage points above parity",
        ),
        ("EOD", Gap(None, 0.156), "a gap of 16 percentage points"),
        ("DI", Gap(0.8412, 1.187), "a ratio below 0.841 or above 1.19"),
        ("EOR", Gap(0.4, None), "a ratio below 0.4"),
        ("CDDL", Gap(-0.047, 0.048, approximate=True), "a gap of about 4.8 percentage points"),
        ("KL", Gap(None, 0.0192), "a value above 0.0192"),
    ],
)
def test_gap_is_said_in_plain_words(metric: str, gap: Gap, words: str) -> None:
    """A gap is told in the measure that the metric has."""
    told = f"with these people {words} would be told from chance four times in five"
    assert gap_sentence(find(metric), gap) == told


@pytest.mark.parametrize(
    ("metric", "gap", "words"),
    [
        ("DI", Gap(None, 2.64), "a ratio above 2.64 {told}, no ratio below 1"),
        ("DI", Gap(0.583, None), "a ratio below 0.583 {told}, no ratio above 1"),
        ("DPPL", Gap(None, 0.0699), "a gap of 7 percentage points above parity {told}, none below"),
    ],
)
def test_side_of_parity_that_nobody_would_see_is_said(metric: str, gap: Gap, words: str) -> None:
    """Where no gap on a side would be told from chance, the sentence says so."""
    told = words.format(told="would be told from chance four times in five")
    found = gap_sentence(find(metric), gap).removesuffix(" parity")
    assert found == f"with these people {told}"


def test_gap_that_nobody_would_see_is_said() -> None:
    """Three people a group show no gap at all."""
    check = checked(people(m=(1, 3), f=(2, 3)), decision={"min_rows": 0})
    assert check.power is not None
    assert check.power.sentence == (
        "these people are too few: no gap that is possible would be told from chance four times"
        " in five"
    )


def test_people_are_rounded_up() -> None:
    """Numbers of people have two digits, and are never rounded down."""
    assert [rounded_up(n) for n in (0.2, 7.2, 99.1, 5_123.4, 5_200)] == [1, 8, 100, 5_200, 5_200]


@pytest.mark.parametrize(
    "change",
    [
        {"power": 0.9},
        {"smallest_gap": {"low": -0.01, "high": 0.01}},
        {"sentence": "these people are enough"},
        {"people_needed": {"favored": 1, "disfavored": 1, "more": 1}},
    ],
)
def test_changed_power_is_found(
    change: dict[str, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that claims to have seen more than its people show is refused."""
    monkeypatch.chdir(tmp_path)
    report = biaspipe.run(SPEC, data=people())
    values = json.loads(report.to_json())
    values["result"]["checks"][0]["power"].update(change)
    result = Report.model_validate(values).result
    run = report.run.model_copy(update={"locator": None, "sha256": None})
    (tmp_path / "report.json").write_text(seal_report(result, run).to_json(), encoding="utf-8")
    ended = call("verify", "report.json")
    assert ended.code == 1
    assert "result.checks[0].power" in ended.out


def test_power_is_shown(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The CSV, the page, Markdown and the console with everything say what could have been seen."""
    monkeypatch.chdir(tmp_path)
    people(41).write_csv("people.csv")
    (tmp_path / "a.yaml").write_text(json.dumps({**SPEC, "data": {"path": "people.csv"}}))
    outputs = ("-o", "a.json", "-o", "a.html", "-o", "a.md", "-o", "a.csv")
    ended = call("run", "a.yaml", "--all", *outputs)
    gap = json.loads((tmp_path / "a.json").read_text())["result"]["checks"][0]["power"]
    high = gap["smallest_gap"]["high"]
    told = f"DPPL below -{high:.3g} or above {high:.3g}"
    assert f"f: these people would tell from chance four times in five {told}" in ended.out
    assert gap["sentence"].startswith("with these people a gap of 2")
    for name in ("a.html", "a.md"):
        assert gap["sentence"][1:] in (tmp_path / name).read_text(encoding="utf-8")
    assert pl.read_csv("a.csv")["gap_high"][0] == high
