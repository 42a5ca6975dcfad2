"""What is sent to the workers of Spark runs where biaspipe is not installed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines.backend import in_utc
from biaspipe.engines.spark.workers import on_worker
from tests.fliptest.test_passes import DISTINCT, SAMPLE, searching

pytestmark = pytest.mark.spark

FEATURES = {f"feature{i}": [i / 4] for i in range(5)}
ROWS = pl.DataFrame({"key0": [0], "key1": [1], **FEATURES, "n": [2], "id": [7]})
"""One row, since the order of several in an answer is any."""
WORKER = """
import pickle, sys
import polars

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "biaspipe":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
with open("run", "rb") as file:
    run = pickle.load(file)
rows = polars.read_parquet("rows.parquet").to_arrow().to_batches()
(part,) = run(iter(rows))
with open("answer", "wb") as file:
    file.write(part.column(0)[0].as_py())
"""


@pytest.mark.parametrize("a_pass", [SAMPLE, DISTINCT, searching()], ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("rows", [ROWS, ROWS.clear()], ids=["a row", "no row"])
def test_pass_runs_without_biaspipe(a_pass: Any, rows: pl.DataFrame, tmp_path: Path) -> None:
    """A worker without biaspipe answers a pass as the driver would."""
    from pyspark import cloudpickle

    def answer(batches: Any) -> bytes:
        return bytes(a_pass.pack(a_pass.of(map(in_utc, batches))))

    (tmp_path / "run").write_bytes(cloudpickle.dumps(on_worker(answer)))
    rows.write_parquet(tmp_path / "rows.parquet")
    subprocess.run([sys.executable, "-I", "-c", WORKER], cwd=tmp_path, check=True)
    assert (tmp_path / "answer").read_bytes() == answer([rows] if rows.height else [])
