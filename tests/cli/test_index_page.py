"""`--output-dir` writes a page of every audit, and one over all of them."""

import re
from pathlib import Path

import pytest

from tests.cli.calls import call, write_audit

GOOD, OWNER = "goodthe &lt;loans&gt;good.yaml", "Ada &lt;script&gt;"
"""The name of an audit with what is audited and its spec below it, and who answers for it."""


@pytest.fixture(autouse=True)
def _audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with an audit that passes and one that fails."""
    monkeypatch.chdir(tmp_path)
    write_audit(
        "good",
        owner="Ada <script>",
        description="the <loans>",
        model={"name": "score", "version": "3.20"},
    )
    write_audit("worse", metrics={"DI": {"min": 0.9}})


def rows() -> list[list[str]]:
    """Return the cells of the index, their texts alone."""
    text = Path("out/index.html").read_text(encoding="utf-8")
    found = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)[1:]
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in found)
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in row] for row in cells]


def test_index_lists_every_audit_the_worst_first() -> None:
    """Each audit has a line: verdict, name, spec, model, checks, people, owner, exit code."""
    assert call("run", "good.yaml", "worse.yaml", "--output-dir", "out").code == 1
    assert rows() == [
        ["✗ FAIL", "worseworse.yaml", "", "1 failed", "10", "", "JSON", "1"],
        ["✓ PASS", GOOD, "score 3.20", "1 passed", "10", OWNER, "JSON", "0"],
    ]
    text = Path("out/index.html").read_text(encoding="utf-8")
    assert "FAIL</strong>: 1 of 2 audits, the worst of this run." in text
    assert '<a href="worse.html">' in text


def test_links_lead_to_files_that_are_there() -> None:
    """Every link of the index is a file beside it."""
    call("run", "good.yaml", "worse.yaml", "--output-dir", "out")
    text = Path("out/index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"#]+)"', text)
    assert sorted(links) == ["good.html", "good.json", "worse.html", "worse.json"]
    assert all(Path("out", link).is_file() for link in links)


def test_spec_without_a_report_has_a_line() -> None:
    """A spec that is wrong, and one whose data is missing, stand first, without links."""
    Path("wrong.yaml").write_text("version: 1\n")
    write_audit("lost", data="nothing.csv", rows=None)
    call("run", "good.yaml", "wrong.yaml", "lost.yaml", "--output-dir", "out")
    assert [row[:2] for row in rows()] == [
        ["✗ WRONG SPEC", "no reportwrong.yaml"],
        ["✗ NOT AUDITED", "no reportlost.yaml"],
        ["✓ PASS", GOOD],
    ]


def test_older_index_does_not_outlive_a_run_that_fails() -> None:
    """A run that cannot begin moves the older index aside; one that goes on replaces it."""
    call("run", "good.yaml", "--output-dir", "out")
    write_audit("good", data="nothing.csv", rows=None)
    ended = call("run", "good.yaml", "--output-dir", "out")
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "good.html.stale",
        "good.json.stale",
        "index.html",
        "index.json",
    ]
    assert "index.html.stale" not in ended.err
    assert call("run", "nothing.yaml", "--output-dir", "out").code == 2
    assert not Path("out/index.html").exists()
    assert not Path("out/index.json").exists()
    assert Path("out/index.html.stale").is_file()
    assert Path("out/index.json.stale").is_file()


def test_audit_with_the_name_of_the_index_is_refused() -> None:
    """The page of an audit is not written over by the page over all."""
    write_audit("Index")
    ended = call("run", "Index.yaml", "--output-dir", "out")
    assert ended.code == 2
    assert "the audit 'Index' has the name of the page over all" in ended.err


def test_audit_without_a_report_says_why() -> None:
    """The line of a spec that is wrong has the first line of its error."""
    Path("wrong.yaml").write_text("version: 1\n", encoding="utf-8")
    call("run", "good.yaml", "wrong.yaml", "--output-dir", "out")
    assert rows()[0][3] == "wrong.yaml:1:1: the key &#39;name&#39; is missing"
