"""Measure how often the intervals hold the true value, on samples of known populations.

    python benchmarks/coverage.py
    python benchmarks/coverage.py --quick
    python benchmarks/coverage.py --markdown

Base rates go from 0.02 to 0.5, true gaps are 0 and 0.1; 20 to 2,000 people of the disfavored
group stand against 2,000 of the favored one and against as many.
Every sample goes through the product's own metrics and intervals.
Ends with 1 if the 95 % intervals of a metric hold the true value in fewer than 93 % or more than
99 % of the samples with 50 people or more in each group.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from statistics import median

import numpy as np

from biaspipe.counts import Favorable, Flips, Group, Headcount, Stratum, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import ConfidenceInterval, Intervals

SEED, CONFIDENCE, SAMPLES, QUICK_SAMPLES = 93, 0.95, 1_000, 60
PEOPLE = (20, 50, 200, 2_000)
SIZES = ((20, 2_000), (20, 20), (50, 2_000), (50, 50), (200, 2_000), (200, 200), (2_000, 2_000))
BASES = tuple(map(Fraction, ("0.02", "0.1", "0.3", "0.5")))
GAPS = (Fraction(0), Fraction("0.1"))
BOUNDS, FROM_PEOPLE, FEWEST_DEFINED = (0.93, 0.99), 50, 0.1
POPULATION = 10**6

Shares = list[Fraction]
Counts = Sequence[Headcount]
MetricInput = Table | Group | Flips


@dataclass(frozen=True)
class Case:
    """A population, and the numbers of people drawn from it."""

    disfavored: int
    favored: int
    base: Fraction
    gap: Fraction

    @property
    def words(self) -> str:
        """The case as it is printed."""
        sizes = f"{self.disfavored:,} against {self.favored:,}"
        return f"{sizes}, base rate {float(self.base)}, gap {float(self.gap)}"


@dataclass(frozen=True)
class Scene:
    """What is drawn of the people, and the metrics that are computed from it.

    Parameters
    ----------
    metrics : their ids.
    shares : the shares of the cells in the favored group where True, else in the disfavored one.
    proof : the metrics' evidence from the counts of both groups.
    note : what is printed behind the metrics' ids.
    thinned : only every so manieth sample is drawn, where an interval takes long to make.
    together : whether both groups are drawn as one, so that their sizes vary too.
    bias : whether the bias added by the model is wanted too.
    """

    metrics: tuple[str, ...]
    shares: Callable[[Case, bool], Shares]
    proof: Callable[[Counts, Counts], MetricInput]
    note: str = ""
    thinned: int = 1
    together: bool = False
    bias: bool = False


@dataclass
class Tally:
    """What became of the intervals of one metric in one case."""

    case: Case
    samples: int = 0
    held: int = 0
    widths: list[float] = field(default_factory=list)

    def add(self, found: ConfidenceInterval | None, truth: float) -> None:
        """Count one sample; the truth may be off an end by rounding alone."""
        self.samples += 1
        if found is not None:
            slack = 1e-9 * max(1.0, abs(truth))
            self.held += found.low - slack <= truth <= found.high + slack
            self.widths.append(found.high - found.low)

    @property
    def coverage(self) -> float:
        """The share of the intervals that hold the true value."""
        return self.held / len(self.widths)

    @property
    def defined(self) -> float:
        """The share of the samples in which the metric has a value."""
        return len(self.widths) / self.samples


def rate(case: Case, favored: bool) -> Fraction:
    """Return a group's share of favorable labels."""
    return case.base + case.gap * favored


def confusion_shares(case: Case, favored: bool) -> Shares:
    """Return the shares of TP, FP, FN, TN; both groups are alike where the gap is 0."""
    better = favored and case.gap > 0
    labels, recall = rate(case, favored), Fraction(7, 10) + case.gap * favored
    selected = labels * (1 if better else Fraction(9, 10))
    found = labels * recall
    return [found, selected - found, labels - found, 1 - labels - selected + found]


