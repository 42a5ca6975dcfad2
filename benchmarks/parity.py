"""Compare `compat: smclarify` with smclarify 0.5 itself, on random frames.

    python benchmarks/parity.py --frames 600 --seed 5

smclarify needs pandas before 3, so it lives in an environment of its own, which is made in a cache
folder unless --python names one.
Every frame is a CSV that both read: labels and facets of two values, of many and of numbers,
favorable labels of 1, 0 and true or false, scores that a threshold makes labels of, thresholds
with a fraction, missing values, empty groups, strata with one outcome, excluded facets.
Compares the whole of analysis.json: order, descriptions, intervals, errors, and each value to 1e-9.
Ends with 1 where anything differs.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from against_peers import interpreter
from frames import Case, draw

from biaspipe.errors import BiaspipeError
from biaspipe.loading import load
from biaspipe.pipeline import run
from biaspipe.renderers.sagemaker.analysis import analysis_values

REFERENCE = Path(__file__).with_name("bias_report.py")
CLOSE = 1e-9
Values = dict[str, Any]


@dataclass
class Outcome:
    """What the comparison came to.

    Parameters
    ----------
    frames : frames that both have read.
    values, errors : values, and cases without one, that were compared.
    largest : the largest difference of two values.
    refused : frames that biaspipe refuses, by the reason.
    faults : what differs.
    """

    frames: int = 0
    values: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    largest: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def asked(python: Path, cases: list[Values], folder: Path) -> list[Values]:
    """Return smclarify's answers."""
    questions, answers = folder / "cases.jsonl", folder / "answers.jsonl"
    questions.write_text("".join(json.dumps(c) + "\n" for c in cases), encoding="utf-8")
    command = [str(part) for part in (python, "-W", "ignore", REFERENCE, questions, answers)]
    subprocess.run(command, check=True)
    return [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]


def computed(spec: Path) -> Values:
    """Return the analysis that biaspipe makes of a spec."""
    return analysis_values(run(load(spec)))


def compare(own: Values, other: Values, outcome: Outcome) -> Iterator[str]:
    """Yield what differs between two analyses."""
    for section in sorted({*own, *other} - {"version"}):
        mine, theirs = own.get(section), other.get(section)
        if mine is None or theirs is None:
            yield f"{section}: only one has it"
        elif "error" in theirs:
            outcome.errors["section"] += 1
            for where, entry in _entries(mine):
                if entry["value"] is not None:
                    yield f"{section}.{where}: {entry['value']}, not {theirs['error']}"
        else:
            for key in ("label", "label_value_or_threshold"):
                if mine[key] != theirs[key]:
                    yield f"{section}.{key}: {mine[key]!r}, not {theirs[key]!r}"
            for column, groups in mine["facets"].items():
                yield from _facet(section, column, groups, theirs["facets"][column], outcome)


def _facet(
    section: str, column: str, own: list[Values], other: Any, outcome: Outcome
) -> Iterator[str]:
    mine = dict(_entries({"facets": {column: own}}))
    if isinstance(other, list):
        theirs = dict(_entries({"facets": {column: other}}))
        yield from _compared(mine, theirs, section, outcome)
        return
    outcome.errors["facet"] += 1
    for where, entry in mine.items():
        if entry["value"] is not None:
            yield f"{section}.{where}: {entry['value']}, not {other['error']}"


def _entries(section: Values) -> Iterator[tuple[str, Values]]:
    for column, groups in section["facets"].items():
        for g, group in enumerate(groups):
            for m, entry in enumerate(group["metrics"]):
                where = f"{column}.{g}:{group['value_or_threshold']}.{m}:{entry['name']}"
                yield where, entry


def _compared(own: Values, other: Values, section: str, outcome: Outcome) -> Iterator[str]:
    if list(own) != list(other):
        odd = sorted({*own} ^ {*other})
        yield f"{section}: other groups or another order: {odd[:6]}"
        return
    for where, theirs in other.items():
        mine = own[where]
        if mine["description"] != theirs["description"]:
            yield f"{section}.{where}: {mine['description']!r}"
        if theirs["value"] is None or mine["value"] is None:
            outcome.errors[theirs["name"]] += 1
            if mine["value"] is not theirs["value"]:
                yield f"{section}.{where}: {_said(mine)}, not {_said(theirs)}"
            continue
        one, two = _number(mine["value"]), _number(theirs["value"])
        gap = 0.0 if one == two else abs(one - two)
        outcome.values[theirs["name"]] += 1
        outcome.largest = max(outcome.largest, gap if gap < inf else 0.0)
        if not gap <= CLOSE:
            yield f"{section}.{where}: {one}, not {two}"


def _said(entry: Values) -> str:
    return str(entry["value"]) if entry["value"] is not None else f"error {entry['error']!r}"


def _number(value: float | str) -> float:
    return float(value)


def frames(
    given: argparse.Namespace, folder: Path, outcome: Outcome
) -> Iterator[tuple[Case, Values]]:
    """Yield frames that biaspipe can read, with what it makes of them."""
    number = 0
    while outcome.frames < given.frames:
        rng = random.Random(f"{given.seed}-{number}")  # noqa: S311 - seeded, makes data
        case = draw(rng, number)
        number += 1
        try:
            values = computed(case.write(folder))
        except BiaspipeError as error:
            outcome.refused[str(error).splitlines()[0].rpartition(": ")[2][:90]] += 1
            continue
        outcome.frames += 1
        yield case, values


def main() -> int:
    """Compare, print what came out, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", type=Path, help="a Python that has smclarify 0.5")
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--freeze", type=Path, help="keep the first 50 frames and answers here")
    given = parser.parse_args()
    python, outcome = given.python or interpreter("smclarify"), Outcome()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        drawn = list(frames(given, folder, outcome))
        answers = asked(python, [case.question(folder) for case, _ in drawn], folder)
        for (case, own), other in zip(drawn, answers, strict=True):
            outcome.faults += [f"{case.name}: {f}" for f in compare(own, other, outcome)]
        if given.freeze:
            freeze(drawn, answers, given.freeze)
    print(f"{outcome.frames} frames compared, {outcome.refused.total()} refused by biaspipe")
    for words, n in outcome.refused.most_common():
        print(f"  {n} {words}")
    print(f"{outcome.values.total():,} values, the largest difference {outcome.largest:.3g}")
    print("  " + ", ".join(f"{m} {n}" for m, n in sorted(outcome.values.items())))
    print(f"{outcome.errors.total():,} without a value in smclarify")
    print("  " + ", ".join(f"{m} {n}" for m, n in sorted(outcome.errors.items())))
    print(f"{len(outcome.faults)} differences")
    print("\n".join(outcome.faults[:40]))
    return 1 if outcome.faults else 0


def freeze(drawn: list[tuple[Case, Values]], answers: list[Values], folder: Path) -> None:
    """Keep 50 frames with smclarify's answers, spread over all that were drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    step = max(1, len(drawn) // 50)
    kept = list(zip(drawn, answers, strict=True))[::step][:50]
    for i, ((case, _), other) in enumerate(kept):
        values = {"csv": case.csv(), "spec": case.spec(), "analysis": other}
        text = json.dumps(values, sort_keys=True) + "\n"
        (folder / f"{i:02}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
