"""The audits whose outputs are kept: the shipped ones, and one with every verdict there is."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from biaspipe.loading import load
from biaspipe.pipeline import run
from biaspipe.report import Report, RunRecord

__all__ = ["HERE", "NAMES", "ROOT", "SHIPPED", "report_of"]

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SHIPPED = (
    "adult-income",
    "berkeley-admissions",
    "college-applications",
    "diabetes-progression",
)
NAMES = (*SHIPPED, "every-verdict")

SPEC = """\
version: 1
name: every-verdict
description: One check for each verdict, and a row for each reason not to take part.
data:
  path: decisions.csv
  where: "year >= 2026"
  join: [{path: branches.csv, on: branch}]
columns:
  label:      {column: repaid, positive: "yes"}
  prediction: {column: score, above: 0.5}
  strata: [branch]
  weight: n
facets:
  sex: {column: sex, favored: men, disfavored: women}
  region: {column: region, favored: north, metrics: {RD: {max_abs: 0.1}}}
metrics:
  all:
  DI: {min: 0.8, max: 1.25, facets: [sex]}
  DPPL: {max_abs: 0.5, warn: {max_abs: 0.05}}
  AD: {max_abs: 0.5}
  DCAcc: {facets: [sex]}
  GE: {max: 0.5}
"""
DECISIONS = """\
year,branch,sex,region,repaid,score,n
2026,A,men,north,yes,0.9,40
2026,A,men,north,no,0.7,20
2026,A,men,[red] hills,yes,0.2,10
2026,B,men,[red] hills,no,0.1,30
2026,A,women,north,yes,0.8,15
2026,A,women,north,no,0.3,25
2026,B,women,[red] hills,yes,0.6,10
2026,B,women,[red] hills,no,0.2,1050
2026,C,women,南,no,0.4,5
2026,,women,南,no,0.9,5
2026,A,other,north,no,0.3,7
2026,A,,north,yes,0.9,3
2026,A,men,,no,0.1,2
2026,A,women,north,,0.9,4
2026,B,men,north,no,NaN,6
2026,B,women,north,no,,6
2025,A,men,north,yes,0.9,100
"""
BRANCHES = """\
branch,manager
A,Ada
B,Ben
"""

RUN = {
    "started_at": "2026-01-01T00:00:00+00:00",
    "seconds": 0.25,
    "biaspipe": "1.0.0",
    "python": "3.11.0",
    "polars": "2.0.0",
}
"""What varies from run to run, made to stand still."""


@cache
def report_of(name: str) -> Report:
    """Run an audit; what varies from run to run stands still in its report."""
    spec = f"audits/{name}.yaml"
    report = run(load(ROOT / spec)) if name in SHIPPED else _every_verdict()
    return report.model_copy(update={"run": RunRecord(**RUN, spec=spec, git={})})


def _every_verdict() -> Report:
    files = {"audit.yaml": SPEC, "decisions.csv": DECISIONS, "branches.csv": BRANCHES}
    with TemporaryDirectory() as name:
        for file, text in files.items():
            (Path(name) / file).write_text(text, encoding="utf-8")
        return run(load(Path(name) / "audit.yaml"))