def confusion(a: Counts, d: Counts) -> Table:
    """Return a comparison with both outcomes and a label of two categories."""
    return Table(_confused(*a), _confused(*d))


def _confused(tp: Headcount, fp: Headcount, fn: Headcount, tn: Headcount) -> Group:
    cells: dict[tuple[Favorable, Favorable], Headcount] = {
        (True, True): tp,
        (False, True): fp,
        (True, False): fn,
        (False, False): tn,
    }
    return Group(cells, {"yes": tp + fn, "no": fp + tn})


def everyone(a: Counts, d: Counts) -> Group:
    """Return the people of both groups as one."""
    return _confused(*(x + y for x, y in zip(a, d, strict=True)))


def category_shares(case: Case, favored: bool, number: int) -> Shares:
    """Return the shares of one favorable label and of further ones, each rarer than the last."""
    others = [Fraction(2 * (number - i), number * (number - 1)) for i in range(1, number)]
    return [rate(case, favored), *((1 - rate(case, favored)) * other for other in others)]


def labels(a: Counts, d: Counts) -> Table:
    """Return a comparison with a label of many categories."""
    return Table(_categorised(a), _categorised(d))


def _categorised(counts: Counts) -> Group:
    names = {f"{i:02}": n for i, n in enumerate(counts)}
    return Group({(True, None): counts[0], (False, None): sum(counts[1:])}, names)


def stratum_shares(case: Case, favored: bool, number: int) -> Shares:
    """Return the shares of both labels by stratum; strata and their rates differ."""
    sizes = [Fraction(2 + i % 3, 3) for i in range(number)]
    tilt = [1 + Fraction(2 * (i % 5) - 4, 10) for i in range(number)]
    level = sum(s * t for s, t in zip(sizes, tilt, strict=True))
    yes = [rate(case, favored) * s * t / level for s, t in zip(sizes, tilt, strict=True)]
    return [*yes, *(s / sum(sizes) - y for s, y in zip(sizes, yes, strict=True))]


def strata(a: Counts, d: Counts) -> Table:
    """Return a comparison by stratum."""
    half = len(a) // 2
    parts = [[_labelled(x[i : i + 1], x[half + i :][:1]) for i in range(half)] for x in (a, d)]
    whole_a, whole_d = (_labelled(x[:half], x[half:]) for x in (a, d))
    named = (Stratum(str(i), *pair) for i, pair in enumerate(zip(*parts, strict=True)))
    return Table(whole_a, whole_d, tuple(named))


def _labelled(yes: Counts, no: Counts) -> Group:
    return Group({(True, None): sum(yes), (False, None): sum(no)})


def odds_shares(case: Case, favored: bool, *, both: bool) -> Shares:
    """Return the shares of TP, FP, FN, TN where false positive rates differ, and TPR too or not.

    Half of the people have the favorable label.
    """
    tpr, fpr = Fraction(7, 10) + case.gap * (favored and both), rate(case, favored)
    return [part / 2 for part in (tpr, fpr, 1 - tpr, 1 - fpr)]


def flip_shares(case: Case, _: bool) -> Shares:
    """Return the shares of flips to the favorable, away from it, and of none."""
    return [case.base / 2 + case.gap, case.base / 2, 1 - case.base - case.gap]


def flips(_: Counts, d: Counts) -> Flips:
    """Return what a fliptest may have counted."""
    to, away, none = (int(n) for n in d)
    return Flips(to, away, to + away + none, 10**9, 0, 5, "standard", (), None)


def size_share(case: Case, favored: bool) -> Shares:
    """Return a group's share of both, which is all that CI looks at."""
    both = case.favored + case.disfavored
    return [Fraction(case.favored if favored else case.disfavored, both)]


def sizes(a: Counts, d: Counts) -> Table:
    """Return a comparison of which nothing but the sizes is known."""
    return Table(Group({(None, None): a[0]}), Group({(None, None): d[0]}))


