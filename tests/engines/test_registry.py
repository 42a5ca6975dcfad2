"""The engines that count files: one list, from which everything else takes them."""

import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

from biaspipe.cli.options import EngineParam
from biaspipe.engines import ENGINES
from biaspipe.spec import EngineName

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def test_engines_are_those_of_the_spec_and_of_the_command_line() -> None:
    """A spec and the command line name exactly the engines that there are."""
    assert tuple(ENGINES) == get_args(EngineName) == EngineParam().choices


def test_engine_has_a_module_and_an_extra() -> None:
    """Every engine has a module, and an extra of its name brings the library that it needs."""
    extras = EXTRAS["project"]["optional-dependencies"]
    for name, engine in ENGINES.items():
        assert find_spec(engine.module)
        if engine.library:
            assert any(asked.startswith(engine.library) for asked in extras[name])
