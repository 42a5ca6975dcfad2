"""What CONTRIBUTING.md says of where to put what is so: each list is the only one."""

import re
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import biaspipe.spec
from biaspipe.engines import ENGINES
from biaspipe.metrics import FAMILIES, METRICS, Rate, rates
from biaspipe.renderers.console import STYLES
from biaspipe.renderers.formats import FORMATS
from biaspipe.renderers.schemas import schema_text
from biaspipe.sources.files import ENDINGS
from biaspipe.spec import EngineName
from biaspipe.spec.data import Format
from biaspipe.statistics import METHODS
from biaspipe.verdict import TALLIED, Verdict

ROOT = Path(__file__).parent.parent.parent
TABLE = re.compile(r"^\| (an? [^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = TABLE.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
NAMED = re.compile(r"`(\w+)` in `(biaspipe/[\w/]+)\.py`")


def test_every_addition_has_a_row() -> None:
    """The table says where these go, and knows no others."""
    assert [what for what, _, _ in ROWS] == [
        "a metric",
        "a rate",
        "a method of intervals",
        "an engine of files",
        "a format of data",
        "a renderer",
        "a key of the spec",
        "a verdict",
    ]


@pytest.mark.parametrize(("what", "file", "lists"), ROWS, ids=[row[0] for row in ROWS])
def test_files_and_lists_are_there(what: str, file: str, lists: str) -> None:
    """The files that a row names exist, and hold the lists that it names."""
    paths = re.findall(r"`(biaspipe/[\w/]+(?:\.py)?/?)`", file + lists)
    assert paths, what
    for path in paths:
        assert (ROOT / path.replace("NAME", "duckdb" if "engines" in path else "clarify")).exists()
    for name, module in NAMED.findall(lists):
        assert hasattr(import_module(module.removesuffix("/__init__").replace("/", ".")), name)


def test_metrics_stand_in_their_families() -> None:
    """The registry is made of the families' tuples, each at the end of its file."""
    for name in ("pre_training", "post_training", "vertex"):
        module = import_module(f"biaspipe.metrics.{name}")
        assert FAMILIES[name] == getattr(module, name.upper())
        for metric in FAMILIES[name]:
            assert metric.interval in METHODS
    assert {m.id for name in FAMILIES for m in FAMILIES[name]} == set(METRICS)


def test_rates_of_metrics_stand_among_the_rates() -> None:
    """A rate that a metric compares has a name in the file of rates."""
    known = {id(getattr(rates, name)): name for name in rates.__all__}
    compared = [metric.rate for metric in METRICS.values() if metric.rate]
    assert compared
    assert all(id(rate) in known and isinstance(rate, Rate) for rate in compared)


def test_engines_are_one_list() -> None:
    """Specs name the engines that there are, and each has a module."""
    assert get_args(EngineName) == tuple(ENGINES)
    assert all(find_spec(engine.module) for engine in ENGINES.values())


def test_formats_of_data_have_endings() -> None:
    """Every format of data is told by an ending but JSON, which may be anything."""
    assert {*ENDINGS.values(), "json"} == set(get_args(Format))


def test_renderers_are_one_list() -> None:
    """Each renderer stands in a file of its own, or is the report itself."""
    files = {path.stem for path in (ROOT / "biaspipe" / "renderers").glob("*.py")}
    assert {"clarify", "console", "violations"} <= files
    assert all(known.about for known in FORMATS.values())


def models() -> Mapping[str, type[BaseModel]]:
    """Return the models of the spec, by name."""
    found: dict[str, Any] = {}
    for name in biaspipe.spec.__all__:
        thing = getattr(biaspipe.spec, name)
        if isinstance(thing, type) and issubclass(thing, BaseModel):
            found[name] = thing
    return found


def test_keys_stand_in_their_models() -> None:
    """The schema that editors read knows every key of every model of the spec."""
    schema = schema_text("audit")
    keys = {
        field.alias or name
        for model in models().values()
        for name, field in model.model_fields.items()
    }
    assert len(keys) > 30
    assert {key for key in keys if f'"{key}"' not in schema} == set()


def test_verdicts_are_one_list() -> None:
    """Each verdict is counted up for a reader, has a style, and ends a process with some code."""
    assert sorted(TALLIED) == sorted(Verdict)
    assert {str(verdict) for verdict in Verdict} <= {str(role) for role in STYLES}
    assert [verdict.gravity for verdict in Verdict] == list(range(len(Verdict)))
