"""Attacks on outputs: what is written over, what stands in the way, and who stops the writing."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from biaspipe.errors import OutputError
from tests.cli.calls import call, environment, start, write_audit

MODULES = [
    "click",
    "datetime",
    "json",
    "pathlib",
    "polars",
    "random",
    "re",
    "rich",
    "typing",
    "yaml",
]


def write_all() -> Path:
    """Write an audit with data, baseline and policy."""
    path = write_audit()
    assert call("run", path, "-o", "base.json").code == 0
    Path("policy.yaml").write_text("version: 1\n", encoding="utf-8")
    return write_audit(baseline={"report": "base.json"})


@pytest.mark.combinations
@pytest.mark.parametrize("kind", ["name", "link", "hard link", "other way"])
@pytest.mark.parametrize("what", ["audit.yaml", "data.csv", "base.json", "policy.yaml"])
def test_what_is_read_is_not_written_over(what: str, kind: str) -> None:
    """Spec, data, baseline and policy stay as they are, by whatever name they are an output."""
    path = write_all()
    before = Path(what).read_bytes()
    name = {"name": what, "other way": f"../{Path.cwd().name}/{what}"}.get(kind, "report.json")
    if kind == "link":
        Path(name).symlink_to(what)
    if kind == "hard link":
        Path(name).hardlink_to(what)
    words = ["--format", "json", "--policy", "policy.yaml"]
    ended = call("run", path, "-o", name, *words)
    assert ended.code == 2
    assert "would be written over" in ended.err
    assert Path(what).read_bytes() == before
    assert [one for one in Path().iterdir() if ".stale" in one.name] == []


@pytest.mark.parametrize("name", ["base", "audit"])
def test_folder_of_reports_does_not_hold_the_baseline(name: str) -> None:
    """The baseline is not written over through --output-dir either."""
    write_all()
    path = write_audit(name, baseline={"report": f"{name}.json"})
    Path(f"{name}.json").write_bytes(Path("base.json").read_bytes())
    before = Path("base.json").read_bytes()
    assert call("run", path, "--output-dir", ".").code == 2
    assert Path(f"{name}.json").read_bytes() == before


@pytest.mark.parametrize("where", [".", "elsewhere"])
@pytest.mark.parametrize("what", ["audit.yaml", "data.csv", "base.json"])
def test_render_does_not_write_over_what_a_report_is_of(what: str, where: str) -> None:
    """Spec, data and baseline of a rendered report stay as they are, wherever the report lies."""
    call("run", write_all(), "-o", "report.json")
    before = Path(what).read_bytes()
    Path(where).mkdir(exist_ok=True)
    report = Path("report.json").rename(Path(where) / "moved.json")
    ended = call("render", report, "-o", what, "--format", "csv")
    assert ended.code == 2
    assert "of the report, and would be written over" in ended.err
    assert Path(what).read_bytes() == before
    assert call("render", report, "-o", "other.csv").code == 0


def test_render_does_not_write_over_its_report() -> None:
    """A stored report is not written over by another format of it."""
    write_all()
    before = Path("base.json").read_bytes()
    ended = call("render", "base.json", "--format", "clarify", "-o", "./base.json")
    assert ended.code == 2
    assert "base.json is the report of this call, and would be written over" in ended.err
    assert Path("base.json").read_bytes() == before


CONFIG = {
    "dataset_type": "text/csv",
    "dataset_uri": "data.csv",
    "label": "label",
    "label_values_or_threshold": [1],
    "facet": [{"name_or_index": "sex", "value_or_threshold": ["f"]}],
    "methods": {"pre_training_bias": {"methods": ["CI"]}},
}


def test_convert_writes_over_nothing() -> None:
    """A converted spec takes the place of no configuration and of no spec that was edited."""
    write_audit()
    Path("config.yaml").write_text(json.dumps(CONFIG), encoding="utf-8")
    Path("config.json").symlink_to("config.yaml")
    assert "would be written over" in call("convert", "config.json", "-o", "config.yaml").err
    assert call("convert", "config.json", "-o", "new.yaml").code == 0
    assert call("convert", "config.json", "-o", "new.yaml").code == 0
    with Path("new.yaml").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    ended = call("convert", "config.json", "-o", "new.yaml")
    assert (ended.code, "new.yaml is there already" in ended.err) == (2, True)
    assert Path("new.yaml").read_text(encoding="utf-8").endswith("# edited\n")


@pytest.mark.parametrize("name", ["CON", "nul", "Aux", "com1", "LPT9", "n" * 201])
def test_name_that_is_no_file_is_refused(name: str) -> None:
    """An audit whose name some system cannot hold as a file is refused before it runs."""
    path = write_audit("audit")
    text = path.read_text(encoding="utf-8").replace('"name": "audit"', f'"name": "{name}"')
    path.write_text(text, encoding="utf-8")
    ended = call("run", path, "--output-dir", "reports")
    assert (ended.code, ended.out) == (2, "")
    assert call("run", path, "-o", "report.json").code == 0


def test_twins_in_other_letters_are_refused() -> None:
    """Audits whose names differ in case alone would have one file on some systems."""
    ended = call("run", write_audit("Twin"), write_audit("twin"), "--output-dir", "reports")
    assert (ended.code, ended.out) == (2, "")
    assert "the audits 'Twin' and 'twin' have one file on some systems" in ended.err


@pytest.mark.parametrize("mask", [0o077, 0o022, 0o027])
def test_new_report_may_be_read_as_other_new_files(mask: int) -> None:
    """A new report has the mode that the umask leaves."""
    before = os.umask(mask)
    try:
        assert call("run", write_audit(), "-o", "report.json").code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("report.json").stat().st_mode) == 0o666 & ~mask


def test_replaced_report_keeps_its_mode() -> None:
    """A report that takes the place of another one may be read by the same people."""
    Path("report.json").touch()
    Path("report.json").chmod(0o640)
    assert call("run", write_audit(), "-o", "report.json").code == 0
    assert stat.S_IMODE(Path("report.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("target", ["other.json", "none.json", "fifo"])
def test_link_is_replaced_and_not_followed(target: str) -> None:
    """A link that stands where a report goes is replaced, and what it leads to is left alone."""
    Path("other.json").write_text("other", encoding="utf-8")
    os.mkfifo("fifo")
    Path("report.json").symlink_to(target)
    assert call("run", write_audit(), "-o", "report.json").code == 0
    assert not Path("report.json").is_symlink()
    assert Path("report.json").read_text(encoding="utf-8").startswith("{")
    assert Path("other.json").read_text(encoding="utf-8") == "other"
    assert not Path("none.json").exists()


def test_name_that_is_foreseen_is_of_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link under the very name of the temporary file is refused, and not written through."""
    monkeypatch.setattr(os, "urandom", lambda n: b"\0" * n)
    Path("victim").write_text("victim", encoding="utf-8")
    Path(f".biaspipe-{'00' * 8}.tmp").symlink_to("victim")
    ended = call("run", write_audit(), "-o", "report.json")
    assert ended.code == OutputError.exit
    assert Path("victim").read_text(encoding="utf-8") == "victim"


