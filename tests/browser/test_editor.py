"""What an editor offers and explains in a spec whose first line names the schema."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.browser.editor import Editor
from tests.cli.calls import call

pytestmark = pytest.mark.browser

HEAD = """\
# yaml-language-server: $schema=audit-v1.schema.json
version: 1
name: hiring
data: {path: people.csv}
facets: {sex: {column: sex}}
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """Open an editor on a folder that the command has written the schema to."""
    folder: Path = tmp_path_factory.mktemp("editor")
    assert call("schema", "audit", "-o", folder / "audit-v1.schema.json").code == 0
    opened = Editor(folder)
    yield opened
    opened.close()


def test_metrics_and_families_are_offered(editor: Editor) -> None:
    """Below `metrics:` every metric and family is offered, and inserts nothing of its own."""
    found = editor.offered(HEAD + "metrics:\n  |")
    assert {"DI", "DPPL", "FT", "pre_training", "vertex.recall_difference"} <= set(found)
    assert found["DI"] == "DI:\n  "


def test_keys_are_offered_inside_of_a_metric(editor: Editor) -> None:
    """In a metric's braces and below it are its own keys."""
    for spec in ("metrics:\n  DI: {m|}\n", "metrics:\n  DI:\n    |"):
        found = editor.offered(HEAD + spec)
        assert set(found) == {"min", "max", "warn", "impact", "facets", "optional"}
    assert found["min"] == "min: ${1:0.8}"
    scaling = editor.offered(HEAD + "metrics:\n  FT: {scaling: |}\n")
    assert set(scaling) == {"standard", "range", "none"}


def test_limits_are_offered_behind_a_metric(editor: Editor) -> None:
    """Where nothing is written yet, limits to begin with are offered."""
    found = editor.offered(HEAD + "metrics:\n  DI: |")
    assert {"limits that fail", "limits that fail, and that warn"} <= set(found)
    assert found["limits that fail"] == "\n  max: ${2:1.25}\n  min: ${1:0.8}"


@pytest.mark.parametrize(
    "spec",
    [
        "metrics:\n  DI: { m| }\n",
        "metrics:\n  DI: {min: 0.8, m|}\n",
        "metrics: {DI: {m|}}\n",
        "metrics:\n  DI:\n    |",
        "metrics:\n  DI:\n    m|\n",
        "metrics:\n  DI: |",
        "metrics:\n  DPPL: |\n",
        "metrics:\n  |",
    ],
)
def test_whatever_is_inserted_is_yaml(editor: Editor, spec: str) -> None:
    """After each completion, in braces and in lines, the spec is a mapping with its metric."""
    results = editor.completed(HEAD + spec)
    assert results
    for label, text in results.items():
        metrics = yaml.safe_load(text)["metrics"]
        assert label in metrics or label == "null" or isinstance(metrics.popitem()[1], dict), text


def test_metric_is_explained_in_plain_words(editor: Editor) -> None:
    """The words on a metric are for readers without statistics, then its formula and range."""
    found = editor.explained(HEAD + "metrics:\n  DP|PL: {max_abs: 0.1}\n")
    assert "How many more of 100 people in one group than in the other" in found
    assert "`n'_a(1)/n_a - n'_d(1)/n_d`, from -1 to 1, at parity 0." in found
    assert "`biaspipe explain DPPL`" in found


def test_key_is_explained(editor: Editor) -> None:
    """The words on a key are those of the spec's documentation."""
    found = editor.explained(HEAD + "metrics:\n  FT: {k|: 3}\n")
    assert "nearest neighbours that vote. It is a whole number, at least 1; 5 if left out." in found
