"""What a wheel holds: the whole package with its templates, and its types for its users."""

import shutil
import site
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.house.test_numbers import tracked

ROOT = Path(__file__).parent.parent.parent

USE = """\
import biaspipe

report = biaspipe.run("audit.yaml", waivers=False)
reveal_type(report.result.verdict)
biaspipe.run("audit.yaml", waivers="no")
"""
WRONG = (
    'use.py:5: error: Argument "waivers" to "run" has incompatible type "str"; '
    'expected "bool"  [arg-type]'
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_the_package(wheel: Path) -> None:
    """A wheel holds every module of the package, its templates, and the mark that it has types."""
    names = {name for name in ZipFile(wheel).namelist() if not name.startswith("biaspipe-")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "biaspipe").rglob("*.py")}
    folder = "biaspipe/renderers/page/templates"
    templates = {
        f"{folder}/{name}"
        for name in (
            *("compiled.json", "excerpt.css", "excerpt.html", "figures.html"),
            *("page.css", "page.html", "parts.html"),
        )
    }
    assert names == {*modules, *templates, "biaspipe/py.typed"}


def test_source_distribution_holds_what_it_is_built_and_tested_with(tmp_path: Path) -> None:
    """An archive of the sources holds every file of the repository but CI's own."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(built, tmp_path, filter="data")
    sources = tmp_path / built.name.removesuffix(".tar.gz")
    files = [name for name in tracked() if not name.startswith(".ci/")]
    assert [name for name in files if not (sources / name).is_file()] == []


def test_another_project_sees_the_types(wheel: Path, tmp_path: Path) -> None:
    """A project that has installed the wheel is told by mypy what is wrong with its call."""
    venv.create(tmp_path / "venv", with_pip=False)
    (packages,) = tmp_path.glob("venv/lib/python*/site-packages")
    ZipFile(wheel).extractall(packages)
    (packages / "needed.pth").write_text("\n".join(site.getsitepackages()))
    (tmp_path / "use.py").write_text(USE)
    python = f"--python-executable={tmp_path / 'venv' / 'bin' / 'python'}"
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'wheel'}"  # of the libraries that it imports
    command = [sys.executable, "-m", "mypy", "--strict", cache, python, "use.py"]
    told = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert told.stdout.splitlines() == [
        'use.py:4: note: Revealed type is "biaspipe.verdict.Verdict"',
        WRONG,
        "Found 1 error in 1 file (checked 1 source file)",
    ]
