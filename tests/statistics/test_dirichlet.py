"""The draws: their formulas are those of the metrics, and they come out the same every time."""

import subprocess
import sys

import numpy as np
import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals
from biaspipe.statistics.dirichlet import DISTANCES, Draws, Floats, quantiles
from biaspipe.statistics.propimp import DIVERGENCES, entropy
from tests.metrics.comparisons import Comparison, group, law, table
from tests.statistics.test_worked_examples import interval

TRIAL = Table(
    Group({(True, None): 30, (False, None): 70}, {"hired": 30, "refused": 45, "silent": 25}),
    Group({(True, None): 3, (False, None): 47}, {"hired": 3, "refused": 43, "silent": 4}),
)
PEOPLE = Group({(True, True): 30, (True, False): 6, (False, True): 9, (False, False): 55})

REPEATED = {
    "KL": (0.195321, 0.910678),
    "JS": (0.0491602, 0.161233),
    "LP": (0.359384, 0.631162),
    "TVD": (0.285809, 0.511611),
    "KS": (0.285809, 0.511611),
}


def row(shares: list[float]) -> Floats:
    """Return shares as the only draw."""
    return np.array([shares])


@law
def test_formulas_of_distances_are_those_of_the_metrics(comparison: Comparison) -> None:
    """A formula for many draws gives the metric's own value on the observed shares."""
    compared = table(comparison.a, comparison.d)
    names = compared.categories
    for metric in METRICS.values():
        value = metric(compared).extended if metric.distance else None
        if value is not None:
            groups = (compared.favored, compared.disfavored)
            a, d = (row(list(map(float, g.distribution(names)))) for g in groups)
            with np.errstate(divide="ignore", invalid="ignore"):
                (found,) = DISTANCES[str(metric.distance)].formula(a, d)
            assert (metric.id, found) == (metric.id, pytest.approx(value, rel=1e-9, abs=1e-12))


@law
def test_propagated_entropy_is_that_of_the_metric(comparison: Comparison) -> None:
    """The entropy of two shares of errors is the metric's own value on the observed ones."""
    everyone = group(comparison.everyone(), "")
    errors = everyone.FN + everyone.FP
    for alpha in (-2.0, 0.0, 0.5, 1.0, 2.0, 7.0):
        value = METRICS["GE"](everyone, alpha=alpha).extended
        if value is not None:
            rejections = float(everyone.FN / errors) if errors else 0.0
            found = entropy(float(errors / everyone.n), rejections, alpha)
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12)


@law
def test_propagated_divergences_are_those_of_the_metrics(comparison: Comparison) -> None:
    """The divergences of two shares are the metrics' own values on labels of two categories."""
    a, d = (
        Group(g.cells, {"yes": g.positives, "no": g.negatives})
        for g in (group(comparison.a, "a"), group(comparison.d, "d"))
    )
    for metric in ("KL", "JS"):
        value = METRICS[metric](Table(a, d)).extended
        if value is not None:
            found = DIVERGENCES[str(METRICS[metric].distance)](
                float(a.positives / a.n), float(d.positives / d.n)
            )
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("metric", REPEATED)
def test_ends_are_the_same_every_time(metric: str) -> None:
    """The ends of an interval that is drawn are these six digits, on every machine."""
    found = interval(metric, TRIAL, 0.9)
    assert ((found.low, found.high), found.method) == (REPEATED[metric], "dirichlet")


def test_ends_of_the_entropy_are_the_same_every_time() -> None:
    """The ends of the entropy's interval are these ten digits, on every machine."""
    found = Intervals(PEOPLE, 0.95).of(METRICS["GE"], METRICS["GE"](PEOPLE))
    assert found is not None
    assert (found.low, found.high, found.method) == (0.04408513578, 0.1127110608, "propimp")


def test_ends_do_not_depend_on_what_was_asked_before() -> None:
    """A metric's interval is the same alone and after others that share its draws."""
    shared = Intervals(TRIAL, 0.95)
    together = {m: shared.of(METRICS[m], METRICS[m](TRIAL)) for m in ("TVD", "JS", "KL")}
    assert together == {m: interval(m, TRIAL) for m in ("TVD", "JS", "KL")}


def test_blocks_are_the_draws_in_order() -> None:
    """A thousand categories, drawn in blocks, have as many draws and shares that add up to 1."""
    many = Draws([[0.001 * i + 0.5 for i in range(1_000)], [1.0] * 1_000])
    assert many.of(lambda a, d: a.sum(axis=1) * d.sum(axis=1)) == pytest.approx(np.ones(10_000))
    few = Draws([[1.0, 2.0], [3.0, 4.0]])
    assert (few.of(lambda a, d: a[:, 0] - d[:, 0]) == few.of(lambda a, d: a[:, 0] - d[:, 0])).all()


MANY = {
    "KL": (0.0, 0.821312),
    "JS": (0.0, 0.157662),
    "LP": (0.0, 0.104848),
    "TVD": (0.0, 0.445471),
    "KS": (0.0, 0.0371907),
}


def of_many_categories(most: int) -> Group:
    """Return people with a label of 120 categories, up to `most` in each."""
    labels = {f"{i:03}": i % most + 1 for i in range(120)}
    return Group({(True, None): 1, (False, None): sum(labels.values()) - 1}, labels)


@pytest.mark.parametrize("metric", MANY)
def test_ends_of_many_categories_are_the_same_every_time(metric: str) -> None:
    """The ends of draws that are too many to be kept are these six digits."""
    found = interval(metric, Table(of_many_categories(7), of_many_categories(5)))
    assert (found.low, found.high) == MANY[metric]


def test_many_categories_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The distances of labels of many categories are taken from one drawing of them."""
    starts: list[int] = []
    original = np.random.RandomState

    def begun(seed: int) -> np.random.RandomState:
        starts.append(seed)
        return original(seed)

    monkeypatch.setattr(np.random, "RandomState", begun)
    compared = Table(of_many_categories(7), of_many_categories(5))
    shared = Intervals(compared, 0.95)
    for name in MANY:
        shared.of(METRICS[name], METRICS[name](compared))
    shared.of(METRICS["LP"], METRICS["LP"](compared), p=2.0)
    assert starts == [1961]


@pytest.mark.parametrize(("cells", "draws"), [(1_000, 10_000), (5_000, 2_000), (20_000, 1_000)])
def test_very_many_categories_have_fewer_draws(cells: int, draws: int) -> None:
    """Beyond a thousand categories of two groups the draws become fewer, down to a thousand."""
    many = Draws([[1.0] * cells, [1.0] * cells])
    assert len(many.of(lambda a, d: a[:, 0] - d[:, 0])) == draws


def test_draws_without_a_number_are_left_out() -> None:
    """The ends are those of the draws that have a number, and open where none has one."""
    values = np.array([np.nan, *range(1, 40), np.nan], dtype=np.float64)
    assert quantiles(values, 0.95) == (1, 20, 39)
    assert quantiles(np.array([np.nan]), 0.95) == (-np.inf, 0, np.inf)


def test_closed_forms_do_without_numpy() -> None:
    """Importing the statistics, and an interval of a closed form, import no numpy."""
    code = (
        "import sys; from biaspipe.counts import *; from biaspipe.metrics import find; "
        "from biaspipe.statistics import *; g = Group({(True, True): 3, (False, False): 2}); "
        "t = Table(g, g); d = find('DI'); i = Intervals(t, .9); i.of(d, d(t)); i.model_bias(); "
        "parity_test(d, t); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
