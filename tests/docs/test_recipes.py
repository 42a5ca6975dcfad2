"""The page on recipes shows the files that the tests run in their hosts."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
RECIPES = ROOT / "examples" / "recipes"
PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^<!-- recipe: (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.M | re.S))
SET_UP = {"dbt/dbt_project.yml", "dbt/profiles.yml", "dbt/models/decisions.sql"}
"""What a project of dbt has anyway, which the page leaves out with the rows."""


@pytest.mark.parametrize("name", SHOWN)
def test_page_shows_the_recipe_as_it_is(name: str) -> None:
    """A recipe on the page is, letter by letter, the file that is tested."""
    assert SHOWN[name] == (RECIPES / name).read_text(encoding="utf-8")


def test_page_shows_every_recipe() -> None:
    """No recipe is left out of the page."""
    files = [path for path in RECIPES.rglob("*") if path.suffix not in (".csv", ".pyc")]
    names = {path.relative_to(RECIPES).as_posix() for path in files if path.is_file()}
    assert names - SET_UP == set(SHOWN)


@pytest.mark.parametrize("name", [name for name in SHOWN if name.endswith(".py")])
def test_recipe_uses_what_is_promised(name: str) -> None:
    """A recipe imports nothing of biaspipe but the package itself and the records of a report."""
    nodes = list(ast.walk(ast.parse(SHOWN[name])))
    imported = {n.module for n in nodes if isinstance(n, ast.ImportFrom)}
    imported |= {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
    ours = {module for module in imported if module and module.startswith("biaspipe")}
    assert ours <= {"biaspipe", "biaspipe.report"}


def test_every_host_is_called_in_ci() -> None:
    """Every host has a lock, a target of make and tests, and CI runs them all."""
    hosts = re.findall(r"^HOSTS := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    (names,) = [set(line.split()) for line in hosts]
    assert {path.stem for path in (ROOT / "requirements" / "recipes").glob("*.txt")} == names
    tests = (ROOT / "tests" / "recipes").glob("test_*.py")
    assert {path.stem.removeprefix("test_") for path in tests} == names
    assert "make test-recipes" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
