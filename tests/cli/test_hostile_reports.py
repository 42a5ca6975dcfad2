"""Texts of a stranger's report on the terminal: one line each, and none looks like one of ours."""

import json
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit
from tests.pipeline.reports import Values, resealed

TEXTS = (
    "x\nVERIFIED  exit 0",
    "x\r\nPASS",
    "\x1b[2K\x1b[1AVERIFIED",
    "y" * 104 + " VERIFIED, and the verdict is PASS  exit 0",
    "y" * 60 + " " + "::error::gone " * 30,
    "::error::x",
    "##[error]x",
    "error: the report is fine",
    "VERIFIED  exit 0",
    "\u2028VERIFIED",
    "\u202eDEIFIREV",
    "\x85VERIFIED",
    "\ud800",
    "[bold]x[/bold]",
    "\u200b\ufeff",
)
OURS = (
    *("report  ", "audit   ", "spec    ", "run     ", "policy  ", "commit  ", "result  "),
    *("waivers ", "CAUTION ", "verdict ", "ok      ", "WRONG ", "-       ", "what follows "),
    *(
        "same    ",
        "old  ",
        "new  ",
        "new: ",
        "vanished: ",
        "change ",
        "─",
        " ",
        "and ",
        "error: ",
        "note: ",
    ),
)
"""How lines of `verify` and `diff` begin."""
each_text = pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
Change = Callable[[Values, str], Any]
PLACES: dict[str, Change] = {
    "the name": lambda v, t: v["result"]["audit"].update(name=t),
    "the spec's path": lambda v, t: v["run"].update(spec=t),
    "the engine": lambda v, t: v["run"].update(engine=t),
    "a selection": lambda v, t: v["run"].update(select=[t]),
    "who approves": lambda v, t: v["result"]["waivers"][0].update(approved_by=t),
    "a waiver's facet": lambda v, t: v["result"]["waivers"][0].update(facet=t),
    "a sentence": lambda v, t: v["result"]["checks"][0].update(sentence=t),
    "a group": lambda v, t: v["result"]["checks"][0].update(disfavored=t),
    "a metric": lambda v, t: v["result"]["checks"][0].update(metric=t),
    "a facet": lambda v, t: v["result"]["checks"][0].update(facet=t),
    "a file": lambda v, t: v["result"]["data"]["inputs"][0].update(path=t),
    "a key": lambda v, t: v.update({t: 1}),
    "a key of the run": lambda v, t: v["run"].update({t: 1}),
    "a key of the spec": lambda v, t: v["result"]["audit"]["spec"].update({t: 1}),
    "a key of the ledger": lambda v, t: v["result"]["data"]["ledger"].update({t: {}}),
    "a day": lambda v, t: v["run"].update(as_of=t),
    "a version": lambda v, t: v["run"].update(biaspipe=t),
    "a digest": lambda v, t: v.update(result_sha256=t),
    "the schema": lambda v, t: v.update(schema=t),
}
each_place = pytest.mark.parametrize("place", PLACES.values(), ids=list(PLACES))
WAIVER = {
    "metric": "DI",
    "reason": "known",
    "approved_by": "Ada",
    "expires": "2999-12-31",
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a report with a waiver that holds."""
    with chdir(tmp_path_factory.mktemp("good")):
        call("run", write_audit(metrics={"DI": {"min": 0.9}}, waivers=[WAIVER]), "-o", "good.json")
        return Path("good.json").read_text(encoding="utf-8")


@pytest.fixture
def values(good: str) -> Values:
    """Write the good report into the current folder and return its values."""
    Path("good.json").write_text(good, encoding="utf-8")
    found: Values = json.loads(good)
    return found


def put(values: Values, place: Change, text: str) -> None:
    """Write a report with a text in a place, closed again."""
    place(values, text)
    Path("report.json").write_text(json.dumps(resealed(values)), encoding="utf-8")


def holds(ended: Ended, last: str | tuple[str, ...]) -> None:
    """Look at what is printed: nothing but ours at the beginning of lines, and no controls."""
    assert "Traceback" not in ended.text
    assert all(c.isprintable() or c == "\n" for c in ended.text)
    *lines, final = ended.text.splitlines()
    assert [line for line in lines if line and not f"{line} ".startswith(OURS)] == []
    assert final.startswith(last)


@pytest.mark.combinations
@each_place
@each_text
def test_verify_shows_texts_as_texts(place: Change, text: str, values: Values) -> None:
    """Whatever stands in a report, `verify` shows it within a line of its own."""
    put(values, place, text)
    ended = call("verify", "report.json")
    if ended.code == 3:
        holds(ended, "  hint: a report is what" if "hint" in ended.err else "error: ")
    elif ended.code == 0:
        holds(ended, "VERIFIED, and the verdict")
    else:
        holds(ended, "NOT VERIFIED  exit 1")


@pytest.mark.combinations
@each_place
@each_text
def test_diff_shows_texts_as_texts(place: Change, text: str, values: Values) -> None:
    """Whatever stands in a report, `diff` shows it within a line of its own, or refuses it."""
    put(values, place, text)
    ended = call("diff", "good.json", "report.json")
    if ended.code in (2, 3):
        assert ended.out == ""
        holds(ended, ("error: ", "  hint: "))
    else:
        holds(ended, "1 check compared: 1 same  exit 0")


@pytest.mark.parametrize("name", ["::error::x.json", "VERIFIED  exit 0", "x\nVERIFIED  exit 0"])
def test_files_are_named_within_lines(name: str, values: Values) -> None:
    """The name of a report's file is shown as a name too."""
    Path(name).write_text(json.dumps(resealed(values)), encoding="utf-8")
    holds(call("verify", name), "VERIFIED, and the verdict is WAIVED  exit 0")
    holds(call("diff", name, name), "1 check compared: 1 same  exit 0")
    Path(name).write_text("{", encoding="utf-8")
    assert call("verify", name).err.startswith("error: ")
