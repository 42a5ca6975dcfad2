"""Random frames for benchmarks/parity.py, each with the audit that both tools run on it."""

import csv
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

__all__ = ["Case", "draw"]

Column = list[Any]
Values = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A frame and an audit of it.

    Parameters
    ----------
    name : of the audit.
    columns : the frame; None is missing.
    label, prediction : their values or threshold; the prediction's own only for a score.
    facets : for each column the values that are disfavored; none for each against the rest.
    threshold : whether the label's value is written as `above:`.
    group : the column of the strata.
    score : the threshold of a score.
    exclude : columns that are no features.
    """

    name: str
    columns: dict[str, Column]
    label: list[Any]
    facets: dict[str, tuple[list[Any], bool]]
    threshold: bool
    group: str | None
    score: float | None
    exclude: list[str]

    def csv(self) -> str:
        """Return the frame as a CSV."""
        file = StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.columns)
        rows = zip(*self.columns.values(), strict=True)
        writer.writerows([["" if v is None else v for v in row] for row in rows])
        return file.getvalue()

    def spec(self) -> Values:
        """Return the audit as a spec."""
        positive = {"above": self.label[0]} if self.threshold else {"positive": self.label}
        side = "at_most" if self.label[0] in (0, False) else "above"
        predicted = positive if self.score is None else {side: self.score}
        return {
            "version": 1,
            "name": self.name,
            "compat": "smclarify",
            "data": {"path": f"{self.name}.csv"},
            "columns": {
                "label": {"column": "label", **positive},
                "prediction": {"column": "prediction", **predicted},
                **({"strata": [self.group]} if self.group else {}),
                "features": {"exclude": self.exclude},
            },
            "facets": {
                name: {
                    "column": name,
                    **_side(values, above=above),
                }
                for name, (values, above) in self.facets.items()
            },
            "metrics": {"all": {}},
        }

    def write(self, folder: Path) -> Path:
        """Write frame and spec into a folder; return the spec's path."""
        (folder / f"{self.name}.csv").write_text(self.csv(), encoding="utf-8")
        spec = folder / f"{self.name}.yaml"
        spec.write_text(json.dumps(self.spec()), encoding="utf-8")
        return spec

    def question(self, folder: Path) -> Values:
        """Return the same audit for smclarify."""
        return {
            "data": str(folder / f"{self.name}.csv"),
            "label": "label",
            "label_values": self.label,
            "prediction": "prediction",
            "probability_threshold": self.score,
            "facets": [{"column": c, "values": values} for c, (values, _) in self.facets.items()],
            "group": self.group,
            "exclude": self.exclude,
        }


def _side(values: list[Any], *, above: bool) -> Values:
    if not values:
        return {}
    return {"disfavored": {"above": values[0]} if above else values}


def draw(rng: random.Random, number: int) -> Case:
    """Draw a frame and an audit."""
    rows = rng.choice([6, 9, 14, 25, 40, 60, 120, 300])
    kind = rng.choice(["int", "int", "text", "texts", "ints", "float", "count", "bool"])
    label, positive, threshold = outcomes(rng, kind, rows)
    score = None
    if kind in ("text", "bool", "int", "ints") and rng.random() < 0.3:
        score = rng.choice([0.2, 0.3] if positive == [0.5] else [0.3, 0.5])
    predicted = _scores(rng, rows) if score else _noisy(rng, label, kind)
    facets, columns = {}, {}
    for name in ("one", "two")[: rng.choice([1, 1, 2])]:
        columns[name], facets[name] = _facet(rng, rows)
    group = rng.choice([None, "group", "group"])
    if group or rng.random() < 0.3:
        columns["group"] = _missing(rng, _strata(rng, rows))
    columns |= _features(rng, rows)
    columns |= {"label": _missing(rng, label), "prediction": _missing(rng, predicted)}
    texts = [c for c, held in columns.items() if any(isinstance(v, str) for v in held)]
    own = {"label", "prediction", *facets}
    exclude = [c for c in columns if c not in own and c in texts and rng.random() < 0.9]
    exclude += [c for c in facets if rng.random() < 0.3]
    exclude += (
        ["group"] if "group" in columns and "group" not in exclude and rng.random() < 0.5 else []
    )
    return Case(f"frame-{number}", columns, positive, facets, threshold, group, score, exclude)


