"""Measure an audit of three facets against what people use today, whole processes in turn.

    python benchmarks/against_peers.py
    python benchmarks/against_peers.py --rows 1000000 --only fairlearn --only aequitas
    python benchmarks/against_peers.py --python aif360=/path/to/python

smclarify, fairlearn, AIF360 and Aequitas read the Parquet file that `biaspipe run` reads, each in
the way that its own documentation shows; what they run is in bias_report.py and peers.py.
Each lives in an environment of its own, which is made in a cache folder unless one is given.
`biaspipe run` is measured before every one of them, and its median over all is compared.
Ends with 1 if a bound is missed.
"""

import json
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measurement import (
    BIASPIPE,
    Figure,
    Process,
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

ROWS = 5_000_000
CACHE = Path.home() / ".cache" / "biaspipe-benchmarks"
PEERS = Path(__file__).with_name("peers.py")
BIAS_REPORT = Path(__file__).with_name("bias_report.py")
POST = ["DPPL", "DI", "DCA", "DCR", "SD", "RD", "DAR", "DRR", "AD", "TE", "CDDPL", "GE"]
DISFAVORED = {
    "sex": ["women"],
    "race": ["Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"],
    "age": ["young", "old"],
}


@dataclass(frozen=True)
class Peer:
    """A tool that is measured.

    Parameters
    ----------
    packages : what its environment holds.
    times : how many times as long as biaspipe it has to take.
    work : what it computes.
    """

    packages: tuple[str, ...]
    times: int
    work: str


# smclarify asks for s3fs and boto3 in any version, and few versions of the two go together.
KNOWN = {
    "smclarify": Peer(
        ("smclarify==0.5", "pandas<3", "s3fs==2026.9.0", "boto3==1.43.117"), 100, "20 metrics"
    ),
    "fairlearn": Peer(("fairlearn==0.15.0", "pyarrow"), 100, "7 metrics"),
    "aif360": Peer(("aif360==0.6.1", "pyarrow"), 15, "20 metrics"),
    "aequitas": Peer(("aequitas==1.1.0", "pyarrow"), 6, "its crosstabs and disparities"),
}

AGED = """\
import polars as pl
age = pl.int_range(pl.len(), dtype=pl.UInt32).hash(seed=1994) % 10
band = pl.when(age < 3).then(pl.lit("young")).when(age < 7).then(pl.lit("middle"))
band = band.otherwise(pl.lit("old")).alias("age")
pl.scan_parquet({source!r}).with_columns(band).sink_parquet({target!r})
"""
AUDIT = """\
version: 1
name: peers
data: {{path: {file}}}
columns:
  label:      {{column: label, positive: "yes"}}
  prediction: {{column: score, above: 0.5}}
  strata: [department]
facets:
  sex:  {{column: sex, favored: men}}
  race: {{column: race, favored: White}}
  age:  {{column: age, favored: middle}}
metrics: {{all: }}
"""


def people(folder: Path, rows: int) -> Path:
    """Return the decisions of data.py with bands of age, made unless they are there."""
    source = made(folder, f"decisions-{rows}.parquet", "--rows", str(rows))
    file = source.with_name(f"people-{rows}.parquet")
    if not file.exists():
        print(f"making {file}", flush=True)
        partial = file.with_suffix(".partial")
        code = AGED.format(source=str(source), target=str(partial))
        subprocess.run(python(code), check=True)
        partial.replace(file)
    return file


def interpreter(name: str) -> Path:
    """Return a Python that has a peer; make its environment."""
    packages = KNOWN[name].packages
    folder = CACHE / packages[0].replace("==", "-")
    found = folder / "bin" / "python"
    if not (folder / "made").exists():
        print(f"making {folder}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([found, "-m", "pip", "install", "--quiet", *packages], check=True)
        (folder / "made").touch()
    return found


def command(name: str, python: Path, file: Path) -> list[str]:
    """Return the command that runs a peer on the data."""
    if name != "smclarify":
        return [str(python), "-W", "ignore", str(PEERS), name, str(file)]
    case = {
        "data": str(file),
        "label": "label",
        "label_values": ["yes"],
        "prediction": "score",
        "probability_threshold": 0.5,
        "facets": [{"column": c, "values": values} for c, values in DISFAVORED.items()],
        "group": "department",
        "metrics": {"post_training": POST},
    }
    questions = file.with_name(f"{file.stem}-cases.jsonl")
    questions.write_text(json.dumps(case) + "\n", encoding="utf-8")
    answers = str(file.with_name(f"{file.stem}-answers.jsonl"))
    return [str(python), "-W", "ignore", str(BIAS_REPORT), str(questions), answers]


def own(file: Path) -> list[str]:
    """Write the audit beside the data; return the command that runs it."""
    spec = file.with_name(f"{file.stem}.yaml")
    spec.write_text(AUDIT.format(file=file.name), encoding="utf-8")
    return [BIASPIPE, "run", "--fail-on", "never", str(spec)]


def versions(pythons: dict[str, Path]) -> str:
    """Return the versions of the peers and of the pandas that each has."""
    ask = "import importlib.metadata as m; print(*[n + ' ' + m.version(n) for n in {names}])"
    found = []
    for name, path in pythons.items():
        code = ask.format(names=[name, "pandas", "numpy"])
        asked = subprocess.run([path, "-c", code], check=True, capture_output=True, text=True)
        found.append(asked.stdout.strip())
    return "; ".join(found)


def compared(name: str, theirs: list[Process], ours: list[Process], *, bound: bool) -> list[Figure]:
    """Return the figures of a peer and of the audits that were run right before it."""
    peer = KNOWN[name]
    times = 1 / peer.times if bound else None
    return [
        seconds(f"{name}, {peer.work}", theirs),
        ratio("  biaspipe's share of its time", ours, theirs, times),
        ratio("  its time in biaspipe's", theirs, ours),
        processor_ratio("  the same, processor time", theirs, ours),
        peak("  its peak memory", theirs),
    ]


def figures(pythons: dict[str, Path], file: Path, runs: int, *, bound: bool) -> list[Figure]:
    """Measure biaspipe and each peer in turn; biaspipe once more at the start, to warm the file."""
    audit = own(file)
    series([audit], 1)
    commands = [c for n, path in pythons.items() for c in (audit, command(n, path, file))]
    measured = series(commands, runs, warm=False)
    audits, theirs = measured[::2], measured[1::2]
    turns = [_middle(list(turn)) for turn in zip(*audits, strict=True)]
    every = [process for processes in audits for process in processes]
    found = [seconds("biaspipe run, 20 metrics", every), peak("  its peak memory", every)]
    for name, processes in zip(pythons, theirs, strict=True):
        found += compared(name, processes, turns, bound=bound)
    return found


def _middle(turn: list[Process]) -> Process:
    """Return the median of one turn's audits."""
    return Process(
        median(process.seconds for process in turn),
        median(process.processor for process in turn),
        max(process.peak for process in turn),
    )


def main() -> int:
    """Measure, print a table, and return the exit code."""
    parser = arguments("Measure an audit of three facets against other tools.", runs=1)
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--only", action="append", choices=list(KNOWN), help="peers; all")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows of data; {ROWS:,}")
    given = parser.parse_args()
    named = {n: Path(path) for n, _, path in (text.partition("=") for text in given.python)}
    if not named.keys() <= KNOWN.keys():
        parser.error(f"--python: {', '.join(named.keys() - KNOWN.keys())}: not {', '.join(KNOWN)}")
    pythons = {name: named.get(name) or interpreter(name) for name in given.only or KNOWN}
    file = people(given.data, given.rows)
    size = f"{file.name}: {given.rows:,} rows of 6 columns, {file.stat().st_size:,} bytes"
    found = figures(pythons, file, given.runs, bound=given.rows >= ROWS)
    return finish("peers", f"{versions(pythons)}\n{size}", given.runs, found)


if __name__ == "__main__":
    sys.exit(main())
