"""Whatever a configuration holds, it is converted or refused in words."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.errors import BiaspipeError
from biaspipe.loading.document import parse
from biaspipe.migration.conversion import convert
from biaspipe.migration.data_tables import Paths
from biaspipe.migration.draft import Draft
from biaspipe.migration.yaml_text import text_of
from tests.examples import examples

CONFIGS = Path(__file__).parent / "configs"
KINDS = (
    "dense",
    "document",
    "every_key",
    "headerless",
    "joined_by_key",
    "jsonlines",
    "segments",
    "vertex",
    "vertex_batch",
    "vertex_data",
)

TEXTS = st.text(max_size=12)
SCALARS = st.one_of(TEXTS, st.integers(-99, 99), st.floats(-9, 9), st.booleans())
JUNK = st.one_of(
    SCALARS,
    st.none(),
    st.lists(SCALARS, max_size=3),
    st.dictionaries(TEXTS, SCALARS, max_size=2),
    st.sampled_from(["sex", "age", "[age]", "x.y", "[0]", "s3://b/c.csv", "loans.csv", "(1, 2]"]),
)


def places(values: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside of values."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(values, dict):
        pairs = list(values.items())
    elif isinstance(values, list):
        pairs = list(enumerate(values))
    found = [(*at, step) for step, _ in pairs]
    return found + [place for step, inner in pairs for place in places(inner, (*at, step))]


@pytest.mark.parametrize("kind", KINDS)
@examples(25, unchecked=list(HealthCheck))
@given(data=st.data())
def test_mutilated(kind: str, data: st.DataObject, tmp_path: Path) -> None:
    """A configuration with parts replaced or gone is converted or refused, and nothing breaks."""
    values = deepcopy(json.loads((CONFIGS / f"{kind}.json").read_text(encoding="utf-8")))
    for _ in range(data.draw(st.integers(1, 3))):
        *outer, last = data.draw(st.sampled_from(places(values) or [("version",)]))
        inside: Any = values
        for step in outer:
            inside = inside[step]
        if data.draw(st.booleans()) or isinstance(inside, str):
            inside.pop(last, None) if isinstance(inside, dict) else inside.pop(last)
        else:
            inside[last] = data.draw(JUNK)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    try:
        conversion = convert(path, Paths(CONFIGS, CONFIGS))
    except BiaspipeError:
        return
    for draft, text in zip(conversion.drafts, conversion.texts.values(), strict=True):
        assert parse("spec", text).values == draft.values


@given(
    st.dictionaries(TEXTS, st.one_of(SCALARS, st.lists(SCALARS, max_size=30)), max_size=5), TEXTS
)
def test_layout_loses_nothing(values: dict[str, Any], comment: str) -> None:
    """What is written as YAML is read back as it was, whatever texts it holds."""
    draft = Draft({"data": values, "metrics": {"DI": None}})
    draft.say(("metrics", "DI"), comment)
    assert parse("spec", text_of(draft)).values == draft.values
