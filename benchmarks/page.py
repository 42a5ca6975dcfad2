"""Measure what the page of a report costs beyond the run that writes it, and how large it is.

    python benchmarks/page.py

`biaspipe run -o report.html` is compared with `biaspipe run`: a shipped audit, and one of
40 groups that are compared by 27 metrics, each with a limit. Ends with 1 if a bound is missed.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from measurement import (
    BIASPIPE,
    MEGABYTE,
    Figure,
    Process,
    arguments,
    finish,
    made,
    processor_ratio,
    ratio,
    seconds,
    series,
)

SHIPPED = Path(__file__).parent.parent / "audits" / "adult-income.yaml"
TIME_BOUNDS = {"shipped": 1.2, "forty": 1.3}
SIZE_BOUND = 1.0
DIFFERENCES = """
CI DPL CDDL DPPL DCAcc DCR SD RD DAR DRR AD TE CDDPL
vertex.accuracy_difference vertex.dpppl vertex.dpptl vertex.error_ratio_difference
vertex.population_size_difference vertex.recall_difference vertex.specificity_difference
"""
DISTANCES = "KL JS LP TVD KS GE"

AUDIT = """\
version: 1
name: forty
data:
  path: {file}
columns:
  label:      {{column: label, positive: "yes"}}
  prediction: {{column: prediction, positive: "yes"}}
  strata: [department]
  weight: people
facets:
  group: {{column: group, favored: group 00}}
metrics:
  DI: {{min: 0.8, max: 1.25}}
{metrics}
decision: {{decide_by: inside}}
"""


def audit_of(file: Path) -> str:
    """Return the audit of forty groups, of which each check has a limit."""
    limits = [f"  {metric}: {{max_abs: 0.1}}" for metric in DIFFERENCES.split()]
    limits += [f"  {metric}: {{max: 0.1}}" for metric in DISTANCES.split()]
    return AUDIT.format(file=file.name, metrics="\n".join(limits))


def beyond(name: str, a: Sequence[Process], b: Sequence[Process]) -> Figure:
    """Return the median, over the turns, of how much more processor time one took."""
    more = [1000 * (x.processor - y.processor) for x, y in zip(a, b, strict=True)]
    return Figure(name, median(more), "ms", None, (min(more), max(more)))


def figures(name: str, spec: Path, page: Path, runs: int) -> Iterator[Figure]:
    """Measure an audit with its page and without, in turn."""
    run = [BIASPIPE, "run", str(spec), "--fail-on", "never"]
    without, written = series([run, [*run, "-o", str(page)]], runs)
    yield seconds(f"{name}, biaspipe run", without)
    yield seconds(f"{name}, biaspipe run -o report.html", written)
    yield ratio(f"{name}, with its page / without", written, without, TIME_BOUNDS[name])
    yield processor_ratio("the same, processor time", written, without)
    yield beyond("processor time of the page", written, without)
    yield Figure("size of the page", page.stat().st_size / MEGABYTE, "MB", SIZE_BOUND)


def main() -> int:
    """Measure, print a table, and return the exit code."""
    given = arguments("Measure what the page of a report costs.", runs=15).parse_args()
    file = made(given.data, "groups-41.csv")
    forty, page = file.with_name("forty.yaml"), file.with_name("report.html")
    forty.write_text(audit_of(file), encoding="utf-8")
    specs = {"shipped": SHIPPED, "forty": forty}
    rows = [row for name, spec in specs.items() for row in figures(name, spec, page, given.runs)]
    size = f"shipped: {SHIPPED.name}; forty: 40 groups compared by 27 metrics, 1,041 checks"
    return finish("page", size, given.runs, rows)


if __name__ == "__main__":
    sys.exit(main())
