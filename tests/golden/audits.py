"""The audits whose outputs are kept: the shipped ones, and some that show what those do not."""

from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from biaspipe import __version__
from biaspipe.errors import Exit
from biaspipe.loading import load
from biaspipe.pipeline import Options, run
from biaspipe.report import Report, RunRecord, seal_report
from biaspipe.report.runs import WORDING
from biaspipe.verdict import exit_code

__all__ = ["HERE", "MADE", "NAMES", "ROOT", "SHIPPED", "TODAY", "code_of", "report_of", "written"]

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SHIPPED = (
    "adult-income",
    "berkeley-admissions",
    "college-applications",
    "diabetes-progression",
    "german-credit",
)
MADE = ("every-verdict", "second-release")
NAMES = (*SHIPPED, *MADE)
TODAY = date(2026, 1, 1)

EVERY_VERDICT = """\
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
  AD: {max_abs: 0.5, warn: {max_abs: 0.2}}
  SD: {max_abs: 0.02}
  DCAcc: {facets: [sex]}
  GE: {max: 0.5}
decision: {confidence: 0.9, min_rows: 20}
waivers:
  - metric: SD
    facet: sex
    reason: The score is rebuilt without the branch by March.
    approved_by: Ada Lovelace <ada@example.com>
    ticket: RISK-17
    expires: 2026-03-31
  - {metric: SD, facet: region, disfavored: "[red] hills", reason: New branch,
     approved_by: Ada, expires: 2026-01-20, bound: {max_abs: 0.6}}
  - {metric: DI, reason: Known since 2024, approved_by: Ben, expires: 2025-12-31}
  - {metric: GE, reason: In case it gets worse, approved_by: Ben, expires: 2026-12-31}
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

RELEASE = """\
version: 1
name: {name}-release
data: {{path: people.csv}}
columns:
  label:      {{column: repaid, positive: 1}}
  prediction: {{column: granted, positive: 1}}
  weight:     {{column: w, kind: sampling}}
facets:
  region: {{column: region, favored: north}}
metrics:
  DI:   {{min: 0.8}}
  DPPL: {{max_abs: 0.3, warn: {{max_abs: 0.1}}}}
  DPL:
  RD:   {{max_abs: 0.2}}
  SD:   {{max_abs: 0.9}}
decision:
  decide_by: inside
  min_rows: 25
  undecided: warn
  correction: holm
"""
BASELINE = "baseline: {report: first-release.json, max_worsening: 0.01}\n"
PEOPLE = {
    "first": """\
north 1 1 600  north 0 1 200  north 1 0 200  north 0 0 600
south 1 1 540  south 0 1 160  south 1 0 180  south 0 0 520
east  1 1 50   east  0 1 10   east  1 0 10   east  0 0 40
west  1 1 60   west  0 1 10   west  1 0 20   west  0 0 310
""",
    "second": """\
north 1 1 60  north 0 1 20  north 1 0 20  north 0 0 60
south 1 1 30  south 0 1 15  south 1 0 35  south 0 0 60
west  1 1 45  west  0 1 20  west  1 0 12  west  0 0 45
isles 1 1 9   isles 0 1 3   isles 1 0 2   isles 0 0 8
""",
}
"""Region, label, prediction and how many rows; every third row weighs twice as much."""

RUN = {
    "started_at": "2026-01-01T00:00:00+00:00",
    "seconds": 0.25,
    "biaspipe": __version__,
    "wording": WORDING,
    "python": "3.11.0",
    "polars": "2.0.0",
    "as_of": TODAY.isoformat(),
    "waivers": True,
    "select": (),
    "git": {},
}
"""What varies from run to run, made to stand still."""


@cache
def report_of(name: str) -> Report:
    """Run an audit; what varies from run to run stands still in its report."""
    if name in SHIPPED:
        return _stilled(ROOT / "audits" / f"{name}.yaml")
    with TemporaryDirectory() as folder:
        return _stilled(written(name, Path(folder)))


def _stilled(spec: Path) -> Report:
    result = run(load(spec), Options(as_of=TODAY)).result
    return seal_report(result, RunRecord(**RUN, spec=f"audits/{spec.name}"))


def written(name: str, folder: Path) -> Path:
    """Write one of the audits that are made, with its data, into a folder; return its spec."""
    if name == "every-verdict":
        files = {
            "decisions.csv": DECISIONS,
            "branches.csv": BRANCHES,
            f"{name}.yaml": EVERY_VERDICT,
        }
    else:
        which = name.removesuffix("-release")
        spec = RELEASE.format(name=which) + (BASELINE if which == "second" else "")
        files = {"people.csv": "\n".join(_people(PEOPLE[which])) + "\n", f"{name}.yaml": spec}
    if name == "second-release":
        files["first-release.json"] = report_of("first-release").to_json()
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder / f"{name}.yaml"


def _people(counts: str) -> Iterator[str]:
    yield "region,repaid,granted,w"
    words = counts.split()
    for region, label, prediction, n in zip(*(words[i::4] for i in range(4)), strict=True):
        yield from (f"{region},{label},{prediction},{1 + (i % 3 == 0)}.25" for i in range(int(n)))


def code_of(report: Report) -> Exit:
    """Return the exit code of a report."""
    return exit_code(report.result.verdicts, undecided=report.result.decision.undecided)
