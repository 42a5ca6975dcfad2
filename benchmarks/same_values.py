"""Compare values with those of fairlearn, AIF360 and Aequitas on random frames, name by name.

    python benchmarks/same_values.py
    python benchmarks/same_values.py --frames 1000 --seed 7 --only fairlearn
    python benchmarks/same_values.py --python aif360=/path/to/python

The names are those of the table in biaspipe/metrics/synonyms.py, which says how each is related to
a metric: the same value, with the other sign, of the two groups farthest apart, and so on.
Each tool lives in an environment of its own, which is made in a cache folder unless one is given.
Ends with 1 if a value differs, or a tool has not what the table says that it has.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import inf, isnan, sqrt
from pathlib import Path
from typing import Any

import polars as pl
from against_peers import interpreter

import biaspipe
from biaspipe.metrics import METRICS
from biaspipe.metrics.relations import (
    AT_ALPHA_1,
    CRITERION,
    NONE,
    OF_ALL_GROUPS,
    OF_TWO_GROUPS,
    OTHER,
    OVER_REFERENCE,
    QUOTIENT,
    QUOTIENT_OF_SELECTION,
    RATE,
    SAME,
    SPREAD,
    SPREAD_OF_SELECTION,
    TURNED,
)
from biaspipe.metrics.synonyms import SYNONYMS, Synonym

CLOSE = 1e-12
"""How far apart values may lie, for each unit of a value above 1."""
PEERS = {"fairlearn": "fairlearn", "AIF360": "aif360", "Aequitas": "aequitas"}
"""The program's name for each tool of the table."""
ANSWERS = Path(__file__).with_name("peer_values.py")
REFERENCE = "g0"
FARTHEST = (
    SPREAD,
    SPREAD_OF_SELECTION,
    QUOTIENT,
    QUOTIENT_OF_SELECTION,
    OF_ALL_GROUPS,
    OF_TWO_GROUPS,
)
"""Relations of a number of all groups to a metric of the two that are farthest apart."""
OTHERWISE: dict[str, Callable[..., float]] = {
    "average_predictive_value_difference": lambda dar, ford: -(dar + ford) / 2,
    "coefficient_of_variation": lambda entropy: sqrt(2 * entropy),
}
"""How what the table calls another number is made from those of the metrics."""
UNWEIGHTED = ("entropy", "theil", "coefficient_of_variation")
"""What AIF360 computes of rows, whomever they stand for."""
WITHOUT_REFERENCE = {"Aequitas": 10.0, "disparate_impact_ratio": 0.0}
"""What a tool, or one of its functions, has where the reference group's rate is 0: here that is
infinite, and so it is in most of them."""
Case = dict[str, Any]
Values = dict[tuple[str, str | None, str | None], float | None]


@dataclass
class Outcome:
    """What came of one tool.

    Parameters
    ----------
    compared : values that were compared, by name.
    valueless : those that have no value here, by what the tool has in their place.
    largest : the largest difference, and where it is.
    faults : what differs.
    """

    compared: Counter[str] = field(default_factory=Counter)
    valueless: Counter[str] = field(default_factory=Counter)
    largest: tuple[float, str] = (0.0, "")
    faults: list[str] = field(default_factory=list)

    def compare(self, place: str, name: str, mine: float | None, theirs: float | str) -> None:
        """Compare one value."""
        if isinstance(theirs, str):
            if mine is None:
                self.valueless["an error"] += 1
            else:
                self.faults.append(f"{place} {name}: {mine}, and there {theirs}")
        elif mine is None:
            self.valueless["nan" if isnan(theirs) else f"{theirs:g}"] += 1
        else:
            self.compared[name] += 1
            same = mine == theirs
            apart = 0.0 if same else abs(mine - theirs) / max(1.0, abs(mine))
            if not apart <= CLOSE:
                self.faults.append(f"{place} {name}: {mine!r}, and there {theirs!r}")
            elif apart > self.largest[0]:
                self.largest = apart, f"{name} in {place}"


