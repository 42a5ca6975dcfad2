"""`init`: a spec from data, at once, by options, or by answers at a terminal."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from biaspipe.loading import load
from tests.cli.calls import Ended, call, environment, start

ROWS = """\
applicant_id,sex,age,approved
a1,m,20,yes
a2,m,30,no
a3,m,40,yes
a4,f,50,no
a5,f,60,yes
a6,f,70,no
"""
SPEC = Path("audits/loans.yaml")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder of its own, with a table."""
    monkeypatch.chdir(tmp_path)
    Path("loans.csv").write_text(ROWS, encoding="utf-8")


def init(*words: object) -> Ended:
    """Call `init`."""
    return call("init", *words)


def test_a_proposal_is_checked_and_run_as_it_is() -> None:
    """What is written passes `check --data`, and `run` ends with 5, since nothing has a limit."""
    ended = init("loans.csv")
    assert (ended.code, ended.err) == (0, "wrote audits/loans.yaml\n")
    assert "biaspipe check audits/loans.yaml --data" in ended.out
    assert call("check", SPEC, "--data").code == 0
    assert call("run", SPEC).code == 5


def test_the_spec_says_what_was_found() -> None:
    """The first line names the schema; comments tell values, rows, assumptions and what is left."""
    init("loans.csv")
    text = SPEC.read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=../audit-v1.schema.json\n")
    for line in (
        "# Proposed by `biaspipe init` from ../loans.csv: 6 rows, 4 columns.",
        "  path: ../loans.csv",
        "  # 'f': 3, 'm': 3.",
        "  # Assumed: 'yes' is positive (3 of 6 rows), as these two values are usually meant.",
        '  label: {column: approved, positive: "yes"}',
        "  # Each group is compared with the rest; with one group: favored: f",
    ):
        assert line in text.splitlines()


