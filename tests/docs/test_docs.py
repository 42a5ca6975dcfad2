"""The documentation is fresh, complete, and says what the code does."""

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import biaspipe.report
from biaspipe.counts import Favorable, Group, Table
from biaspipe.loading import load
from biaspipe.loading.document import parse
from biaspipe.metrics import METRICS, Metric
from biaspipe.pipeline import run
from biaspipe.renderers.reference.metric_pages import file_name, index, page, pages
from biaspipe.spec import (
    Audit,
    Baseline,
    Check,
    Columns,
    Csv,
    Data,
    Decision,
    Excluded,
    Facet,
    Join,
    Limits,
    Subgroups,
    Waiver,
    Weight,
)
from biaspipe.spec import Outcome as OutcomeColumn

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
WRITTEN = [
    *sorted(DOCS.rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
]
MAKE = DOCS / "make_pages.py"
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=list(METRICS))


def text_of(name: str) -> str:
    """Read a page under docs/."""
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced code blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("name", "text"), pages().items(), ids=list(pages()))
def test_page_is_fresh(name: str, text: str) -> None:
    """Each page of a metric is what its record makes; if not, run python docs/make_pages.py."""
    assert (DOCS / "metrics" / name).read_text(encoding="utf-8") == text


def test_figure_is_fresh() -> None:
    """The figure of verdicts is what its script makes; if not, run python docs/make_figure.py."""
    script = runpy.run_path(str(DOCS / "make_figure.py"))
    assert text_of("verdicts.svg") == script["figure"]()


def test_no_page_is_surplus() -> None:
    """Every file under docs/metrics/ is the page of a metric, or the index."""
    assert {path.name for path in (DOCS / "metrics").iterdir()} == set(pages())


