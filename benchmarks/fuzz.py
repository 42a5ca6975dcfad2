"""Look for what breaks: random counts, frames, text tables and specs, so many seconds of each.

    python benchmarks/fuzz.py --seconds 60 --seed 1

What has to hold of a case, and what cases there are, stands in the tests, which try a few hundred;
here they go on until the time is up, with other random numbers.
Ends with 1 at the first case that breaks something, and prints the smallest one like it.
"""

import argparse
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.api import test_any_spec as specs
from tests.engines import test_any_condition as conditions
from tests.engines import test_any_frame as frames
from tests.loading import test_any_parameter as parameters
from tests.loading import test_any_policy as policies
from tests.loading import test_fuzz as documents
from tests.report import test_any_report as reports
from tests.sources import test_any_csv as tables
from tests.sources import test_any_text as texts
from tests.statistics import test_any_counts as counts

BATCH = 200
"""Cases that are drawn from one seed."""

Property = tuple[st.SearchStrategy[Any], Callable[[Any], None]]


def properties(folder: Path) -> dict[str, Property]:
    """Return what is drawn of each kind, and what has to hold of it."""
    spec = folder / "audit.yaml"
    return {
        "counts": (counts.counted(), counts.has_numbers_or_none),
        "frames": (frames.framed(), frames.is_counted_or_refused),
        "text tables, polars": (
            texts.texts(),
            lambda text: texts.is_counted_or_refused(text, "polars", folder),
        ),
        "text tables, duckdb": (
            texts.texts(),
            lambda text: texts.is_counted_or_refused(text, "duckdb", folder),
        ),
        "specs as text": (
            documents.mutations(),
            lambda text: documents.is_loaded_or_refused(spec, text),
        ),
        "reports": (reports.changed(), lambda case: reports.is_found_or_the_same(case, folder)),
        "specs as values": (specs.changed(), specs.is_run_or_refused),
        "conditions": (conditions.asked(), conditions.is_refused_or_alike),
        "parameters": (parameters.CASES, parameters.stays_a_piece),
        "policies": (
            policies.policies(),
            lambda text: policies.is_read_or_refused(folder / "policy.yaml", text),
        ),
        "csv, both engines": (
            tables.tables(),
            lambda content: tables.is_counted_alike_or_refused(content, folder),
        ),
    }


def tried(drawn: st.SearchStrategy[Any], holds: Callable[[Any], None], stop: float, at: int) -> int:
    """Try cases until the time is up; return how many there were."""
    cases = 0

    def attempt(case: Any) -> None:
        nonlocal cases
        cases += 1
        holds(case)

    rules = settings(
        max_examples=BATCH,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    while perf_counter() < stop:
        seed(at)(rules(given(drawn)(attempt)))()
        at += 1
    return cases


def main() -> None:
    """Try every kind for as long, and print how many cases there were."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30, help="of each kind")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers begin")
    parser.add_argument("--only", default="", help="kinds whose name begins like this")
    given_words = parser.parse_args()
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as folder:
        for name, (drawn, holds) in properties(Path(folder)).items():
            if name.startswith(given_words.only):
                start = perf_counter()
                cases = tried(drawn, holds, start + given_words.seconds, given_words.seed * 10**6)
                print(f"{name:20} {cases:>9,} cases {perf_counter() - start:>7.1f} s", flush=True)


if __name__ == "__main__":
    main()
