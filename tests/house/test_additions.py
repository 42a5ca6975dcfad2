"""What CONTRIBUTING.md says of where to put what is so: a toy of each kind needs no other file."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from biaspipe.metrics import FAMILIES, METRICS, rates
from biaspipe.renderers.console.drawing import STYLES
from biaspipe.renderers.signs import SIGNS
from biaspipe.report import DecisionRecord
from biaspipe.sources.files import ENDINGS
from biaspipe.spec import Decision, Format
from biaspipe.verdict import TALLIED, Verdict
from tests.cli.calls import Ended, call, environment, write_audit

ROOT = Path(__file__).parent.parent.parent
TABLE = re.compile(r"^\| (an? [^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = {
    what: re.findall(r"`(biaspipe/[\w/]+(?:\.py)?/?)`", file + lists)
    for what, file, lists in TABLE.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
}
ELSEWHERE = {
    "a metric": "tests/metrics/test_new_metric.py",
    "a renderer": "tests/renderers/test_formats.py",
}
"""Toys of these kinds are added in the tests of their rooms."""


class Insertion(NamedTuple):
    """Lines that are added to a file of the package, before the first line that begins so.

    Without such a line they are added at its end.
    """

    path: str
    lines: str
    before: str | None = None


RATE = (
    Insertion("biaspipe/metrics/rates.py", '    "false_alarm_rate",\n', '    "label_rate"'),
    Insertion(
        "biaspipe/metrics/rates.py",
        'false_alarm_rate = Rate(lambda g: g.FP, lambda g: g.negatives, "n_{}(0)")\n',
    ),
)
METHOD = (
    Insertion("biaspipe/statistics/closed_form.py", '    "certain",\n', '    "compare_odds"'),
    Insertion(
        "biaspipe/statistics/closed_form.py",
        "def certain(*_: object, **__: object) -> IntervalEstimate:\n"
        "    return IntervalEstimate(0.0, 0.5, 1.0)\n",
    ),
    Insertion(
        "biaspipe/statistics/methods.py",
        '        Method("certain", "A toy", "All.", "Nobody", closed_form.certain),\n',
        "        Method(",
    ),
)
ENGINE = (
    Insertion(
        "biaspipe/engines/toy/backend.py",
        "from biaspipe.engines.polars import PolarsBackend\n"
        "class ToyBackend(PolarsBackend):\n"
        '    version = "toy 1.0"\n'
        "def backend_of(inputs, audit, policy): return ToyBackend(inputs)\n",
    ),
    Insertion(
        "biaspipe/engines/__init__.py",
        '    "toy": FileEngine("biaspipe.engines.toy.backend"),\n',
        '    "spark"',
    ),
    Insertion("biaspipe/spec/engine.py", 'EngineName = Literal["polars", "toy"]\n', "class Spark"),
)
FORMAT = (
    Insertion(
        "biaspipe/sources/scan.py",
        '        case "toy": return pl.read_json(real[0]).lazy()\n',
        '        case "csv"',
    ),
    Insertion("biaspipe/sources/files.py", '    ".toy": "toy",\n', '    ".csv"'),
    Insertion("biaspipe/spec/data.py", 'Format = Literal["csv", "toy"]\n', "STEP"),
)
KEY = (
    Insertion(
        "biaspipe/spec/audit.py",
        '    team: str | None = Field(None, description="A toy key.")\n',
        "    tags:",
    ),
)
DECISION = (
    Insertion(
        "biaspipe/spec/decision.py",
        '    doubt: float | None = Field(None, description="A toy key.")\n',
        "    undecided:",
    ),
    Insertion("biaspipe/report/documents.py", "    doubt: float | None = None\n", "    undecided:"),
)
VERDICT = (
    Insertion("biaspipe/verdict.py", '    HELD = "held", "held back"\n', "    PASS ="),
    Insertion("biaspipe/verdict.py", "    Verdict.HELD,\n", "    Verdict.PASS,"),
    Insertion(
        "biaspipe/renderers/console/drawing.py", '    Verdict.HELD: "bold",\n', "    Verdict.PASS"
    ),
    Insertion(
        "biaspipe/renderers/evidence_page/wording.py",
        '    Verdict.HELD: VerdictWords("held", "are held back", "Held back"),\n',
        "    Verdict.PASS",
    ),
    Insertion("biaspipe/renderers/signs.py", '    Verdict.HELD: "=",\n', "    Verdict.PASS"),
)
TOYS = {
    "a rate": RATE,
    "a method of intervals": METHOD,
    "an engine of files": ENGINE,
    "a format of data": FORMAT,
    "a key of the spec": KEY,
    "a key of `decision`": DECISION,
    "a verdict": VERDICT,
}
"""By what is added, all that is changed in the package."""


def test_every_addition_has_a_row_and_a_toy() -> None:
    """The table knows the kinds of which a toy is added, and no others."""
    assert sorted(ROWS) == sorted([*TOYS, *ELSEWHERE])
    assert all((ROOT / path).is_file() for path in ELSEWHERE.values())


@pytest.mark.parametrize("what", TOYS)
def test_a_toy_touches_what_its_row_names(what: str) -> None:
    """The files of a toy are those of its row, and the row names no others."""
    touched = {insertion.path for insertion in TOYS[what]}
    named = {path.replace("NAME", "toy") for path in ROWS[what]}
    assert {next((p for p in named if path.startswith(p)), path) for path in touched} == named


@pytest.mark.parametrize("what", ELSEWHERE)
def test_files_of_other_rows_are_there(what: str) -> None:
    """The files that a row names exist, one of each kind for a new one."""
    assert ROWS[what]
    assert all((ROOT / path.replace("NAME", "markdown")).exists() for path in ROWS[what])


Add = Callable[[str], None]


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Add:
    """Go to a folder with a copy of the package, and return what adds a toy to that."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "biaspipe", "biaspipe")

    def write(what: str) -> None:
        for path, lines, before in TOYS[what]:
            file = Path(path)
            file.parent.mkdir(exist_ok=True)
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            at = text.index(f"\n{before}") + 1 if before else len(text)
            file.write_text(text[:at] + lines + text[at:], encoding="utf-8")

    return write