def draw(number: int, dice: random.Random) -> Case:
    """Return a random frame: of few or many groups, with cells that nobody is in."""
    groups = dice.choice((2, 2, 2, 3, 4, 8))
    empty = dice.choice((0.0, 0.0, 0.2, 0.5))
    heavy = dice.choice((1, 1, 40))
    cells = [
        (f"g{group}", label, prediction, dice.randint(1, heavy))
        for group in range(groups)
        for label in (0, 1)
        for prediction in (0, 1)
        if dice.random() >= empty
        for _ in range(dice.choice((1, 3, 20)))
    ]
    cells += [(f"g{each}", dice.randint(0, 1), dice.randint(0, 1), 1) for each in range(groups)]
    for column in (1, 2):  # an audit is of both outcomes
        missing = {0, 1} - {cell[column] for cell in cells}
        cells += [(REFERENCE, value, value, 1) for value in missing]
    columns = zip(*cells, strict=True)
    case = dict(zip(("group", "label", "prediction", "n"), map(list, columns), strict=True))
    return {"number": number, "reference": REFERENCE, "groups": groups, **case}


def own_values(case: Case) -> Values:
    """Return what biaspipe computes: by metric and pair, against the reference and in all pairs."""
    names = {name for each in SYNONYMS for name in each.metrics} - {"FT", "CDDPL"}
    found: Values = {}
    for metrics in (dict.fromkeys(sorted(names)), {"GE": {"alpha": 1}}):
        frame = pl.DataFrame({key: case[key] for key in ("group", "label", "prediction", "n")})
        spec = {
            "version": 1,
            "name": "case",
            "columns": {
                "label": {"column": "label", "positive": 1},
                "prediction": {"column": "prediction", "positive": 1},
                "weight": "n",
            },
            "facets": {
                "reference": {"column": "group", "favored": REFERENCE},
                "pairs": {"column": "group", "compare": "pairs"},
            },
            "metrics": metrics,
        }
        for check in biaspipe.run(spec, frame).result.checks:
            facet = "" if check.facet in (None, "reference") else "pairs "
            alpha = "(1)" if len(metrics) == 1 else ""
            found[facet + check.metric + alpha, check.favored, check.disfavored] = check.extended
    return found


def expected(synonym: Synonym, own: Values, case: Case) -> Iterator[tuple[str, float | None]]:
    """Yield the groups that a name has a value of, each with that which the table says it has."""
    relation, name = synonym.relation, synonym.metrics[0]
    if relation in FARTHEST:
        if relation is not OF_TWO_GROUPS or case["groups"] == 2:
            yield "", _farthest([v for key, v in own.items() if key[0] == f"pairs {name}"], name)
        return
    if any(word in synonym.name for word in UNWEIGHTED):
        if set(case["n"]) != {1}:
            return
        name = "GE(1)" if relation is AT_ALPHA_1 else "GE"
    for group in sorted(set(case["group"]) - {REFERENCE}):
        pair = (None, None) if name.startswith("GE") else (REFERENCE, group)
        if make := OTHERWISE.get(synonym.name):
            parts = [own[metric, *pair] for metric in synonym.metrics]
            yield group, None if None in parts else make(*parts)
        else:
            yield group, _related(own[name, *pair], synonym)


def _farthest(values: Sequence[float | None], name: str) -> float | None:
    """Return the value of the two groups farthest apart: no sign, a ratio never above 1."""
    if None in values:
        return None
    known = [value for value in values if value is not None]
    if METRICS[name].is_ratio:
        return min(min(value, 1 / value if value else inf) for value in known)
    return max(map(abs, known))


