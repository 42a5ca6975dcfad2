"""`diff`, `verify` and `waivers` write what they found as pages that stand alone."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import call, write_audit


@pytest.fixture(autouse=True)
def _report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with an audit and its report."""
    monkeypatch.chdir(tmp_path)
    waiver = {"metric": "DI", "reason": "r", "approved_by": "Ada", "expires": "2099-01-01"}
    write_audit(waivers=[waiver], metrics={"DI": {"min": 0.9}})
    assert call("run", "audit.yaml", "-o", "r.json").code == 0


CALLS = {
    "verify r.json": "Verification of a report of audit",
    "diff r.json r.json": "Two reports of audit compared",
    "waivers audit.yaml --as-of 2027-01-01": "Waivers as of 2027-01-01",
}
each_call = pytest.mark.parametrize("words", CALLS)


@each_call
def test_page_is_written_beside_what_is_printed(words: str) -> None:
    """The console says what it says without a file, and the page has a title of its own."""
    plain = call(*words.split())
    ended = call(*words.split(), "-o", "x.html", "-o", "x.md")
    assert (ended.code, ended.out, ended.err) == (0, plain.out, "wrote x.html, x.md\n")
    assert Path("x.md").read_text(encoding="utf-8").startswith(f"# {CALLS[words]}\n")
    assert f"<h1>{CALLS[words]}</h1>" in Path("x.html").read_text(encoding="utf-8")


@each_call
def test_page_says_how_to_repeat_it(words: str) -> None:
    """The command that makes it again stands in it."""
    call(*words.split(), "-o", "x.md")
    more = " --max-worsening 0" if words.startswith("diff") else ""
    assert f"\n```\nbiaspipe {words}{more}\n```\n" in Path("x.md").read_text(encoding="utf-8")


def test_digests_and_days_stand_in_the_comparison() -> None:
    """The page of a comparison names both reports by file, day and whole digest."""
    call("diff", "r.json", "r.json", "-o", "x.md")
    report, text = json.loads(Path("r.json").read_text()), Path("x.md").read_text()
    assert text.count(report["result_sha256"]) == 2
    assert text.count(report["run"]["started_at"][:10]) == 2
    assert "✓ **None of 1 check got worse**; none may." in text


def test_changed_report_has_a_page_too() -> None:
    """A report that was changed ends with 1, and its page says what is wrong and where."""
    text = Path("r.json").read_text(encoding="utf-8")
    Path("r.json").write_text(text.replace('"verdict": "waived"', '"verdict": "pass"', 1))
    assert call("verify", "r.json", "-o", "x.md").code == 1
    page = Path("x.md").read_text(encoding="utf-8")
    assert "✗ **NOT VERIFIED**" in page
    assert "## What is wrong\n\n✗ **WRONG** result.checks" in page


def test_vanished_check_is_no_good_news() -> None:
    """Where a check vanished, none got worse, and the page does not say that as a pass."""
    write_audit("less", metrics={"DPPL": None})
    call("run", "less.yaml", "-o", "less.json")
    write_audit("audit", metrics={"DPPL": None, "DI": None})
    call("run", "audit.yaml", "-o", "all.json")
    Path("less.yaml").write_text(Path("less.yaml").read_text().replace("less", "audit"))
    call("run", "less.yaml", "-o", "less.json")
    assert call("diff", "all.json", "less.json", "-o", "x.md").code == 1
    text = Path("x.md").read_text(encoding="utf-8")
    assert "\nNone of 1 check got worse; none may.\n" in text
    assert "1 vanished" in text


@each_call
def test_wrong_ending_and_input_are_refused(words: str) -> None:
    """An ending that tells no format, and a file that is read, are wrong command lines."""
    ended = call(*words.split(), "-o", "x.csv")
    assert (ended.code, ended.out) == (2, "")
    assert "-o x.csv: the ending tells the format; it is .html or .md" in ended.err
    Path("r.md").write_bytes(Path(words.split()[1]).read_bytes())
    refused = call(
        words.split(maxsplit=1)[0], *["r.md"] * (1 + words.startswith("diff")), "-o", "r.md"
    )
    assert refused.code == 2
    assert "would be written over" in refused.err