def python(code: str) -> Ended:
    """Run code with the copy of the package, which is in the current folder."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(PYTHONPATH=str(Path.cwd())),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def command(*words: str, first: str = "") -> Ended:
    """Call the command line of the copy, and some code before it."""
    code = f"import sys\n{first}\nsys.argv[1:] = {words}\nfrom biaspipe.cli import main\nmain()"
    return python(code)


def stored(name: str) -> dict[str, Any]:
    """Read a report of the current folder."""
    report: dict[str, Any] = json.loads(Path(name).read_text(encoding="utf-8"))
    return report


def test_new_rate_is_computed(add: Add) -> None:
    """A rate of the list is offered, and is a share of a group."""
    add("a rate")
    ended = python(
        "from biaspipe.metrics.rates import *\n"
        "from biaspipe.counts import Group\n"
        "print(false_alarm_rate(Group({(False, True): 1, (False, False): 3})))"
    )
    assert (ended.out, ended.err) == ("1/4\n", "")


def test_new_method_makes_intervals(add: Add) -> None:
    """A method in the list computes the intervals of the metrics that name it, and is explained."""
    add("a method of intervals")
    write_audit()
    named = (
        "from biaspipe.metrics import METRICS\n"
        'METRICS["DI"] = METRICS["DI"]._replace(interval="certain")\n'
    )
    assert command("run", "audit.yaml", "-o", "report.json", first=named).code == 0
    (check,) = stored("report.json")["result"]["checks"]
    interval = check["interval"]
    assert (interval["method"], interval["low"], interval["high"]) == ("certain", 0.0, 1.0)
    assert "A toy" in command("explain", "certain").out


def test_new_engine_counts(add: Add) -> None:
    """An engine in the list counts an audit that names it, and is offered by the command line."""
    add("an engine of files")
    write_audit(engine="toy")
    ended = command("run", "audit.yaml", "-o", "report.json")
    assert (ended.code, ended.err) == (0, "wrote report.json\n")
    assert stored("report.json")["run"]["engine"] == "toy 1.0"
    assert "toy" in command("run", "--help").out


def test_new_format_is_read(add: Add) -> None:
    """A format is told by its ending and read; an engine that does not read it refuses it."""
    add("a format of data")
    rows = json.dumps([{"sex": s, "label": 1, "prediction": 1} for s in "mmff"])
    write_audit(rows=rows, data="data.toy")
    assert command("run", "audit.yaml").code == 0
    ended = command("run", "audit.yaml", "--engine", "duckdb")
    assert "data.toy: DuckDB does not read toy files" in ended.err


def test_new_key_is_known(add: Add) -> None:
    """A field of a model is taken by the spec, hinted at, and described to editors."""
    add("a key of the spec")
    write_audit(team="us")
    assert command("run", "audit.yaml").code == 0
    write_audit(teem="us")
    assert "team" in command("check", "audit.yaml").err
    assert "A toy key." in command("schema", "audit").out


def test_new_key_of_the_decision_is_reported(add: Add) -> None:
    """A key of `decision` stands in the report, and reports without it stay sound."""
    add("a key of `decision`")
    write_audit()
    assert call("run", "audit.yaml", "-o", "older.json").code == 0
    assert command("verify", "older.json").code == 0
    write_audit(decision={"doubt": 0.5, "min_rows": 0})
    assert command("run", "audit.yaml", "-o", "newer.json").code == 0
    assert stored("newer.json")["result"]["decision"]["doubt"] == 0.5
    assert command("verify", "newer.json").code == 0


def test_decision_is_reported_whole() -> None:
    """Every key of `decision` is one of the report's record."""
    assert Decision.model_fields.keys() <= DecisionRecord.model_fields.keys()


