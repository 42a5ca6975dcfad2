"""The README is executed: its files are written, its commands run, its outputs compared."""

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.calls import call_merged

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

NAMED_BLOCK = re.compile(
    r"^<!-- file: (?P<name>\S+) -->\n+```(?:yaml|csv)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
CONSOLE_BLOCK = re.compile(r"^```console\n(\$ biaspipe .*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"(?:^|.*  )exit (\d+)")
CLONED = ("audits", "schemas")
"""What else stands in a clone where commands of the README read or write."""
VARYING = (
    (r"(?m)^run     \d{4}-\d\d-\d\d", "run     …"),
    (r"\(\d+\.\d\d s\)", "(… s)"),
    (r"sha256 [0-9a-f]{12}\b", "sha256 …"),
)


@dataclass(frozen=True)
class Session:
    """A command with the output that a page shows of it."""

    command: str
    lines: tuple[str, ...]

    @property
    def code(self) -> int | None:
        """The last exit code that the shown lines tell, if one does."""
        codes = [int(found[1]) for line in self.lines if (found := EXIT.fullmatch(line))]
        return codes[-1] if codes else None

    @property
    def output(self) -> tuple[str, ...]:
        """The shown lines without a last line that only tells the exit code."""
        return self.lines[:-1] if self.lines[-1:] == (f"exit {self.code}",) else self.lines


def sessions(page: str) -> Iterator[Session]:
    """Return every command of a page's console blocks, in order."""
    for block in CONSOLE_BLOCK.findall(page):
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = settled(shown).rstrip("\n").split("\n")
            yield Session(command, tuple(lines))


def settled(text: str) -> str:
    """Return a text without trailing spaces, and with the same word for all that varies."""
    for pattern, word in VARYING:
        text = re.sub(pattern, word, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def same(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Tell whether a page shows what was printed; a line of three dots stands for any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def write_files(page: str, folder: Path) -> list[str]:
    """Write the files that a page names, beside the example data; return their names."""
    shutil.copytree(ROOT / "examples" / "data", folder / "examples" / "data")
    names = []
    for found in NAMED_BLOCK.finditer(page):
        path = folder / found["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["text"], encoding="utf-8")
        names.append(found["name"])
    return names


def executed(session: Session, folder: Path) -> tuple[int, tuple[str, ...]]:
    """Run a command as on a terminal of 120 columns; return its exit code and what it printed."""
    _, *words = shlex.split(session.command, comments=True)
    with chdir(folder):
        ended = call_merged(*words, COLUMNS="120")
    return ended.code, tuple(settled(ended.out).splitlines())


def surprises(page: str, folder: Path) -> Iterator[str]:
    """Run a page's commands in a folder; say where one does not do what the page shows."""
    write_files(page, folder)
    for session in sessions(page):
        code, printed = executed(session, folder)
        if session.code not in (None, code):
            yield f"$ {session.command}: ends with {code}, not {session.code}"
        if not any(same(shown, printed) for shown in (session.lines, session.output)):
            yield "\n".join([f"$ {session.command} prints:", *printed])


def test_readme_shows_a_spec_and_a_run() -> None:
    """The README holds a named spec and at least one command with its output."""
    assert NAMED_BLOCK.search(README)
    assert any(session.command.startswith("biaspipe run ") for session in sessions(README))


def test_spec_of_the_readme_names_a_schema_that_is_there() -> None:
    """An editor finds the schema of the README's spec in a clone, without a command."""
    (found,) = re.findall(r"yaml-language-server: \$schema=(\S+)", README)
    assert (ROOT / found).is_file()


def test_readme_does_what_it_shows(tmp_path: Path) -> None:
    """In a clone every command of the README prints what stands below it, with its exit code."""
    for part in CLONED:
        shutil.copytree(ROOT / part, tmp_path / part)
    assert "\n\n".join(surprises(README, tmp_path)) == ""


PAGE = """
<!-- file: audits/small.yaml -->
```yaml
version: 1
name: small
data: {path: ../examples/data/college-applications.csv}
columns:
  prediction: {column: predicted, positive: "yes"}
  weight: n
facets:
  state: {column: state, favored: California}
metrics:
  DPPL: {max_abs: 0.1}
```

```console
$ biaspipe check audits/small.yaml
...
exit 0
$ biaspipe run audits/small.yaml   # fails
verdict FAIL: the only check failed
...
FAIL     DPPL    -0.1500  -0.265 to -0.032  within 0.1
...
1 failed  (9.99 s)  exit 1
```

```console
$ make demo
```
"""


def test_page_that_tells_the_truth_has_no_surprises(tmp_path: Path) -> None:
    """A page whose commands do what it shows is accepted, whatever takes how long."""
    assert list(surprises(PAGE, tmp_path)) == []
    assert [session.code for session in sessions(PAGE)] == [0, 1]


@pytest.mark.parametrize(
    ("true", "false"),
    [("exit 1", "exit 0"), ("exit 0\n", "exit 5\n"), ("-0.1500", "+0.1500")],
)
def test_page_that_does_not_is_refused(true: str, false: str, tmp_path: Path) -> None:
    """A page that shows another exit code or value than a command has is refused."""
    assert list(surprises(PAGE.replace(true, false, 1), tmp_path)) != []


@pytest.mark.parametrize(
    ("shown", "fits"),
    [
        (["one", "two", "three"], True),
        (["one", "..."], True),
        (["...", "three"], True),
        (["one", "...", "two", "three", "..."], True),
        (["..."], True),
        (["one", "two"], False),
        (["one", "three"], False),
        (["one", "...", "four"], False),
        (["one", "tw.", "three"], False),
        ([], False),
    ],
)
def test_three_dots_stand_for_lines(shown: list[str], fits: bool) -> None:
    """Three dots in a line stand for any lines, and nothing else stands for anything."""
    assert same(tuple(shown), ("one", "two", "three")) is fits


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("1 passed  (0.12 s)  exit 0  ", "1 passed  (… s)  exit 0"),
        ("result  sha256 0123456789ab", "result  sha256 …"),
        ("a value of 0.12", "a value of 0.12"),
    ],
)
def test_what_varies_is_left_out(text: str, word: str) -> None:
    """Seconds, digests and trailing spaces are not compared, and values are."""
    assert settled(text) == word
