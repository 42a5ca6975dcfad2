"""Tampering: what `verify` catches, and what it says, of a report that somebody had in hand.

Three kinds of attackers: one who changes the file, one who makes all digests anew with the code
that is public, and one who runs the whole tool on something else. Each attack names what has to
come of `verify` alone, with the spec, and with spec and data: it is caught, or the output says in
words what is special about the report. What is only shown is what docs/evidence.md says a report
can claim.
"""

import csv
import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from biaspipe.errors import DataError, Exit
from biaspipe.loading import load
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.selection import selected_checks
from biaspipe.pipeline.verification import sound_report, verify
from biaspipe.report import Report, seal_of
from biaspipe.report.runs import WORDING
from biaspipe.spec import today
from tests.cli.calls import Ended, call
from tests.examples import is_thorough
from tests.golden.audits import report_of
from tests.pipeline.reports import Values, resealed, table

CAUGHT = "NOT VERIFIED  exit 1"
ROWS = table("sex,prediction,label", "m,1,1 x 20", "m,0,0 x 10", "f,1,1 x 6", "f,0,1 x 14")
SPEC: Values = {
    "version": 1,
    "name": "loans",
    "data": {"path": "data.csv"},
    "columns": {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "prediction", "positive": 1},
    },
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"DPPL": {"max_abs": 0.1}, "DPL": {"max_abs": 0.9}, "RD": None},
    "waivers": [
        {"metric": "DPPL", "reason": "known", "approved_by": "Ada", "expires": "2025-12-31"}
    ],
}


class Case(NamedTuple):
    """An attack, and what has to stand in what `verify` says, with ever more at hand."""

    attack: Callable[[Path], Report | Values]
    alone: str
    spec: str
    data: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a spec, its data, and a report that fails, since a waiver expired."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(ROWS, encoding="utf-8")
    put(tmp_path)
    return tmp_path


def put(path: Path, **parts: Any) -> Path:
    """Write the spec, or another one in its place."""
    spec = path / "audit.yaml"
    spec.write_text(json.dumps({**SPEC, **parts}, indent=1), encoding="utf-8")
    return spec


def honest(folder: Path, **options: Any) -> Report:
    """Run the audit as it stands."""
    return run(load(folder / "audit.yaml"), Options(**{"fail_on": "fail", **options}))


def values_of(report: Report) -> Values:
    """Return a report as plain values."""
    values: Values = json.loads(report.to_json())
    return values


def verified(attack: Report | Values, *words: str) -> Ended:
    """Write what an attacker hands over, and verify it."""
    content = attack.to_values() if isinstance(attack, Report) else attack
    Path("report.json").write_text(json.dumps(content), encoding="utf-8")
    return call("verify", "report.json", *words)


def in_run(**changes: Any) -> Callable[[Path], Values]:
    """Return an attack that changes what the run says of itself, and seals it anew."""

    def attack(folder: Path) -> Values:
        values = values_of(honest(folder))
        values["run"].update(changes)
        return resealed(values)

    return attack


def sealed_by(**changes: Any) -> Callable[[Path], Values]:
    """Return an attack on the seal itself; what is None is left out."""

    def attack(folder: Path) -> Values:
        values = values_of(honest(folder))
        values["run"].update(changes)
        values["run"] = {k: v for k, v in values["run"].items() if v != "left out"}
        if "sha256" not in changes:
            values["run"]["sha256"] = seal_of(values)
        return values

    return attack