def outcomes(rng: random.Random, kind: str, rows: int) -> tuple[Column, list[Any], bool]:
    """Draw labels; with the positive values, and whether they are a threshold."""
    match kind:
        case "int":
            one = rng.choice([1, 1, 0, 0.5])
            return _two(rng, 1, 0, rows), [one], one == 0.5
        case "bool":
            return _two(rng, True, False, rows), [rng.choice([True, True, False])], False
        case "text":
            return _two(rng, "yes", "no", rows), ["yes"], False
        case "texts":
            held = _with_all(rng, ["a", "b", "c"], rows)
            return held, rng.choice([["a"], ["a", "c"]]), False
        case "ints":
            held = _with_all(rng, [1, 2, 3, 4], rows)
            some: Column = rng.choice([[2], [3, 4], [2, 4], [2.5]])
            return held, some, some == [2.5]
        case "float":
            held = [round(rng.gauss(0, 3), 2) for _ in range(rows)]
        case _:
            held = [rng.randint(-20, 60) for _ in range(rows)]
    between = sorted(held)[rows // 3 : 2 * rows // 3 + 1]
    cut = rng.choice([between[0], float(between[-1]), round(between[0] + 0.5, 3)])
    return held, [cut], True


def _two(rng: random.Random, yes: Any, no: Any, rows: int) -> Column:
    share = rng.choice([0.1, 0.3, 0.5, 0.9])
    return _shuffled(rng, [yes, no], [yes if rng.random() < share else no for _ in range(rows)])


def _shuffled(rng: random.Random, first: Sequence[Any], held: Column) -> Column:
    """Return values among which the first ones occur."""
    all_of_them = [*first, *held[len(first) :]]
    rng.shuffle(all_of_them)
    return all_of_them


def _with_all(rng: random.Random, values: Sequence[Any], rows: int) -> Column:
    return _shuffled(rng, values, [rng.choice(values) for _ in range(rows)])


def _noisy(rng: random.Random, label: Column, kind: str) -> Column:
    """Predict: mostly the label, sometimes another one; numbers sometimes with decimals."""
    values = sorted(set(label))
    shares = rng.choice([0.05, 0.3, 0.6])
    guesses = [rng.choice(values) if rng.random() < shares else v for v in label]
    if kind in ("float", "count"):
        step = rng.choice([0.25, 1])
        guesses = [round(g + step * rng.randint(-8, 8), 2) for g in label]
    if kind == "int" and rng.random() < 0.1:
        guesses = [float(g) for g in guesses]
    if rng.random() < 0.05:
        return [min(values)] * len(label)
    return [*values, *guesses[len(values) :]] if len(values) < 5 else guesses


def _scores(rng: random.Random, rows: int) -> Column:
    digits = rng.choice([1, 3])
    return [round(rng.random(), digits) for _ in range(rows)]


def _missing(rng: random.Random, held: Column) -> Column:
    share = rng.choice([0, 0, 0.1])
    return [None if i > 1 and rng.random() < share else v for i, v in enumerate(held)]


VALUES: dict[str, Column] = {"texts": ["x", "y", "z"], "ints": [0, 1, 2], "bool": [True, False]}


def _facet(rng: random.Random, rows: int) -> tuple[Column, tuple[list[Any], bool]]:
    """Draw a facet, and which of its values are disfavored: some, those above a number, or each."""
    kind = rng.choice(["texts", "texts", "ints", "bool", "float", "count"])
    if kind in ("float", "count"):
        held = _missing(rng, outcomes(rng, kind, rows)[0])
        present = sorted(v for v in held if v is not None)
        return held, ([rng.choice(present[:-1])], True)
    values: Column = VALUES[kind][: rng.choice([1, 2, 2, 2, 3, 3, 3])]
    held = _missing(rng, _with_all(rng, values, rows))
    occurring = sorted({v for v in held if v is not None})
    if kind == "ints" and rng.random() < 0.2:
        return held, ([0.5], True)
    some = rng.sample(occurring, rng.choice([0, 1, 1, min(2, len(occurring))]))
    return held, (some, False)


def _strata(rng: random.Random, rows: int) -> Column:
    kind = rng.choice(["texts", "ints", "floats", "rare"])
    values: dict[str, Column] = {
        "texts": ["s", "t", "u"],
        "ints": [3, 10, 2],
        "floats": [0.5, 1.5],
        "rare": [f"s{i}" for i in range(max(2, rows // 3))],
    }
    return [rng.choice(values[kind]) for _ in range(rows)]


def _features(rng: random.Random, rows: int) -> dict[str, Column]:
    """Draw features: whole numbers with ties, decimals, true and false, sometimes a text."""
    columns: dict[str, Column] = {}
    for i in range(rng.choice([1, 1, 2, 3])):
        kind = rng.choice(["int", "float", "float", "wide", "bool"])
        drawn: dict[str, Column] = {
            "int": [rng.randint(0, 5) for _ in range(rows)],
            "float": [round(rng.gauss(0, 1), 3) for _ in range(rows)],
            "wide": [round(rng.gauss(5e4, 2e4), 1) for _ in range(rows)],
            "bool": [rng.random() < 0.5 for _ in range(rows)],
        }
        columns[f"f{i}"] = drawn[kind]
    if rng.random() < 0.06:
        columns["f0"] = [None, *columns["f0"][1:]]
    if rng.random() < 0.1:
        columns["city"] = [rng.choice(["r", "s"]) for _ in range(rows)]
    if rng.random() < 0.06:
        columns |= {f"g{i}": [rng.random() for _ in range(rows)] for i in range(16)}
    return columns
