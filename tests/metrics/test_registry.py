"""The registry: ids, families, aliases, look-up, and what every record says."""

import re

import pytest

from biaspipe.metrics import ALIASES, FAMILIES, METRICS, UnknownMetricError, find

PRE_TRAINING = ["CI", "DPL", "KL", "JS", "LP", "TVD", "KS", "CDDL"]
POST_TRAINING = [
    "DPPL",
    "DI",
    "DCAcc",
    "DCR",
    "SD",
    "RD",
    "DAR",
    "DRR",
    "AD",
    "TE",
    "CDDPL",
    "FT",
    "GE",
]
VERTEX = [
    "vertex.accuracy_difference",
    "vertex.dpppl",
    "vertex.recall_difference",
    "vertex.specificity_difference",
    "vertex.error_ratio_difference",
    "vertex.population_size_difference",
    "vertex.dpptl",
]
RATES = [
    *("FPRD", "FNRD", "FDRD", "FORD", "ERD"),
    *("FPRR", "FNRR", "FDRR", "FORR", "ERR", "TPRR", "TNRR", "PPVR", "NPVR", "ACCR"),
    *("EOD", "EOR", "AOD", "AAOD", "AOR"),
]
ALL = [*PRE_TRAINING, *POST_TRAINING, *VERTEX, *RATES]

each_metric = pytest.mark.parametrize("metric", METRICS)


def test_ids() -> None:
    """The registry has 21 metrics of Clarify, 7 of Vertex AI and 20 of rates, in their order."""
    assert list(METRICS) == ALL


@each_metric
def test_key_is_the_id(metric: str) -> None:
    """A metric stands in the registry under its own id."""
    assert METRICS[metric].id == metric


def test_family_names() -> None:
    """There are six families."""
    assert list(FAMILIES) == ["pre_training", "post_training", "clarify", "vertex", "rates", "all"]


@pytest.mark.parametrize(
    ("family", "members"),
    [
        ("pre_training", PRE_TRAINING),
        ("post_training", POST_TRAINING),
        ("clarify", PRE_TRAINING + POST_TRAINING),
        ("vertex", VERTEX),
        ("rates", RATES),
        ("all", ALL),
    ],
)
def test_family_members(family: str, members: list[str]) -> None:
    """A family has the metrics of its source document."""
    assert [metric.id for metric in FAMILIES[family]] == members


@pytest.mark.parametrize(
    ("family", "size"),
    [
        *(("pre_training", 8), ("post_training", 13), ("clarify", 21), ("vertex", 7)),
        *(("rates", 20), ("all", 48)),
    ],
)
def test_family_size(family: str, size: int) -> None:
    """A family has as many metrics as its source document."""
    assert len(FAMILIES[family]) == size


@pytest.mark.parametrize(
    ("alias", "metric"),
    [
        ("class_imbalance", "CI"),
        ("CDD", "CDDL"),
        ("disparate_impact", "DI"),
        ("DCA", "DCAcc"),
        ("equal_opportunity", "RD"),
        ("equal opportunity", "RD"),
        ("accuracy_difference", "AD"),
        ("treatment_equality", "TE"),
        ("treatment equality", "TE"),
        ("fliptest", "FT"),
        ("DPPPL", "vertex.dpppl"),
        ("DPPTL", "vertex.dpptl"),
        ("TPRD", "RD"),
        ("PPVD", "DAR"),
        ("ACCD", "AD"),
        ("TNRD", "vertex.specificity_difference"),
        ("disparate_impact_ratio", "DI"),
        ("pprev_disparity", "DI"),
        ("fpr_disparity", "FPRR"),
        ("for_disparity", "FORR"),
        ("error_rate_ratio", "ERR"),
        ("equalized_odds_difference", "EOD"),
        ("equalized_odds_ratio", "EOR"),
        ("average_abs_odds_difference", "AAOD"),
    ],
)
def test_alias(alias: str, metric: str) -> None:
    """An alias finds its metric."""
    assert find(alias).id == metric


def test_alias_is_no_id_and_no_family() -> None:
    """No alias hides a metric or a family."""
    assert set(ALIASES) & (set(METRICS) | set(FAMILIES)) == set()


def test_alias_belongs_to_one_metric() -> None:
    """No two metrics claim the same alias."""
    claimed = [alias for metric in METRICS.values() for alias in metric.aliases]
    assert sorted(claimed) == sorted(ALIASES)