def _related(value: float | None, synonym: Synonym) -> float | None:
    """Return what a tool has in place of a value, as the table and WITHOUT_REFERENCE say."""
    if value is None:
        return None
    if synonym.relation is TURNED:
        return -value
    if synonym.relation not in (SAME, AT_ALPHA_1, OVER_REFERENCE):
        raise ValueError(f"{synonym.name}: no rule for {synonym.relation.words}")
    if value == inf:
        by_tool = WITHOUT_REFERENCE.get(synonym.tool, inf)
        return WITHOUT_REFERENCE.get(synonym.name, by_tool)
    return value


def names_of(tool: str) -> list[Synonym]:
    """Return the names of a tool that stand for a number, which the table or OTHERWISE relates."""
    return [
        each
        for each in SYNONYMS
        if each.tool == tool
        and " " not in each.name
        and each.relation not in (RATE, CRITERION, NONE)
        and (each.relation is not OTHER or each.name in OTHERWISE)
    ]


def asked(tool: str, python: Path, cases: Sequence[Case]) -> list[Any]:
    """Return what a tool answers."""
    names = [each.name for each in names_of(tool)]
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder, "cases.jsonl"), Path(folder, "answers.jsonl")
        lines = (json.dumps({**case, "names": names}) + "\n" for case in cases)
        questions.write_text("".join(lines), encoding="utf-8")
        command = [python, "-W", "ignore", ANSWERS, PEERS[tool], questions, answers]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        return [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]


def compare(tool: str, cases: Sequence[Case], own: Sequence[Values], told: list[Any]) -> Outcome:
    """Compare all values of a tool."""
    outcome = Outcome()
    for case, mine, theirs in zip(cases, own, told, strict=True):
        for synonym in names_of(tool):
            for group, value in expected(synonym, mine, case):
                place = f"frame {case['number']}, {group or 'all groups'}"
                outcome.compare(place, synonym.name, value, theirs[synonym.name][group])
    never = [each.name for each in names_of(tool) if not outcome.compared[each.name]]
    outcome.faults += [f"{name}: nothing was compared" for name in never]
    return outcome


def tell(tool: str, outcome: Outcome) -> None:
    """Print what came of a tool."""
    apart, where = outcome.largest
    print(f"\n{tool}: {outcome.compared.total():,} values of {len(outcome.compared)} names")
    print(f"  largest difference {apart:.2g}" + (f": {where}" if where else ""))
    left = sorted({each.name for each in SYNONYMS if each.tool == tool} - {*outcome.compared})
    print(f"  not compared: {', '.join(left)}" if left else "  every name of the table is compared")
    if outcome.valueless:
        words = ", ".join(f"{n:,} {what}" for what, n in outcome.valueless.most_common(4))
        print(f"  {outcome.valueless.total():,} have no value here; there they are {words}")
    named = Counter(fault.partition(":")[0].rpartition(" ")[2] for fault in outcome.faults)
    print(f"  {len(outcome.faults):,} differ" + "".join(f"; {k}: {n:,}" for k, n in named.items()))
    print("".join(f"    {fault}\n" for fault in outcome.faults[:12]), end="")


def main() -> int:
    """Draw frames, ask all tools, compare, and return the exit code."""
    parser = argparse.ArgumentParser(description="Compare values with those of other tools.")
    parser.add_argument("--frames", type=int, default=200, help="random frames; 200")
    parser.add_argument("--seed", type=int, default=1, help="draws other frames; 1")
    parser.add_argument("--only", action="append", choices=list(PEERS), help="tools; all")
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH")
    given = parser.parse_args()
    named = {name: Path(path) for name, _, path in (text.partition("=") for text in given.python)}
    dice = random.Random(given.seed)  # noqa: S311 - draws data, not secrets
    cases = [draw(number, dice) for number, _ in zip(count(1), range(given.frames), strict=False)]
    own = [own_values(case) for case in cases]
    print(f"{len(cases):,} frames of seed {given.seed}")
    faults = 0
    for tool in given.only or PEERS:
        python = named.get(PEERS[tool]) or interpreter(PEERS[tool])
        outcome = compare(tool, cases, own, asked(tool, python, cases))
        tell(tool, outcome)
        faults += len(outcome.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
