"""Measure how often the intervals hold the true value, on samples of known populations.

    python benchmarks/coverage
    python benchmarks/coverage --quick
    python benchmarks/coverage --only strata --samples 5000
    python benchmarks/coverage --markdown
    python benchmarks/coverage --write

Each module in `topics` holds scenes: populations, what is drawn of them, and what the product's own
metrics, intervals and tests make of it. Cells of the grid are judged from 50 expected people in
each denominator, effective ones under weights.
Cells outside of their bounds are drawn again, with more samples and another seed, so that they are
not the worst by chance.
Ends with 1 if intervals hold the true value in fewer than 93 % or more than 99 % of the samples,
on average over the cells of a row of the tables with 50 people or more.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace

from pages import WORST, how_many, worst, write_pages
from scenes import CONFIDENCE, FROM_PEOPLE
from tables import coverage_table, event_table, lines, listed, width_table
from tallies import Cell, places, tally_all, topic_names

SEED, SAMPLES, QUICK_SAMPLES = 93, 1_000, 60
AGAIN, MOST_AGAIN = 5, 60
"""Cells are drawn again with five times the samples, so many at most."""


def measured(pool: Executor, topics: Sequence[str], number: int, seed: int) -> list[Cell]:
    """Count every cell, and those outside of their bounds again."""
    cells = tally_all(pool, [p for topic in topics for p in places(topic)], number, seed)
    judged = [cell for cell in cells if cell.is_judged and cell.distance > 0]
    outside = sorted(judged, key=lambda cell: -cell.distance)[:MOST_AGAIN]
    where = list(dict.fromkeys(cell.place for cell in outside))
    wanted = {(cell.place, cell.name) for cell in outside}
    found = {
        (cell.place, cell.name): replace(cell, again=True)
        for cell in tally_all(pool, where, AGAIN * number, seed + 1)
    }
    return [found[key] if (key := (cell.place, cell.name)) in wanted else cell for cell in cells]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure how often intervals hold the truth.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_SAMPLES} samples of a case")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--write", action="store_true", help="write the tables into the docs")
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"of a case; {SAMPLES}")
    parser.add_argument("--seed", type=int, default=SEED, help=f"draws other samples; {SEED}")
    parser.add_argument(
        "--only", action="append", choices=topic_names(), help="a topic; may be repeated"
    )
    return parser.parse_args()


def report(cells: Sequence[Cell], markdown: bool) -> list[str]:
    """Print tables and the worst cells, and return the rows that miss their bounds."""
    rows = lines(cells)
    tables = [coverage_table, width_table] if any(not row.is_event for row in rows) else []
    tables += [event_table] if any(row.is_event for row in rows) else []
    for table in tables:
        print(table(rows, markdown), end="\n\n")
    judged = [c for c in cells if c.is_judged]
    print(f"\nthe worst {WORST} cells from {FROM_PEOPLE} people in each denominator:")
    print("\n".join(f"- {words}" for words in listed(worst(cells))))
    lowest = sorted((c for c in judged if c.target.truth is not None), key=lambda c: c.share)
    print(f"\nthe lowest {WORST}:")
    print("\n".join(f"- {words}" for words in listed(lowest[:WORST])))
    return [f"{row.name} ({row.share:.3f})" for row in rows if not row.kept]


def main() -> int:
    """Draw, count, print tables, and return the exit code."""
    given = arguments()
    number = QUICK_SAMPLES if given.quick else given.samples
    # Numpy's own threads would take the cores from each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with ProcessPoolExecutor() as pool:
        cells = measured(pool, given.only or topic_names(), number, given.seed)
    print(f"{CONFIDENCE:.0%} intervals, by the expected people in the smallest denominator\n")
    print(how_many(cells, number), end="\n\n")
    if given.write:
        write_pages(cells, number)
    missed = report(cells, given.markdown)
    print(f"\nbounds missed on average of a row: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
