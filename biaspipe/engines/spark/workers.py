"""Functions on the workers of Spark, which need not have biaspipe installed."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import biaspipe
from biaspipe.sources.extras import import_extra

__all__ = ["on_worker"]

Modules = dict[str, tuple[str, bool]]
"""The text of every module by its name, and whether it is a package."""


def on_worker(function: Callable[[Iterator[pl.DataFrame]], bytes]) -> Callable[[Any], Any]:
    """Return what Spark runs on each partition: a function, and the modules that it is made of.

    Parameters
    ----------
    function : takes batches of rows, and returns what goes back.
    """
    pickled = import_extra("pyspark.cloudpickle", "spark").dumps(function)
    provide = provider(_modules(), biaspipe.__version__)

    def run(batches: Any) -> Any:
        import pickle  # noqa: PLC0415 - all of this is imported on a worker

        import polars  # noqa: PLC0415 - as above
        import pyarrow  # noqa: PLC0415 - as above

        provide()
        answer = pickle.loads(pickled)(polars.DataFrame(batch) for batch in batches)  # noqa: S301 - of our own making
        yield pyarrow.RecordBatch.from_pydict({"part": [answer]})

    return run


def provider(modules: Modules, version: str) -> Callable[[], None]:
    """Return what makes modules importable on a worker that has none of this version.

    Parameters
    ----------
    modules : of this package.
    version : its version.
    """

    def provide() -> None:
        import importlib.abc  # noqa: PLC0415 - all of this is imported on a worker
        import importlib.util  # noqa: PLC0415 - as above
        import sys  # noqa: PLC0415 - as above

        class Sent(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
            """Finds the modules that came along."""

            def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def] # it is sent without its imports
                return importlib.util.spec_from_loader(name, self) if name in modules else None

            def get_source(self, fullname: str) -> str:
                return modules[fullname][0]

            def is_package(self, fullname: str) -> bool:
                return modules[fullname][1]

        try:
            import biaspipe as there  # noqa: PLC0415 - as above
        except ImportError:
            there = None  # type: ignore[assignment] # it is sent along
        if getattr(there, "__version__", None) != version:
            for name in [n for n in sys.modules if n.split(".")[0] == "biaspipe"]:
                del sys.modules[name]
            sys.meta_path.insert(0, Sent())

    return provide


@cache
def _modules() -> Modules:
    """Return the modules of this package."""
    root = Path(biaspipe.__file__).parent
    found: Modules = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = path.read_text(encoding="utf-8"), is_package
    return found
