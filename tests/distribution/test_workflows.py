"""The workflows of the documentation: their scripts run as they stand, in a repository of ours."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

from biaspipe import __version__
from tests.cli.calls import environment, write_audit
from tests.distribution.checkouts import program
from tests.distribution.runner import ACTION, BIN, ROOT, Job, read_action, write_program
from tests.house.test_readme import executed, sessions, write_files

WORKFLOWS = ROOT / "docs" / "workflows"
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
GITHUB = ["github-action.yml", "github-steps.yml", "github-strangers.yml"]
FAIL = {"DI": {"min": 0.9}}


def read(name: str) -> Any:
    """Return what a workflow holds."""
    return yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a repository with a spec that passes, in audits/."""
    for name in ("checkout/audits", "temp"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "checkout")
    return tmp_path / "checkout"


def write(folder: str = "audits", **parts: Any) -> None:
    """Write an audit and its data into a folder of audits."""
    path = write_audit("loan", data=f"{folder}/data.csv", **parts)
    text = path.read_text(encoding="utf-8").replace(f"{folder}/data.csv", "data.csv")
    Path(folder, path.name).write_text(text, encoding="utf-8")
    path.unlink()


def job(name: str) -> Job:
    """Run the scripts of a workflow but those that install."""
    steps = [step for step in read(name)["jobs"]["audit"]["steps"] if step.get("name") != "Install"]
    paths = {"PATH": f"{BIN}:/usr/bin:/bin"}
    context = {"github.event.pull_request.base.sha": "0" * 40}
    done = Job(Path.cwd(), Path.cwd().parent / "temp", context=context, more=paths)
    return done.run(steps)


@pytest.mark.parametrize(("metrics", "code"), [({"DI": {"min": 0.5}}, 0), (FAIL, 1)])
def test_two_commands_are_a_gate(metrics: dict[str, Any], code: int) -> None:
    """Without the action, the job ends with the code, and its reports are uploaded either way."""
    write(metrics=metrics)
    done = job("github-steps.yml")
    assert done.code == code
    assert done.steps[-1].inputs == {"name": "biaspipe", "path": "reports"}
    assert Path("reports/loan.html").is_file()


def test_action_is_given_inputs_that_it_has() -> None:
    """The workflow with the action names inputs and outputs of it, and the right to upload."""
    workflow = read("github-action.yml")
    (step,) = (s for s in workflow["jobs"]["audit"]["steps"] if s.get("id") == "bias")
    assert set(step["with"]) <= set(read_action()["inputs"])
    used = re.findall(r"steps\.bias\.outputs\.([\w-]+)", (WORKFLOWS / GITHUB[0]).read_text())
    assert set(used) <= set(read_action()["outputs"])
    assert workflow["permissions"]["security-events"] == "write"


def test_stranger_is_judged_by_the_policy_of_the_branch() -> None:
    """A pull request that brings a policy of its own is judged by the one that stood before it."""
    for folder in ("proposed/audits", "trusted"):
        Path(folder).mkdir(parents=True)
    write("proposed/audits")
    Path("proposed/policy.yaml").write_text("version: 1\n", encoding="utf-8")
    Path("trusted/policy.yaml").write_text("version: 1\nroots: [data]\n", encoding="utf-8")
    done = job("github-strangers.yml")
    assert done.code == 2
    assert "lies outside of the folders that specs may read" in done.steps[-2].out
    Path("trusted/policy.yaml").write_text("version: 1\nroots: [../proposed]\n", encoding="utf-8")
    assert job("github-strangers.yml").code == 0