MISTYPED: dict[str, Values] = {
    "waivers as 1": {"waivers": 1},
    "waivers as 0": {"waivers": 0},
    "waivers as a text": {"waivers": "true"},
    "waivers as null": {"waivers": None},
    "seconds as a text": {"seconds": "1"},
    "seconds as a whole number": {"seconds": 1},
    "seconds as true": {"seconds": True},
    "seconds before the start": {"seconds": -0.5},
    "a selection as a text": {"select": "RD"},
    "a selection of numbers": {"select": [1]},
    "a selection as null": {"select": None},
    "a selection as a mapping": {"select": {"RD": 1}},
    "git as a list": {"git": []},
    "git with another key": {"git": {"author": "Ada"}},
    "a path that leads out": {"git": {"path": "../a.yaml"}},
    "a path of a machine": {"git": {"path": "/a.yaml"}},
    "no path": {"git": {"path": ""}},
    "a commit that is none": {"git": {"commit": "HEAD"}},
    "a commit that is a truth": {"git": {"commit": True}},
    "a commit with a line break": {"git": {"commit": "a" * 40 + "\n"}},
    "modified as a text": {"git": {"commit": "a" * 40, "modified": "no"}},
    "modified as 1": {"git": {"commit": "a" * 40, "modified": 1}},
    "a time in words": {"started_at": "yesterday"},
    "a time as a number": {"started_at": 1_700_000_000},
    "a time without a zone": {"started_at": "2026-11-22T10:00:00"},
    "a time of another zone": {"started_at": "2026-11-22T10:00:00+05:00"},
    "a time in other letters": {"started_at": "2026-11-22T10:00:00Z"},
    "a time of a week": {"started_at": "2026-W47-7T10:00:00+00:00"},
    "a day for a time": {"started_at": "2026-11-22"},
    "a year beyond years": {"started_at": "10000-01-01T00:00:00+00:00"},
    "the last moment elsewhere": {"started_at": "9999-12-31T23:59:59-12:00"},
    "the first moment elsewhere": {"started_at": "0001-01-01T00:00:00+12:00"},
    "a day as a number": {"as_of": 5},
    "a day as null": {"as_of": None},
    "a day of a week": {"as_of": "2026-W47-7"},
    "a day of year 0": {"as_of": "0000-01-01"},
    "a day that there is not": {"as_of": "2026-02-30"},
    "a day with a time": {"as_of": "2026-11-22T00:00:00"},
    "a day in other digits": {"as_of": "\uff12\uff10\uff12\uff16-11-22"},
    "a version in words": {"biaspipe": "newest"},
    "no version": {"biaspipe": ""},
    "a version as a number": {"python": 3.11},
    "a version as null": {"polars": None},
    "a version with words behind it": {"polars": "2.1.0 VERIFIED"},
    "a long version": {"polars": "1" * 65},
    "an engine as a number": {"engine": 5},
    "a spec as null": {"spec": None},
    "a spec as a list": {"spec": ["audit.yaml"]},
    "another exit": {"fail_on": "always"},
    "an exit as a truth": {"fail_on": False},
    "a policy that is no digest": {"policy": "none"},
    "a policy in capitals": {"policy": "A" * 64},
    "another key": {"signed_by": "Ada"},
}


@pytest.mark.parametrize("changes", MISTYPED.values(), ids=list(MISTYPED))
def test_run_is_typed_strictly(changes: Values, folder: Path) -> None:
    """What a run says of itself is of the kind that a run writes, whatever the seal says."""
    ended = verified(in_run(**changes)(folder))
    assert ended.last == CAUGHT
    assert f"WRONG run.{next(iter(changes))}" in ended.out
    assert ended.err == ""


SEALS: dict[str, tuple[Values, str]] = {
    "no seal": ({"sha256": "left out"}, "run.sha256"),
    "a seal of nothing": ({"sha256": None}, "run.sha256"),
    "another seal": ({"sha256": "0" * 64}, "run.sha256"),
    "half a seal": ({"sha256": "0" * 32}, "run.sha256"),
    "no check sums": ({"locator": "left out"}, "run.locator"),
    "check sums of nothing": ({"locator": None}, "run.locator"),
    "none of the check sums": ({"locator": []}, "run.locator"),
    "other check sums": ({"locator": ["00000000"] * 11}, "run.locator"),
    "check sums as a text": ({"locator": "00000000"}, "run.locator"),
    "check sums as numbers": ({"locator": [1, 2]}, "run.locator[0]"),
}


@pytest.mark.parametrize(("changes", "where"), SEALS.values(), ids=list(SEALS))
def test_seals_have_to_be_those_of_the_report(changes: Values, where: str, folder: Path) -> None:
    """A report without its seal or its check sums, or with others, is not sound."""
    ended = verified(sealed_by(**changes)(folder))
    assert ended.last == CAUGHT
    assert f"WRONG {where}" in ended.out


