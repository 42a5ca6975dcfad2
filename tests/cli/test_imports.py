"""What a command loads, what every help shows, and how a run ends that does not end well."""

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest

from biaspipe.cli import commands, explain, run
from tests.cli.calls import Ended, call, environment, start, write_audit

HEAVY = {"numpy", "polars", "rich", "sklearn", "sqlglot"}
PROBE = """
import atexit, sys
atexit.register(lambda: print("loaded", *sorted(sys.modules), file=sys.stderr))
from biaspipe.cli import main
main()
"""


def modules(*words: object) -> set[str]:
    """Return what a process has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *map(str, words)],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    names = re.findall(r"^loaded (.*)$", done.stderr, flags=re.MULTILINE)
    return set(names[0].split())


def loaded(*words: object) -> set[str]:
    """Return which heavy libraries a process has loaded when it ends."""
    return HEAVY & modules(*words)


@pytest.mark.parametrize(
    "words", ["--version", "--help", "explain", "explain DI", "check audit.yaml", "completion bash"]
)
def test_light_commands_load_nothing_heavy(words: str) -> None:
    """What computes nothing starts fast, without polars, numpy, scikit-learn and rich."""
    write_audit()
    assert loaded(*words.split()) == set()


@pytest.mark.parametrize("words", ["verify report.json", "diff report.json report.json"])
def test_reports_are_read_without_polars(words: str) -> None:
    """What reads reports alone loads none of the libraries that read data."""
    assert call("run", write_audit(), "-o", "report.json").code == 0
    assert loaded(*words.split()) == {"rich"}


@pytest.mark.parametrize("name", ["run", "AuditReport", "read_report"])
def test_package_is_light_until_it_runs(name: str) -> None:
    """What the package offers is at hand without polars, numpy, scikit-learn, sqlglot and rich."""
    probe = f"import sys, biaspipe; biaspipe.{name}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert HEAVY & set(done.stdout.split()) == set()
    assert "biaspipe" in done.stdout


def test_waivers_are_listed_without_polars() -> None:
    """What reads specs alone loads none of the libraries that read data."""
    assert loaded("waivers", write_audit()) == {"rich"}


@pytest.mark.parametrize("words", [("run",), ("check", "--data")])
def test_run_without_fliptest_does_not_load_its_libraries(words: tuple[str, ...]) -> None:
    """An audit without FT or condition loads neither numpy, nor scikit-learn, nor sqlglot."""
    assert loaded(*words, write_audit()) & {"numpy", "sklearn", "sqlglot"} == set()


def test_selection_without_fliptest_does_not_load_its_libraries() -> None:
    """An audit with FT loads neither numpy nor scikit-learn where FT is not selected."""
    columns = {"prediction": {"column": "prediction", "positive": 1}, "features": ["label"]}
    path = write_audit(columns=columns, metrics={"FT": {"max_abs": 0.5}, "DI": {"min": 0.5}})
    assert loaded("run", path, "--select", "DI") & {"numpy", "sklearn"} == set()


SMCLARIFY = {"biaspipe.smclarify", "biaspipe.pipeline.smclarify", "biaspipe.engines.smclarify"}


@pytest.mark.parametrize(
    "words",
    [
        "run audit.yaml",
        "check audit.yaml --data",
        "render report.json --format clarify",
        "verify report.json --data",
        "diff report.json report.json",
    ],
)
def test_smclarify_is_loaded_under_compat_only(words: str) -> None:
    """What only smclarify's arithmetic needs is loaded where a spec asks for it, and not else."""
    assert call("run", write_audit(), "-o", "report.json").code == 0
    assert modules(*words.split()) & SMCLARIFY == set()


def test_run_under_compat_loads_smclarify() -> None:
    """An audit under compat loads smclarify's arithmetic, its queries and its recount."""
    facets = {"sex": {"column": "sex", "disfavored": "f"}}
    path = write_audit(compat="smclarify", facets=facets, metrics={"CI": {"max_abs": 0.9}})
    assert modules("run", path) & SMCLARIFY == SMCLARIFY


@pytest.mark.parametrize("words", ["--version", "-h", "check audit.yaml --data", "explain FT"])
def test_light_commands_end_well(words: str) -> None:
    """What computes nothing ends with 0."""
    write_audit()
    assert call(*words.split()).code == 0


def test_version_is_one_line() -> None:
    """The version is the name and three numbers."""
    assert re.fullmatch(r"biaspipe \d+\.\d+\.\d+\n", call("--version").out)


