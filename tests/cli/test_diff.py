"""`diff`: two reports side by side; 1 where a value got worse, and why if they do not compare."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit

Parts = dict[str, Any]
USUAL: Parts = {
    "columns": {"prediction": {"column": "prediction", "above": 0, "constant": "allowed"}},
    "metrics": {"DI": None, "DPPL": None},
}


def made(name: str, /, **parts: Any) -> Path:
    """Run an audit on groups, `m=(selected, rejected)`, and return the file of its report."""
    groups = {key: part for key, part in parts.items() if isinstance(part, tuple)}
    rest = {key: part for key, part in parts.items() if key not in groups}
    rows = ["sex,prediction"]
    for group, (yes, no) in groups.items():
        rows += [f"{group},1"] * yes + [f"{group},0"] * no
    path = write_audit(rows="\n".join(rows) + "\n", **{**USUAL, **rest})
    ended = call("run", path, "-o", f"{name}.json", "--fail-on", "never")
    assert ended.code == 0, ended.err
    return Path(f"{name}.json")


def diff(old: Parts, new: Parts, *words: object) -> Ended:
    """Compare the reports of two data sets."""
    return call("diff", made("old", **old), made("new", **new), *words)


HALVES: Parts = {"m": (50, 50), "f": (50, 50)}
LESS: Parts = {"m": (50, 50), "f": (45, 55)}


def test_same_report_has_no_changes() -> None:
    """A report against itself ends with 0."""
    path = made("old", **HALVES)
    ended = call("diff", path, path)
    assert (ended.code, ended.last) == (0, "2 checks compared: 2 same  exit 0")


def test_worse_value_ends_with_1() -> None:
    """A value that is farther from parity is a regression, with both values and intervals."""
    ended = diff(HALVES, LESS)
    assert (ended.code, ended.last) == (1, "2 checks compared: 2 regressed  exit 1")
    line = next(line for line in ended.out.splitlines() if "DPPL" in line)
    assert line.split()[:2] == ["REGRESSED", "DPPL"]
    assert line.split()[-4:] == ["sex", "f", "against", "m"]
    assert "+0.0000 (-0.136 to +0.136)" in line
    assert "+0.0500 (-0.087 to +0.184)" in line
    assert "+0.0500" in line


def test_better_value_ends_with_0() -> None:
    """A value that is nearer to parity is none."""
    assert diff(LESS, HALVES).last == "2 checks compared: 2 better  exit 0"


@pytest.mark.parametrize(("most", "code"), [("0.04", 1), ("0.05", 1), ("0.1", 0), ("1", 0)])
def test_some_worsening_may_be_allowed(most: str, code: int) -> None:
    """What is no more than allowed is worse, but no regression; DI got worse by 0.1."""
    assert diff(HALVES, LESS, "--max-worsening", most).code == code


@pytest.mark.parametrize("most", ["nan", "inf", "-inf", "1e999", "-1", "much", ""])
def test_allowance_has_to_be_a_number(most: str) -> None:
    """What no value can be farther than is refused: it would let everything pass."""
    path = made("old", **HALVES)
    ended = call("diff", path, path, "--max-worsening", most)
    assert (ended.code, ended.out) == (2, "")


def test_lost_value_ends_with_4() -> None:
    """A value that was defined and is not any more is undecided."""
    ended = diff(HALVES, {"m": (0, 100), "f": (0, 100)})
    assert ended.code == 4
    assert ended.last == "2 checks compared: 1 undecided, 1 same  exit 4"


def test_regression_beside_a_lost_value_ends_with_1() -> None:
    """A regression is graver than a value that was lost."""
    three = {"m": (50, 50), "f": (50, 50), "x": (50, 50)}
    ended = diff(
        {**three, "facets": {"sex": {"column": "sex", "favored": "m"}}},
        {"m": (0, 100), "f": (0, 100), "x": (50, 50)},
    )
    assert ended.code == 1
    assert "1 undecided" in ended.last


def test_infinite_value_is_a_regression() -> None:
    """From any number to infinity it got worse, whatever is allowed."""
    new = {"m": (0, 100), "f": (50, 50)}
    assert diff(HALVES, new, "--max-worsening", 1e300).code == 1


def test_new_and_vanished_are_named() -> None:
    """Checks and groups of only one report are named."""
    ended = diff({**HALVES, "x": (5, 5)}, {**HALVES, "y": (5, 5)})
    assert (ended.code, ended.last) == (1, "2 checks compared: 2 same; 3 vanished  exit 1")
    for name, group in (("new: ", "y"), ("vanished: ", "x")):
        line = next(line for line in ended.out.splitlines() if line.startswith(name))
        for metric in ("DI", "DPPL"):
            assert f"{metric} on sex, {group} against m" in line
        assert f"group {group} of sex" in line


@pytest.mark.parametrize(
    ("names", "code", "left"),
    [(["x"], 0, 0), (["sex"], 0, 0), (["DI"], 1, 2), (["DI", "DPPL"], 1, 1), (["m"], 1, 3)],
)
def test_vanishing_may_be_allowed(names: list[str], code: int, left: int) -> None:
    """Metrics, facets and groups that are named may vanish, and what else did is counted."""
    words = [word for name in names for word in ("--allow-vanished", name)]
    ended = diff({**HALVES, "x": (5, 5)}, HALVES, *words)
    tally = f"; {left} vanished" if left else ""
    assert (ended.code, ended.last) == (code, f"2 checks compared: 2 same{tally}  exit {code}")
    assert "allowed to vanish: " in ended.out or names == ["m"]


def test_metric_that_is_gone_has_vanished() -> None:
    """A metric that the new report does not compute ends with 1."""
    ended = diff(HALVES, {**HALVES, "metrics": {"DI": None}})
    assert (ended.code, ended.last) == (1, "1 check compared: 1 same; 1 vanished  exit 1")
    assert "vanished: DPPL on sex, f against m" in ended.out


SEARCH: Parts = {"subgroups": {"of": ["sex"], "metric": "DPPL", "max_gap": 0.2, "draws": 1_000}}


@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        ((60, 40), (20, 80), 1, "; search for subgroups: pass then, fail now"),
        ((60, 40), (20, 20), 4, "; search for subgroups: pass then, undecided now"),
        ((20, 80), (20, 80), 0, ""),
        ((20, 80), (60, 40), 0, "; search for subgroups: fail then, pass now"),
    ],
)
def test_a_search_that_gets_worse_is_told(
    old: tuple[int, int], new: tuple[int, int], code: int, told: str
) -> None:
    """A search that failed anew, or is open anew, is said, though its values are not compared."""
    before = {"m": (50, 50), "f": old, **SEARCH}
    ended = diff(before, {**before, "f": new}, "--max-worsening", "1")
    assert (ended.code, ended.last) == (code, f"2 checks compared: {ended.last.split(': ', 1)[1]}")
    assert ended.last.endswith(f"{told}  exit {code}")
    assert "\nnot compared: DPPL of subgroups of sex: " in ended.out


def test_a_search_that_is_gone_is_told() -> None:
    """A search that only the older report has leaves the comparison open."""
    ended = diff({**LESS, **SEARCH}, LESS)
    assert (ended.code, "no search now" in ended.last) == (4, True)


def test_selection_has_not_vanished() -> None:
    """What a selection leaves out is said, and decides nothing; what it asks for may vanish."""
    old = made("old", **HALVES)
    assert call("run", "audit.yaml", "--select", "DI", "-o", "new.json").code == 5
    ended = call("diff", old, "new.json")
    assert (ended.code, ended.last) == (4, "1 check compared: 1 same  exit 4")
    words = f"note: new.json holds a selection (DI): 1 check of {old} is not compared"
    assert ended.err.strip() == words
    again = call("diff", "new.json", "new.json")
    assert (again.code, again.err) == (0, "")


def test_value_out_of_nowhere_ends_with_4() -> None:
    """A value that the old report does not have cannot be compared, and is no same."""
    ended = diff({"m": (0, 100), "f": (0, 100)}, {"m": (50, 50), "f": (1, 99)})
    assert (ended.code, ended.last) == (1, "2 checks compared: 1 regressed, 1 undecided  exit 1")
    ended = diff({"m": (0, 100), "f": (0, 100)}, HALVES)
    assert (ended.code, ended.last) == (4, "2 checks compared: 1 undecided, 1 same  exit 4")


def test_reports_of_other_things_say_why() -> None:
    """Reports that measure something else end with 2 and every reason."""
    other = {"columns": {"prediction": {"column": "prediction", "above": 0.5}}}
    rest = {"facets": {"sex": {"column": "sex"}}}
    ended = diff(HALVES, {**LESS, **other, **rest})
    assert (ended.code, ended.out) == (2, "")
    assert "old.json and new.json cannot be compared: " in ended.err
    assert "columns.prediction was {above: 0.0, column: 'prediction'} and is" in ended.err
    assert "facets.sex.favored was 'm' and is not declared" in ended.err


def test_nothing_compared_is_no_pass() -> None:
    """Two reports whose groups all have other names end with 2, not with nothing to compare."""
    rest = {"facets": {"sex": {"column": "sex"}}}
    ended = diff({**HALVES, **rest}, {"male": (50, 50), "female": (1, 99), **rest})
    assert ended.code == 2
    assert "they have no groups in common" in ended.err


@pytest.mark.parametrize("name", ["missing.json", ".", "data.csv", "audit.yaml"])
def test_what_is_no_report_ends_with_3(name: str) -> None:
    """A file that is no report ends with 3, in either place."""
    path = made("old", **HALVES)
    for words in ((path, name), (name, path)):
        ended = call("diff", *words)
        assert (ended.code, ended.out) == (3, "")
        assert "Traceback" not in ended.err


def test_changed_report_ends_with_3() -> None:
    """A report that somebody changed is not compared; `verify` is named."""
    path = made("old", **HALVES)
    text = path.read_text(encoding="utf-8")
    Path("new.json").write_text(text.replace('"value": 1.0', '"value": 0.1'), encoding="utf-8")
    ended = call("diff", path, "new.json")
    assert ended.code == 3
    assert "new.json: was changed since it was written" in ended.err
    assert "`biaspipe verify new.json` names the place" in ended.err


def test_groups_of_odd_names_are_shown() -> None:
    """Groups are shown by their name, whatever that looks like."""
    for name in ("[red]", "😀", "1", "true"):
        ended = diff({"m": (5, 5), name: (5, 5)}, {"m": (5, 5), name: (4, 6)})
        assert ended.code == 1
        assert f"{name} against m" in ended.out


def selection(metrics: dict[str, Any], *words: str, **facets: Any) -> int:
    """Run an audit against a baseline of DPPL and CI on two facets; return its exit code."""
    both = {name: {"column": "sex", "favored": side} for name, side in (("a", "m"), ("b", "f"))}
    usual: dict[str, Any] = {
        "columns": {"prediction": {"column": "prediction", "positive": 1}},
        "facets": both,
        "metrics": {"DPPL": {"max_abs": 0.9}, "CI": {"max_abs": 0.9}},
    }
    assert call("run", write_audit(**usual), "-o", "old.json").code == 0
    now = {**usual, "metrics": metrics, "baseline": {"report": "old.json"}}
    return call("run", write_audit(**now | {"facets": facets or both}), *words).code


@pytest.mark.parametrize(
    ("words", "code"),
    [((), 1), (("--select", "a"), 1), (("--select", "CI"), 0)],
)
def test_metric_vanishes_within_its_selection(words: tuple[str, ...], code: int) -> None:
    """A removed metric has vanished for everything that a selection asks of its facets."""
    assert selection({"CI": {"max_abs": 0.9}}, *words) == code


@pytest.mark.parametrize(
    ("words", "code"), [((), 1), (("--select", "CI"), 1), (("--select", "a"), 0)]
)
def test_facet_vanishes_within_its_selection(words: tuple[str, ...], code: int) -> None:
    """A removed facet has vanished for everything that a selection asks of its metrics."""
    metrics = {"DPPL": {"max_abs": 0.9}, "CI": {"max_abs": 0.9}}
    assert selection(metrics, *words, a={"column": "sex", "favored": "m"}) == code
