"""The action: its steps run as a runner would run them, and tell what the audit came to."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.cli.calls import write_audit
from tests.distribution.runner import (
    BIN,
    ROOT,
    Job,
    read_action,
    read_outputs,
    write_program,
)

RUNS = read_action()["runs"]["steps"]
SCRIPTS = [step for step in RUNS if "run" in step]
DEFAULTS = {name: str(one.get("default", "")) for name, one in read_action()["inputs"].items()}


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to the checkout of a repository, beside the folder for what is temporary."""
    for name in ("checkout", "temp"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    return tmp_path / "checkout"


def run(bin_folder: Path = BIN, /, **inputs: str) -> Job:
    """Run the steps of the action but those that install; return the job."""
    folder = Path.cwd()
    job = Job(folder, folder.parent / "temp", {**DEFAULTS, **inputs})
    job.outputs["install"] = {"bin": str(bin_folder)}
    return job.run([step for step in RUNS if step.get("id") != "install"])


def told(job: Job) -> dict[str, str]:
    """Return the outputs of the action."""
    outputs = read_action()["outputs"].items()
    return {name: job.filled(output["value"]) for name, output in outputs}


def written(name: str, metrics: dict[str, Any]) -> str:
    """Write an audit with its metrics; return its file."""
    return str(write_audit(name, metrics=metrics))


PASS, FAIL = {"DI": {"min": 0.5}}, {"DI": {"min": 0.9}}
WARN = {"DI": {"min": 0.5, "warn": {"min": 0.9}}}
ENDED = """\
#!/bin/sh
for word; do case $word in --output-dir=*) folder=${{word#*=}} ;; esac; done
mkdir -p "$folder"
cat > "$folder/index.json" <<'END'
{index}
END
exit {code}
"""


def ended(verdict: str, code: int, *audits: dict[str, Any]) -> Path:
    """Write a biaspipe that leaves the index of a run and its code; return its folder."""
    index = {"verdict": verdict, "exit_code": code, "audits": audits or [{"verdict": verdict}]}
    script = ENDED.format(index=json.dumps(index), code=code)
    return write_program(Path.cwd().parent / "bin" / "biaspipe", script)


def assert_told(job: Job, verdict: str, code: int) -> None:
    """Assert that outputs and the last step tell what the run came to."""
    outputs = told(job)
    assert (outputs["verdict"], outputs["exit-code"]) == (verdict, str(code))
    assert (job.steps[-1].name, job.steps[-1].code) == ("Verdict", code)
    assert job.steps[-1].out == f"biaspipe: verdict {verdict}, exit code {code}\n"


@pytest.mark.parametrize(
    ("verdict", "code"),
    [("warn", 0), ("error", 2), ("error", 3), ("undecided", 4), ("reported", 5)],
)
def test_outputs_and_the_last_step_tell_the_verdict(verdict: str, code: int) -> None:
    """Every code is told as it is, with the verdict beside it, and the last step ends with it."""
    assert_told(run(ended(verdict, code)), verdict, code)


@pytest.mark.parametrize(("metrics", "verdict", "code"), [(PASS, "pass", 0), (FAIL, "fail", 1)])
def test_outputs_are_those_of_the_report(metrics: dict[str, Any], verdict: str, code: int) -> None:
    """What an audit came to is told; the digest and the folder lead to its report."""
    job = run(specs=written("loan", metrics))
    assert_told(job, verdict, code)
    outputs = told(job)
    folder = Path(outputs["report-dir"])
    report = json.loads((folder / "loan.json").read_text(encoding="utf-8"))
    assert outputs["result-sha256"] == report["result_sha256"]
    (audit,) = json.loads(outputs["audits"])
    assert [audit["name"], *audit["files"]] == ["loan", "loan.json", "loan.html"]
    assert folder.parent.name == "temp"


def test_data_that_cannot_be_read_is_an_error() -> None:
    """A missing file of data ends with 3 and the verdict error."""
    job = run(specs=str(write_audit("loan", data="nowhere.csv", rows=None)))
    assert (told(job)["verdict"], told(job)["exit-code"], job.code) == ("error", "3", 3)
    assert "nowhere.csv" in json.loads(told(job)["audits"])[0]["reason"]


def test_several_specs_come_to_the_worst() -> None:
    """Of several specs the worst verdict is told, and each has its own in a list."""
    audits = [
        {"spec": name, "verdict": name, "result_sha256": "0" * 64} for name in ("pass", "fail")
    ]
    outputs = told(run(ended("fail", 1, *audits)))
    assert (outputs["verdict"], outputs["exit-code"], outputs["result-sha256"]) == ("fail", "1", "")
    assert json.loads(outputs["audits"]) == audits


def test_mildest_failure_and_further_options_are_given_on() -> None:
    """`fail-on` decides, and each line of `args` is one option, whatever blanks it holds."""
    spec = written("loan", WARN)
    job = run(specs=spec, **{"fail-on": "warn", "args": "--select=DI\n--also=csv\n"})
    assert job.code == 1
    assert Path(told(job)["report-dir"], "loan.csv").is_file()
    refused = run(specs=spec, args="--select DI")
    assert refused.code == 2
    assert "No such option" in refused.steps[0].out


HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    '"; touch pwned; "',
    "'; touch pwned; '",
    "a && touch pwned",
    "loan.yaml\nexit-code=0\n",
    "--help",
    "--version",
    "-o",
    "*",
    " ",
    "${{ github.token }}",
    "END\nexit 0",
    "\\",
    "no such file",
]