def test_check_passes() -> None:
    """The script finds nothing wrong with the pages as they are."""
    command = [sys.executable, str(MAKE), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_script_names_missing_stale_and_surplus_pages(tmp_path: Path) -> None:
    """A missing, a stale and a surplus page are each named."""
    script = runpy.run_path(str(MAKE))
    script["write"](tmp_path)
    (tmp_path / "CI.md").unlink()
    (tmp_path / "DI.md").write_text("old")
    (tmp_path / "XY.md").write_text("new")
    faults = list(script["faults"](tmp_path))
    assert faults == ["CI.md is missing", "DI.md is stale", "XY.md is surplus"]


def test_script_removes_surplus_pages(tmp_path: Path) -> None:
    """Writing leaves the pages and nothing else."""
    script = runpy.run_path(str(MAKE))
    (tmp_path / "XY.md").write_text("new")
    script["write"](tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(pages())


def said(metric: Metric) -> Iterator[str]:
    """Every word of a record that its page has to hold."""
    yield from (metric.id, metric.name, metric.formula, metric.undefined, metric.source)
    yield from (metric.note or "", *metric.aliases, *metric.needs.words)
    for name, parameter in metric.parameters.items():
        yield from (f"`{name}`", parameter.meaning, *parameter.choices)


@every_metric
def test_page_says_all_of_the_record(metric: Metric) -> None:
    """A page leaves nothing of its record out."""
    assert [words for words in said(metric) if words not in page(metric)] == []


@every_metric
def test_index_links_the_page(metric: Metric) -> None:
    """The index links every metric once."""
    assert index().count(f"]({file_name(metric)})") == 1


def test_page_reads_as_intended() -> None:
    """The page of DI says whom each side of parity is against."""
    assert (
        "- **Below 1**, such as 0.8: the share who are predicted favorable is 0.8 times as large "
        "among disfavored people as among favored people, to the disadvantage of disfavored people"
    ) in page(METRICS["DI"])


SKELETON: dict[str, Any] = {
    "version": 1,
    "name": "skeleton",
    "data": {"path": "data.csv"},
    "columns": {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "prediction", "positive": 1},
        "strata": ["stratum"],
        "features": ["feature"],
    },
    "facets": {"sex": {"column": "sex"}},
}


def completed(fragment: dict[str, Any]) -> dict[str, Any]:
    """Return a whole spec that holds a fragment of one."""
    spec = {**SKELETON, **fragment}
    for key in ("columns", "facets"):
        spec[key] = {**SKELETON[key], **fragment.get(key, {})}
    return spec


def refuse_faults(block: str, folder: Path) -> None:
    """Load a fragment of a spec, to raise what is wrong with it."""
    file = folder / "spec.yaml"
    file.write_text(json.dumps(completed(parse("block", block).values)), encoding="utf-8")
    load(file)


@every_metric
def test_snippet_is_valid(metric: Metric, tmp_path: Path) -> None:
    """The limit that a page shows is one that a spec may hold."""
    (block,) = blocks(page(metric), "yaml")
    refuse_faults(block, tmp_path)


@pytest.mark.parametrize("number", range(len(blocks(text_of("spec.md"), "yaml"))))
def test_spec_example_is_valid(number: int, tmp_path: Path) -> None:
    """Every example in the reference of the spec is one that a spec may hold."""
    refuse_faults(blocks(text_of("spec.md"), "yaml")[number], tmp_path)


@pytest.mark.parametrize(
    "model",
    [
        *(Audit, Baseline, Check, Columns, Csv, Data, Decision, Excluded, Facet, Join, Limits),
        *(OutcomeColumn, Subgroups, Waiver, Weight),
    ],
    ids=lambda model: model.__name__,
)
def test_spec_reference_is_complete(model: type[BaseModel]) -> None:
    """The reference of the spec names every key."""
    text = text_of("spec.md")
    assert [key for key in model.model_fields if not re.search(rf"`\{{?{key}\b", text)] == []


RECORDS = [
    record
    for record in map(vars(biaspipe.report).get, biaspipe.report.__all__)
    if isinstance(record, type) and issubclass(record, BaseModel)
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_report_reference_is_complete(record: type[BaseModel]) -> None:
    """The reference of the report names every field."""
    names = [field.alias or name for name, field in record.model_fields.items()]
    assert [name for name in names if f"`{name}`" not in text_of("report.md")] == []


def test_digest_recipe_works(tmp_path: Path) -> None:
    """The five lines of Python in the reference recompute the digest of a report."""
    report = run(load(ROOT / "audits" / "college-applications.yaml"))
    (tmp_path / "report.json").write_text(report.to_json(), encoding="utf-8")
    (recipe,) = blocks(text_of("report.md"), "python")
    command = [sys.executable, "-c", recipe]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def rows(text: str) -> Iterator[list[str]]:
    """Return the cells of every row of a page's tables."""
    for line in text.splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


@every_metric
def test_signs_page_names_the_disadvantaged_side(metric: Metric) -> None:
    """The signs page has a row for every metric, and it agrees with the record."""
    link = f"[{metric.id}](metrics/{file_name(metric)})"
    (row,) = (row for row in rows(text_of("signs.md")) if row[0] == link)
    assert row[-1] == {"favored": "a", "disfavored": "d", None: "neither"}[metric.harms]


def group(name: str, *, tp: int, fn: int, fp: int, tn: int) -> Group:
    """Return a group by its confusion matrix."""
    cells: dict[tuple[Favorable, Favorable], int] = {
        (True, True): tp,
        (True, False): fn,
        (False, True): fp,
        (False, False): tn,
    }
    return Group(cells, {"positive": tp + fn, "negative": fp + tn}, name=name)


PEOPLE = {
    "men": group("a", tp=2718, fn=3678, fp=84, tn=13900),
    "women": group("d", tp=433, fn=679, fp=10, tn=8660),
    "California": group("a", tp=50, fn=10, fp=20, tn=120),
    "Florida": group("d", tp=20, fn=0, fp=30, tn=50),
}
SIDES = {"### UCI Adult": ("men", "women"), "### College applications": ("California", "Florida")}


def worked_values(title: str) -> list[list[str]]:
    """Return the rows of a worked example on the signs page that hold a value."""
    section = text_of("signs.md").split(title)[1].split("\n#")[0]
    return [row for row in rows(section) if row[0] in METRICS]


@pytest.mark.parametrize("title", SIDES)
def test_worked_values_are_right(title: str) -> None:
    """The values on the signs page are those of the counts above them, to ten decimals."""
    a, d = SIDES[title]
    table = Table(PEOPLE[a], PEOPLE[d])
    printed = [(row[0], row[1]) for row in worked_values(title)]
    assert printed == [(name, f"{METRICS[name](table).number:.10f}") for name, _ in printed]


@pytest.mark.parametrize("title", SIDES)
def test_worked_sides_are_right(title: str) -> None:
    """The signs page says the same as a report on whom each value is against."""
    for name, value, against, *_ in worked_values(title):
        sentence = METRICS[name].says(float(value), *SIDES[title])
        expected = METRICS[name].harm.format(harmed=against)
        assert sentence.endswith(expected) or against == "neither", name


def test_worked_examples_are_there() -> None:
    """Both worked examples hold the metrics whose signs are confused."""
    named = {row[0] for title in SIDES for row in worked_values(title)}
    assert {"SD", "vertex.specificity_difference", "TE", "DI", "DRR", "DCR", "CI"} <= named


def prose(path: Path) -> str:
    """Return a page without its code blocks."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.*)$", prose(path), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken(path: Path) -> Iterator[str]:
    """Return the links of a page that lead nowhere within the project."""
    for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_resolve(path: Path) -> None:
    """Every link to a file or a heading of the project leads there."""
    assert list(broken(path)) == []