NAMES = sorted(commands.command.commands)


def test_commands_are_these() -> None:
    """The command line has these commands."""
    expected = "check completion convert diff explain policy render run schema verify waivers"
    assert expected.split() == NAMES


@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("name", ["", *NAMES])
def test_help_has_examples(name: str, option: str) -> None:
    """The help of every command shows it called, one call in a line."""
    ended = call(*name.split(), option)
    examples = ended.out.partition("\n  Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert ended.code == 0
    assert examples
    assert [e for e in examples if not e.startswith(f"    biaspipe {name}".rstrip())] == []


def test_examples_of_help_name_what_exists() -> None:
    """The options in the examples of all helps are options of their commands."""
    for name in NAMES:
        text = call(name, "--help").out
        known = set(re.findall(r"--?[a-z][a-z-]*", text.partition("\nOptions:")[2]))
        examples = text.partition("\n  Examples:\n")[2].partition("\n\n")[0]
        assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", examples)) <= known


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("bash", "complete -o nosort -F _biaspipe_completion biaspipe"),
        ("zsh", "#compdef biaspipe"),
        ("fish", "complete --no-files --command biaspipe"),
    ],
)
def test_completion_script_is_printed(shell: str, words: str) -> None:
    """The completion script of each shell is printed, for this command."""
    ended = call("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert words in ended.out
    assert "_BIASPIPE_COMPLETE" in ended.out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("biaspipe ex", ["explain"]),
        ("biaspipe explain DI", ["DI"]),
        ("biaspipe run --fail-on w", ["warn"]),
        ("biaspipe explain vertex.r", ["vertex.recall_difference"]),
    ],
)
def test_completion_offers_and_says_nothing_else(typed: str, offered: list[str]) -> None:
    """What a completion script calls offers the words that begin like this, and ends well."""
    asked = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    ended = call(_BIASPIPE_COMPLETE="bash_complete", **asked)
    assert ended.out.splitlines() == [f"plain,{word}" for word in offered]
    assert (ended.code, ended.err) == (0, "")


def breaking(error: BaseException) -> Callable[..., Any]:
    """Return a function that raises."""

    def break_down(*_: object, **__: object) -> Any:
        raise error

    return break_down


def test_bug_says_that_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that no user can cause shows its traceback, is called a bug, and ends with 3."""
    monkeypatch.setattr(explain, "list_metrics", breaking(RuntimeError("out of order")))
    ended = call("explain")
    assert ended.code == 3
    assert "RuntimeError: out of order" in ended.err
    assert ended.err.endswith(
        "This is a bug in biaspipe, not in your spec or data."
        " Please report it with the traceback above.\n"
    )


@pytest.mark.parametrize("error", [KeyError("x"), AssertionError(), RecursionError("deep")])
def test_bug_within_a_run_is_no_verdict(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug within a run ends with 3 and leaves neither verdict nor artifact."""
    monkeypatch.setattr(run, "run", breaking(error))
    ended = call("run", write_audit(), "-o", "report.json", "--fail-on", "never")
    assert (ended.code, ended.out) == (3, "")
    assert "This is a bug in biaspipe" in ended.err
    assert not Path("report.json").exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_interrupt_is_130(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt from the keyboard ends with 130, in one word and without a traceback."""
    monkeypatch.setattr(run, "run", breaking(error))
    ended = call("run", write_audit())
    assert (ended.code, ended.err.strip()) == (130, "interrupted")


def test_lack_of_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without memory left ends with 3 and without a traceback."""
    monkeypatch.setattr(run, "run", breaking(MemoryError()))
    ended = call("run", write_audit())
    assert ended.code == 3
    assert ended.err == "error: the machine has no memory left for this audit\n"


@pytest.fixture
def old() -> Path:
    """Return an artifact of an earlier run."""
    path = Path("reports/report.json")
    path.parent.mkdir()
    path.write_text("old", encoding="utf-8")
    return path


def assert_kept(old: Path, ended: Ended, words: str, name: str) -> None:
    """Check that an earlier artifact is whole, under this name, and nothing is left beside it."""
    assert ended.code == 3
    assert f"error: {old}: cannot be written: {words}\n" in ended.err
    assert [path.name for path in old.parent.iterdir()] == [name]
    assert old.with_name(name).read_text(encoding="utf-8") == "old"


def test_full_disk_keeps_the_old_artifact(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full in the middle of an artifact moves the old one aside, and no rest."""
    path = write_audit()
    monkeypatch.setattr(os, "fsync", breaking(OSError(28, "No space left on device")))
    assert_kept(old, call("run", path, "-o", old), "No space left on device", "report.json.stale")


def test_failed_replacement_keeps_the_old_artifact(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An artifact that cannot be put in its place leaves the old one and no rest."""
    path = write_audit()
    monkeypatch.setattr(Path, "replace", breaking(PermissionError(1, "Operation not permitted")))
    assert_kept(old, call("run", path, "-o", old), "Operation not permitted", "report.json")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("bug")])
