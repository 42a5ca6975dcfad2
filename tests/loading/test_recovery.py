"""Rounds of validation: each fault is told once, hides no other and brings no other with it."""

import json
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import Loc, SpecError
from biaspipe.loading import load
from biaspipe.loading.document import parse
from tests.loading.test_fuzz import SPEC

DOCUMENT = parse("audit.yaml", SPEC)
PARTS = [loc for loc in DOCUMENT.positions if loc]

BASE = """\
version: 1
name: loans
data: {path: loans.csv}
columns:
  label: {column: repaid, positive: "yes"}
facets:
  sex: {column: sex}
"""

each_part = pytest.mark.parametrize("loc", PARTS, ids=lambda loc: ".".join(map(str, loc)))


def refusal(folder: Path, text: str) -> SpecError:
    """Load a wrong spec and return what it is refused with."""
    path = folder / "audit.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load(path)
    return caught.value


def messages(folder: Path, text: str) -> list[str]:
    """Return the messages of a wrong spec's faults, in the order of the file."""
    parts = str(refusal(folder, text)).split("\n\n")
    return [part.splitlines()[0].split(": ", 1)[1] for part in parts]


def replaced(loc: Loc, value: Any) -> str:
    """Write the valid spec with another value at one place."""
    values = deepcopy(DOCUMENT.values)
    parent = values
    for step in loc[:-1]:
        parent = parent[step]
    parent[loc[-1]] = value
    return json.dumps(values)


@each_part
def test_wrong_part_is_one_fault(tmp_path: Path, loc: Loc) -> None:
    """A value that fits nowhere is one fault at its place, wherever it stands."""
    (fault,) = refusal(tmp_path, replaced(loc, [[1]])).faults
    assert fault.loc[: len(loc)] == loc


@each_part
def test_empty_part_is_one_fault(tmp_path: Path, loc: Loc) -> None:
    """A key with nothing behind it is one fault, unless it is a metric, a family or `metrics`."""
    if loc[-1] == "metrics" or loc[-2:-1] == ("metrics",):
        return
    (fault,) = refusal(tmp_path, replaced(loc, None)).faults
    assert fault.loc == loc


def test_wrong_value_hides_no_meaning(tmp_path: Path) -> None:
    """A wrong value is taken out, and the meaning of the rest is checked without it."""
    text = BASE.replace("loans\n", "loan approval\n") + "metrics: {DPL: {facets: [sxe]}, FT: }\n"
    assert messages(tmp_path, text) == [
        "name: this text does not fit",
        "there is no facet 'sxe'",
        "FT needs columns.prediction and columns.features, which the spec does not declare",
    ]


def test_missing_key_hides_no_meaning(tmp_path: Path) -> None:
    """A missing key does not hide what is wrong in the rest, and points at the first key."""
    text = "# an audit\n" + BASE.removeprefix("version: 1\n") + "metrics: {DPL: {facets: [sxe]}}\n"
    assert messages(tmp_path, text) == ["the key 'version' is missing", "there is no facet 'sxe'"]
    assert str(refusal(tmp_path, text)).startswith(f"{tmp_path}/audit.yaml:2:1: ")


def test_faults_of_the_yaml_hide_nothing(tmp_path: Path) -> None:
    """Keys that stand twice and tags are told with what is wrong in the meaning."""
    text = BASE + "name: loans\nowner: !env OWNER\nmetrics: {DPL: {mni: 0, facets: [sxe]}}\n"
    assert messages(tmp_path, text) == [
        "the key 'name' stands twice, first in line 2",
        "the tag '!env' is not supported",
        "unknown key 'mni' in metrics.DPL",
        "there is no facet 'sxe'",
    ]


def test_wrong_parameter_hides_no_need(tmp_path: Path) -> None:
    """What a check as a whole has wrong is told beside a wrong value within it."""
    assert messages(tmp_path, BASE + 'metrics: {FT: {k: "5"}}\n') == [
        "FT needs columns.prediction and columns.features, which the spec does not declare",
        "metrics.FT.k: this value is of the wrong kind",
    ]


def test_wrong_side_hides_no_missing_column(tmp_path: Path) -> None:
    """What a facet as a whole lacks is told beside a wrong value within it."""
    assert messages(tmp_path, BASE.replace("{column: sex}", "{favored: []}")) == [
        "facet sex: give either a column or a cross of facets",
        "facets.sex.favored: the list is empty",
    ]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("columns:", "outcomes:"),
        ("label:", "target:"),
        ("{column: sex}", "{attribute: sex}"),
        ("{column: sex}", "{column: sex, privileged: male, compare: favored}"),
        ("\n  sex: {column: sex}", " {<<: {sex: {column: sex}}}"),
    ],
)
def test_nothing_follows_from_what_is_gone(tmp_path: Path, right: str, wrong: str) -> None:
    """What may have been declared by a key that nobody knows is not told as lacking."""
    text = BASE.replace(right, wrong) + "metrics: {DPL: {facets: [sex]}}\n"
    assert len(messages(tmp_path, text)) == 1


