"""Measure how the time of an audit grows with its rows, against bare scans of the same columns.

    python benchmarks/scale.py
    python benchmarks/scale.py --only large
    python benchmarks/scale.py --only csv --runs 7

`biaspipe run` counts three facets and a cross of two of them, strata, a label, a score and every
count metric: 1 to 100 million rows of Parquet, ten copies of the 100 million, and 10 million rows
of CSV, whose lines it also checks for the number of their fields.
A bare scan is a process with polars alone that counts the missing values of the same six columns.
Ends with 1 if a bound is missed.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from measurement import (
    BIASPIPE,
    Figure,
    Process,
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

PART, PARTS, TIMES = 10_000_000, 10, 10
TABLE = (1_000_000, 3_000_000, 10_000_000, 30_000_000)
LARGE_BOUND, CSV_BOUND, PEAK_BOUND, LINEAR_BOUND = 2.5, 1.3, 1_000, 1.25
SECTIONS = ("table", "large", "billion", "csv")

AUDIT = """\
version: 1
name: scale
data:
  path: {files}
columns:
  label:      {{column: label, positive: "yes"}}
  prediction: {{column: score, above: 0.5}}
  strata: [department]
facets:
  sex:  {{column: sex, favored: men, disfavored: women}}
  race: {{column: race, favored: White}}
  age:  {{column: age, disfavored: {{at_least: 40}}}}
  both: {{cross: [sex, race], disfavored: women & Black}}
metrics:
  all:
  DI: {{min: 0.1}}
"""


def parts(folder: Path, rows: int) -> list[Path]:
    """Return the Parquet files that hold so many rows, 10 million in each or all in one."""
    size = min(rows, PART)
    return [
        made(folder, f"applications-{size}-{i}.parquet", "--rows", str(size), "--part", str(i))
        for i in range(rows // size)
    ]


def commands(files: Sequence[Path], name: str) -> list[list[str]]:
    """Write the audit of some files beside them; return the bare scan and the audit."""
    names = json.dumps([str(file) for file in files])
    spec = files[0].with_name(f"scale-{name}.yaml")
    spec.write_text(AUDIT.format(files=names), encoding="utf-8")
    return [bare_scan(files), [BIASPIPE, "run", str(spec)]]


def compared(
    name: str,
    files: Sequence[Path],
    runs: int,
    bound: float | None = None,
    memory: float | None = None,
) -> tuple[list[Figure], list[Process]]:
    """Measure a bare scan and an audit of the same files in turn; the figures and the audits."""
    scan, run = series(commands(files, name.replace(" ", "-")), runs)
    held = f"{name}, {sum(file.stat().st_size for file in files) / 1e6:,.0f} MB"
    figures = [
        seconds(f"{held}: scan", scan),
        seconds(f"{held}: biaspipe run", run),
        ratio("  biaspipe run / scan", run, scan, bound),
        processor_ratio("  the same, processor time", run, scan),
        peak("  peak memory of scan", scan),
        peak("  peak memory of biaspipe run", run, memory),
    ]
    return figures, run


def copies(file: Path) -> list[Path]:
    """Return a file and copies of it beside it, since no audit reads one file twice."""
    found = [file, *(file.with_name(f"copy-{i}-{file.name}") for i in range(1, TIMES))]
    for copy in found[1:]:
        if not copy.exists():
            partial = copy.with_name(f"{copy.name}.partial")
            shutil.copyfile(file, partial)
            partial.replace(copy)
    return found


def billion(files: Sequence[Path]) -> list[Figure]:
    """Measure one audit of ten copies of the same files."""
    _, command = commands([copy for file in files for copy in copies(file)], "billion")
    ((run,),) = series([command], 1, warm=False)
    rows = PART * len(files) * TIMES
    return [
        seconds(f"{rows:,} rows: biaspipe run, once", [run]),
        peak("  peak memory of biaspipe run", [run], PEAK_BOUND),
    ]


def growth(small: Sequence[Process], large: Sequence[Process]) -> Figure:
    """Return how many times as long a row takes among ten times as many rows."""
    found = ratio("", large, small)
    low, high = found.spread or (found.value, found.value)
    name = "100M rows / 10M rows, time per row"
    return Figure(name, found.value / PARTS, "x", LINEAR_BOUND, (low / PARTS, high / PARTS))


def figures(folder: Path, runs: int, only: str | None) -> list[Figure]:
    """Measure what is asked for, the smallest first."""
    wanted = SECTIONS if only is None else (only,)
    found, per_row = list[Figure](), dict[int, list[Process]]()
    for rows in TABLE if "table" in wanted else ():
        lines, per_row[rows] = compared(f"{rows:,} rows", parts(folder, rows), runs)
        found += lines
    whole = parts(folder, PART * PARTS) if {*wanted} - {"csv"} else []
    if "large" in wanted:
        name, memory = f"{PART * PARTS:,} rows", PEAK_BOUND
        lines, large = compared(name, whole, runs, LARGE_BOUND, memory)
        found += lines
        found += [growth(per_row[PART], large)] if PART in per_row else []
    if "billion" in wanted:
        found += billion(whole)
    if "csv" in wanted:
        file = made(folder, f"applications-{PART}-0.csv", "--rows", str(PART))
        found += compared(f"{PART:,} rows of CSV", [file], runs, CSV_BOUND, PEAK_BOUND)[0]
    return found


def main() -> int:
    """Measure, print a table, and return the exit code."""
    parser = arguments("Measure how the time of an audit grows with its rows.", runs=5)
    parser.add_argument("--only", choices=SECTIONS, help="one of the sections")
    given = parser.parse_args()
    found = figures(given.data, given.runs, given.only)
    return finish("scale", "six columns, four of them texts", given.runs, found)


if __name__ == "__main__":
    sys.exit(main())