def test_new_verdict_is_told(add: Add) -> None:
    """A verdict is counted up, shown and stored, and the report holds against itself."""
    add("a verdict")
    write_audit()
    held = (
        "import biaspipe.pipeline.check_records as checks\n"
        "from biaspipe.verdict import Verdict\n"
        "checks.judge = lambda *_, **__: (Verdict.HELD, None)\n"
    )
    ended = command("run", "audit.yaml", "-o", "report.json", "-o", "report.html", first=held)
    assert (ended.code, ended.err) == (0, "wrote report.json, report.html\n")
    assert "1 held back" in ended.out
    assert "Held back" in Path("report.html").read_text(encoding="utf-8")
    assert command("verify", "report.json", first=held).code == 0
    assert '"held"' in command("schema", "report").out


def test_metrics_stand_in_their_families() -> None:
    """The registry is made of the families' tuples, each at the end of its file."""
    for name in ("pre_training", "post_training", "vertex"):
        assert FAMILIES[name] == getattr(import_module(f"biaspipe.metrics.{name}"), name.upper())
    assert {m.id for name in FAMILIES for m in FAMILIES[name]} == set(METRICS)


def test_rates_of_metrics_stand_among_the_rates() -> None:
    """A rate that a metric compares has a name in the file of rates."""
    known = {id(getattr(rates, name)) for name in rates.__all__}
    compared = [metric.rate for metric in METRICS.values() if metric.rate]
    assert compared
    assert all(id(rate) in known for rate in compared)


def test_formats_of_data_have_endings() -> None:
    """Every format of data is told by an ending but JSON, which may be anything."""
    assert {*ENDINGS.values(), "json"} == set(get_args(Format))


def test_verdicts_are_one_list() -> None:
    """Each verdict is counted up for a reader, and has a style and a sign."""
    assert sorted(TALLIED) == sorted(Verdict)
    assert {str(verdict) for verdict in Verdict} <= {str(role) for role in STYLES}
    assert {str(verdict) for verdict in Verdict} <= {str(role) for role in SIGNS}
