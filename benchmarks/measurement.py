"""Whole processes measured in turn, A B A B ..., and the table of what came out.

This process starts every other one and stays small: the peak memory that the kernel reports for a
child is never below what its parent held when it started the child.
So data is made by a child too, and nothing is imported here that is not needed to measure.
"""

import argparse
import hashlib
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from statistics import median
from time import perf_counter

__all__ = [
    "BIASPIPE",
    "MEGABYTE",
    "Figure",
    "Process",
    "arguments",
    "bare_scan",
    "finish",
    "made",
    "peak",
    "processor_ratio",
    "python",
    "ratio",
    "seconds",
    "series",
]

GENERATOR = Path(__file__).with_name("data.py")
BIASPIPE = str(Path(sysconfig.get_path("scripts")) / "biaspipe")
MEGABYTE = 1_000_000
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""Where a process starts: it keeps the compiled modules that the first turn makes, as usual."""
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Process:
    """A process that has ended.

    Parameters
    ----------
    seconds : how long it took from start to end.
    processor : seconds that all cores together worked for it and what it started.
    peak : the most memory that it held, in bytes.
    """

    seconds: float
    processor: float
    peak: int


@dataclass(frozen=True)
class Figure:
    """One row of a table.

    Parameters
    ----------
    name : what was measured.
    value : the measured value.
    unit : what it is measured in.
    bound : what the value has to stay below, if anything.
    spread : the least and the greatest of the values that `value` is the median of.
    """

    name: str
    value: float
    unit: str = ""
    bound: float | None = None
    spread: tuple[float, float] | None = None

    @property
    def kept(self) -> bool:
        """Whether the bound is kept."""
        return self.bound is None or self.value < self.bound

    def line(self) -> str:
        """Write the row."""
        low, high = self.spread or (self.value, self.value)
        spread = f"{_number(low)} to {_number(high)}" if self.spread else ""
        bound = f"< {self.bound:g}" if self.bound is not None else ""
        word = "" if self.bound is None else "kept" if self.kept else "MISSED"
        cells = f"{self.name:<44}{_number(self.value):>9} {self.unit:<3}{spread:>17}"
        return f"{cells}{bound:>9}  {word}".rstrip()


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def python(code: str) -> list[str]:
    """Return the command that runs a line of Python."""
    return [sys.executable, "-c", code]


def bare_scan(files: Sequence[Path], values: str = "pl.all().null_count()") -> list[str]:
    """Return the command that reads all columns of files with polars alone.

    Parameters
    ----------
    files : Parquet or CSV, all of one kind.
    values : what is asked of the columns.
    """
    kind, names = files[0].suffix[1:], [str(file) for file in files]
    return python(
        f"import polars as pl\nframe = pl.scan_{kind}({names}).select({values})\n"
        "print(frame.collect(engine='streaming').row(0))"
    )


def arguments(description: str, runs: int) -> argparse.ArgumentParser:
    """Return the options that every benchmark has.

    Parameters
    ----------
    description : the first line of the script's docstring.
    runs : how many runs count, if the command line does not say.
    """
    parser = argparse.ArgumentParser(description=description)
    folder = Path(tempfile.gettempdir()) / "biaspipe-benchmarks"
    parser.add_argument("--data", type=Path, default=folder, help=f"where data is kept; {folder}")
    parser.add_argument("--runs", type=int, default=runs, help=f"runs that count; {runs}")
    return parser


def made(folder: Path, name: str, *options: str) -> Path:
    """Return a data file, which is made unless this generator has made it before.

    Parameters
    ----------
    folder : where data is kept.
    name : the file's name; what is before the first `-` says which data it holds.
    options : more for the generator's command line.
    """
    version = hashlib.sha256(GENERATOR.read_bytes()).hexdigest()[:12]
    file = folder / version / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        kind = name.partition("-")[0]
        print(f"making {file}", flush=True)
        subprocess.run([sys.executable, GENERATOR, kind, file, *options], check=True)
    return file


def _measured(command: Sequence[str]) -> Process:
    """Run a command to its end, which has to be a good one."""
    began = perf_counter()
    child = subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    with child:
        printed = child.stdout.read() if child.stdout else b""
        _, status, usage = os.wait4(child.pid, 0)
        seconds = perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        words = printed.decode(errors="replace")
        raise SystemExit(f"{' '.join(command)}: ended with {child.returncode}\n{words}")
    return Process(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * MAXRSS_UNIT)


def series(
    commands: Sequence[Sequence[str]], runs: int, *, warm: bool = True
) -> list[list[Process]]:
    """Run commands in turn, after one turn that does not count; for each, what was measured.

    Parameters
    ----------
    commands : what to run.
    runs : the turns that count.
    warm : whether a turn goes before that does not.
    """
    for command in commands if warm else ():
        _measured(command)
    turns = [[_measured(command) for command in commands] for _ in range(runs)]
    return [list(processes) for processes in zip(*turns, strict=True)]


def seconds(name: str, processes: Sequence[Process], bound: float | None = None) -> Figure:
    """Return the median time."""
    times = [process.seconds for process in processes]
    return Figure(name, median(times), "s", bound, (min(times), max(times)))


def ratio(
    name: str, a: Sequence[Process], b: Sequence[Process], bound: float | None = None
) -> Figure:
    """Return the median, over the turns, of how many times as long one took as the other."""
    ratios = [x.seconds / y.seconds for x, y in zip(a, b, strict=True)]
    return Figure(name, median(ratios), "x", bound, (min(ratios), max(ratios)))


def processor_ratio(name: str, a: Sequence[Process], b: Sequence[Process]) -> Figure:
    """Return the same of the processor time, which other work on the machine blurs less."""
    ratios = [x.processor / y.processor for x, y in zip(a, b, strict=True)]
    return Figure(name, median(ratios), "x", None, (min(ratios), max(ratios)))


def peak(name: str, processes: Sequence[Process], bound: float | None = None) -> Figure:
    """Return the greatest peak memory, in megabytes of 1,000,000 bytes."""
    return Figure(name, max(process.peak for process in processes) / MEGABYTE, "MB", bound)


def _machine() -> str:
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    gib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{cores} cores, {gib:.0f} GiB, load {os.getloadavg()[0]:.1f}"


def _versions() -> str:
    names = ("biaspipe", "polars")
    return ", ".join(
        [f"Python {platform.python_version()}", *(f"{n} {metadata.version(n)}" for n in names)]
    )


def finish(title: str, size: str, runs: int, figures: Sequence[Figure]) -> int:
    """Print a table and return the exit code: 1 if a bound is missed.

    Parameters
    ----------
    title : what the table shows.
    size : the size of the data.
    runs : how many runs each median is of.
    figures : the rows.
    """
    print(f"{title}\n{_machine()}; {_versions()}\n{size}")
    print(f"{runs} runs of each, in turn; medians, with the least and the greatest\n")
    print("\n".join(figure.line() for figure in figures))
    return 0 if all(figure.kept for figure in figures) else 1
