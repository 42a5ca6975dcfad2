"""Nothing that Spark hands back is run: types of users, accumulators, files that bring either."""

import base64
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from biaspipe.engines.spark.answers import Answers, without_code
from biaspipe.errors import DataError
from tests.servers.spark import Cluster
from tests.spark.sessions import session_on

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
]


class Malice:
    """What leaves a file where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        """Return a call."""
        return Path.touch, (self.path,)


def malice(path: Path) -> str:
    """Return a class as pyspark reads it, which is none."""
    return base64.b64encode(pickle.dumps(Malice(path))).decode()


def user_type(path: Path) -> Any:
    """Return a type of a user as Spark Connect sends it."""
    from pyspark.sql.connect.proto import DataType

    udt = DataType.UDT(
        type="udt",
        python_class="os.nothing",
        serialized_python_class=malice(path),
        sql_type=DataType(integer=DataType.Integer()),
    )
    return DataType(udt=udt)


def nested(inner: Any, depth: int) -> Any:
    """Return a type inside of arrays, maps and records."""
    from pyspark.sql.connect.proto import DataType

    for level in range(depth):
        field = DataType.StructField(name="x", data_type=inner)
        kinds = (
            DataType(array=DataType.Array(element_type=inner)),
            DataType(map=DataType.Map(key_type=inner, value_type=inner)),
            DataType(struct=DataType.Struct(fields=[field])),
        )
        inner = kinds[level % 3]
    return inner


class Call:
    """A call of gRPC that has one answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def result(self) -> Any:
        """Return the answer."""
        return self.answer


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 6])
def test_types_of_users_never_reach_pyspark(depth: int, tmp_path: Path) -> None:
    """A type that brings its class ends as an error, in a schema of either kind, however deep."""
    from pyspark.sql.connect import proto

    kind, made = nested(user_type(tmp_path / "run"), depth), tmp_path / "run"
    analysed = proto.AnalyzePlanResponse(schema=proto.AnalyzePlanResponse.Schema(schema=kind))
    with pytest.raises(DataError, match="a type that comes with code of its own"):
        Answers().intercept_unary_unary(lambda *_: Call(analysed), None, None)
    executed = proto.ExecutePlanResponse(schema=kind)
    with pytest.raises(DataError, match="a type that comes with code of its own"):
        list(Answers().intercept_unary_stream(lambda *_: iter([executed]), None, None))
    assert not made.exists()


def test_updates_of_accumulators_never_reach_pyspark(tmp_path: Path) -> None:
    """What pyspark would unpickle as an update of an accumulator is taken out of the answer."""
    from pyspark.sql.connect import proto

    update = proto.Expression.Literal(binary=pickle.dumps(Malice(tmp_path / "run")))
    metrics = proto.ExecutePlanResponse.ObservedMetrics(
        name="__python_accumulator__", values=[update], keys=["x"]
    )
    answer = proto.ExecutePlanResponse(session_id="s", observed_metrics=[metrics])
    (found,) = Answers().intercept_unary_stream(lambda *_: iter([answer]), None, None)
    assert (found.session_id, len(found.observed_metrics)) == ("s", 0)


def test_a_parquet_file_brings_no_code(cluster: Cluster, tmp_path: Path) -> None:
    """A type of a user in a file, which Spark takes from the file's own words, is refused."""
    made, path = tmp_path / "run", tmp_path / "d.parquet"
    kind = (
        '{"type":"udt","pyClass":"os.nothing","serializedClass":"'
        f'{malice(made)}","sqlType":"long"}}'
    )
    field = f'{{"name":"n","type":{kind},"nullable":true,"metadata":{{}}}}'
    schema = f'{{"type":"struct","fields":[{field}]}}'
    table = pa.table({"n": [1, 2]})
    own = {b"org.apache.spark.sql.parquet.row.metadata": schema.encode()}
    pq.write_table(table.replace_schema_metadata(own), path)
    with session_on(cluster) as session:
        frame = session.read.parquet(f"file://{path}")
        with (
            pytest.raises(DataError, match="a type that comes with code of its own"),
            without_code("d.parquet"),
        ):
            _ = frame.schema
        assert not made.exists()
        pl.DataFrame({"n": [1]}).write_parquet(tmp_path / "fine.parquet")
        with without_code("fine.parquet"):
            assert session.read.parquet(f"file://{tmp_path}/fine.parquet").columns == ["n"]