def test_unreadable_value_is_told_once(tmp_path: Path) -> None:
    """Of a value that the YAML has wrong, nothing is said but that."""
    text = BASE.replace("version: 1", "version: !!python/int 1").replace("loans.csv", "!env X")
    assert messages(tmp_path, text) == [
        "the tag '!!python/int' is not supported",
        "the tag '!env' is not supported",
    ]


@pytest.mark.parametrize(
    ("right", "wrong"), [("name:", "nmae:"), ("column: sex", "colum: sex"), ("facets:", "facest:")]
)
def test_misspelt_key_is_not_missing(tmp_path: Path, right: str, wrong: str) -> None:
    """A required key that is misspelt is not told as missing too."""
    (fault,) = refusal(tmp_path, BASE.replace(right, wrong)).faults
    assert fault.message.startswith(f"unknown key '{wrong.split(':', maxsplit=1)[0]}'")


def test_places_below_a_misspelt_key(tmp_path: Path) -> None:
    """What stands below a misspelt key is found in the line where it stands."""
    error = refusal(tmp_path, BASE + "metrcis:\n  DI: {mni: 1.3, max: 1.25}\n")
    lines = [part.split(":")[1:3] for part in str(error).split("\n\n")]
    assert lines == [["8", "1"], ["9", "3"], ["9", "8"], ["9", "13"]]


def test_unknown_metric_is_not_guessed(tmp_path: Path) -> None:
    """An unknown metric is not read as another, of which something else could be said."""
    assert messages(tmp_path, BASE + "metrics: {DPLL: {mni: 1}, DII: {max_abs: 1}}\n") == [
        "unknown metric 'DPLL' in metrics",
        "unknown key 'mni' in metrics.DPLL",
        "unknown metric 'DII' in metrics",
    ]


def test_faults_are_counted_beyond_a_hundred(tmp_path: Path) -> None:
    """The first hundred faults are shown and the others counted, in a moment."""
    start = time.monotonic()
    text = BASE + "".join(f"unknown{i}: 1\n" for i in range(20_000))
    error = refusal(tmp_path, text)
    assert time.monotonic() - start < 20
    assert len(error.faults) == 100
    assert str(error).endswith("\n\nand 19,900 more faults")


def test_long_texts_are_cut(tmp_path: Path) -> None:
    """Neither a long key nor a long value makes a long message."""
    error = refusal(tmp_path, BASE + f"{'k' * 1000}: 1\n? {'long ' * 1000}\n: 1\n")
    assert max(map(len, str(error).splitlines())) < 200


MEANT: dict[tuple[Loc, str], str] = {(("columns",), "[key]"): "key", (("data",), "value"): "table"}
"""Keys that resemble a known one so much that they are read as that one."""
ODD = ["value", "list", "interval", "mapping", "[key]"]


@pytest.mark.combinations
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("wrong", [{}, 3, {"interval": {"value": 3}}, ["a", "a"], ""])
@pytest.mark.parametrize(
    "loc",
    [
        (),
        ("data",),
        ("data", "csv"),
        ("data", "join", 0),
        ("columns",),
        ("columns", "label"),
        ("columns", "features"),
        ("facets",),
        ("facets", "sex"),
        ("facets", "age", "groups"),
        ("facets", "age", "groups", "young"),
        ("metrics",),
        ("metrics", "DI"),
        ("metrics", "DI", "warn"),
    ],
)
def test_key_is_a_key(tmp_path: Path, loc: Loc, odd: str, wrong: Any) -> None:
    """A key is told as one, though the validator calls its own steps the same."""
    values = deepcopy(DOCUMENT.values)
    parent = values
    for step in loc:
        parent = parent[step]
    if loc == ("facets", "age", "groups") and wrong in (3, ""):
        wrong = {}  # any single value names a group
    parent[odd] = wrong
    for fault in refusal(tmp_path, json.dumps(values)).faults:
        meant = MEANT.get((loc[:1], odd), odd)
        assert fault.loc[: len(loc) + 1] in ((*loc, odd), (*loc, meant))


@pytest.mark.parametrize(
    "url", ["postgresql://me:se:cret@host/risk", "postgresql://me:p@ss@host/risk", "x://:word@h"]
)
def test_passwords_of_urls_are_not_shown(tmp_path: Path, url: str) -> None:
    """The line with a fault is shown without the password that stands in it."""
    text = f'version: 1\nname: a\ndata: {{table: t, conection: "{url}"}}\nfacets: {{}}\n'
    (line,) = (line for line in str(refusal(tmp_path, text)).splitlines() if " | data" in line)
    assert "conection" in line
    assert not any(word in line for word in ("cret", "p@ss", "word"))


def test_variables_in_urls_are_shown(tmp_path: Path) -> None:
    """A name that stands for a password is no secret."""
    text = 'version: 1\nname: a\ndata: {table: t, conection: "x://${WHO}:${KEY}@h"}\nfacets: {}\n'
    assert "${WHO}:${KEY}@h" in str(refusal(tmp_path, text))