def test_six_writers_leave_one_whole_report(folder: Path) -> None:
    """Six runs that write one file at once leave one report that verifies, and nothing beside."""
    write_audit()
    words = [sys.executable, "-m", "biaspipe", "run", "audit.yaml", "-o", "report.json"]
    runs = [subprocess.Popen(words, env=environment(), stdout=subprocess.DEVNULL) for _ in range(6)]
    assert [run.wait() for run in runs] == [0] * 6
    assert call("verify", "report.json").code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "audit.yaml",
        "data.csv",
        "report.json",
    ]


SLOW = """
import os, time
from biaspipe.cli import main

def slow(number):
    print("writing", flush=True)
    time.sleep(60)

os.fsync = slow
main()
"""


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 129, "ended, since the terminal was closed"),
    ],
)
def test_signal_leaves_no_part_of_a_report(number: int, code: int, said: str) -> None:
    """A signal in the middle of writing leaves neither a part nor the older report."""
    write_audit()
    Path("report.json").write_text("older", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "run", "audit.yaml", "-o", "report.json"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.split("\n")[-2]) == (code, said)
    names = sorted(path.name for path in Path().iterdir())
    assert names == ["audit.yaml", "data.csv", "report.json.stale"]


EARLY = """
import os, sys
from biaspipe.cli import main

number = int(sys.argv.pop(1))

class Early:
    def find_spec(self, name, *_):
        if name == "biaspipe.cli.run":
            os.kill(os.getpid(), number)

sys.meta_path.insert(0, Early())
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_while_modules_are_imported_leaves_no_older_report(number: int) -> None:
    """A run that is stopped before it has begun has moved the older report aside."""
    write_audit()
    Path("report.json").write_text("older", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", EARLY, str(int(number)), "run", "audit.yaml", "-o", "report.json"],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (128 + number, False)
    assert Path("report.json.stale").exists()


def test_second_signal_is_heard_at_once() -> None:
    """Whoever asks twice need not wait for what cleans up."""
    slow = "from biaspipe.cli.older_outputs import OlderOutputs as Older\n"
    slow += "Older.set_aside = lambda *_: slow(0)\n"
    script = SLOW.replace("main()", slow + "main()")
    write_audit()
    process = subprocess.Popen(
        [sys.executable, "-c", script, "run", "audit.yaml", "-o", "report.json"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stdout is not None
    for _ in range(2):
        assert process.stdout.readline() == "writing\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
    process.stdout.close()
    assert process.wait(20) == -signal.SIGTERM


@pytest.mark.parametrize(
    ("redirection", "code"),
    [
        (">&-", 0),
        ("2>&-", 0),
        ("<&- >&- 2>&-", 0),
        (">/dev/full", 3),
        (">/dev/full 2>/dev/full", 3),
        (">/dev/full 2>&-", 3),
    ],
)
def test_closed_and_full_streams_have_their_code(redirection: str, code: int) -> None:
    """A stream that is closed is one that nobody reads; one that takes no more is an error."""
    write_audit()
    command = f"{sys.executable} -m biaspipe run audit.yaml -o report.json {redirection}"
    done = subprocess.run(["/bin/sh", "-c", command], env=environment(), check=False)
    assert done.returncode == code
    assert call("verify", "report.json").code == 0


@pytest.mark.combinations
@pytest.mark.parametrize(
    "error", ["OSError(24, 'x')", "MemoryError()", "SystemExit(0)", "Exception('\\n::error::x')"]
)
@pytest.mark.parametrize("module", ["click", "yaml", "biaspipe.cli.process", "biaspipe.cli.run"])
def test_import_that_fails_is_no_verdict(module: str, error: str) -> None:
    """What fails while modules are imported ends with 3, never with what stands for a verdict."""
    script = (
        f"import sys\nclass Broken:\n def find_spec(self, name, *_):\n"
        f"  if name == {module!r}: raise {error}\n"
        "sys.meta_path.insert(0, Broken())\nfrom biaspipe.cli import main\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "run", str(write_audit())],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 3
    assert "\n::" not in done.stderr


def test_module_imports_nothing_from_the_current_folder(folder: Path) -> None:
    """`python -m biaspipe` runs none of a folder's files, whatever modules they are named like."""
    write_audit()
    for name in MODULES:
        Path(f"{name}.py").write_text(f"print('{name} ran')\n", encoding="utf-8")
    more = {"PYTHONPATH": str(Path(__file__).parents[2])}
    ended = start("run", "audit.yaml", cwd=folder, **more)
    assert (ended.code, "ran" in ended.text) == (0, False)


