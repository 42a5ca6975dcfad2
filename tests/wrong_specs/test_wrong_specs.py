"""Every wrong spec in this folder is refused with the message that lies beside it.

`pytest tests/wrong_specs --regenerate` writes the messages anew; read the diff as a user would.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.cli.checking import check_specs
from biaspipe.errors import Exit, SpecError
from biaspipe.loading.document import parse

HERE = Path(__file__).parent
SPECS = sorted(HERE.glob("*.yaml"))

each_spec = pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)

JARGON = re.compile(r"pydantic|Traceback|Error\b|Input should|should have|\bdict\b|NoneType")
PLACED = re.compile(r"(?:error: )?([a-z_]+\.yaml):(\d+):(\d+): \S")


def faults(spec: Path) -> list[list[str]]:
    """Split a spec's message into its faults, each a list of lines."""
    text = spec.with_suffix(".txt").read_text(encoding="utf-8").removesuffix("\n")
    return [fault.splitlines() for fault in text.split("\n\n")]


@each_spec
def test_message(
    spec: Path,
    golden: Callable[[Path, str], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong spec ends with exit code 2 and its message on standard error."""
    monkeypatch.chdir(HERE)
    assert check_specs([Path(spec.name)], data=False) is Exit.WRONG_SPEC
    shown = capsys.readouterr()
    assert shown.out == ""
    golden(spec.with_suffix(".txt"), shown.err)


def test_each_message_has_its_spec() -> None:
    """No message is left behind by a spec that is gone, and enough kinds of fault are here."""
    assert {path.stem for path in HERE.glob("*.txt")} == {path.stem for path in SPECS}
    assert len(SPECS) >= 70


def printable(source: str) -> str:
    """Return a line as it is shown: tabs as spaces, what cannot be printed replaced."""
    source = source.replace("\t", " ")
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in source)


def printable_lines(spec: Path) -> list[str]:
    """Return the lines of a spec as they are shown."""
    return [printable(line) for line in spec.read_text(encoding="utf-8").split("\n")][:-1]


@each_spec
def test_place(spec: Path) -> None:
    """Each fault begins with file, line and column, and its caret stands under that column."""
    source = printable_lines(spec)
    for first, *rest in faults(spec):
        placed = PLACED.match(first)
        assert placed is not None
        file, line, column = placed[1], int(placed[2]), int(placed[3])
        assert file == spec.name
        if source:
            number, shown = rest[0].split(" | ", 1)
            at = rest[1].index("^") - len(number) - 3
            assert int(number) == line
            assert shown.strip("…") in source[line - 1]
            assert len(shown) <= 162
            assert shown[at : at + 1] == source[line - 1][column - 1 : column]


@each_spec
def test_words(spec: Path) -> None:
    """No message says a thing twice or speaks of the libraries that found the fault."""
    shown = ["\n".join(lines) for lines in faults(spec)]
    assert len(set(shown)) == len(shown)
    assert not JARGON.search("\n".join(shown))


@each_spec
def test_order(spec: Path) -> None:
    """The faults of a spec stand in the order of its lines."""
    places = [PLACED.match(first) for first, *_ in faults(spec)]
    lines = [(int(place[2]), int(place[3])) for place in places if place]
    assert lines == sorted(lines)


BASE = "version: 1\nname: loans\ndata: {path: loans.csv}\nfacets:\n  sex: {column: sex}\n"


def bomb(levels: int, width: int) -> str:
    """Write lists of aliases that would unfold to `width ** levels` values."""
    lines = ["model:", "  a0: &a0 [x]"]
    lines += [
        f"  a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]"
        for level in range(1, levels)
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("added", "said"),
    [
        pytest.param(bomb(9, 9), "50,000 values", id="bomb"),
        pytest.param(bomb(40, 2), "50,000 values", id="doublings"),
        pytest.param("model: {a: " + "[" * 50 + "]" * 50 + "}\n", "40 levels", id="nested"),
        pytest.param("model: {a: " + "[" * 100_000, "40 levels", id="unclosed"),
        pytest.param("model: {a: [" + "1," * 50_000 + "]}\n", "50,000 values", id="long"),
        pytest.param("# " + "x" * 1_000_000, "1,000,000 bytes", id="large"),
    ],
)
def test_too_much(added: str, said: str) -> None:
    """A spec too large, too deep or with too many values is refused, and aliases count unfolded."""
    with pytest.raises(SpecError, match=said):
        parse("loans.yaml", BASE + added)


def test_not_too_much() -> None:
    """A spec of a thousand values, ten levels deep, with shared parts is read."""
    text = "a: &a [" + "1, " * 500 + "]\nb: *a\nc: " + "[" * 8 + "1" + "]" * 8 + "\n"
    values = parse("loans.yaml", text).values
    assert values["b"] == [1] * 500
    assert values["c"] == [[[[[[[[1]]]]]]]]


def test_no_such_file() -> None:
    """A spec that is not there is a wrong spec, and the message names it."""
    with pytest.raises(SpecError, match="there is no such file or folder") as refusal:
        check_specs([Path("absent.yaml")], data=False)
    assert refusal.value.exit is Exit.WRONG_SPEC


def test_several_specs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of several wrong specs is shown, not only the first."""
    monkeypatch.chdir(HERE)
    names = [Path("key_top.yaml"), Path("metric_misspelt.yaml")]
    assert check_specs(names, data=False) is Exit.WRONG_SPEC
    shown = capsys.readouterr().err
    assert "error: key_top.yaml:11:1: unknown key 'ower'" in shown
    assert "error: metric_misspelt.yaml:10:3: unknown metric 'DPLL'" in shown
