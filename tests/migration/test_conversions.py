"""Configurations of other tools beside the specs that they become, and wrong ones that do not.

`pytest tests/migration --regenerate` writes the specs and messages anew; read the diff.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading import load
from biaspipe.loading.document import parse
from biaspipe.migration.conversion import Conversion, convert
from biaspipe.migration.schema import ANALYSIS
from biaspipe.migration.sources import Place
from biaspipe.migration.vertex import BIAS

Golden = Callable[[Path, str], None]
HERE = Path(__file__).parent
CONFIGS = sorted((HERE / "configs").glob("*.json"))
WRONG = sorted((HERE / "wrong").glob("*.json"))
REMOTE = ("bucket", "parquet_bucket", "vertex_data")

each_config = pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
each_wrong = pytest.mark.parametrize("config", WRONG, ids=lambda path: path.stem)


def converted(config: Path, monkeypatch: pytest.MonkeyPatch) -> Conversion:
    """Convert a configuration where it lies."""
    monkeypatch.chdir(config.parent)
    return convert(Path(config.name), Place(Path(), Path()))


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


@each_wrong
def test_message(config: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong configuration is refused with all its faults, each at its line and column."""
    with pytest.raises(SpecError) as refusal:
        converted(config, monkeypatch)
    text = f"{refusal.value}\n"
    golden(config.with_suffix(".txt"), text)
    for fault in text.split("\n\n"):
        assert re.match(rf"{config.name}:\d+:\d+: \S", fault)


def test_every_key_is_shown() -> None:
    """Among the configurations there is one for each key that is known."""
    texts = "".join(path.read_text(encoding="utf-8") for path in [*CONFIGS, *WRONG])
    keys = {*ANALYSIS.known, *BIAS.known}
    assert {key for key in keys if f'"{key}"' not in texts} == set()


def test_nothing_is_left_behind() -> None:
    """Every spec and message here belongs to a configuration."""
    stems = {path.stem for path in CONFIGS}
    left = [
        p.name for p in (HERE / "configs").glob("*.yaml") if not p.stem.startswith(tuple(stems))
    ]
    assert left == []
    assert {p.stem for p in (HERE / "wrong").glob("*.txt")} == {p.stem for p in WRONG}