TYPES: dict[str, Callable[[Values], Any]] = {
    "rows as a fraction": lambda r: r["data"].update(rows=50.0),
    "rows as a text": lambda r: r["data"].update(rows="50"),
    "a count as a fraction": lambda r: counts(r).update(TP=6.0),
    "a count as a truth": lambda r: counts(r).update(FP=False),
    "a value as a text": lambda r: r["checks"][0].update(value=str(r["checks"][0]["value"])),
    "a confidence as a text": lambda r: r["decision"].update(confidence="0.95"),
    "min_rows as a fraction": lambda r: r["decision"].update(min_rows=0.0),
    "a tally as a truth": lambda r: r["tally"].update({"pass": True}),
    "a line as a text": lambda r: r["checks"][0].update(line="9"),
    "bytes as a fraction": lambda r: r["data"]["inputs"][0].update(bytes=290.0),
    "a digest in capitals": lambda r: r["audit"].update(sha256="A" * 64),
    "an end as a number": lambda r: r["waivers"][0].update(expires=20251231),
    "an end that is no day": lambda r: r["waivers"][0].update(expires="never"),
}


def counts(result: Values) -> Any:
    """Return the counts of the disfavored group."""
    return result["facets"][0]["comparisons"][0]["counts"]["disfavored"]


@pytest.mark.parametrize("change", TYPES.values(), ids=list(TYPES))
def test_result_is_typed_strictly(change: Callable[[Values], Any], folder: Path) -> None:
    """A number of another kind, or in a text, is not what a run writes."""
    values = values_of(honest(folder))
    change(values["result"])
    ended = verified(resealed(values))
    assert ended.last == CAUGHT


def of_other_counts(folder: Path) -> Report:
    """Run the tool on people who were invented, and put the true data back."""
    (folder / "data.csv").write_text(ROWS.replace("f,0,1", "f,1,1", 7), encoding="utf-8")
    report = honest(folder)
    (folder / "data.csv").write_text(ROWS, encoding="utf-8")
    return report


def of_fewer_people(folder: Path) -> Values:
    """Leave out those who would make it fail, under the digest of the true data."""
    true = values_of(honest(folder))["result"]["data"]["inputs"]
    kept = ROWS.replace("f,0,1\n", "", 11)
    (folder / "data.csv").write_text(kept, encoding="utf-8")
    values = values_of(honest(folder))
    (folder / "data.csv").write_text(ROWS, encoding="utf-8")
    values["result"]["data"]["inputs"] = true
    return resealed(values)


def of_another_spec(folder: Path) -> Report:
    """Run the tool with a wider limit, and put the true spec back."""
    put(folder, metrics={**SPEC["metrics"], "DPPL": {"max_abs": 0.9}})
    report = honest(folder)
    put(folder)
    return report


def of_another_spec_under_its_digest(folder: Path) -> Values:
    """Do the same, under the digest of the true spec."""
    values, true = values_of(of_another_spec(folder)), values_of(honest(folder))
    values["result"]["audit"]["sha256"] = true["result"]["audit"]["sha256"]
    return resealed(values)


def of_another_day(folder: Path) -> Report:
    """Run the tool as on a day on which the waiver held."""
    return honest(folder, as_of=date(2025, 6, 1))


def as_if_then(folder: Path) -> Values:
    """Do the same, and say that it was run on that day."""
    values = values_of(of_another_day(folder))
    values["run"]["started_at"] = "2025-06-01T09:00:00+00:00"
    return resealed(values)


def of_a_selection(folder: Path) -> Report:
    """Run the tool on the checks that pass."""
    audit = load(folder / "audit.yaml").audit
    return honest(folder, checks=selected_checks(audit, ["DPL"]), select=("DPL",))


def of_a_selection_that_is_hidden(folder: Path) -> Values:
    """Do the same, and say that nothing was selected."""
    values = values_of(of_a_selection(folder))
    values["run"]["select"] = []
    return resealed(values)