def test_no_workflow_gives_strangers_rights() -> None:
    """No workflow runs on pull_request_target, puts an expression in a script or keeps a token."""
    for name in GITHUB:
        workflow = read(name)
        assert "pull_request_target" not in workflow[True]  # YAML 1.1 reads `on` so
        assert workflow["permissions"]["contents"] == "read"
        for step in workflow["jobs"]["audit"]["steps"]:
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize(("metrics", "code"), [({"DI": {"min": 0.5}}, 0), (FAIL, 1)])
def test_gitlab_gets_a_code_and_its_reports(metrics: dict[str, Any], code: int) -> None:
    """GitLab's script ends with the code, and writes the files that its reports name."""
    write(metrics=metrics)
    bias = read("gitlab-ci.yml")["bias"]
    script = "\n".join(line for line in bias["script"] if "pip install" not in line)
    paths = environment(PATH=f"{BIN}:/usr/bin:/bin", GITLAB_CI="true")
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], env=paths, check=False)  # noqa: S607 - as a runner finds it
    assert done.returncode == code
    reports = {kind: list(Path().glob(glob)) for kind, glob in bias["artifacts"]["reports"].items()}
    assert [len(found) for found in reports.values()] == [1, 1]
    assert ET.parse(reports["junit"][0]).getroot().get("failures") == str(code)  # noqa: S314 - our own
    assert bias["artifacts"]["when"] == "always"


MAIL = """\
#!/bin/sh
{ printf '%s\\n' "$@"; cat; } > mail.txt
"""


@pytest.mark.parametrize(
    ("code", "subject"),
    [
        (0, None),
        (1, "biaspipe: a check failed (exit 1)"),
        (2, "biaspipe: a spec is wrong (exit 2)"),
        (3, "biaspipe: the data could not be read (exit 3)"),
        (4, "biaspipe: a check could not be decided (exit 4)"),
        (5, "biaspipe: nothing was checked (exit 5)"),
        (137, "biaspipe: the audit was stopped (exit 137)"),
    ],
)
def test_nightly_audit_mails_what_is_not_0(
    repository: Path, code: int, subject: str | None
) -> None:
    """Cron's script ends with the code, keeps a log of the day, and mails it unless all passed."""
    shutil.copy(WORKFLOWS / "nightly.sh", repository)
    programs = repository / "bin"
    write_program(programs / "mail", MAIL)
    if code == 1:
        write(metrics=FAIL)
        (programs / "biaspipe").symlink_to(BIN / "biaspipe")
    else:
        write_program(programs / "biaspipe", f'#!/bin/sh\necho "$@"\nexit {code}\n')
    bare = {"HOME": "/nowhere", "PATH": "/usr/bin:/bin", "BIASPIPE_BIN": str(programs)}
    path = environment().get("PYTHONPATH")
    given = bare | ({"PYTHONPATH": path} if path else {})
    done = subprocess.run([repository / "nightly.sh"], cwd="/", env=given, check=False)
    assert done.returncode == code
    (log,) = repository.glob("reports/*/log.txt")
    mail = repository / "mail.txt"
    if subject is None:
        assert not mail.exists()
    else:
        lines = mail.read_text(encoding="utf-8").splitlines()
        assert lines[:3] == ["-s", subject, "owner@example.com"]
        assert lines[3:] == log.read_text(encoding="utf-8").splitlines()


def test_nightly_audit_takes_no_folder_of_another_run(repository: Path) -> None:
    """A folder that is there already is another run's, and nothing is written into it."""
    shutil.copy(WORKFLOWS / "nightly.sh", repository)
    programs = write_program(repository / "bin" / "biaspipe", "#!/bin/sh\nexit 0\n")
    write_program(programs / "date", "#!/bin/sh\necho today\n")
    bare = {"HOME": "/nowhere", "PATH": "/usr/bin:/bin", "BIASPIPE_BIN": str(programs)}
    command = [repository / "nightly.sh"]
    codes = [subprocess.run(command, cwd="/", env=bare, check=False).returncode for _ in range(2)]
    assert codes == [0, 3]
    assert [path.name for path in repository.glob("reports/*")] == ["today"]


