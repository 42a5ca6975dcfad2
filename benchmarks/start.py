"""Measure how long small commands take, against the imports that they cannot do without.

    python benchmarks/start.py

`biaspipe run` audits 30,162 rows of CSV and is compared with `import polars`, and with the import
of five libraries that it needs; `biaspipe --version` with a Python that does nothing.
Ends with 1 if a bound is missed.
"""

import sys
from pathlib import Path

from measurement import (
    BIASPIPE,
    Figure,
    arguments,
    finish,
    made,
    peak,
    processor_ratio,
    python,
    ratio,
    seconds,
    series,
)

ROWS = 30_162
RUN_BOUND, LIBRARIES_BOUND, VERSION_BOUND = 2.5, 2.0, 5.0
LIBRARIES = "import polars, pydantic, yaml, rich.console, click"

AUDIT = """\
version: 1
name: start
data:
  path: {file}
columns:
  label:      {{column: income, positive: ">50K"}}
  prediction: {{column: prediction, positive: ">50K"}}
  strata: [education]
facets:
  sex:  {{column: sex, favored: Male, disfavored: Female}}
  race: {{column: race, favored: White}}
  both: {{cross: [sex, race], favored: Male & White}}
metrics:
  all:
  DPPL: {{max_abs: 0.5}}
"""


def figures(spec: Path, runs: int) -> list[Figure]:
    """Measure all commands in turn."""
    nothing, version, polars, libraries, run = series(
        [
            python("pass"),
            [BIASPIPE, "--version"],
            python("import polars"),
            python(LIBRARIES),
            [BIASPIPE, "run", str(spec)],
        ],
        runs,
    )
    return [
        seconds("python -c pass", nothing),
        seconds("biaspipe --version", version),
        ratio("biaspipe --version / python -c pass", version, nothing, VERSION_BOUND),
        seconds("python -c 'import polars'", polars),
        seconds("biaspipe run", run),
        ratio("biaspipe run / python -c 'import polars'", run, polars, RUN_BOUND),
        processor_ratio("the same, processor time", run, polars),
        ratio(f"biaspipe run / python -c '{LIBRARIES}'", run, libraries, LIBRARIES_BOUND),
        processor_ratio("the same, processor time", run, libraries),
        peak("peak memory of import polars", polars),
        peak("peak memory of biaspipe run", run),
    ]


def main() -> int:
    """Measure, print a table, and return the exit code."""
    given = arguments("Measure how long small commands take.", runs=15).parse_args()
    file = made(given.data, "adult-30162.csv")
    spec = file.with_name("start.yaml")
    spec.write_text(AUDIT.format(file=file.name), encoding="utf-8")
    size = f"{file.name}: {ROWS:,} rows of 15 columns, {file.stat().st_size:,} bytes"
    return finish("start", size, given.runs, figures(spec, given.runs))


if __name__ == "__main__":
    sys.exit(main())
