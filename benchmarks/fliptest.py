"""Measure how long the fliptest takes on the women and men of Adult, on two cores.

    python benchmarks/fliptest.py

`biaspipe run` compares 9,782 women with 20,380 men by 12 features, 5 numbers and 7 categories:
199 million distances.
Ends with 1 if a bound is missed.
"""

import os
import sys
from pathlib import Path

from measurement import (
    BIASPIPE,
    Figure,
    arguments,
    finish,
    made,
    peak,
    python,
    ratio,
    seconds,
    series,
)

CORES = 2
SECONDS_BOUND, PEAK_BOUND = 10.0, 1_000

AUDIT = """\
version: 1
name: fliptest
data:
  path: {file}
columns:
  label:      {{column: income, positive: ">50K"}}
  prediction: {{column: prediction, positive: ">50K"}}
  features: {{exclude: []}}
facets:
  sex: {{column: sex, favored: Male, disfavored: Female}}
metrics:
  FT: {{max_abs: 0.5}}
"""


def take_two_cores() -> None:
    """Keep this process, and those that it starts, to two cores."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def figures(spec: Path, runs: int) -> list[Figure]:
    """Measure the import that the search needs, and the audit, in turn."""
    sklearn, run = series([python("import sklearn.metrics"), [BIASPIPE, "run", str(spec)]], runs)
    return [
        seconds("python -c 'import sklearn.metrics'", sklearn),
        seconds("biaspipe run", run, SECONDS_BOUND),
        ratio("biaspipe run / python -c 'import sklearn...'", run, sklearn),
        peak("peak memory of import sklearn.metrics", sklearn),
        peak("peak memory of biaspipe run", run, PEAK_BOUND),
    ]


def main() -> int:
    """Measure, print a table, and return the exit code."""
    given = arguments("Measure how long the fliptest takes.", runs=5).parse_args()
    take_two_cores()
    file = made(given.data, "adult-30162.csv")
    spec = file.with_name("fliptest.yaml")
    spec.write_text(AUDIT.format(file=file.name), encoding="utf-8")
    size = f"{file.name}: 9,782 women and 20,380 men, 12 features, {file.stat().st_size:,} bytes"
    return finish("fliptest", size, given.runs, figures(spec, given.runs))


if __name__ == "__main__":
    sys.exit(main())