def test_older_page_is_moved_aside() -> None:
    """Where nothing could be compared, the page that stood there is not taken for a new one."""
    Path("x.md").write_text("old")
    assert call("diff", "r.json", "nothing.json", "-o", "x.md").code == 3
    assert not Path("x.md").exists()
    assert Path("x.md.stale").read_text() == "old"


def test_every_output_says_whose_it_is() -> None:
    """Description, model and owner of both reports stand in a comparison; so do absent ones."""
    for version in ("1", "2"):
        model = {"name": "score", "version": version}
        path = write_audit(description="the loans", owner="Ada", model=model)
        call("run", path, "-o", f"{version}.json")
    printed = call("diff", "1.json", "2.json", "-o", "x.md").out
    assert "about: the loans\n     model: score 1\n     owner: Ada\n" in printed
    assert "     model: score 2\n" in printed
    page = Path("x.md").read_text(encoding="utf-8")
    assert page.count("- **about**: the loans\n") == page.count("- **owner**: Ada\n") == 2
    assert "- **model**: score 1\n" in page
    assert "- **model**: score 2\n" in page
    call("diff", "r.json", "r.json", "-o", "x.md")
    page = Path("x.md").read_text(encoding="utf-8")
    assert page.count("- **owner**: the spec names nobody who answers for the audit\n") == 2


def test_waivers_are_shown_with_their_audits() -> None:
    """The page of waivers names each audit, what it is of, its model and its owner."""
    waiver = {"metric": "DI", "reason": "r", "approved_by": "Ada", "expires": "2099-01-01"}
    write_audit(waivers=[waiver, waiver | {"facet": "sex"}], owner="Bo", description="the loans")
    call("waivers", "audit.yaml", "-o", "x.md")
    row = "| audit.yaml | audit | the loans | the spec says nothing of a model | Bo |"
    assert Path("x.md").read_text(encoding="utf-8").count(row) == 1


def test_verification_is_repeated_with_what_it_read() -> None:
    """The command of the page compares with spec and data where the verification did."""
    words = "verify r.json --spec audit.yaml --data --engine duckdb"
    assert call(*words.split(), "-o", "x.md").code == 0
    page = Path("x.md").read_text(encoding="utf-8")
    assert f"\n```\nbiaspipe {words}\n```\n" in page
    assert "- **the report with its data**: ✓ **holds**: a new run gives the same bytes" in page
    assert "✓ **VERIFIED**. The verdict that the report holds is ~ **WAIVED**.\n" in page


def test_comparison_says_who_is_hurt() -> None:
    """A row of the page has the sentence of the check, and what became of its value."""
    rows = [("m", 1, 1), ("m", 1, 1), ("f", 1, 1), ("f", 0, 0), ("m", 0, 0), ("f", 1, 0)]
    for name, taken in (("old", rows), ("new", [*rows, ("f", 0, 0)])):
        lines = [",".join(map(str, row)) for row in taken]
        write_audit(rows="\n".join(["sex,prediction,label", *lines]) + "\n")
        call("run", "audit.yaml", "-o", f"{name}.json")
    assert call("diff", "old.json", "new.json", "-o", "x.md").code == 1
    lines = Path("x.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if "regressed**" in line]
    told = "the share who are predicted 'prediction = 1' is 0.75 times as large among f as among m"
    assert told in row
    assert "; was 1, now 0.25 farther from parity" in row


def test_quiet_command_names_no_file() -> None:
    """With -q nothing is said of the files that were written."""
    for words in (["verify", "r.json"], ["diff", "r.json", "r.json"]):
        assert call(*words, "-q", "-o", "x.md").err == ""