def verdict_turned(folder: Path) -> Values:
    """Make the failure a pass, with its tally and its verdict."""
    values = values_of(honest(folder))
    for check in values["result"]["checks"]:
        if check["verdict"] == "fail":
            check.update(verdict="pass", reason=None)
    values["result"]["tally"].update({"pass": 2, "fail": 0})
    values["result"]["verdict"] = "pass"
    return resealed(values)


def waiver_prolonged(folder: Path) -> Values:
    """Let the waiver of the spec in the report hold for ever, and run that."""
    put(folder, waivers=[{**SPEC["waivers"][0], "expires": "2099-12-31"}])
    values = values_of(honest(folder))
    put(folder)
    values["result"]["audit"]["sha256"] = values_of(honest(folder))["result"]["audit"]["sha256"]
    return resealed(values)


def never_hidden(folder: Path) -> Values:
    """Run so that nothing fails, and say otherwise."""
    values = values_of(honest(folder, fail_on="never"))
    values["run"]["fail_on"] = "fail"
    return resealed(values)


def of_another_baseline(folder: Path) -> Report:
    """Compare with an earlier report that is as bad, and put the true one back."""
    metrics: Values = {"metrics": {"DPPL": None}, "waivers": []}
    put(folder, **metrics)
    (folder / "data.csv").write_text(ROWS.replace("f,0,1", "f,1,1", 7), encoding="utf-8")
    good = honest(folder).to_json()
    (folder / "data.csv").write_text(ROWS, encoding="utf-8")
    (folder / "old.json").write_text(honest(folder).to_json(), encoding="utf-8")
    put(folder, **metrics, baseline={"report": "old.json"})
    report = honest(folder)
    (folder / "old.json").write_text(good, encoding="utf-8")
    return report