def test_interrupted_writing_keeps_the_old_artifact(
    old: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stops an artifact from being written leaves the old one as it was."""
    path = write_audit()
    monkeypatch.setattr(Path, "replace", breaking(error))
    assert call("run", path, "-o", old).code in (3, 130)
    assert old.read_text(encoding="utf-8") == "old"


def test_new_artifact_takes_the_place_of_the_old_one(old: Path) -> None:
    """An artifact that is complete takes the place of the old one, and nothing else is left."""
    assert call("run", write_audit(), "-o", old).code == 0
    assert old.read_text(encoding="utf-8").startswith('{\n  "result": {')
    assert [path.name for path in old.parent.iterdir()] == ["report.json"]


@pytest.mark.parametrize("words", [("run", "audit.yaml"), ("explain",), ("--version",)])
def test_full_output_is_no_bug(words: tuple[str, ...], folder: Path) -> None:
    """An output that takes no more ends with 3 and in words, and is not called a bug."""
    write_audit()
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "biaspipe", *words],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 3
    assert "No space left on device" in done.stderr
    assert "bug" not in done.stderr
    assert "Traceback" not in done.stderr


def test_reader_that_has_gone_is_no_bug(folder: Path) -> None:
    """A reader that closes the pipe early, as `head` may, gets no traceback and no verdict."""
    write_audit()
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "biaspipe", "run", "audit.yaml"],
        cwd=folder,
        stdout=writing,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (3, "")


def test_module_is_the_command(folder: Path) -> None:
    """`python -m biaspipe` is the command, and calls itself by the command's name."""
    ended = start("run", cwd=folder)
    assert ended.code == 2
    assert ended.err.startswith("Usage: biaspipe run [OPTIONS] PATH...")


def test_process_ends_in_order(folder: Path) -> None:
    """What is left to the end of a process is done, and what it prints is written."""
    lines = [
        "import atexit, sys",
        "from biaspipe.__main__ import run_process",
        "atexit.register(print, 'at the end')",
        "sys.argv[1:] = ['run', 'audit.yaml', '--fail-on', 'nothing']",
        "run_process()",
        "print('after the end')",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "; ".join(lines)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "at the end\n")
    assert "Invalid value for '--fail-on'" in done.stderr


def test_search_for_a_region_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """That polars asks a bucket for its region is no news for whoever runs an audit."""
    scan_csv = pl.scan_csv

    def warning(*words: Any, **options: Any) -> pl.LazyFrame:
        message = "'(default_)region' not set; polars will try to get it from bucket"
        warnings.warn(message, UserWarning, stacklevel=2)
        return scan_csv(*words, **options)

    monkeypatch.setattr(pl, "scan_csv", warning)
    ended = call("run", write_audit())
    assert (ended.code, ended.err) == (0, "")


def test_plugins_of_strangers_do_not_validate(folder: Path) -> None:
    """A plugin for pydantic that is installed by chance is not even imported by the command."""
    write_audit()
    installed = folder / "nosy-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: nosy\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(
        "[pydantic]\nnosy = nosy:plugin\n", encoding="utf-8"
    )
    (folder / "nosy.py").write_text("print('plugin was imported')\n", encoding="utf-8")
    paths = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(folder)]).strip(os.pathsep)
    done = start("check", "audit.yaml", cwd=folder, PYTHONPATH=paths)
    assert (done.code, done.err) == (0, "")
    assert "plugin" not in done.out


def test_output_is_utf_8_or_legible(folder: Path) -> None:
    """A terminal that knows ASCII alone gets escapes instead of an error."""
    write_audit(facets={"größe": {"column": "sex", "favored": "m"}})
    done = start("run", "audit.yaml", cwd=folder, PYTHONIOENCODING="ascii")
    assert done.code == 0
    assert r"gr\xf6\xdfe" in done.out
