"""The action against who writes its inputs, its checkout or the folder of its reports."""

from pathlib import Path

import pytest

from tests.distribution.test_action import FAIL, PASS, RUNS, run, told, workspace, written

__all__ = ["workspace"]

INJECTED = "r\nexit-code=0\nverdict=pass\nfoo<<sarif=false"
FORGED = """\
import os, pathlib, sys
given = [word.partition("=")[2] for word in sys.orig_argv if word.startswith("--output-dir=")]
if given:
    index = '{"verdict": "pass", "exit_code": 0, "audits": [{"name": "loan"}]}'
    os.makedirs(given[0], exist_ok=True)
    pathlib.Path(given[0], "index.json").write_text(index)
    os._exit(0)
"""


@pytest.mark.parametrize("name", ["report-dir", "fail-on", "sarif"])
@pytest.mark.parametrize("text", [INJECTED, "r\rexit-code=0"])
def test_input_of_several_lines_is_refused(name: str, text: str) -> None:
    """An input that holds an end of line ends with 2 before anything is run or uploaded."""
    job = run(specs="loan.yaml", **{name: text})
    assert (told(job)["verdict"], told(job)["exit-code"], job.code) == ("error", "2", 2)
    assert [step.name for step in job.steps] == ["Audit", "Verdict"]


def test_checkout_cannot_speak_for_the_audit(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the job's PYTHONPATH leads into the checkout, nothing there forges a verdict."""
    (workspace / "src").mkdir()
    (workspace / "src" / "sitecustomize.py").write_text(FORGED, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", "src")
    assert told(run(specs=written("loan", FAIL)))["verdict"] == "fail"


def test_every_script_forgets_the_paths_of_the_job() -> None:
    """Each step that starts Python forgets the job's variables, also for what Python starts."""
    scripts = [step["run"] for step in RUNS if "python" in step.get("run", "")]
    assert len(scripts) == 2
    for script in scripts:
        assert script.startswith("unset PYTHONPATH PYTHONHOME PYTHONSTARTUP")
        assert '"$BIN/biaspipe"' not in script


def test_run_without_audits_is_no_pass() -> None:
    """A selection of nothing passes nothing, whatever `fail-on` says."""
    inputs = {"args": "--select=CI", "fail-on": "never"}
    job = run(specs=written("loan", PASS), **inputs)
    assert (told(job)["verdict"], told(job)["exit-code"], job.code) == ("error", "3", 3)


@pytest.mark.parametrize("planted", ["file", "link", "index"])
def test_folder_that_is_not_new_is_refused(workspace: Path, planted: str) -> None:
    """What a checkout holds in the folder of the reports is not uploaded as if it were theirs."""
    folder = workspace / "reports"
    folder.mkdir()
    if planted == "file":
        (folder / "evil.sarif").write_text("{}", encoding="utf-8")
    elif planted == "index":
        (folder / "index.json").mkdir()
    else:
        folder.rmdir()
        folder.symlink_to(workspace.parent / "temp")
    job = run(specs="loan.yaml", **{"report-dir": "reports/", "sarif": "true"})
    assert (told(job)["exit-code"], job.code) == ("2", 2)
    assert [step.uses for step in job.steps if step.uses] == []


def test_empty_folder_is_taken(workspace: Path) -> None:
    """A folder that is there and empty is one for reports."""
    (workspace / "reports").mkdir()
    outputs = told(run(specs=written("loan", PASS), **{"report-dir": "reports"}))
    assert (outputs["verdict"], Path(outputs["report-dir"]).name) == ("pass", "reports")


def test_sarif_is_uploaded_only_on_request() -> None:
    """SARIF that options ask for is kept with the reports, and not uploaded to code scanning."""
    job = run(specs=written("loan", PASS), args="--also=sarif")
    assert (Path(told(job)["report-dir"]) / "loan.sarif").is_file()
    assert [step.uses for step in job.steps if "upload-sarif" in step.uses] == []
