"""Functions on the workers of Spark, which need not have biaspipe installed."""

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

import biaspipe
from biaspipe.extras import import_extra

__all__ = ["on_worker"]


def on_worker(function: Callable[[Iterator[pl.DataFrame]], bytes]) -> Callable[[Any], Any]:
    """Return a function for `mapInArrow` that carries all of biaspipe that it needs.

    Parameters
    ----------
    function : takes batches of rows, and returns what goes back; on its way it imports no module
        of biaspipe, of which a worker may have another version, or none.
    """
    cloudpickle = import_extra("pyspark.cloudpickle", "spark")
    cloudpickle.register_pickle_by_value(biaspipe)
    try:
        pickled = cloudpickle.dumps(function)
    finally:
        cloudpickle.unregister_pickle_by_value(biaspipe)

    def run(batches: Any) -> Any:
        import pickle  # noqa: PLC0415 - all of this is imported on a worker

        import polars  # noqa: PLC0415 - as above
        import pyarrow  # noqa: PLC0415 - as above

        answer = pickle.loads(pickled)(polars.DataFrame(batch) for batch in batches)  # noqa: S301 - of our own making
        yield pyarrow.RecordBatch.from_pydict({"part": [answer]})

    return run
