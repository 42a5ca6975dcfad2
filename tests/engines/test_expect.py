"""What a spec pins: the bytes of its tables, and how many rows they hold."""

import hashlib
import os
import subprocess
from pathlib import Path

import polars as pl
import pytest

import biaspipe
from biaspipe import pipeline
from biaspipe.engines.counting import Engine
from biaspipe.errors import DataError, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.verification.consistency import inconsistencies
from biaspipe.plan import Plan
from biaspipe.spec import Audit, EngineName
from tests.cli.calls import call
from tests.engines.builders import USUAL, audited, prepare, write

TEXT = "sex,label\nm,1\nm,0\nf,1\nf,0\n"
DIGEST = hashlib.sha256(TEXT.encode()).hexdigest()
OTHER = "0f" * 32

each_engine = pytest.mark.parametrize("engine", ["polars", "duckdb"])


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Write two files of a table."""
    for name in ("a.csv", "b.csv"):
        write(tmp_path / "data" / name, TEXT)
    return tmp_path


def listed(folder: Path) -> str:
    """Return the digest of a table as a shell makes it."""
    line = "sha256sum data/*.csv | LC_ALL=C sort | sha256sum"
    command = ["/bin/sh", "-c", line]
    told = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return told.stdout.decode()[:64]


@each_engine
def test_file_that_is_pinned_is_read(engine: EngineName, here: Path) -> None:
    """A table of the expected digest and number of rows is counted."""
    expect = {"sha256": DIGEST, "rows": {"min": 4, "max": 4}}
    loaded = prepare(here, data={"path": "data/a.csv", "expect": expect})
    assert run(loaded, Options(engine=engine)).result.data.rows == 4


@each_engine
@pytest.mark.parametrize("path", ["data/*.csv", "data", ["data/b.csv", "data/a.csv"]])
def test_files_are_pinned_by_what_sha256sum_prints(
    path: str | list[str], engine: EngineName, here: Path
) -> None:
    """The digest of several files is that of the lines of sha256sum, however they are named."""
    loaded = prepare(here, data={"path": path, "expect": {"sha256": listed(here)}})
    assert run(loaded, Options(engine=engine)).result.data.rows == 8
    (here / "data" / "b.csv").unlink()
    write(here / "data" / "c.csv", TEXT)
    with pytest.raises(DataError):
        run(loaded, Options(engine=engine))


@each_engine
def test_file_that_is_left_out_is_noticed(engine: EngineName, here: Path) -> None:
    """A glob that finds a file less than when the spec was written ends with both digests."""
    expected = listed(here)
    (here / "data" / "b.csv").unlink()
    loaded = prepare(here, data={"path": "data/*.csv", "expect": {"sha256": expected}})
    with pytest.raises(DataError) as caught:
        run(loaded, Options(engine=engine))
    words = f"data/a.csv: the digest is {DIGEST}, and the spec expects {expected}"
    assert caught.value.message == words


@each_engine
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"min": 5}, "4 rows were read, and the spec expects at least 5"),
        ({"max": 3}, "4 rows were read, and the spec expects at most 3"),
        ({"min": 5, "max": 9}, "4 rows were read, and the spec expects 5 to 9"),
        ({"min": 5000, "max": 5000}, "4 rows were read, and the spec expects 5,000"),
    ],
)
def test_other_number_of_rows_is_refused(
    rows: dict[str, int], words: str, engine: EngineName, here: Path
) -> None:
    """Fewer or more rows than expected are an error with both numbers, before `where` counts."""
    data = {"path": "data/a.csv", "where": "sex = 'm' OR label = 1", "expect": {"rows": rows}}
    with pytest.raises(DataError) as caught:
        run(prepare(here, data=data), Options(engine=engine))
    assert caught.value.message == f"data/a.csv: {words}"


@each_engine
@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"rows": {"min": 3}}, "people.parquet: 2 rows were read"),
        ({"sha256": OTHER}, "people.parquet: the digest is "),
    ],
)
def test_joined_table_is_pinned_too(
    expect: dict[str, object], words: str, engine: EngineName, tmp_path: Path
) -> None:
    """What a spec expects of a joined table is looked for in that table."""
    write(tmp_path / "people.parquet", pl.DataFrame({"id": [1, 2], "sex": ["m", "f"]}))
    write(tmp_path / "data.parquet", pl.DataFrame({"id": [1, 2, 2], "label": [1, 0, 1]}))
    join = [{"path": "people.parquet", "on": "id", "expect": expect}]
    loaded = prepare(tmp_path, data={"path": "data.parquet", "join": join})
    with pytest.raises(DataError, match=words):
        run(loaded, Options(engine=engine))


def test_digest_is_looked_at_before_columns(here: Path) -> None:
    """Another file than the expected one is told so, and not by the columns that it lacks."""
    write(here / "data" / "a.csv", "sex,score\nm,1\n")
    with pytest.raises(DataError, match="the digest is"):
        audited(here, None, "data/a.csv", data={"expect": {"sha256": OTHER}})


def test_rows_in_hand_are_counted_and_have_no_digest() -> None:
    """A frame may be expected to have rows, and no digest."""
    frame = pl.DataFrame({"sex": ["m", "f"], "label": [1, 0]})
    data = {"path": "later.csv", "expect": {"rows": {"min": 3}}}
    with pytest.raises(DataError, match="2 rows were read, and the spec expects at least 3"):
        biaspipe.run({**USUAL, "data": data}, data=frame)
    data["expect"] = {"sha256": OTHER}
    with pytest.raises(SpecError, match="these rows are in hand, so no digest of it is known"):
        biaspipe.run({**USUAL, "data": data}, data=frame)


def test_object_of_a_store_has_no_digest() -> None:
    """What only the engine reads is refused to be pinned by its bytes."""
    data = {"path": "s3://bucket/a.csv", "expect": {"sha256": OTHER}}
    with pytest.raises(SpecError, match="is read by the engine alone, so no digest of it is known"):
        biaspipe.run({**USUAL, "data": data})


def test_check_of_the_data_looks_too(here: Path) -> None:
    """`check --data` refuses what a run would refuse."""
    prepare(here, data={"path": "data/a.csv", "expect": {"sha256": OTHER}})
    done = call("check", "--data", here / "audit.yaml")
    assert (done.code, done.out) == (3, "")
    assert f"the spec expects {OTHER}" in done.err


def test_report_that_does_not_meet_its_spec_is_found(here: Path) -> None:
    """A report is refused by itself whose rows or digests its spec does not let pass."""
    expect = {"sha256": DIGEST, "rows": {"min": 4}}
    report = run(prepare(here, data={"path": "data/a.csv", "expect": expect}))
    spec = report.result.audit.spec
    assert list(inconsistencies(report.result, Audit.model_validate(spec))) == []
    changed = {**spec, "data": {"path": "data/a.csv", "expect": {"sha256": OTHER}}}
    found = [
        finding.where for finding in inconsistencies(report.result, Audit.model_validate(changed))
    ]
    assert found == ["result.data.inputs"]
    changed = {**spec, "data": {"path": "data/a.csv", "expect": {"rows": {"max": 3}}}}
    found = [
        finding.where for finding in inconsistencies(report.result, Audit.model_validate(changed))
    ]
    assert found == ["result.data.rows"]


def replaced(path: Path) -> None:
    """Put another file in the place of one."""
    write(path.with_suffix(".new"), path.read_bytes().replace(b"m,1", b"m,0"))
    path.with_suffix(".new").replace(path)


def overwritten(path: Path) -> None:
    """Write over a file, and have it look as old as it was."""
    old = path.stat()
    with path.open("r+b") as file:
        file.write(b"sex,label\nm,0")
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


def lengthened(path: Path) -> None:
    """Add a row to a file."""
    with path.open("ab") as file:
        file.write(b"m,1\n")


@each_engine
@pytest.mark.parametrize("change", [replaced, overwritten, lengthened])
@pytest.mark.parametrize("joined", [False, True])
def test_file_that_changes_is_refused(
    change: object, joined: bool, engine: EngineName, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is replaced, or written over behind its back, while it is counted is refused."""
    assert callable(change)
    write(here / "data" / "more.csv", "label,age\n0,30\n1,40\n")
    join = {"join": [{"path": "data/more.csv", "on": "label"}]} if joined else {}
    loaded = prepare(here, data={"path": "data/a.csv", **join})
    path = here / "data" / ("more.csv" if joined else "a.csv")
    engines = pipeline
    count = engines.count_data

    def counting(engine: Engine, plan: Plan) -> object:
        found = count(engine, plan)
        change(path)
        return found

    monkeypatch.setattr(engines, "count_data", counting)
    with pytest.raises(DataError, match=f"{path.name}: the file changed while it was read"):
        run(loaded, Options(engine=engine))