RECORD = """\
#!{python}
import json, sys
print("given", json.dumps(sys.argv[1:]))
"""


@pytest.mark.parametrize("text", HOSTILE)
def test_no_input_is_a_command(text: str, tmp_path: Path) -> None:
    """Whatever the inputs hold, the command gets it as it is, each line a word, and none is run."""
    script = RECORD.format(python=sys.executable)
    programs = write_program(tmp_path / "bin" / "biaspipe", script)
    line = text.replace("\n", " ")
    inputs = {"specs": text, "args": text, "fail-on": line, "report-dir": line, "artifact": line}
    job = run(programs, **inputs)
    assert not list(tmp_path.rglob("pwned"))
    found = re.search(r"^given (.*)$", job.steps[0].out, re.MULTILINE)
    lines = [line for line in text.split("\n") if line]
    options = [f"--output-dir={line}", f"--fail-on={line}"]
    assert found
    assert json.loads(found[1]) == ["run", *options, *lines, "--", *lines]
    assert job.code == 3  # the program wrote no index


@pytest.mark.parametrize("name", ["specs", "args", "fail-on", "report-dir"])
def test_no_input_makes_a_failing_audit_pass(name: str) -> None:
    """Lines that look like outputs of the step do not become some."""
    text = "reports\nexit-code=0\nverdict=pass"
    job = run(**{"specs": written("loan", FAIL), name: text})
    assert job.code == int(told(job)["exit-code"]) > 0
    assert told(job)["verdict"] == "error"


def test_spec_that_is_called_like_an_option_is_audited() -> None:
    """A spec with blanks, quotes and dashes in its name is a spec."""
    name = "--help 'of' \"$HOME\".yaml"
    Path(written("loan", PASS)).rename(name)
    assert told(run(specs=name))["verdict"] == "pass"


def test_run_that_writes_elsewhere_is_refused() -> None:
    """Options do not move the reports away from the folder that is uploaded and read."""
    job = run(specs=written("loan", PASS), args="--output-dir=elsewhere")
    assert (told(job)["verdict"], told(job)["exit-code"], job.code) == ("error", "2", 2)
    assert not Path("elsewhere").exists()


def test_help_in_place_of_an_audit_is_no_pass() -> None:
    """An option that ends with 0 without an audit fails."""
    assert run(specs=written("loan", PASS), args="--help").code == 3


def test_reports_are_uploaded_whatever_the_verdict() -> None:
    """The folder is uploaded where the audit fails too, unless no name is given."""
    programs = ended("fail", 1)
    job = run(programs)
    (upload,) = (step for step in job.steps if step.uses)
    assert upload.uses.startswith("actions/upload-artifact@")
    assert upload.inputs == {"name": "biaspipe", "path": told(job)["report-dir"]}
    assert [s.name for s in run(programs, artifact="").steps] == ["Audit", "Verdict"]


def test_sarif_is_uploaded_on_request() -> None:
    """With `sarif: true` every audit has a file for code scanning, and the folder is uploaded."""
    specs = "\n".join([written("good", PASS), written("bad", FAIL)])
    job = run(specs=specs, sarif="true")
    folder = Path(told(job)["report-dir"])
    assert sorted(path.name for path in folder.glob("*.sarif")) == ["bad.sarif", "good.sarif"]
    assert [step.inputs for step in job.steps if "upload-sarif" in step.uses] == [
        {"sarif_file": str(folder)}
    ]