RATES = ("DPL", "DPPL", "DI", "SD", "RD", "DAR", "DRR", "AD", "DCAcc", "DCR", "TE")
RATIOS = ("FPRR", "FNRR", "FDRR", "FORR", "ERR", "TPRR", "TNRR", "PPVR", "NPVR", "ACCR")
ODDS = ("EOD", "EOR", "AOD", "AAOD", "AOR")
DISTANCES = ("KL", "JS", "LP", "TVD", "KS")
SCENES = (
    Scene(("CI",), size_share, sizes, together=True),
    Scene((*RATES, *DISTANCES, *RATIOS, *ODDS), confusion_shares, confusion, bias=True),
    *(
        Scene(DISTANCES, partial(category_shares, number=k), labels, f", {k} categories", 5)
        for k in (5, 10)
    ),
    *(
        Scene(
            ("CDDL",),
            partial(stratum_shares, number=k),
            strata,
            f", {k} strata" if k > 1 else ", 1 stratum",
        )
        for k in (1, 5, 20, 100)
    ),
    Scene(("FT",), flip_shares, flips),
    Scene(("GE",), confusion_shares, everyone),
    Scene(ODDS, partial(odds_shares, both=False), confusion, ", FPR apart alone"),
    Scene(ODDS, partial(odds_shares, both=True), confusion, ", both rates apart"),
)
MODEL_BIAS = "DPPL - DPL"


def samples(scene: Scene, case: Case, number: int) -> Iterator[tuple[Counts, Counts]]:
    """Draw the counts of both groups, the same ones every time."""
    random = np.random.default_rng([SEED, SCENES.index(scene), *_numbers(case)])
    a, d = (scene.shares(case, favored) for favored in (True, False))
    if scene.together:
        people = case.favored + case.disfavored
        drawn = random.multinomial(people, list(map(float, a + d)), number)
        yield from ((row[: len(a)], row[len(a) :]) for row in drawn.tolist())
        return
    groups = ((case.favored, a), (case.disfavored, d))
    sides = [random.multinomial(n, list(map(float, p)), number).tolist() for n, p in groups]
    yield from zip(*sides, strict=True)


def _numbers(case: Case) -> list[int]:
    return [case.disfavored, case.favored, int(case.base * 100), int(case.gap * 100)]


def population(scene: Scene, case: Case) -> tuple[Counts, Counts]:
    """Return the counts of groups so large that their shares are the true ones."""
    a, d = (scene.shares(case, favored) for favored in (True, False))
    sizes = (1, 1) if scene.together else (case.favored, case.disfavored)
    return [share * sizes[0] * POPULATION for share in a], [
        share * sizes[1] * POPULATION for share in d
    ]


