"""Pages have no fault that a browser, axe-core or the Nu HTML checker finds."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.page.drawing import draw_page
from tests.browser.programs import Seen, View, html_messages, require_programs, visit
from tests.golden.audits import NAMES, report_of
from tests.renderers.page.stories import HOSTILE, sample_story

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent

GROUPS = tuple(f"group {i}" for i in range(40))
STORIES = {
    "sample": sample_story(),
    "hostile": sample_story(HOSTILE, 6),
    "forty": sample_story(GROUPS, 28),
}
COMMANDS = {
    "index": "run audits -q --output-dir {folder}/run",
    "verify": "verify {folder}/run/{audit}.json -o {folder}/verify.html",
    "diff": "diff {folder}/run/{audit}.json {folder}/run/{audit}.json -o {folder}/diff.html",
    "waivers": "waivers audits -o {folder}/waivers.html",
}
"""What writes the pages that are about more than one audit, or not about an audit."""
LOOKED_AT = (("sample", 1280, "light"), ("hostile", 1280, "dark"), ("hostile", 320, "light"))
AUDITED = tuple(zip(NAMES, (320, 390, 768, 1280, 1440, 390, 1280), strict=True))
PAPER = 673
"""The pixels that a line has on A4 within the margins."""
PLAIN = tuple(product(("sample", "hostile", "forty"), (320, 390, 1280)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the pages of all audits whose outputs are kept, and of stories with every part."""
    require_programs()
    made: Path = tmp_path_factory.mktemp("pages")
    stories = {**STORIES, **{name: page_story(report_of(name)) for name in NAMES}}
    for name, story in stories.items():
        (made / f"{name}.html").write_text(draw_page(story), encoding="utf-8")
    for words in COMMANDS.values():
        command = [
            sys.executable,
            "-m",
            "biaspipe",
            *words.format(folder=made, audit="adult-income").split(),
        ]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    (made / "run" / "index.html").rename(made / "index.html")
    return made


@pytest.fixture(scope="module")
def seen(folder: Path) -> dict[str, Seen]:
    """Look at the pages in windows of several widths, light and dark, and on paper."""

    def page(name: str) -> str:
        return str(folder / f"{name}.html")

    views = {f"{n} {w} {s}": View(page(n), w, s, axe=True) for n, w, s in LOOKED_AT}
    for i, (name, width) in enumerate(AUDITED):
        views[f"{name} {width}"] = View(page(name), width, ("light", "dark")[i % 2], axe=True)
    views |= {f"{n} 320": View(page(n), 320, "dark", axe=True) for n in COMMANDS}
    views |= {f"{n} {w}": View(page(n), w) for n, w in (*PLAIN, *product(COMMANDS, (390, 1280)))}
    on_paper = (*STORIES, *NAMES, *COMMANDS)
    views |= {f"{n} on paper": View(page(n), PAPER, print=True) for n in on_paper}
    return dict(zip(views, visit(list(views.values())), strict=True))


def test_html_has_no_fault(folder: Path) -> None:
    """The Nu HTML checker has nothing to say."""
    assert html_messages(folder) == []


def test_axe_finds_nothing(seen: dict[str, Seen]) -> None:
    """No rule of axe-core is broken, contrasts in the light and in the dark among them."""
    assert {name: one.violations for name, one in seen.items() if one.violations} == {}


def test_nothing_is_cut_off_or_covered(seen: dict[str, Seen]) -> None:
    """No text and no mark is cut off or lies over another, in any window or on paper."""
    assert {name: one.faults for name, one in seen.items() if one.faults} == {}


def test_nothing_is_loaded_or_run(seen: dict[str, Seen]) -> None:
    """A browser asks for nothing but the page, and has nothing to complain of."""
    assert {name: one.told for name, one in seen.items() if one.told} == {}


def test_verdict_is_heard(seen: dict[str, Seen]) -> None:
    """What a screen reader is told begins with the title, and goes on with the verdict."""
    outline = seen["adult-income 320"].outline
    heard = [line for line in outline if line.startswith(("heading", "StaticText"))]
    title = heard.index("heading: Bias audit of adult-income")
    verdict = "StaticText: Does not meet its limits"
    assert any(line.startswith(verdict) for line in heard[title : title + 6])


def test_pictures_are_heard(seen: dict[str, Seen]) -> None:
    """Every picture has a name with its number in it."""
    pictures = [line for line in seen["sample 1280 light"].outline if line.startswith("image: ")]
    assert "image: M00, Female compared with White: 0.3" in pictures
    assert "image: Amer-Indian-Eskimo: 37.0%, 31.0% to 41.0%" in pictures


def test_page_can_be_printed(seen: dict[str, Seen]) -> None:
    """Every page is printed on sheets of A4."""
    assert all(one.sheets > 0 for name, one in seen.items() if name.endswith("on paper"))


FAULTS = """\
<!DOCTYPE html><title>Faults</title><h1>Faults</h1>
<svg role="img" width="900" height="9"><rect width="900" height="9"/></svg>
<p style="white-space:nowrap">{words}</p><p style="margin-top:-2rem">covers</p>
<p style="overflow:hidden;color:#aaa">pale</p>
<figure><ul><li><span class="picture"><svg width="9"></svg></span></li>
<li><span class="picture"><svg width="8"></svg></span></li></ul></figure>
<img src="picture.png"><script>console.log(1)</script>
"""


def test_faults_are_seen(tmp_path: Path) -> None:
    """A page with faults of all kinds is not taken for one without."""
    require_programs()
    page = tmp_path / "faults.html"
    page.write_text(FAULTS.format(words="too long " * 60), encoding="utf-8")
    (one,) = visit([View(str(page), 390, axe=True)])
    rules = {violation.split(":")[0] for violation in one.violations}
    assert {"html-has-lang", "svg-img-alt", "image-alt", "color-contrast"} <= rules
    assert {fault.split(":")[0] for fault in one.faults} >= {
        "cut off",
        "P hides what does not fit",
        "the page is wider than its window",
        "pictures on scales of several lengths",
    }
    assert any("covers" in fault and "lies over" in fault for fault in one.faults)
    assert any(line.endswith("picture.png") for line in one.told)
    assert html_messages(tmp_path) != []