@pytest.mark.parametrize("sarif", ["true", "false"])
def test_nothing_is_uploaded_to_code_scanning_where_there_is_nothing(sarif: str) -> None:
    """A spec that is wrong has no SARIF, which an upload would stumble over."""
    programs = BIN if sarif == "true" else ended("error", 2)
    job = run(programs, specs=written("wrong", {"DX": {}}), sarif=sarif)
    assert [step.uses for step in job.steps if "upload-sarif" in step.uses] == []


def test_installation_that_fails_is_no_pass() -> None:
    """Where nothing was installed, the audit is left out and the last step ends with 3."""
    job = Job(Path.cwd(), Path.cwd().parent / "temp", {**DEFAULTS, "extras": "no-such extra/.."})
    job.run(RUNS)
    assert [(step.name, step.code) for step in job.steps] == [("Install", 2), ("Verdict", 3)]


def test_checkout_is_not_imported_from(workspace: Path) -> None:
    """Modules of the repository that is audited are not run in place of Python's own."""
    for name in ("json", "pathlib", "venv", "pip", "sys", "click", "polars"):
        (workspace / f"{name}.py").write_text("open('pwned', 'w')", encoding="utf-8")
    job = run(specs=written("loan", PASS))
    assert (job.code, list(workspace.glob("pwned"))) == (0, [])
    (install,) = (step["run"] for step in SCRIPTS if step["name"] == "Install")
    starts = re.findall(r'"\$(?:python|found|bin/python)" (-\S+)', install)
    assert starts == ["-I", "-I", "-I"]


@pytest.mark.parametrize("step", SCRIPTS, ids=lambda step: step["name"])
def test_script_holds_no_expression(step: dict[str, Any]) -> None:
    """No script holds an expression, which would be put in before a shell reads it."""
    assert "${{" not in step["run"]
    assert step["shell"] == "bash"


def test_other_actions_are_pinned() -> None:
    """Every other action is named by its commit, with the version beside it for a reader."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert len(used) == 3
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", one)] == []


def test_what_tells_runs_always() -> None:
    """Uploads and the verdict run after a failure too."""
    assert ["always()" in step.get("if", "") for step in RUNS] == [False] * 3 + [True] * 3


@pytest.mark.parametrize(
    ("extras", "extra"), [("", set()), ("duckdb pandas", {"duckdb", "pandas"})]
)
def test_version_is_a_requirement(extras: str, extra: set[str]) -> None:
    """What is asked of the package index is one version with its extras."""
    found = Requirement(f"biaspipe[{extras.replace(' ', ',')}]==0.1.0")
    assert (found.extras, str(found.specifier)) == (extra, "==0.1.0")


def test_outputs_are_read_as_a_runner_reads_them() -> None:
    """The last value of a name counts, and a text of several lines ends with its mark."""
    assert read_outputs("a=1\na=2=3\nb<<E\n1\n2\nE\n") == {"a": "2=3", "b": "1\n2"}
    assert read_outputs("a<<b=c\nx=1\nb=c\n") == {"a": "x=1"}
    assert read_outputs("a=b<<c\nd<<e<<f\n\u2028\ne<<f\n") == {"a": "b<<c", "d": "\u2028"}
    with pytest.raises(ValueError, match="does not end"):
        read_outputs("b<<E\n1\n")
    for line in ("=1", "<<E", "b<<", "b"):
        with pytest.raises(ValueError, match="is no output"):
            read_outputs(line)


@pytest.mark.distribution
def test_action_installs_itself_with_locked_versions(workspace: Path) -> None:
    """On a runner with nothing but Python, the steps install the action itself and audit."""
    spec = written("loan", FAIL)
    inputs = {**DEFAULTS, "specs": spec}
    job = Job(workspace, workspace.parent / "temp", inputs, more={"PYTHONPATH": ""}).run(RUNS)
    assert job.steps[0].code == 0, job.steps[0].out
    assert (told(job)["verdict"], job.code) == ("fail", 1)
    assert sorted(path.name for path in workspace.iterdir()) == ["data.csv", "loan.yaml"]


@pytest.mark.parametrize(("python", "given"), [("", []), ("3.13", [{"python-version": "3.13"}])])
def test_python_is_set_up_on_request(python: str, given: list[dict[str, str]]) -> None:
    """The runner's own Python is taken unless the input names one."""
    job = Job(Path.cwd(), Path.cwd().parent / "temp", {**DEFAULTS, "python": python})
    assert [step.inputs for step in job.run(RUNS[:1]).steps] == given