@each_metric
def test_find_by_id(metric: str) -> None:
    """An id finds its metric."""
    assert find(metric) is METRICS[metric]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("DPPLL", "DPPL"),
        ("dppl", "DPPL"),
        ("equal_oportunity", "equal_opportunity"),
        ("vertex.recall_diference", "vertex.recall_difference"),
        ("post_trainig", "post_training"),
    ],
)
def test_unknown_name_hints_at_the_nearest(name: str, near: str) -> None:
    """A name that nothing has is refused with the one that is nearest to it."""
    with pytest.raises(UnknownMetricError) as refusal:
        find(name)
    assert refusal.value.hint == f"did you mean {near!r}?"


def test_unknown_name_lists_the_metrics() -> None:
    """A name like no other is refused with all metrics, and without a hint."""
    with pytest.raises(
        UnknownMetricError, match=r"^there is no metric 'qqq'; the metrics are CI, "
    ):
        find("qqq")
    with pytest.raises(UnknownMetricError) as refusal:
        find("qqq")
    assert refusal.value.hint is None


@each_metric
def test_record_is_complete(metric: str) -> None:
    """A record says everything that a reader needs, in words."""
    record = METRICS[metric]
    texts = (record.name, record.formula, record.source, record.positive, record.undefined)
    assert all(text.strip() for text in texts)


@each_metric
def test_metric_is_said_plainly(metric: str) -> None:
    """One sentence says to everybody what a metric is, without letters of formulas."""
    plainly = METRICS[metric].plainly
    assert plainly.endswith(".")
    assert ". " not in plainly
    assert not re.search(r"[_^()|]|\bn\b|TP|TN|FP|FN|statistic|distribution", plainly)


@pytest.mark.parametrize(
    "metric",
    [
        *("CI", "KL", "JS", "LP", "TVD", "KS", "CDDL", "DCAcc", "DCR", "AD", "TE", "CDDPL", "FT"),
        *("GE", "vertex.error_ratio_difference", "ERD"),
        *("FPRR", "FNRR", "FDRR", "FORR", "ERR", "ACCR", "EOD", "EOR", "AOD", "AAOD", "AOR"),
    ],
)
def test_metric_says_what_it_is_good_for(metric: str) -> None:
    """A metric whose number is easily misread says what it is good for, and what not."""
    good_for = METRICS[metric].good_for
    assert good_for is not None
    assert good_for.startswith("Good for ")
    assert re.search(r"\bnot\b|\bno\b|nothing|hides", good_for)


@each_metric
def test_range_is_an_interval_around_the_ideal(metric: str) -> None:
    """A range has a lower and an upper end, and the ideal lies between them or on one."""
    low, high = METRICS[metric].range
    assert low <= METRICS[metric].ideal <= high
    assert low < high


@each_metric
def test_function_has_a_docstring(metric: str) -> None:
    """The function of a metric says what it computes."""
    assert (METRICS[metric].compute.__doc__ or "").strip()


@each_metric
def test_needs_words(metric: str) -> None:
    """What a metric needs can be said as the keys of a spec."""
    assert all(word.startswith("columns.") for word in METRICS[metric].needs.words)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("CI", ()),
        ("DPL", ("columns.label",)),
        ("CDDL", ("columns.label", "columns.strata")),
        ("DPPL", ("columns.prediction",)),
        ("RD", ("columns.label", "columns.prediction")),
        ("CDDPL", ("columns.prediction", "columns.strata")),
        ("FT", ("columns.prediction", "columns.features")),
        ("GE", ("columns.label", "columns.prediction")),
    ],
)
def test_needs_as_a_user_writes_them(metric: str, words: tuple[str, ...]) -> None:
    """A metric's needs are the declarations that an audit has to make."""
    assert METRICS[metric].needs.words == words


def test_entropy_alone_has_no_facet() -> None:
    """GE is the only metric that does not compare groups."""
    assert [name for name, record in METRICS.items() if not record.has_facet] == ["GE"]


def test_ratios() -> None:
    """DI and the metrics whose ids end in R for ratio are those whose parity is at 1."""
    ratios = [name for name in RATES if name.endswith("R")]
    assert [name for name, record in METRICS.items() if record.is_ratio] == ["DI", *ratios]


@pytest.mark.parametrize("metric", [name for name, m in METRICS.items() if m.compares == "d / a"])
def test_ratio_says_what_it_counts(metric: str) -> None:
    """A rate whose ratio is taken has a name for the people that it counts."""
    rate = METRICS[metric].rate
    assert rate is not None
    assert "{}" in rate.counted


def test_parameters() -> None:
    """LP, FT and GE take parameters, with these defaults."""
    defaults = {
        (metric, name): parameter.default
        for metric, record in METRICS.items()
        for name, parameter in record.parameters.items()
    }
    assert defaults == {
        ("LP", "p"): 2,
        ("FT", "k"): 5,
        ("FT", "scaling"): "standard",
        ("FT", "sample"): None,
        ("FT", "seed"): None,
        ("GE", "alpha"): 2,
    }
