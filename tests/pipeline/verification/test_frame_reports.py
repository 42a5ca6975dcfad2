"""Reports of frames and of specs in values, against files of the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import biaspipe
from biaspipe.renderers.ci.alerts import alerts
from biaspipe.renderers.ci.annotations import annotations_of
from tests.cli.calls import call

ROWS = pl.DataFrame(
    {
        "id": range(80),
        "sex": ["m", "f", "f", "m"] * 20,
        "score": [i % 8 / 8 for i in range(80)],
        "repaid": ["yes", "no", "no", "yes", "yes"] * 16,
    }
)
SPEC: dict[str, Any] = {
    "version": 1,
    "name": "loans",
    "columns": {
        "label": {"column": "repaid", "positive": "yes"},
        "prediction": {"column": "score", "above": 0.4},
    },
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"DI": {"min": 0.5}, "vertex": None},
    "waivers": [{"metric": "DI", "reason": "Known", "approved_by": "A", "expires": "2099-03-31"}],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the rows in files, and a spec of each file."""
    monkeypatch.chdir(tmp_path)
    ROWS.write_parquet("rows.parquet")
    ROWS.write_csv("rows.csv")
    for name in ("rows.parquet", "rows.csv"):
        spec_file(f"{name}.yaml", data={"path": name})


def spec_file(name: str, **parts: Any) -> None:
    """Write a spec as a file, not in the words in which values are kept."""
    text = "# written by hand\n" + json.dumps({**SPEC, **parts}, indent=4)
    Path(name).write_text(text, encoding="utf-8")


def verified(*words: str) -> tuple[int, str]:
    """Verify report.json, and return the exit code with what is printed."""
    ended = call("verify", "report.json", *words)
    return ended.code, ended.out + ended.err


FRAMES: dict[str, Callable[[], object]] = {
    "polars": lambda: ROWS,
    "pandas": ROWS.to_pandas,
    "in another order": ROWS.reverse,
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("file", ["rows.parquet", "rows.csv"])
def test_frame_is_verified_by_a_file_of_its_rows(frame: str, file: str) -> None:
    """The counts of a file of the same rows are those of the frame, and that is what is said."""
    biaspipe.run(SPEC, data=FRAMES[frame]()).to_json("report.json")
    code, said = verified("--spec", f"{file}.yaml", "--data")
    assert code == 0
    assert f"{file}.yaml says what the spec said that was given as values" in said
    assert "the rows counted come to the same counts, values and verdicts; the report is" in said
    assert "same bytes" not in said
    assert "VERIFIED, and the verdict is PASS" in said


def test_frame_of_a_spec_in_a_file_is_verified_by_that() -> None:
    """A spec in a file has its digest and lines, and only the rows were in hand."""
    biaspipe.run("rows.parquet.yaml", data=ROWS).to_json("report.json")
    code, said = verified("--data")
    assert code == 0
    assert "rows.parquet.yaml is the one that was run" in said
    assert "frame, whose own rows are not there to be read again" in said
    assert "CAUTION run on rows in hand, where the spec says rows.parquet" in said
    assert verified("--spec", "rows.csv.yaml")[0] == 1


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "other limits": ({"metrics": {"DI": {"min": 0.4}, "vertex": None}}, "metrics.DI.min"),
    "a condition": ({"data": {"path": "rows.parquet", "where": "id > 3"}}, "data.where"),
    "one waiver fewer": ({"waivers": []}, "waivers"),
    "fewer checks": ({"metrics": {"DI": {"min": 0.5}}}, "metrics.vertex"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_another_spec_is_not_the_same(case: str) -> None:
    """A file that asks for something else than the values did is told, place by place."""
    parts, place = OTHERS[case]
    biaspipe.run(SPEC, data=ROWS).to_json("report.json")
    spec_file("other.yaml", **{"data": {"path": "rows.parquet"}, **parts})
    code, said = verified("--spec", "other.yaml", "--data")
    assert code == 1
    assert f"result.audit.spec.{place}" in said
    assert "NOT VERIFIED" in said


def test_other_rows_are_not_the_same() -> None:
    """One row that counts otherwise is enough, and the places that differ are told."""
    biaspipe.run(SPEC, data=ROWS).to_json("report.json")
    ROWS.with_columns(score=pl.when(pl.col("id") == 7).then(0.0).otherwise("score")).write_parquet(
        "rows.parquet"
    )
    code, said = verified("--spec", "rows.parquet.yaml", "--data")
    assert code == 1
    assert "result.facets[0].comparisons[0].counts.disfavored" in said or "counts.favored" in said
    ROWS.head(79).write_parquet("rows.parquet")
    code, said = verified("--spec", "rows.parquet.yaml", "--data")
    assert code == 1
    assert "result.data.counted_as[2].sides[0].values[0].rows: 40 stands here, 39" in said


def test_joined_files_are_compared() -> None:
    """A file that was joined to a frame has its digest, which has to be the same."""
    people = pl.DataFrame({"id": range(80), "region": ["n", "s"] * 40})
    people.write_csv("people.csv")
    joined = {"join": [{"path": "people.csv", "on": "id"}]}
    facets = {"region": {"column": "region", "favored": "n"}}
    biaspipe.run({**SPEC, "data": joined, "facets": facets}, data=ROWS).to_json("report.json")
    spec_file("joined.yaml", data={"path": "rows.parquet", **joined}, facets=facets)
    assert verified("--spec", "joined.yaml", "--data")[0] == 0
    people.with_columns(more=1).write_csv("people.csv")
    code, said = verified("--spec", "joined.yaml", "--data")
    assert code == 1
    assert "result.data.inputs[1].sha256" in said


def test_selection_is_verified() -> None:
    """A selection of a spec in values is verified as one."""
    biaspipe.run(SPEC, data=ROWS, select="DI").to_json("report.json")
    assert verified("--spec", "rows.parquet.yaml", "--data")[0] == 0


def test_values_without_a_file_need_one() -> None:
    """Where no spec is named for values, none is guessed."""
    biaspipe.run(SPEC, data=ROWS).to_json("report.json")
    code, said = verified("--data")
    assert code == 2
    assert "name it with --spec FILE" in said


def test_places_of_values_are_proved() -> None:
    """The key of a check follows from the spec, so that no other one can stand there."""
    report = biaspipe.run(SPEC, data=ROWS)
    assert {check.spec_key for check in report.checks()} == {"metrics.DI", "metrics.vertex"}
    assert report.result.waivers[0].spec_key == "waivers[0]"
    text = report.to_json().replace('"metrics.vertex"', '"metrics.other"')
    Path("report.json").write_text(text, encoding="utf-8")
    code, said = verified()
    assert code == 1
    assert "spec_key" in said


def test_no_file_is_annotated_for_values() -> None:
    """An annotation names the key of a spec in values, and no file or line that is not there."""
    report = biaspipe.run({**SPEC, "metrics": {"DI": {"min": 2}}, "waivers": []}, data=ROWS)
    (annotation,) = annotations_of(alerts(report))
    assert annotation.path == ""
    assert annotation.message.endswith("; asked for by metrics.DI")


def test_page_of_a_frame_says_how_it_is_verified() -> None:
    """The page of a report of values and a frame names no file that is not there."""
    page = biaspipe.run(SPEC, data=ROWS).to_text()
    assert "(spec):" not in page
    page = biaspipe.run(SPEC, data=ROWS).to_html()
    assert "biaspipe verify report.json --spec audit.yaml --data" in page
    assert "the spec and the rows were in hand, and no file" in page
