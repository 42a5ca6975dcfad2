"""The image: what it is built from, and that it runs without network, rights or a place to write.

Where Docker's engine runs, it builds and runs the image. Elsewhere the same instructions are
carried out over this machine's own files, which takes root on Linux.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.distribution.checkouts import copy_checkout, program
from tests.distribution.image import build, instructions, is_possible, sent_files
from tests.distribution.runner import ROOT
from tests.house.test_numbers import tracked

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8")
STEPS = list(instructions(DOCKERFILE))
SENT = sent_files(IGNORED, tracked())

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def words_of(name: str) -> list[str]:
    """Return the words of every instruction of a name."""
    return [words for each, words in STEPS if each == name]


def test_engine_is_sent_what_is_copied_and_little_else() -> None:
    """The context holds the package, its locks and what its metadata needs; no tests, no data."""
    copied = [words.split()[:-1] for words in words_of("COPY") if "--from" not in words]
    names = {name.partition("/")[0] for name in SENT}
    assert names == {name for words in copied for name in words}
    assert {"biaspipe/py.typed", "biaspipe/renderers/page/templates/compiled.json"} <= set(SENT)
    assert sent_files(IGNORED, ["biaspipe/cli/__pycache__/run.pyc", ".env", "tests/a.py"]) == []


def test_everything_that_is_downloaded_is_checked_by_its_hash() -> None:
    """Each installation takes locked hashes, or what was just built and no network."""
    installs = re.findall(r"pip install .*?(?= &&|;|$)", " ".join(words_of("RUN")))
    installs += re.findall(r"pip --python \S+ install .*?(?= &&|;|$)", " ".join(words_of("RUN")))
    assert len(installs) == 3
    assert [one for one in installs if not re.search(r"--require-hashes|--no-index", one)] == []


def test_image_runs_as_nobody_in_particular() -> None:
    """The user is a number without rights, which a cluster can tell from root, and set last."""
    assert words_of("USER") == ["10001:10001"]
    assert [name for name, _ in STEPS][-3:] == ["USER", "ENTRYPOINT", "CMD"]
    assert json.loads(words_of("ENTRYPOINT")[0]) == ["biaspipe"]


def test_each_extra_is_locked() -> None:
    """What EXTRAS may name has a lock, which the image installs from."""
    extras = ("core", "build", "duckdb", "pandas", "postgres", "spark")
    assert [e for e in extras if f"requirements/{e}.txt" not in SENT] == []


def has_engine() -> bool:
    """Whether Docker's engine answers."""
    if not (docker := shutil.which("docker")):
        return False
    return subprocess.run([docker, "info"], check=False, capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the host, with audits and their data, that anybody may write into."""
    folder = tmp_path_factory.mktemp("image")
    for path in (folder, *folder.parents[:2]):
        path.chmod(0o755)
    return folder


def by_engine(context: Path, host: Path) -> Run:
    """Build the image by Docker's engine; return what runs it."""
    subprocess.run(["docker", "build", "--tag", "biaspipe-test", context], check=True)  # noqa: S607 - found on the path
    limits = ["--read-only", "--network", "none", "--volume", f"{host}:/work"]

    def run(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        given = [f"--env={name}={value}" for name, value in more.items()]
        command = ["docker", "run", "--rm", *limits, *given, "biaspipe-test", *words]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    return run


@pytest.fixture(scope="module")
def run(host: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Yield what runs the image."""
    context = tmp_path_factory.mktemp("context")
    if has_engine():
        place, start = host, by_engine(copy_checkout(context), host)
    elif is_possible():
        for name in SENT:
            (context / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, context / name)
        image = build(DOCKERFILE, context, host, {})
        place, start = image.folder / "host", image.run
    else:
        pytest.skip("needs Docker's engine, or root on Linux")
    for name in ("audits", "examples"):
        shutil.copytree(ROOT / name, place / name)
    place.chmod(0o777)
    yield start
    shutil.rmtree(host)


@pytest.mark.distribution
def test_image_audits_without_network_rights_or_temporary_files(run: Run) -> None:
    """All audits run as a stranger on a read-only root, and their reports verify there."""
    done = run("run", "audits", "-q", "--output-dir", "reports")
    assert done.returncode == 1, done.stdout
    done = run(
        "verify", "reports/german-credit.json", "--spec", "audits/german-credit.yaml", "--data"
    )
    assert (done.returncode, done.stdout.splitlines()[-1].split(",")[0]) == (0, "VERIFIED")


@pytest.mark.distribution
def test_image_compiles_nothing_when_it_runs(run: Run) -> None:
    """Each module that a run imports is there as bytecode, those of Python itself too."""
    done = run("run", "audits/adult-income.yaml", "-o", "income.html", PYTHONVERBOSE="1")
    said = f"{done.stdout}{done.stderr or ''}"
    assert said.count("code object from '/opt/biaspipe") > 100
    assert re.findall(r"code object from '([^']+\.py)'", said) == []


@pytest.mark.distribution
def test_image_cannot_be_written_to(run: Run) -> None:
    """A report goes into the folder that is given, and nowhere else."""
    done = run("run", "audits/berkeley-admissions.yaml", "-q", "-o", "/tmp/report.json")  # noqa: S108 - is refused
    assert done.returncode == 3
    assert "/tmp: cannot be written into: Read-only file system" in f"{done.stdout}{done.stderr}"  # noqa: S108 - as above


@pytest.mark.distribution
def test_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    """Hadolint finds nothing, and no line silences it."""
    done = subprocess.run(
        [program("hadolint"), ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "hadolint" not in DOCKERFILE
