"""Measure the audit that smclarify's bias_report makes, whole processes side by side.

    python benchmarks/against_smclarify.py
    python benchmarks/against_smclarify.py --rows 5000000 --python /path/to/python

All 21 metrics on 30,162 people like Adult's, and 20, without the fliptest, on millions of rows.
`biaspipe run` is measured with the documented arithmetic and under `compat: smclarify`, which
computes both.
smclarify lives in an environment of its own, as in benchmarks/against_peers.py.
Ends with 1 if a bound is missed.
"""

import json
import sys
from pathlib import Path
from statistics import median

from against_peers import interpreter
from measurement import (
    BIASPIPE,
    Figure,
    Process,
    arguments,
    finish,
    made,
    peak,
    ratio,
    seconds,
    series,
)
from parity import REFERENCE

TIMES_BOUND, LARGE_TIMES_BOUND, PEAK_BOUND = 1 / 3, 1 / 20, 1 / 5
TEXTS = ["workclass", "education", "marital-status", "occupation", "relationship"]
TEXTS += ["race", "native-country"]
POST = ["DPPL", "DI", "DCA", "DCR", "SD", "RD", "DAR", "DRR", "AD", "TE", "CDDPL", "GE"]

SMALL = """\
version: 1
name: small{compat}
data: {{path: {file}}}
columns:
  label:      {{column: income, positive: ">50K"}}
  prediction: {{column: prediction, positive: ">50K"}}
  strata: [race]
  features: {{exclude: {texts}}}
facets:
  sex: {{column: sex, disfavored: Female}}
metrics: {{clarify: }}
"""
LARGE = """\
version: 1
name: large{compat}
data: {{path: {file}}}
columns:
  label:      {{column: label, positive: "yes"}}
  prediction: {{column: score, above: 0.5}}
  strata: [department]
facets:
  sex: {{column: sex, disfavored: women}}
metrics: {{all: }}
"""


def specs(text: str, file: Path) -> list[Path]:
    """Write an audit with either arithmetic beside its data; return both."""
    written = []
    for compat in ("", "-compat"):
        spec = file.with_name(f"{file.stem}{compat}.yaml")
        line = "compat: smclarify\n" if compat else ""
        spec.write_text(
            line + text.format(compat=compat, file=file.name, texts=json.dumps(TEXTS)),
            encoding="utf-8",
        )
        written.append(spec)
    return written


def asking(python: Path, file: Path, **case: object) -> list[str]:
    """Return the command that runs smclarify on a file."""
    questions = file.with_name(f"{file.stem}-cases.jsonl")
    questions.write_text(json.dumps({"data": str(file), **case}) + "\n", encoding="utf-8")
    answers = str(file.with_name(f"{file.stem}-answers.jsonl"))
    return [str(python), "-W", "ignore", str(REFERENCE), str(questions), answers]


def compared(
    name: str, measured: list[list[Process]], times: float, memory: float | None = None
) -> list[Figure]:
    """Return the figures of smclarify and of biaspipe with either arithmetic."""
    other, own, compat = measured
    found = [seconds(f"{name}: smclarify's bias_report", other), peak("  its peak memory", other)]
    for title, processes in (("biaspipe run", own), ("biaspipe run, compat", compat)):
        found += [
            seconds(f"{name}: {title}", processes),
            ratio("  of smclarify's time", processes, other, times),
            peak("  its peak memory", processes),
        ]
        share = max(p.peak for p in processes) / median(p.peak for p in other)
        found.append(Figure("  of smclarify's peak memory", share, "x", memory))
    return found


def small_figures(python: Path, folder: Path, runs: int) -> list[Figure]:
    """Measure all 21 metrics on 30,162 people."""
    file = made(folder, "adult-30162.csv")
    other = asking(
        python,
        file,
        label="income",
        label_values=[">50K"],
        prediction="prediction",
        facets=[{"column": "sex", "values": ["Female"]}],
        group="race",
        exclude=TEXTS,
    )
    measured = series([other, *map(running, specs(SMALL, file))], runs)
    return compared("30,162 rows", measured, TIMES_BOUND)


def large_figures(python: Path, folder: Path, rows: int) -> list[Figure]:
    """Measure 20 metrics on millions of rows, once, since smclarify takes minutes."""
    file = made(folder, f"decisions-{rows}.parquet", "--rows", str(rows))
    other = asking(
        python,
        file,
        label="label",
        label_values=["yes"],
        prediction="score",
        probability_threshold=0.5,
        facets=[{"column": "sex", "values": ["women"]}],
        group="department",
        metrics={"post_training": POST},
    )
    measured = series([other, *map(running, specs(LARGE, file))], 1, warm=False)
    return compared(f"{rows:,} rows", measured, LARGE_TIMES_BOUND, PEAK_BOUND)


def running(spec: Path) -> list[str]:
    """Return the command that runs an audit."""
    return [BIASPIPE, "run", "--fail-on", "never", str(spec)]


def main() -> int:
    """Measure, print a table, and return the exit code."""
    parser = arguments("Measure the audit that smclarify's bias_report makes.", runs=3)
    parser.add_argument("--python", type=Path, help="a Python that has smclarify 0.5")
    parser.add_argument("--only", choices=["small", "large"], help="one of the two")
    parser.add_argument("--rows", type=int, default=5_000_000, help="of the larger data")
    given = parser.parse_args()
    python, figures = given.python or interpreter("smclarify"), list[Figure]()
    if given.only != "large":
        figures += small_figures(python, given.data, given.runs)
    if given.only != "small":
        figures += large_figures(python, given.data, given.rows)
    size = f"30,162 rows of CSV; {given.rows:,} rows of Parquet, one run"
    return finish("smclarify 0.5", size, given.runs, figures)


if __name__ == "__main__":
    sys.exit(main())