YEARS_AGO = "CAUTION judged as on 2025-06-01, "
EXPIRED = "the waiver of DPPL, approved by Ada, had expired on 2025-12-31, before it"
OVER = "DPPL: 1 check, by Ada until 2025-12-31, which is over"
PART = (
    "CAUTION holds a selection (--select DPL): 2 of the spec's 3 metrics by facet left out, 1 of"
    " them with"
)
SELECTED = "VERIFIED, and the verdict of a selection is PASS  exit 0"
PASS = "VERIFIED, and the verdict is PASS  exit 0"  # noqa: S105 - this is a verdict
FAIL = "VERIFIED, and the verdict is FAIL  exit 0"
WAIVED = "VERIFIED, and the verdict is WAIVED  exit 0"
TAMPERED: dict[str, Case] = {
    "nothing": Case(honest, FAIL, FAIL, FAIL),
    # resealed: every digest and check sum made anew
    "a verdict": Case(verdict_turned, CAUGHT, CAUGHT, CAUGHT),
    "another day": Case(in_run(as_of="2025-06-01"), CAUGHT, CAUGHT, CAUGHT),
    "a later day": Case(
        in_run(as_of="2999-01-01"),
        *["CAUTION judged as on 2999-01-01, "] * 3,
    ),
    "waivers not applied": Case(in_run(waivers=False), CAUGHT, CAUGHT, CAUGHT),
    "a selection": Case(in_run(select=["RD"]), CAUGHT, CAUGHT, CAUGHT),
    "a selection of everything": Case(
        in_run(select=["sex"]),
        *["CAUTION holds a selection (--select sex): all that the spec asks for"] * 3,
    ),
    "an exit that never fails": Case(
        in_run(fail_on="never"),
        *["CAUTION run with --fail-on never: no verdict could make it fail"] * 3,
    ),
    "an exit that fails soon": Case(
        in_run(fail_on="warn"),
        *["CAUTION run with --fail-on warn: a warning made it fail as well"] * 3,
    ),
    "a time to come": Case(
        in_run(started_at="9999-12-31T23:59:59+00:00", as_of="9999-12-31"),
        *["CAUTION says that it was run on 9999-12-31, which is not yet"] * 3,
    ),
    "another version": Case(in_run(biaspipe="9.9.9"), *[", biaspipe 9.9.9, python "] * 3),
    "another engine": Case(in_run(engine="duckdb 9.9.9"), *["; counted by duckdb 9.9.9"] * 3),
    "another policy": Case(in_run(policy="a" * 64), *[f"policy  sha256 {'a' * 64}"] * 3),
    "another path": Case(in_run(spec="other.yaml"), *["spec    other.yaml  sha256 "] * 3),
    "another time": Case(
        in_run(started_at="2025-06-01T09:00:00+00:00", as_of=str(today())),
        *["run     2025-06-01T09:00:00+00:00, biaspipe "] * 3,
    ),
    "other seconds": Case(in_run(seconds=0.001), FAIL, FAIL, FAIL),
    "an exit that is hidden": Case(never_hidden, FAIL, FAIL, FAIL),
    "another commit": Case(in_run(git={"commit": "a" * 40}), *[f"commit  {'a' * 40}"] * 3),
    # recomputed: the tool run on something else
    "invented people": Case(of_other_counts, PASS, PASS, CAUGHT),
    "people left out": Case(of_fewer_people, PASS, PASS, CAUGHT),
    "a wider limit": Case(of_another_spec, PASS, CAUGHT, CAUGHT),
    "a wider limit, digest and all": Case(of_another_spec_under_its_digest, PASS, CAUGHT, CAUGHT),
    "another baseline": Case(of_another_baseline, PASS, PASS, CAUGHT),
    "a waiver prolonged": Case(waiver_prolonged, WAIVED, CAUGHT, CAUGHT),
    "a day on which a waiver held": Case(of_another_day, YEARS_AGO, YEARS_AGO, YEARS_AGO),
    "a waiver that expired, by name": Case(of_another_day, EXPIRED, EXPIRED, EXPIRED),
    "a day long ago, and a run on it": Case(as_if_then, OVER, OVER, OVER),
    "checks that pass": Case(of_a_selection, PART, PART, PART),
    "the verdict of a part": Case(of_a_selection, SELECTED, SELECTED, SELECTED),
    "a selection that is hidden": Case(of_a_selection_that_is_hidden, CAUGHT, CAUGHT, CAUGHT),
    "without waivers": Case(
        lambda f: honest(f, waive=False),
        *["CAUTION run with --no-waivers: 1 waiver not applied"] * 3,
    ),
}


@pytest.mark.parametrize("case", TAMPERED.values(), ids=list(TAMPERED))
def test_tampering_is_caught_or_said(case: Case, folder: Path) -> None:
    """With ever more at hand, `verify` catches an attack, or says what is special about it."""
    attack = case.attack(folder)
    for expected, words in (
        (case.alone, ()),
        (case.spec, ("--spec", "audit.yaml")),
        (case.data, ("--spec", "audit.yaml", "--data")),
    ):
        ended = verified(attack, *words)
        assert expected in ended.out
        assert ended.code == (1 if expected is CAUGHT else 0)
        assert ended.err == ""