@pytest.mark.parametrize("name", ["github-steps.yml", "github-strangers.yml", "gitlab-ci.yml"])
def test_checkout_has_no_say_in_what_is_installed(name: str) -> None:
    """Python installs without looking for modules in the checkout."""
    text = (WORKFLOWS / name).read_text(encoding="utf-8")
    assert re.findall(r"python3 (.*) install", text) == ["-I -m pip"]


SHOWN = dict(
    re.findall(r"<!-- shows: (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)


def test_page_shows_the_index_as_it_is_written() -> None:
    """What the page shows of `index.json` is what its commands leave."""
    write_files(PAGE, Path.cwd())
    for session in sessions(PAGE):
        executed(session, Path.cwd())
    digest = re.compile(r"[0-9a-f]{64}")
    shown, found = SHOWN["reports/index.json"], Path("reports/index.json").read_text("utf-8")
    assert digest.sub("", shown) == digest.sub("", found)


def test_page_shows_every_workflow_as_it_is() -> None:
    """What the page shows of a workflow is the file; the one for pre-commit too."""
    for name in (path.name for path in WORKFLOWS.iterdir()):
        assert SHOWN[f"workflows/{name}"] == (WORKFLOWS / name).read_text(encoding="utf-8")


def test_page_names_every_workflow() -> None:
    """The page links each file, and each names this version of biaspipe."""
    names = sorted(path.name for path in WORKFLOWS.iterdir())
    assert [name for name in names if f"](workflows/{name})" not in PAGE] == []
    texts = [(WORKFLOWS / name).read_text(encoding="utf-8") for name in names]
    named = {
        v for text in texts for v in re.findall(r"(?:biaspipe==|# v|rev: v)(0\.\d+\.\d+)", text)
    }
    assert named == {__version__}


def test_page_explains_every_input_and_output() -> None:
    """The page has a row for each input and output of the action."""
    named = [*read_action()["inputs"], *read_action()["outputs"]]
    assert [name for name in named if f"| `{name}` |" not in PAGE] == []


CHECKED = {
    "vendor.github-actions": [ACTION],
    "vendor.github-workflows": [WORKFLOWS / name for name in GITHUB],
    "vendor.gitlab-ci": [WORKFLOWS / "gitlab-ci.yml"],
}


@pytest.mark.distribution
@pytest.mark.parametrize("schema", CHECKED)
def test_files_have_the_shape_that_their_readers_ask_for(schema: str) -> None:
    """The action and the workflows are valid by the schemas of SchemaStore."""
    files = map(str, CHECKED[schema])
    command = [program("check-jsonschema"), "--builtin-schema", schema, *files]
    assert subprocess.run(command, check=False).returncode == 0


@pytest.mark.distribution
def test_action_and_workflows_have_no_hole_that_zizmor_knows() -> None:
    """Zizmor finds no injection, no loose version and no right too many."""
    files = [ACTION, *(WORKFLOWS / name for name in GITHUB)]
    done = subprocess.run(
        [program("zizmor"), "--offline", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.distribution
def test_scripts_have_no_fault_that_shellcheck_knows() -> None:
    """The scripts of the action and of cron are sound by shellcheck."""
    scripts = [step["run"] for step in read_action()["runs"]["steps"] if "run" in step]
    texts = [*(f"#!/bin/bash\n{s}" for s in scripts), (WORKFLOWS / "nightly.sh").read_text()]
    for number, text in enumerate(texts):
        Path(f"{number}.sh").write_text(text, encoding="utf-8")
    names = [f"{number}.sh" for number in range(len(texts))]
    done = subprocess.run(
        [program("shellcheck"), *names], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.distribution
def test_hook_is_configured_as_pre_commit_asks_for() -> None:
    """Pre-commit itself finds nothing wrong with the configuration that the page shows."""
    config = str(WORKFLOWS / "pre-commit-config.yaml")
    command = [program("pre-commit"), "validate-config", config]
    assert subprocess.run(command, check=False).returncode == 0
