"""Code that is kept of templates: used where it is theirs, and passed over where it is not."""

import json
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from biaspipe.renderers.page import compilation
from biaspipe.renderers.page.compilation import KEPT, KeptTemplates, compiled_templates
from biaspipe.renderers.page.templating import environment

ONE = "{% macro one() %}1{% endmacro %}"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Keep the code of a template whose macro says 2, under the digest of one that says 1."""
    made = Environment(loader=DictLoader({"a.html": ONE}), autoescape=True)
    file = tmp_path / "compiled.json"
    file.write_text(compiled_templates(made).replace("'1'", "'2'"))
    return file


def said(file: Path, text: str) -> str:
    """Return what a macro says where a file is kept."""
    loader = DictLoader({"a.html": text})
    made = Environment(loader=loader, autoescape=True, bytecode_cache=KeptTemplates(file))
    return str(made.get_template("a.html").module.one())  # type: ignore[attr-defined] # made by Jinja2


def test_kept_code_is_used(kept: Path) -> None:
    """A template is not compiled where its code is kept."""
    assert said(kept, ONE) == "2"


def test_changed_template_is_compiled(kept: Path) -> None:
    """Code of an earlier text of a template is passed over, and the file left as it is."""
    before = kept.read_bytes()
    assert said(kept, ONE + " ") == "1"
    assert kept.read_bytes() == before


def test_other_version_of_jinja_compiles(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that another version of Jinja2 made is passed over."""
    monkeypatch.setattr(compilation, "version", lambda _: "4.0.0")
    assert said(kept, ONE) == "1"


def test_all_templates_are_kept() -> None:
    """The file that is shipped has the version of Jinja2 and the code of every template."""
    assert len(json.loads(KEPT.read_bytes())) == 1 + len(environment().list_templates(["html"]))
