"""Every wrong spec in this folder's text files is refused with the message that stands below it.

`pytest tests/wrong_specs --regenerate` writes the messages anew; read the diff as a user would.
"""

import re
from pathlib import Path

import pytest

from biaspipe.cli.check import check_specs
from biaspipe.errors import Exit, SpecError
from biaspipe.loading.document import parse
from tests.cases import Case, cases_of, rewrite

HERE = Path(__file__).parent
SPEC = Path("spec.yaml")
CASES = [case for file in sorted(HERE.glob("*.txt")) for case in cases_of(file)]

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)

PYYAML = re.compile(r"(?<=: not YAML: )(?!this line is no key).*")
"""What PyYAML says in words of its own, for which `...` stands."""
JARGON = re.compile(r"pydantic|Traceback|Error\b|Input should|should have|\bdict\b|NoneType")
PLACED = re.compile(r"(?:error: )?([a-z_]+\.yaml):(\d+):(\d+): \S")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder of one's own."""
    monkeypatch.chdir(tmp_path)


def faults(case: Case) -> list[list[str]]:
    """Split a message into its faults, each a list of lines."""
    return [fault.splitlines() for fault in case.message.split("\n\n")]


@each_case
def test_message(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong spec ends with exit code 2 and its message on standard error."""
    assert message_of(case, capsys) == case.message


def message_of(case: Case, capsys: pytest.CaptureFixture[str]) -> str:
    """Check a spec; return what is said of it, without PyYAML's words."""
    SPEC.write_bytes(case.text.encode())
    assert check_specs([SPEC], data=False) is Exit.WRONG_SPEC
    shown = capsys.readouterr()
    assert shown.out == ""
    return PYYAML.sub("...", shown.err.removesuffix("\n"))


def test_cases(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    """Each case has a name of its own, and there are many; or they are all written anew."""
    if request.config.getoption("--regenerate"):
        rewrite(CASES, lambda case: message_of(case, capsys))
    assert len({case.name for case in CASES}) == len(CASES) >= 440


def printable(source: str) -> str:
    """Return a line as it is shown: tabs as spaces, what cannot be printed replaced."""
    source = source.replace("\t", " ")
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in source)


def printable_lines(text: str) -> list[str]:
    """Return the lines of a spec as they are shown."""
    return [printable(line) for line in re.split("\r\n|[\r\n]", text)][:-1]


@each_case
def test_place(case: Case) -> None:
    """Each fault begins with file, line and column, and its caret stands under that column."""
    source = printable_lines(case.text)
    for first, *rest in faults(case):
        placed = PLACED.match(first)
        assert placed is not None
        file, line, column = placed[1], int(placed[2]), int(placed[3])
        assert file == SPEC.name
        if source:
            number, shown = rest[0].split(" | ", 1)
            at = rest[1].index("^") - len(number) - 3
            assert int(number) == line
            assert shown.strip("…") in source[line - 1]
            assert len(shown) <= 162
            assert shown[at : at + 1] == source[line - 1][column - 1 : column]


def test_words() -> None:
    """No message says a thing twice or speaks of the libraries that found the fault."""
    shown = {case.name: ["\n".join(lines) for lines in faults(case)] for case in CASES}
    assert [name for name, texts in shown.items() if len(set(texts)) < len(texts)] == []
    assert [name for name, texts in shown.items() if JARGON.search("\n".join(texts))] == []


def places(case: Case) -> list[tuple[int, int]]:
    """Return line and column of each fault."""
    found = [PLACED.match(first) for first, *_ in faults(case)]
    return [(int(place[2]), int(place[3])) for place in found if place]


def test_order() -> None:
    """The faults of a spec stand in the order of its lines."""
    assert [case.name for case in CASES if places(case) != sorted(places(case))] == []


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


def test_several_specs(capsys: pytest.CaptureFixture[str]) -> None:
    """Each of several wrong specs is shown, not only the first."""
    paths = [Path("key_top.yaml"), Path("metric_misspelt.yaml")]
    for path in paths:
        path.write_text(next(case.text for case in CASES if case.name == path.stem))
    assert check_specs(paths, data=False) is Exit.WRONG_SPEC
    shown = capsys.readouterr().err
    assert "error: key_top.yaml:11:1: unknown key 'ower'" in shown
    assert "error: metric_misspelt.yaml:10:3: unknown metric 'DPLL'" in shown