def test_the_schema_is_found_above() -> None:
    """The first line leads to the schema that is there, in a folder above or in one of schemas."""
    Path("schemas").mkdir()
    Path("schemas/audit-v1.schema.json").touch()
    ended = init("loans.csv", "-o", "a/b/loans.yaml")
    first = Path("a/b/loans.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../schemas/audit-v1.schema.json"
    assert "biaspipe schema" not in ended.out


def test_options_answer_beforehand() -> None:
    """Options name columns, what is favorable, who is favored, strata and the name."""
    ended = init(
        "loans.csv", "--label", "none", "--prediction", "approved=no", "--facet", "sex=m",
        "--facet", "age", "--strata", "applicant_id", "--name", "q4",
    )  # fmt: skip
    assert ended.code == 0
    audit = load(Path("audits/q4.yaml")).audit
    assert audit.columns.label is None
    assert audit.columns.prediction is not None
    assert audit.columns.prediction.positive == ("no",)
    assert audit.facets["sex"].favored == "m"
    assert audit.columns.strata == ("applicant_id",)
    assert "assumed: label" not in ended.out
    assert "CDDPL" in audit.metrics


def test_paths_hold_where_the_spec_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path inside of the folder is written relative everywhere; one outside of it is told."""
    data = Path("loans.csv").absolute()
    assert "absolute path" not in init(data).out
    text = SPEC.read_text(encoding="utf-8")
    assert "from ../loans.csv: " in text
    assert str(tmp_path) not in text
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    ended = init(data)
    assert "the spec holds an absolute path, of this computer only" in ended.out
    text = SPEC.read_text(encoding="utf-8")
    assert f"  # An absolute path, which is one of this computer only.\n  path: {data}\n" in text


def test_nothing_is_asked_without_a_terminal() -> None:
    """What is left open is an error with option and candidates, and nothing is written."""
    Path("codes.csv").write_text("sex,label\nm,1\nf,2\nm,2\nf,1\n", encoding="utf-8")
    ended = init("codes.csv")
    assert ended.code == 2
    assert "which value of 'label' is favorable?; candidates: 1 (2 rows), 2 (2 rows)" in ended.err
    assert "say it with --label label=VALUE\n" in ended.err
    assert init("codes.csv", "--yes").code == 2
    assert not Path("audits").exists()
    assert init("codes.csv", "--label", "label=2", "--name", "other").code == 0


def test_a_spec_is_not_written_over() -> None:
    """A file that is there stays as it is, unless --force is given."""
    SPEC.parent.mkdir()
    SPEC.write_text("mine", encoding="utf-8")
    ended = init("loans.csv")
    assert ended.code == 2
    assert "audits/loans.yaml is there already" in ended.err
    assert "--force" in ended.err
    assert SPEC.read_text(encoding="utf-8") == "mine"
    assert init("loans.csv", "--force").code == 0
    assert load(SPEC).audit.name == "loans"


def test_a_spec_goes_into_a_stream_alone() -> None:
    """What is written to a stream is the spec and nothing else, with paths from where one is."""
    words = ["init", "loans.csv", "-o", "/dev/stdout", "--name", "loans"]
    ended = start(*words, cwd=Path())
    assert ended.code == 0
    assert ended.out.startswith("# yaml-language-server: ")
    assert "  path: loans.csv\n" in ended.out
    assert ended.out.endswith("  DPL:\n")
    assert "label approved: 'yes' is positive" in ended.err


def test_what_may_not_be_read_is_refused() -> None:
    """A policy holds for what is looked at, as it does for a run."""
    Path("policy.yaml").write_text("version: 1\nroots: [elsewhere]\n", encoding="utf-8")
    ended = init("loans.csv", "--policy", "policy.yaml")
    assert ended.code == 2
    assert "outside of the folders that specs may read" in ended.err


def test_numbers_of_protected_attributes_stay_possible() -> None:
    """An age that no option names is listed among what may be a facet."""
    ended = init("loans.csv", "--facet", "sex")
    assert "other columns for facets or strata: age" in ended.out


def test_the_data_is_not_written_over() -> None:
    """No spelling of the data's own file is an output."""
    Path("rows.yaml").symlink_to("loans.csv")
    assert init("loans.csv", "-o", "./rows.yaml", "--force").code == 2
    assert Path("loans.csv").read_text(encoding="utf-8") == ROWS


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["spec.yaml"], 2, "is a spec by its ending; init takes data\n  hint: biaspipe check"),
        (["config.json"], 2, "is no list of rows\n  hint: biaspipe convert config.json"),
        (["missing.csv"], 3, "missing.csv: there is no such file"),
        (["empty.csv"], 3, "empty.csv: the file is empty"),
        (["header.csv"], 3, "header.csv: there are no rows"),
        (["latin1.csv"], 3, "the text is not UTF-8"),
        (["ragged.csv"], 3, "a line has more fields than the header"),
        (["loans"], 2, "the ending of 'loans' does not tell its format"),
        (["one.csv"], 2, "which column is the label?; nothing in the data looks like it"),
        ([], 2, "nothing says where the rows are"),
        (["loans.csv", "--table", "t"], 2, "DATA and --table both say where the rows are"),
        (["--table", "t"], 2, "--table needs --connection URL"),
        (["--connection", "duckdb:x"], 2, "--connection needs --table NAME"),
        (["loans.csv", "--name", "a b"], 2, "the name 'a b' is none of an audit"),
        (["loans.csv", "--name", "con"], 2, "the name of a device on Windows"),
        (["loans.csv", "-o", "a.json"], 2, "-o a.json: a spec ends in .yaml"),
    ],
)
def test_what_is_no_data_is_told(words: list[str], code: int, said: str) -> None:
    """Whatever is given instead of data ends in words and a code, and writes nothing."""
    files = {
        "config.json": b'{"version": "1.0"}',
        "empty.csv": b"",
        "header.csv": b"sex,label\n",
        "latin1.csv": "sex,label\nm\xe4nnlich,1\nf,0\n".encode("latin-1"),
        "ragged.csv": b"sex,label\nm,1\nf,0,1\n",
        "loans": ROWS.encode(),
        "one.csv": b"sex\nm\nf\n",
    }
    for name, content in files.items():
        Path(name).write_bytes(content)
    ended = init(*words)
    assert ended.code == code
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert not Path("audits").exists()


def test_text_tables_are_read_as_they_are_written() -> None:
    """Another separator and texts for missing values are found out, told, and stand in the spec."""
    rows = "sex;age;approved\nm;20;yes\nf;?;no\n?;40;no\nf;50;yes\n"
    Path("odd.csv").write_text(rows, encoding="utf-8")
    ended = init("odd.csv")
    assert "the fields are taken apart at ';'" in ended.out
    assert "taken for missing: '?' (2 of the first rows)" in ended.out
    spec = load(Path("audits/odd.yaml")).audit
    assert spec.data.csv.separator == ";"
    assert spec.data.csv.null_values == ("?",)
    assert call("check", "audits/odd.yaml", "--data").code == 0


def test_names_that_stand_twice_are_told_apart() -> None:
    """The spec names all columns of a header that has a name twice, and nobody sees polars' own."""
    rows = "sex,note,label,note,sex\nm,NA,1,x,f\nf,b,0,y,m\nm,b,0,x,m\nf,a,1,y,f\n"
    Path("twice.csv").write_text(rows, encoding="utf-8")
    ended = init("twice.csv", "--facet", "sex", "--yes")
    assert ended.code == 0
    told = (
        "the header has names twice, so the spec names all columns, these anew: 'note_2', 'sex_2'"
    )
    assert told in ended.out
    text = Path("audits/twice.yaml").read_text(encoding="utf-8")
    assert "# The header has names twice; these tell its columns apart.\n" in text
    assert "_duplicated_" not in ended.text + text
    csv = load(Path("audits/twice.yaml")).audit.data.csv
    assert csv.columns == ("sex", "note", "label", "note_2", "sex_2")
    assert csv.null_values == ("NA",)
    assert call("check", "audits/twice.yaml", "--data").code == 0
    assert call("run", "audits/twice.yaml").code == 5


