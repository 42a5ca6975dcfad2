"""Configurations of other tools beside the specs that they become, and wrong ones that do not.

`pytest tests/migration --regenerate` writes the specs and messages anew; read the diff.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading import load
from biaspipe.loading.document import parse
from biaspipe.migration.clarify.models import ClarifyConfig
from biaspipe.migration.conversion import Conversion, convert
from biaspipe.migration.data_tables import Paths
from biaspipe.migration.vertex.models import VertexConfig
from tests.cases import Case, cases_of, rewrite

Golden = Callable[[Path, str], None]
HERE = Path(__file__).parent
CONFIGS = sorted((HERE / "configs").glob("*.json"))
WRONG = [case for file in sorted((HERE / "wrong").glob("*.txt")) for case in cases_of(file)]
REMOTE = ("bucket", "parquet_bucket", "vertex_data")

each_config = pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
each_wrong = pytest.mark.parametrize("case", WRONG, ids=lambda case: case.name)


def converted(config: Path, monkeypatch: pytest.MonkeyPatch) -> Conversion:
    """Convert a configuration where it lies."""
    monkeypatch.chdir(config.parent)
    return convert(Path(config.name), Paths(Path(), Path()))


@each_config
def test_spec_is_the_reviewed_one(
    config: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each configuration becomes the specs and the notes that were read and found right."""
    conversion = converted(config, monkeypatch)
    notes = "".join(f"{note}\n" for note in conversion.said())
    golden(config.with_suffix(".notes"), notes)
    for name, text in conversion.texts.items():
        golden(config.parent / f"{name}.yaml", text)


@each_config
def test_text_says_what_runs_in_memory(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a spec is valid, and holds the values of the spec that is run at once."""
    conversion = converted(config, monkeypatch)
    for draft, loaded in zip(conversion.drafts, conversion.specs, strict=True):
        text = conversion.texts[draft.name]
        assert parse("spec", text).values == loaded.document.values
        (tmp_path / "audit.yaml").write_text(text, encoding="utf-8")
        assert load(tmp_path / "audit.yaml").audit == loaded.audit
        comments = [line for line in text.splitlines() if line.lstrip().startswith("#")]
        assert max(map(len, comments)) <= 100


def message_of(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Convert a wrong configuration, which lies beside the folder of the right ones."""
    shutil.copytree(HERE / "configs", folder / "configs", dirs_exist_ok=True)
    config = folder / "wrong" / f"{case.name}.json"
    config.parent.mkdir(exist_ok=True)
    config.write_bytes(case.text.encode())
    with pytest.raises(SpecError) as refusal:
        converted(config, monkeypatch)
    return str(refusal.value)


@each_wrong
def test_message(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong configuration is refused with all its faults, each at its line and column."""
    assert message_of(case, tmp_path, monkeypatch) == case.message
    for fault in case.message.split("\n\n"):
        assert re.match(rf"{case.name}.json:\d+:\d+: \S", fault)


def test_cases(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each case has a name of its own; or they are all written anew."""
    if request.config.getoption("--regenerate"):
        rewrite(WRONG, lambda case: message_of(case, tmp_path, monkeypatch))
    assert len({case.name for case in WRONG}) == len(WRONG) >= 30


def test_every_key_is_shown() -> None:
    """Among the configurations there is one for each key that is known."""
    texts = "".join(path.read_text(encoding="utf-8") for path in CONFIGS)
    texts += "".join(case.text for case in WRONG)
    keys = {*ClarifyConfig.model_fields, *VertexConfig.model_fields}
    assert {key for key in keys if f'"{key}"' not in texts} == set()


def test_nothing_is_left_behind() -> None:
    """Every spec here belongs to a configuration."""
    stems = {path.stem for path in CONFIGS}
    left = [
        p.name for p in (HERE / "configs").glob("*.yaml") if not p.stem.startswith(tuple(stems))
    ]
    assert left == []
