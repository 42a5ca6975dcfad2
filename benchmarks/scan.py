"""Measure how long an audit of much data takes, against a bare scan of the columns it reads.

    python benchmarks/scan.py
    python benchmarks/scan.py --rows 100000000

`biaspipe run` counts 20 million rows of Parquet for two facets, strata and every count metric.
The bare scan is a process with polars alone that reads the same five columns and prints a number.
Ends with 1 if a bound is missed.
"""

import sys
from pathlib import Path

from measurement import (
    BIASPIPE,
    Figure,
    arguments,
    bare_scan,
    finish,
    made,
    peak,
    processor_ratio,
    ratio,
    seconds,
    series,
)

ROWS = 20_000_000
RATIO_BOUND, PEAK_BOUND = 3.0, 1_000

AUDIT = """\
version: 1
name: scan
data:
  path: {file}
columns:
  label:      {{column: label, positive: "yes"}}
  prediction: {{column: score, above: 0.5}}
  strata: [department]
facets:
  sex:  {{column: sex, favored: men, disfavored: women}}
  race: {{column: race, favored: White}}
metrics:
  all:
  DI: {{min: 0.1}}
"""


def figures(file: Path, spec: Path, runs: int) -> list[Figure]:
    """Measure the audit and two scans in turn."""
    scans = [bare_scan([file]), bare_scan([file], "pl.all().max()")]
    bare, most, run = series([*scans, [BIASPIPE, "run", str(spec)]], runs)
    return [
        seconds("scan, null_count of each column", bare),
        seconds("scan, max of each column", most),
        seconds("biaspipe run", run),
        ratio("biaspipe run / scan, null_count", run, bare, RATIO_BOUND),
        processor_ratio("the same, processor time", run, bare),
        ratio("biaspipe run / scan, max", run, most),
        peak("peak memory of scan, null_count", bare),
        peak("peak memory of biaspipe run", run, PEAK_BOUND),
    ]


def main() -> int:
    """Measure, print a table, and return the exit code."""
    parser = arguments("Measure how long an audit of much data takes.", runs=7)
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows of data; {ROWS}")
    given = parser.parse_args()
    file = made(given.data, f"decisions-{given.rows}.parquet", "--rows", str(given.rows))
    spec = file.with_name("scan.yaml")
    spec.write_text(AUDIT.format(file=file.name), encoding="utf-8")
    size = f"{file.name}: {given.rows:,} rows of 5 columns, {file.stat().st_size:,} bytes"
    return finish("scan", size, given.runs, figures(file, spec, given.runs))


if __name__ == "__main__":
    sys.exit(main())