def test_a_row_in_the_place_of_names_is_told() -> None:
    """Where the first line holds numbers, the way to name columns is told."""
    Path("bare.csv").write_text("39,m,no\n40,f,yes\n41,m,yes\n", encoding="utf-8")
    ended = init("bare.csv", "--yes")
    assert "the first line reads like a row and not like names" in ended.out


@pytest.mark.parametrize("ending", ["parquet", "ndjson", "arrow", "csv.gz", "csv.zst", "tsv"])
def test_every_format_is_read(ending: str) -> None:
    """Data of every format, and globs and folders of it, is proposed the same spec."""
    frame = pl.read_csv("loans.csv")
    Path("parts").mkdir()
    path = Path(f"parts/loans.{ending}")
    match ending:
        case "parquet":
            frame.write_parquet(path)
        case "ndjson":
            frame.write_ndjson(path)
        case "arrow":
            frame.write_ipc(path)
        case "tsv":
            frame.write_csv(path, separator="\t")
        case _:
            frame.write_csv(path, compression="gzip" if ending == "csv.gz" else "zstd")
    for place, name in ((path, "loans"), (Path("parts"), "parts"), (f"parts/*.{ending}", "parts")):
        assert init(place, "--force").code == 0
        spec = load(Path(f"audits/{name}.yaml")).audit
        assert [*spec.facets] == ["sex", "age"]
        assert spec.columns.label is not None
        assert spec.columns.label.positive == ("yes",)


def test_hostile_values_are_only_read() -> None:
    """Values that a terminal or a CI system would obey are spelled out, on both streams."""
    rows = "sex,approved\n\x1b[31m::error::x,yes\n##[error]y,no\n::warning::z,no\n"
    Path("hostile.csv").write_text(rows, encoding="utf-8")
    ended = init("hostile.csv")
    assert ended.code == 0
    text = ended.text + Path("audits/hostile.yaml").read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert "##[" not in text
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert call("check", "audits/hostile.yaml", "--data").code == 0


def test_no_secret_is_printed() -> None:
    """A password in a connection is refused and not repeated."""
    ended = init("--connection", "postgresql://me:hunter2@localhost/x", "--table", "t")
    assert ended.code in (2, 3)
    assert "hunter2" not in ended.text


CTRL_C = "\x03"
"""What a terminal makes a signal of, here sent by itself."""


def talk(words: list[str], answers: list[tuple[str, str]], cwd: Path) -> tuple[int, str]:
    """Start the command on a terminal and type each answer once its question is there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "biaspipe", *words],
        cwd=cwd,
        env=environment(TERM="xterm-256color", COLUMNS="100"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    sent, left, ends = "", [*answers], time.monotonic() + 60
    asked = 0
    while time.monotonic() < ends:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                sent += os.read(ours, 65_536).decode("utf-8", "replace")
            except OSError:  # its last process is gone
                break
        if left and (at := sent.find(left[0][0], asked)) >= 0 and sent.rstrip(" ").endswith("]:"):
            asked = at + 1
            typed = left.pop(0)[1]
            if typed == CTRL_C:
                time.sleep(0.5)  # a signal between the question and the wait waits for the next key
                process.send_signal(signal.SIGINT)
            else:
                os.write(ours, f"{typed}\n".encode())
    os.close(ours)
    return process.wait(timeout=10), sent


def test_a_terminal_is_asked(tmp_path: Path) -> None:
    """Numbers and names answer, a blank takes the proposal, and a wrong answer is told."""
    code, sent = talk(
        ["init", "loans.csv"],
        [
            ("which column is the label?", ""),
            ("which value of 'approved' is favorable?", "maybe"),
            ("'maybe' is none of them", "2"),
            ("which columns are facets", "1"),
            ("which group of 'sex'", "m"),
        ],
        tmp_path,
    )
    assert code == 0, sent
    audit = load(SPEC).audit
    assert audit.columns.label is not None
    assert audit.columns.label.positive == ("no",)
    assert [*audit.facets] == ["sex"]
    assert audit.facets["sex"].favored == "m"
    assert "assumed: label" not in sent


def test_a_terminal_is_not_asked_with_yes(tmp_path: Path) -> None:
    """With --yes nothing is asked at a terminal either."""
    code, sent = talk(["init", "loans.csv", "--yes"], [], tmp_path)
    assert code == 0
    assert "which column" not in sent


@pytest.mark.parametrize("typed", [CTRL_C, "\x04"])
def test_an_interrupt_at_a_question_writes_nothing(typed: str, tmp_path: Path) -> None:
    """Ctrl-C, and the end of the input, end the call at a question, and no file is there."""
    code, sent = talk(["init", "loans.csv"], [("which column is the label?", typed)], tmp_path)
    assert code == 130, sent
    assert not SPEC.exists()
