"""The hook of pre-commit: specs are checked before they are committed, without their data."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.distribution.checkouts import copy_checkout, program
from tests.distribution.runner import ROOT

(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def git(folder: Path, *words: str) -> None:
    """Call git in a repository as somebody."""
    somebody = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    command = ["git", *somebody, *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("name", "is_spec"),
    [
        ("audits/loan.yaml", True),
        ("teams/credit/audit/loan.yml", True),
        ("data/audited/loan.yaml", False),
        ("deployment.yaml", False),
    ],
)
def test_hook_looks_at_folders_of_audits(name: str, is_spec: bool) -> None:
    """The files are those below a folder called audits or audit."""
    assert bool(re.search(HOOK["files"], name)) == is_spec


def test_hook_checks_specs_alone() -> None:
    """The command is `check`, which reads no data and loads none of the libraries that do."""
    assert HOOK["entry"] == "biaspipe check"
    assert (HOOK["language"], HOOK["types"], HOOK["require_serial"]) == ("python", ["yaml"], True)


GOOD = """\
version: 1
name: loans
data: {path: loans.csv}
columns: {prediction: {column: approved, positive: "yes"}}
facets: {sex: {column: sex, favored: male}}
metrics: {DI: {min: 0.8, max: 1.25}}
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository that names this one in the configuration of its hooks."""
    folder = tmp_path_factory.mktemp("hook")
    ours = copy_checkout(folder / "biaspipe")
    (folder / "loans").mkdir()
    config: dict[str, Any] = {
        "repos": [{"repo": str(ours), "rev": "v0", "hooks": [{"id": "biaspipe-check"}]}]
    }
    (folder / "loans" / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    for each in (ours, folder / "loans"):
        git(each, "init", "-q")
        git(each, "add", "--all")
        git(each, "commit", "-qm", "first")
    git(ours, "tag", "v0")
    return folder / "loans"


def checked(repository: Path, name: str, text: str) -> tuple[int, str]:
    """Stage one file and run the hooks; return the code and what they print."""
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    git(repository, "add", name)
    try:
        environment = {**os.environ, "PRE_COMMIT_HOME": str(repository.parent / "home")}
        environment.pop("PYTHONPATH", None)
        command = [program("pre-commit"), "run", "--verbose"]
        done = subprocess.run(
            command, cwd=repository, env=environment, capture_output=True, text=True, check=False
        )
    finally:
        git(repository, "rm", "-qf", name)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.distribution
def test_pre_commit_lets_good_specs_pass_and_names_the_place_of_a_fault(repository: Path) -> None:
    """A good spec passes without its data; of others the file, line and column are named."""
    code, said = checked(repository, "audits/loan.yaml", GOOD)
    assert (code, "audits/loan.yaml: the spec is valid" in said) == (0, True), said
    code, said = checked(repository, "audits/loan.yaml", GOOD.replace("favored", "favoured"))
    assert (code, "audits/loan.yaml:5:29: unknown key 'favoured'" in said) == (1, True), said
    code, said = checked(repository, "audits/values.yaml", "replicas: 3\n")
    assert (code, "audits/values.yaml:1:1: unknown key 'replicas'" in said) == (1, True), said
    code, said = checked(repository, "deployment.yaml", "replicas: 3\n")
    assert (code, "no files to check" in said) == (0, True), said


@pytest.mark.distribution
def test_manifest_is_valid() -> None:
    """Pre-commit itself finds nothing wrong with the list of hooks."""
    command = [program("pre-commit"), "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    assert subprocess.run(command, check=False).returncode == 0
