"""The versions that `make test` installs are locked, and fit what `pyproject.toml` allows."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
PINNED = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)

RECIPES = ROOT / "requirements" / "recipes"
HOSTS = [f"recipes/{path.stem}" for path in sorted(RECIPES.glob("*.in"))]
EXTRAS = ["duckdb", "pandas", "postgres", "spark"]
OTHER_NAMES = {"lowest": "dev", "recipes/dbt": "duckdb"}
"""The extra that a lock is of, where that has another name; a host has none."""

each_lock = pytest.mark.parametrize("lock", ["dev", "lowest", "core", *EXTRAS, *HOSTS])


def locked(lock: str) -> dict[str, set[str]]:
    """Return the versions of each package in a lock; there is one for each range of Pythons."""
    versions: dict[str, set[str]] = {}
    for name, version in PINNED.findall(text_of(lock)):
        versions.setdefault(name, set()).add(version)
    return versions


def text_of(lock: str) -> str:
    """Return the text of a lock."""
    return (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")


def declared(extra: str) -> list[Requirement]:
    """Return what the project needs with an extra, and with the extras that this one names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    more = extras.get(OTHER_NAMES.get(extra, extra), [])
    needs = [Requirement(text) for text in project["dependencies"] + more]
    names = [name for need in needs if need.name == "biaspipe" for name in need.extras]
    needs += [Requirement(text) for name in names for text in extras[name]]
    return [need for need in needs if need.name != "biaspipe"]


def test_lowest_versions_have_every_test_but_those_that_are_locked() -> None:
    """`make lowest` leaves out what `make test` does, and tests of the locked versions' digits."""
    pytest_options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (left_out,) = (
        option.removeprefix("-m=")
        for option in pytest_options["tool"]["pytest"]["ini_options"]["addopts"]
        if option.startswith("-m=")
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (lowest,) = re.findall(r"^lowest:.*\n\t.*/pytest -m '(.*)'$", makefile, re.MULTILINE)
    assert lowest.split() == [*left_out.split(), "and", "not", "locked"]


@each_lock
def test_lock_fits_the_project(lock: str) -> None:
    """Every dependency is locked to versions in its range; if not, run make lock."""
    versions = locked(lock)
    wrong = [
        str(need)
        for need in declared(lock)
        if not (found := versions.get(canonicalize_name(need.name)))
        or not all(need.specifier.contains(version) for version in found)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("lock", "least"),
    [
        ("dev", 90),
        ("lowest", 80),
        ("core", 20),
        *((extra, 21) for extra in EXTRAS),
        ("build", 5),
        ("distribution", 20),
    ],
)
def test_lock_holds_hashes_and_no_place(lock: str, least: int) -> None:
    """Each package has a hash, and none says where it is fetched from."""
    text = text_of(lock)
    packages = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(packages) > least
    assert [p for p in packages if "--hash=sha256:" not in p] == []
    assert re.findall(r"://|--index|--find-links|@ file", text) == []


def test_every_host_is_locked() -> None:
    """What a recipe's host is asked to be is locked."""
    asked = {
        lock: {
            canonicalize_name(Requirement(line).name)
            for line in (ROOT / "requirements" / f"{lock}.in").read_text().splitlines()
            if not line.startswith("#")
        }
        for lock in HOSTS
    }
    assert len(asked) == 4
    assert {lock: names - locked(lock).keys() for lock, names in asked.items()} == {
        lock: set() for lock in HOSTS
    }


def test_lowest_versions_are_those_of_the_ranges() -> None:
    """What the project names itself is locked at the lower end of its range."""
    versions = locked("lowest")
    ends = {
        canonicalize_name(need.name): [s.version for s in need.specifier if s.operator == ">="]
        for need in declared("lowest")
    }
    below = {
        name: (end, versions[name])
        for name, (end,) in ends.items()
        if not any(SpecifierSet(f"~={end}.0").contains(version) for version in versions[name])
    }
    assert sorted(below) == ["jsonschema", "pyyaml"]  # which what they stand beside needs newer


@pytest.mark.parametrize("lock", ["core", *EXTRAS, "build", "distribution"])
def test_locks_agree(lock: str) -> None:
    """What the action, the image and Spark get has the versions that the tests have."""
    dev, other = locked("dev"), locked(lock)
    assert {name: other[name] for name in other if name in dev} == {
        name: dev[name] for name in dev if name in other
    }
