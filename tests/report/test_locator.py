"""The locator: which one place of a document was changed."""

import json
from copy import deepcopy
from typing import Any

import pytest

from biaspipe.report.locator import changed_place, check_sums, leaves, lines

DOCUMENT: dict[str, Any] = {
    "b": [1, 2.5, "three", None, True, []],
    "a": {"d": "ä\n", "c": {}, "0": 0, "1": 1},
    "e": 10**20,
}
PATHS = ["a.0", "a.1", "a.c", "a.d", "b[0]", "b[1]", "b[2]", "b[3]", "b[4]", "b[5]", "e"]


def test_leaves_stand_in_the_order_of_their_keys() -> None:
    """Every value has a path; what is empty is a value itself."""
    assert [path for path, _ in leaves(DOCUMENT)] == PATHS


def test_every_leaf_has_a_line() -> None:
    """The text has a line for every leaf, and without its breaks is plain JSON."""
    text = lines(DOCUMENT)
    assert len(text.split("\n")) == len(PATHS)
    assert json.loads(text) == DOCUMENT
    assert text.replace("\n", "") == json.dumps(
        DOCUMENT, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def at(path: str) -> tuple[dict[str, Any], Any, Any]:
    """Return a copy of the document, and the container and key of a leaf in it."""
    values = deepcopy(DOCUMENT)
    if path.startswith("b"):
        return values, values["b"], int(path[2])
    return (values, values["a"], path[2:]) if path.startswith("a") else (values, values, path)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", [7, -1, 0.5, "", "x", None, False, "\ud800"])
def test_changed_leaf_is_named(path: str, value: Any) -> None:
    """Whichever leaf changes, to whatever, is named; one that did not change is not."""
    values, inside, key = at(path)
    same = type(inside[key]) is type(value) and inside[key] == value
    inside[key] = value
    assert changed_place(values, check_sums(lines(DOCUMENT))) == (None if same else path)


def test_two_changes_are_not_mistaken_for_one() -> None:
    """Two changed places are not blamed on a third one."""
    sums = check_sums(lines(DOCUMENT))
    for one in PATHS:
        for other in PATHS:
            values, inside, key = at(one)
            inside[key] = "first"
            second = {"a": values["a"], "b": values["b"]}.get(other[0], values)
            second[int(other[2]) if other[0] == "b" else other[2:] or other] = "second"
            assert changed_place(values, sums) == (one if one == other else None)


@pytest.mark.parametrize("number", range(5))
def test_changed_sum_is_named_itself(number: int) -> None:
    """A check sum that was changed is named itself: no leaf explains it."""
    sums = list(check_sums(lines(DOCUMENT)))
    assert len(sums) == 5
    sums[number] = f"{int(sums[number], 16) ^ 1:08x}"
    assert changed_place(DOCUMENT, sums, "run.locator") == f"run.locator[{number}]"


@pytest.mark.parametrize("text", ["", "zzzzzzzz", "-1", "0x0"])
def test_sum_that_is_no_number_is_named_itself(text: str) -> None:
    """A check sum that is no number at all is named like any other."""
    sums = [*check_sums(lines(DOCUMENT))[:-1], text]
    assert changed_place(DOCUMENT, sums) == "locator[4]"
    assert changed_place({**DOCUMENT, "e": 1}, sums) is None


def test_changed_key_is_named_though_its_place_changes() -> None:
    """A key that was changed is named as it stands now, also where it sorts elsewhere."""
    inside = {"d": "ä\n", "c": {}, "7": 0, "1": 1}
    ordered = {key: inside[key] for key in ("7", "1", "c", "d")}
    values = {"a": ordered, "b": DOCUMENT["b"], "e": DOCUMENT["e"]}
    assert changed_place(values, check_sums(lines(DOCUMENT))) == "a.7"


def test_order_of_keys_is_no_change() -> None:
    """A document whose keys stand in another order is the same document."""
    assert changed_place(dict(reversed(DOCUMENT.items())), check_sums(lines(DOCUMENT))) is None


def test_document_of_another_length_is_not_searched() -> None:
    """Where so many leaves were added that there should be more sums, none is named."""
    assert changed_place({**DOCUMENT, "f": [1] * 99}, check_sums(lines(DOCUMENT))) is None
    assert changed_place(DOCUMENT, []) is None