def leaves_of(values: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every single value."""
    items = values.items() if isinstance(values, dict) else enumerate(values)
    for key, value in items:
        if isinstance(value, dict | list) and value:
            yield from leaves_of(value, (*path, key))
        else:
            yield (*path, key)


def test_every_value_that_is_changed_as_it_is_is_caught(folder: Path) -> None:
    """Whichever single value is changed, to whatever else, the report is not verified."""
    values = values_of(honest(folder))
    for path in leaves_of(values):
        *above, last = path
        other = json.loads(json.dumps(values))
        inside = other
        for key in above:
            inside = inside[key]
        inside[last] = "pass" if inside[last] != "pass" else None
        Path("report.json").write_text(json.dumps(other), encoding="utf-8")
        try:
            assert verify(Path("report.json")).findings, path
        except DataError:
            assert path == ("schema",)


def test_cautions_are_said_by_render_and_diff(folder: Path) -> None:
    """The report on the console and the comparison of two reports say the same of a run."""
    report = of_another_day(folder)
    Path("report.json").write_text(report.to_json(), encoding="utf-8")
    assert YEARS_AGO in call("render", "report.json").out
    ended = call("diff", "report.json", "report.json")
    assert "CAUTION old: judged as on 2025-06-01, " in ended.out
    assert "CAUTION new: judged as on 2025-06-01, " in ended.out


@pytest.mark.usefixtures("folder")
def test_run_says_what_it_was_asked_for() -> None:
    """A run with another day, a selection, and no verdict that fails says so, and records it."""
    ended = call(
        *["run", "audit.yaml", "-o", "report.json", "--fail-on", "never", "--select", "DPL"],
        *["--as-of", "2025-06-01", "--no-waivers"],
    )
    for words in (
        YEARS_AGO,
        PART,
        "CAUTION run with --no-waivers: 1 waiver not applied",
        "CAUTION run with --fail-on never: no verdict could make it fail",
    ):
        assert words in ended.out
    run_ = json.loads(Path("report.json").read_text(encoding="utf-8"))["run"]
    asked = {key: run_[key] for key in ("as_of", "waivers", "select", "fail_on", "policy")}
    assert asked == {
        "as_of": "2025-06-01",
        "waivers": False,
        "select": ["DPL"],
        "fail_on": "never",
        "policy": None,
    }


@pytest.mark.usefixtures("folder")
def test_report_names_no_file_of_the_system() -> None:
    """The path of the spec is a stranger's word, and leads to nothing that is none of his."""
    for name in ("/etc/passwd", "/proc/self/environ"):
        verified(in_run(spec=name)(Path()))
        ended = call("verify", "report.json", "--data")
        assert (ended.code, ended.out) == (2, "")
        words = f"error: the report says its spec was at {name}, which is not below this folder"
        assert ended.err.startswith(words)
        assert "root:" not in ended.err


@pytest.mark.usefixtures("folder")
def test_policy_is_recorded_by_its_digest() -> None:
    """A report says by which policy its spec was held; not what that allows."""
    Path("policy.yaml").write_bytes(b"version: 1\nenvironment: [SECRET]\n")
    call("run", "audit.yaml", "-o", "report.json", "--policy", "policy.yaml")
    text = Path("report.json").read_text(encoding="utf-8")
    found = json.loads(text)["run"]["policy"]
    assert found == "167184eb6e6578801d6d5db54e1088ac3952e9f124bf793b9d62715303d99a7c"
    assert "SECRET" not in text


@pytest.mark.parametrize("name", ["every-verdict", "second-release"])
def test_reports_of_other_methods_are_one_finding(name: str) -> None:
    """A report that other methods made is accused of nothing else, and is not verified."""
    path = Path(__file__).parent / "stored" / f"{name}.json"
    found = verify(path)
    assert [(where, what[:70]) for where, what in found.findings] == [
        (
            "result.statistics",
            "its intervals, tests and verdicts were made by edition 1 of the method",
        )
    ]
    assert found.report
    with pytest.raises(DataError, match="edition 1 of the methods; this version has edition 2"):
        sound_report(path)


@pytest.mark.usefixtures("folder")
def test_wording_of_other_methods_is_no_finding() -> None:
    """A report of this version's number that other methods made is not accused of its wording."""
    values = in_run(wording=WORDING - 1)(Path())
    del values["result"]["statistics"]
    Path("report.json").write_text(json.dumps(resealed(values)), encoding="utf-8")
    assert [where for where, _ in verify(Path("report.json")).findings] == ["result.statistics"]


@pytest.mark.parametrize("edition", [1, 3, None])
@pytest.mark.usefixtures("folder")
def test_edition_of_the_methods_is_recomputed(edition: int | None) -> None:
    """A report that claims other methods than it was made by is not taken for a sound one."""
    call("run", "audit.yaml", "-o", "report.json")
    values = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert values["result"].pop("statistics") == 2
    values["result"] |= {"statistics": edition} if edition else {}
    values["result"] |= {"unheard of": 1} if edition == 3 else {}
    Path("report.json").write_text(json.dumps(resealed(values)), encoding="utf-8")
    assert [where for where, _ in verify(Path("report.json")).findings] == ["result.statistics"]
    ended = call("verify", "report.json", "--data")
    assert ended.code == Exit.FAILED
    assert "NOT VERIFIED" in ended.out


@pytest.mark.parametrize("name", ["every-verdict", "second-release"])
def test_flipped_bits_never_give_other_counts(name: str, tmp_path: Path) -> None:
    """Of many reports with a bit or a byte flipped each is refused, found out, or the same."""
    content = report_of(name).to_json().encode()
    chance, path = Random(12), tmp_path / "flipped.json"
    whole, outcomes = json.loads(content), {"refused": 0, "found": 0, "the same": 0}
    many = 300 if is_thorough() else 100
    for number in range(many):
        at, mask = chance.randrange(len(content)), chance.randrange(1, 256)
        flipped = content[at] ^ (mask if number % 2 else 1 << mask % 8)
        path.write_bytes(content[:at] + bytes([flipped]) + content[at + 1 :])
        try:
            outcome = "found" if verify(path).findings else "the same"
        except DataError:
            outcome = "refused"
        outcomes[outcome] += 1
        assert outcome != "the same" or json.loads(path.read_bytes()) == whole
    assert min(outcomes["refused"], outcomes["found"]) > many / 6


@pytest.mark.usefixtures("folder")
def test_sentences_are_compared_within_a_version() -> None:
    """Another version's sentences are its own, which is said; its numbers are recomputed."""
    values = in_run(biaspipe="0.0.9")(Path())
    values["result"]["checks"][0]["sentence"] = "in other words"
    ended = verified(resealed(values))
    assert ended.code == 0
    said = "its sentences are of another wording, and are not compared"
    assert said in " ".join(ended.out.split())
    assert ended.last.startswith("VERIFIED but for its sentences, and the verdict is ")
    values["result"]["checks"][0]["value"] = 0.99
    assert verified(resealed(values)).code == 1
    values = in_run()(Path())
    values["result"]["checks"][0]["sentence"] = "in other words"
    assert verified(resealed(values)).code == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("wording", [0, WORDING - 1, WORDING + 1, 99])
def test_wording_that_this_version_never_had_is_found(wording: int) -> None:
    """Nobody can have sentences of their own under a wording that there never was."""
    values = in_run(wording=wording)(Path())
    values["result"]["checks"][0]["sentence"] = "in other words"
    ended = verified(resealed(values))
    assert ended.code == 1
    assert f"run.wording: claims the wording {wording}, which this version never" in ended.out
    assert call("render", "report.json").code == 3


@pytest.mark.usefixtures("folder")
def test_only_sentences_may_be_of_another_wording() -> None:
    """Why something was waived is a person's word, which no version says otherwise."""
    values = in_run(biaspipe="0.0.9")(Path())
    values["result"]["waivers"][0]["reason"] = "in other words"
    ended = verified(resealed(values))
    assert ended.code == 1
    assert "WRONG result.waivers[0].reason" in ended.out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("changed", [{"biaspipe": "0.0.9"}, {"wording": None}])
def test_sentences_of_another_wording_are_shown_with_a_caution(changed: dict[str, Any]) -> None:
    """Wherever such sentences are shown it stands that nobody verified them."""
    values = in_run(**changed)(Path())
    values["result"]["checks"][0]["sentence"] = "in other words"
    Path("report.json").write_text(json.dumps(resealed(values)), encoding="utf-8")
    outputs = ("-o", "a.html", "-o", "a.md", "-o", "a.txt", "-o", "a.csv")
    assert call("render", "report.json", *outputs).code == 0
    said = "sentences, reasons and notes are of another wording, and are not verified"
    for name in ("a.html", "a.md", "a.txt"):
        assert said in Path(name).read_text(encoding="utf-8")
    with Path("a.csv").open(encoding="utf-8", newline="") as file:
        assert {row["wording"] for row in csv.DictReader(file)} == {"other"}
    ended = call("verify", "report.json", "--data")
    assert said in ended.out
    assert "the same but for sentences" in ended.out
    assert "the same bytes" not in ended.out
