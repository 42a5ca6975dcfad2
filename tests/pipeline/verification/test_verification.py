"""Verification: whatever was changed in a report is found, and named."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from biaspipe.errors import DataError
from biaspipe.pipeline.verification import sound_report, verify
from biaspipe.report import differences
from tests.examples import some
from tests.pipeline.reports import (
    digits,
    forged,
    found,
    resealed,
)


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
    assert misses(small, some(chosen), tmp_path) == []


def test_changed_digits_of_a_larger_report_are_named(whole: Path, tmp_path: Path) -> None:
    """Digits chosen by chance in a report with every feature are found and named."""
    chosen = [i for i, _ in digits(whole.read_text(encoding="utf-8"))]
    assert misses(whole, some(Random(11).sample(chosen, 150)), tmp_path) == []


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
    for i in some(Random(12).sample(letters, 150)):
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


def test_deep_documents_are_found(whole: Path, tmp_path: Path) -> None:
    """A spec of many lists in each other is wrong, and no accident."""
    text, other = whole.read_text(encoding="utf-8"), tmp_path / "changed.json"
    deep = f'"version": {"[" * 90}{"]" * 90}'
    other.write_text(text.replace('"version": 1', deep))
    assert "result.audit.spec.version" in found(other)


def test_other_versions_are_named(whole: Path) -> None:
    """A report of a version that there is not yet names its schema, and is called what it is."""
    changed = forged(whole, lambda v: v.update(schema="biaspipe-report/2"), seal=False)
    assert changed[0] == "schema"
    newer = whole.with_name("newer.json")
    text = whole.read_text(encoding="utf-8")
    newer.write_text(text.replace("biaspipe-report/1", "biaspipe-report/2", 1), encoding="utf-8")
    with pytest.raises(DataError, match="a report of another version of biaspipe: schema: has to"):
        sound_report(newer)


def test_resealing_a_sound_report_changes_nothing(whole: Path) -> None:
    """The tests forge as the product seals: a sound report is the same after it."""
    values = json.loads(whole.read_text(encoding="utf-8"))
    assert resealed(json.loads(json.dumps(values))) == values


def test_differences_tell_kinds_apart() -> None:
    """One and 1.0 and true are three things, and a list that grew is one difference."""
    assert list(differences({"a": 1}, {"a": 1.0})) == [("a", "1", "1.0")]
    assert list(differences({"a": 1}, {"a": True})) == [("a", "1", "true")]
    assert list(differences({"a": [1]}, {"a": [1, 2]})) == [("a", "[1]", "[1, 2]")]