def tallies(case: Case, number: int) -> dict[str, Tally]:
    """Count for each metric how often its interval holds the value of the population."""
    found: dict[str, Tally] = {}
    for scene in SCENES:
        truths = list(_intervals(scene, scene.proof(*population(scene, case))))
        for a, d in samples(scene, case, number // scene.thinned):
            drawn = _intervals(scene, scene.proof(a, d))
            for (name, truth, _), (_, _, interval) in zip(truths, drawn, strict=True):
                if truth is not None:
                    found.setdefault(name, Tally(case)).add(interval, truth)
    return found


def _intervals(
    scene: Scene, proof: MetricInput
) -> Iterator[tuple[str, float | None, ConfidenceInterval | None]]:
    """Return each metric's value on some evidence, with its interval."""
    intervals = Intervals(proof, CONFIDENCE)
    for name in scene.metrics:
        value = METRICS[name](proof)
        yield name + scene.note, value.extended, intervals.of(METRICS[name], value)
    if scene.bias:
        bias = intervals.model_bias()
        yield MODEL_BIAS, bias and bias[0], bias and bias[1]


@dataclass(frozen=True)
class Line:
    """What became of one metric with so many people of the disfavored group."""

    metric: str
    people: int
    cases: Sequence[Tally]

    @property
    def coverage(self) -> float:
        """Over all samples in which the metric has a value."""
        return sum(t.held for t in self.cases) / sum(len(t.widths) for t in self.cases)

    @property
    def width(self) -> float:
        """The median of the intervals' widths."""
        return median(width for t in self.cases for width in t.widths)

    @property
    def defined(self) -> float:
        """The share of the samples in which the metric has a value."""
        return sum(len(t.widths) for t in self.cases) / sum(t.samples for t in self.cases)

    @property
    def counted(self) -> list[Tally]:
        """The cases in which the metric has a value often enough to say something of them."""
        return [t for t in self.cases if t.defined >= FEWEST_DEFINED]

    @property
    def kept(self) -> bool:
        """Whether the bounds are kept, where there are any."""
        return self.people < FROM_PEOPLE or BOUNDS[0] <= self.coverage <= BOUNDS[1]


def lines(found: Sequence[dict[str, Tally]]) -> list[Line]:
    """Gather the cases of each metric by the people of the disfavored group."""
    return [
        Line(
            name,
            people,
            [t[name] for t in found if name in t and t[name].case.disfavored == people],
        )
        for name in found[0]
        for people in PEOPLE
    ]


def table(title: str, rows: Sequence[Line], cell: Callable[[Line], str], markdown: bool) -> str:
    """Write a table with a row for each metric and a column for each number of people."""
    names = list(dict.fromkeys(line.metric for line in rows))
    body = [[name, *(cell(line) for line in rows if line.metric == name)] for name in names]
    head = [title, *(f"{people:,}" for people in PEOPLE)]
    if markdown:
        written = [head, ["---", *("---:" for _ in PEOPLE)], *body]
        return "\n".join(f"| {' | '.join(row)} |" for row in written)
    return "\n".join(
        f"{row[0]:<20}" + "".join(f"{c:>22}" for c in row[1:]) for row in [head, *body]
    )


def coverage_cell(line: Line) -> str:
    """Write the coverage, and that of the lowest and of the highest case."""
    each = [tally.coverage for tally in line.counted]
    return f"{line.coverage:.3f} ({min(each):.3f}-{max(each):.3f})"


def outside(rows: Sequence[Line]) -> Iterator[str]:
    """Name the cases from 50 people up with too low a coverage, and count those with too high."""
    rows = [line for line in rows if line.people >= FROM_PEOPLE]
    cases = [(t, line.metric) for line in rows for t in line.counted]
    for tally, metric in sorted(cases, key=lambda pair: pair[0].coverage):
        if tally.coverage < BOUNDS[0]:
            defined = f", defined in {tally.defined:.0%}" if tally.defined < 1 else ""
            yield f"{metric}: {tally.coverage:.3f} at {tally.case.words}{defined}"
    high = Counter(metric for tally, metric in cases if tally.coverage > BOUNDS[1])
    yield "above: " + ", ".join(f"{metric} {number}" for metric, number in high.items())


def main() -> int:
    """Draw, count, print tables, and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure how often intervals hold the truth.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_SAMPLES} samples of a case")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"of a case; {SAMPLES}")
    given = parser.parse_args()
    number = QUICK_SAMPLES if given.quick else given.samples
    cases = [Case(*size, base, gap) for size, base, gap in product(SIZES, BASES, GAPS)]
    with ProcessPoolExecutor() as pool:
        rows = lines(list(pool.map(partial(tallies, number=number), cases)))
    print(f"{len(cases)} cases, {number:,} samples of each, {CONFIDENCE:.0%} intervals\n")
    for title, cell in (
        ("coverage (cases)", coverage_cell),
        ("median width", lambda line: f"{line.width:.3g}"),
        ("defined", lambda line: f"{line.defined:.3f}"),
    ):
        print(table(title, rows, cell, given.markdown), end="\n\n")
    found = list(outside(rows))
    print(f"cases from {FROM_PEOPLE} people up outside {BOUNDS[0]} to {BOUNDS[1]}, each alone:")
    print("\n".join(f"- {words}" for words in found))
    missed = [f"{line.metric} at {line.people}" for line in rows if not line.kept]
    print(f"\nbounds missed: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