def test_path_that_the_environment_names_is_kept(folder: Path) -> None:
    """What PYTHONPATH names is looked into, the current folder too."""
    write_audit()
    Path("click.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    more = {"PYTHONPATH": f"{folder}{os.pathsep}{Path(__file__).parents[2]}"}
    assert start("run", "audit.yaml", cwd=folder, **more).code == 3


def test_completion_is_no_way_around_a_run() -> None:
    """A variable that asks for completions does not keep a run from its verdict."""
    path = write_audit(metrics={"DI": {"min": 0.9}})
    assert call("run", path, _BIASPIPE_COMPLETE="bash_source").code == 1


WAYS = {
    "own folder": "/proc/self/cwd/{name}",
    "own folder by number": "/proc/{own}/cwd/{name}",
    "own root": "/proc/self/root{folder}/{name}",
    "folder of a thread": "/proc/thread-self/cwd/{name}",
    "beside the open files": "/dev/fd/../cwd/{name}",
    "open folder": "/dev/fd/{number}/{name}",
    "open file of another process": "/proc/{own}/fd/{file}",
}
"""Ways of the system to a file, which are no streams."""


def way_to(name: str, way: str) -> str:
    """Return a way of the system to a file of this folder; what it opens stays open."""
    number = os.open(".", os.O_RDONLY)
    file = os.open(name, os.O_RDWR | os.O_CREAT)
    os.set_inheritable(number, True)
    folder, own = Path.cwd(), os.getpid()
    return WAYS[way].format(name=name, folder=folder, own=own, number=number, file=file)


def run_apart(*words: object, out: str = os.devnull) -> subprocess.CompletedProcess[str]:
    """Call the command line in a process of its own, whose output goes to the end of a file."""
    with Path(out).open("a", encoding="utf-8") as stdout:
        return subprocess.run(
            [sys.executable, "-m", "biaspipe", *map(str, words)],
            env=environment(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            close_fds=False,
            check=False,
        )


def ended(way: str, *words: object) -> tuple[int, str]:
    """Return code and errors of a call, in a process of its own where the way needs another one."""
    if way == "open file of another process":
        apart = run_apart(*words)
        return apart.returncode, apart.stderr
    here = call(*words)
    return here.code, here.err


def refused(way: str, *words: object) -> bool:
    """Tell whether a call is refused, since it would write over what it reads."""
    code, errors = ended(way, *words)
    return (code, "would be written over" in errors) == (2, True)


@pytest.mark.combinations
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", ["audit.yaml", "data.csv", "base.json", "policy.yaml"])
def test_what_is_read_is_not_written_over_by_ways_of_the_system(what: str, way: str) -> None:
    """What is read stays as it is where the system has another name for it or its folder."""
    path = write_all()
    before = Path(what).read_bytes()
    words = ["--format", "json", "--policy", "policy.yaml"]
    assert refused(way, "run", path, "-o", way_to(what, way), *words)
    assert Path(what).read_bytes() == before


@pytest.mark.parametrize("way", WAYS)
def test_rendered_report_is_not_written_over_by_ways_of_the_system(way: str) -> None:
    """A stored report stays as it is where the system has another name for it or its folder."""
    write_all()
    before = Path("base.json").read_bytes()
    assert refused(way, "render", "base.json", "-o", way_to("base.json", way), "--format", "text")
    assert Path("base.json").read_bytes() == before


@pytest.mark.parametrize("way", WAYS)
def test_ways_of_the_system_lead_to_a_whole_file(way: str) -> None:
    """A file is replaced as a whole, and not written into, whatever way leads to it."""
    path = write_audit()
    Path("report.json").write_text("older", encoding="utf-8")
    Path("other.json").hardlink_to("report.json")
    words = ["-q", "--format", "json"]
    assert ended(way, "run", path, "-o", way_to("report.json", way), *words) == (0, "")
    assert call("verify", "report.json").code == 0
    assert Path("other.json").read_text(encoding="utf-8") == "older"
    assert sorted(Path().glob(".biaspipe-*")) == []


STREAMS = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"]


@pytest.mark.parametrize("stream", STREAMS)
def test_redirected_output_is_written_to(stream: str) -> None:
    """The own output is written to where it stands, also where it goes to a file."""
    write_all()
    Path("out.txt").write_text("before\n", encoding="utf-8")
    same = Path("out.txt").stat().st_ino
    ended = run_apart("render", "base.json", "-o", stream, "--format", "json", out="out.txt")
    assert (ended.returncode, ended.stderr) == (0, "")
    wanted = "before\n" + Path("base.json").read_text(encoding="utf-8")
    assert Path("out.txt").read_text(encoding="utf-8") == wanted
    assert Path("out.txt").stat().st_ino == same


@pytest.mark.parametrize("stream", STREAMS)
def test_output_that_goes_to_what_is_read_is_refused(stream: str) -> None:
    """The own output is refused where it goes to the end of a file that is read."""
    write_all()
    before = Path("base.json").read_bytes()
    ended = run_apart("render", "base.json", "-o", stream, "--format", "json", out="base.json")
    assert (ended.returncode, "would be written over" in ended.stderr) == (2, True)
    assert Path("base.json").read_bytes() == before
