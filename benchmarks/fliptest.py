"""Measure how long the fliptest takes on the women and men of Adult, on two cores.

    python benchmarks/fliptest.py
    python benchmarks/fliptest.py --large

`biaspipe run` compares 9,782 women with 20,380 men by 12 features, 5 numbers and 7 categories:
199 million distances.
With `--large` it compares 100,000 with 200,000 people by 10 numbers, beside the search as smclarify
makes it, then a sample of 20,000 with 10 million people, and looks whether the exact value of the
first lies in the interval of a sample of 20,000.
Ends with 1 if a bound is missed.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

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
EXACT_BOUND, SAMPLED_BOUND, SAMPLED_PEAK = 1 / 3, 600.0, 2_000
NEIGHBOURS = Path(__file__).with_name("neighbours.py")
SMALL, LARGE = (100_000, 200_000), (500_000, 10_000_000)

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


PEOPLE = """\
version: 1
name: {name}
data:
  path: {file}
columns:
  prediction: {{column: picked, positive: 1}}
  features: [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9]
facets:
  sex: {{column: sex, favored: m, disfavored: f}}
metrics:
  FT: {{{parameters}, max_abs: 0.5}}
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


def people(folder: Path, name: str, sizes: tuple[int, int]) -> Path:
    """Return people with ten features, made unless they are there."""
    file = folder / name
    if not file.exists():
        partial = file.with_name(f"partial-{name}")
        shutil.rmtree(partial, ignore_errors=True)
        options = ["--disfavored", str(sizes[0]), "--favored", str(sizes[1])]
        subprocess.run([sys.executable, NEIGHBOURS, "make", partial, *options], check=True)
        partial.rename(file)
    return file


def audit(file: Path, name: str, parameters: str) -> list[str]:
    """Write a spec and return the command that runs it."""
    spec = file.with_name(f"{name}.yaml")
    data = f"{file.name}/*.parquet" if file.is_dir() else file.name
    text = PEOPLE.format(name=name, file=data, parameters=parameters)
    spec.write_text(text, encoding="utf-8")
    return [BIASPIPE, "run", str(spec), "-o", str(spec.with_suffix(".json"))]


def check_of(file: Path, name: str) -> dict[str, Any]:
    """Return the one check of an audit that has run."""
    report = json.loads(file.with_name(f"{name}.json").read_text(encoding="utf-8"))
    check: dict[str, Any] = report["result"]["checks"][0]
    return check


def large_figures(folder: Path, runs: int) -> list[Figure]:
    """Measure the exact search beside smclarify's way, and the sampled one."""
    folder.mkdir(parents=True, exist_ok=True)
    small = people(folder, "people-300000.parquet", SMALL)
    large = people(folder, "people-10500000", LARGE)
    way = [sys.executable, str(NEIGHBOURS), "smclarify", str(small)]
    other, exact = series([way, audit(small, "exact", "k: 5")], runs, warm=False)
    drawn = "k: 5, sample: 20000, seed: 7"
    series([audit(small, "drawn", drawn)], 1, warm=False)
    (sampled,) = series([audit(large, "sampled", drawn)], 1, warm=False)
    value, interval = check_of(small, "exact")["value"], check_of(small, "drawn")["interval"]
    missed = not interval["low"] <= value <= interval["high"]
    return [
        seconds("smclarify's way, 100,000 x 200,000", other),
        seconds("biaspipe run, exact", exact),
        ratio("biaspipe run / smclarify's way", exact, other, EXACT_BOUND),
        peak("peak memory of biaspipe run, exact", exact),
        Figure("exact values outside of the sample's interval", float(missed), "", 1),
        seconds("biaspipe run, 20,000 x 10,000,000", sampled, SAMPLED_BOUND),
        peak("its peak memory", sampled, SAMPLED_PEAK),
    ]


def main() -> int:
    """Measure, print a table, and return the exit code."""
    parser = arguments("Measure how long the fliptest takes.", runs=5)
    parser.add_argument("--large", action="store_true", help="100,000 x 200,000 and 10 million")
    given = parser.parse_args()
    take_two_cores()
    if given.large:
        size = "100,000 x 200,000 and 500,000 x 10,000,000 people, 10 numbers"
        figured = large_figures(given.data, given.runs)
        return finish("fliptest, large", size, given.runs, figured)
    file = made(given.data, "adult-30162.csv")
    spec = file.with_name("fliptest.yaml")
    spec.write_text(AUDIT.format(file=file.name), encoding="utf-8")
    size = f"{file.name}: 9,782 women and 20,380 men, 12 features, {file.stat().st_size:,} bytes"
    return finish("fliptest", size, given.runs, figures(spec, given.runs))


if __name__ == "__main__":
    sys.exit(main())
