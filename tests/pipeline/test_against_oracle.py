"""Whole audits of random data give what a slow, independent reference gives."""

from math import isclose
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.metrics import METRICS
from biaspipe.report import CheckRecord, Result, canonical_json
from tests import oracle
from tests.engines.builders import WAYS, audited, count_as_large
from tests.examples import examples

random_data = examples(50, unchecked=[HealthCheck.function_scoped_fixture])
POSITIVE = ("hired", "trial")
NAN = float("nan")


class Person(NamedTuple):
    """A row of the data; every value but the weight may be missing."""

    sex: str | None
    site: str | None
    label: str | None
    score: float | None
    stratum: str | None
    weight: int
    size: float | None
    town: str | None
    member: bool | None
    age: int | None

    @property
    def features(self) -> tuple[float | str | bool | None, ...]:
        """What similarity is judged on."""
        return self.size, self.town, self.member, self.age

    @property
    def predicted(self) -> bool | None:
        """Whether the score is favorable; None where it is missing or NaN."""
        if self.score is None or self.score != self.score:
            return None
        return self.score >= 0.5


SCHEMA = {
    "sex": pl.String,
    "site": pl.String,
    "label": pl.String,
    "score": pl.Float64,
    "stratum": pl.String,
    "weight": pl.UInt8,
    "size": pl.Float64,
    "town": pl.String,
    "member": pl.Boolean,
    "age": pl.Int16,
}
CHOICES: tuple[list[Any], ...] = (
    ["m", "f", "m", "f", "m", "f", "x", None],
    ["p", "q", "p", "r", None],
    ["hired", "trial", "refused", "refused", "silent", "hired", None],
    [0.1, 0.2, 0.5, 0.9, 0.75, 0.25, NAN, None],
    ["day", "night", "both", "day", "", None],
    [1, 1, 2, 5, 0],
    [0.0, 0.5, 1.0, 1e-3, -7.25, 2.0, 3.0, 2.5, NAN, None],
    ["Bonn", "Ulm", "Ulm", "", None],
    [True, False, True, None],
    [20, 21, 30, 60, 20, 21, 33, None],
)
"""What each value of a person is drawn from."""

FEW = st.lists(st.builds(Person, *map(st.sampled_from, CHOICES)), max_size=8)
"""Small crowds, in which most metrics have no value."""


def crowd(random: Random, size: int) -> list[Person]:
    """Return a crowd that is large enough for most metrics to have one."""
    return [Person(*map(random.choice, CHOICES)) for _ in range(size)]


MANY = st.builds(crowd, st.integers(0, 2**32).map(Random), st.integers(20, 60))
NOBODY = [
    Person("m", "p", "hired", 0.9, "day", 0, 1.0, "Bonn", True, 20),
    Person("f", "q", "trial", 0.1, "day", 0, 1.0, "Bonn", True, 20),
]
"""Rows that stand for nobody, so that every value that the spec names occurs."""

CROWDS = st.one_of(MANY, FEW, MANY).map(lambda drawn: NOBODY + drawn)
FACETS = {
    "sex": {"column": "sex", "favored": "m", "disfavored": "f"},
    "site": {"column": "site", "disfavored": "p"},
}
COLUMNS = {
    "label": {"column": "label", "positive": list(POSITIVE), "constant": "allowed"},
    "prediction": {"column": "score", "at_least": 0.5},
    "strata": ["stratum"],
    "weight": "weight",
    "features": ["size", "town", "member", "age"],
}


class Parameters(NamedTuple):
    """What an audit sets for the metrics that take a parameter."""

    p: float
    alpha: float
    k: int


PARAMETERS = st.builds(
    Parameters,
    st.sampled_from([1, 2, 3.5]),
    st.sampled_from([-1, 0, 0.5, 1, 2]),
    st.sampled_from([1, 2, 3, 5, 9]),
)


def audit(folder: Path, people: list[Person], given: Parameters) -> Result:
    """Audit people with every metric."""
    metrics: dict[str, Any] = {
        "all": None,
        "LP": {"p": given.p},
        "GE": {"alpha": given.alpha},
        "FT": {"k": given.k, "scaling": "standard"},
    }
    frame = pl.DataFrame(people, schema=SCHEMA, orient="row")
    return audited(folder, frame, columns=COLUMNS, facets=FACETS, metrics=metrics)


def expected(check: CheckRecord, people: list[Person], given: Parameters) -> oracle.Answer:
    """Return what the reference makes of a check."""
    by_site = check.facet == "site"
    rows = [
        oracle.Row(
            person.site if by_site else person.sex,
            person.label,
            person.predicted,
            person.stratum,
            person.weight,
            person.features,
        )
        for person in people
    ]
    favored, disfavored = (("q", "r"), ("p",)) if by_site else (("m",), ("f",))
    return oracle.answer(check.metric, rows, favored, disfavored, POSITIVE, **given._asdict())


def agree(check: CheckRecord, answer: oracle.Answer) -> bool:
    """Tell whether status, sign and value are those of the reference."""
    if (check.status, check.sign) != (answer.kind, answer.sign):
        return False
    if check.value is None or answer.value is None:
        return check.value is answer.value
    return isclose(check.value, answer.value, rel_tol=1e-9, abs_tol=1e-9)


def without_inputs(result: Result) -> str:
    """Return the canonical text of a result, without the digests of the files."""
    data = result.data.model_copy(update={"inputs": ()})
    return canonical_json(result.model_copy(update={"data": data}))


def test_reference_knows_every_metric() -> None:
    """The reference answers for every registered metric."""
    assert set(oracle.METRICS) == set(METRICS)


@random_data
@given(people=CROWDS, parameters=PARAMETERS)
def test_every_value_is_that_of_the_reference(
    people: list[Person], parameters: Parameters, tmp_path: Path
) -> None:
    """All 48 metrics of two facets have status, sign and value of the reference."""
    result = audit(tmp_path, people, parameters)
    assert len(result.checks) == 2 * 47 + 1
    for check in result.checks:
        answer = expected(check, people, parameters)
        assert agree(check, answer), f"{check.metric} {check.facet}: {check.value} or {answer}"


@random_data
@given(people=CROWDS, parameters=PARAMETERS, unit=st.sampled_from([1 / 3, 1e-7, 1000.0]))
def test_every_value_of_a_sample_is_that_of_the_reference(
    people: list[Person], parameters: Parameters, unit: float, tmp_path: Path
) -> None:
    """Sampling weights in any unit give the values of the reference, but for the fliptest's."""
    frame = pl.DataFrame(people, schema=SCHEMA, orient="row")
    scaled = frame.with_columns(pl.col("weight").cast(pl.Float64) * unit)
    columns = {**COLUMNS, "weight": {"column": "weight", "kind": "sampling"}}
    metrics = {"all": None, "LP": {"p": parameters.p}, "GE": {"alpha": parameters.alpha}}
    result = audited(tmp_path, scaled, columns=columns, facets=FACETS, metrics=metrics)
    assert len(result.checks) == 2 * 46 + 1
    for check in result.checks:
        answer = expected(check, people, parameters)
        assert agree(check, answer), f"{check.metric} {check.facet}: {check.value} or {answer}"


@random_data
@given(people=CROWDS, parameters=PARAMETERS, random=st.randoms(use_true_random=False))
def test_order_of_the_rows_changes_nothing(
    people: list[Person], parameters: Parameters, random: Random, tmp_path: Path
) -> None:
    """Shuffled rows give the same result byte for byte, apart from the file's digest."""
    result = audit(tmp_path, people, parameters)
    shuffled = random.sample(people, len(people))
    assert without_inputs(audit(tmp_path, shuffled, parameters)) == without_inputs(result)


@random_data
@given(people=CROWDS, parameters=PARAMETERS, way=st.sampled_from([*WAYS][1:]))
def test_way_of_counting_changes_nothing(
    people: list[Person], parameters: Parameters, way: str, tmp_path: Path
) -> None:
    """However the engine counts large data, the result is the same byte for byte."""
    usual = audit(tmp_path, people, parameters)
    with pytest.MonkeyPatch.context() as patch:
        count_as_large(patch, way)
        other = audit(tmp_path, people, parameters)
    assert canonical_json(other) == canonical_json(usual)


@random_data
@given(people=CROWDS, parameters=PARAMETERS)
def test_count_table_gives_the_values_of_its_rows(
    people: list[Person], parameters: Parameters, tmp_path: Path
) -> None:
    """Rows repeated as often as they weigh give the values that the weights give."""
    single = [p._replace(weight=1) for p in people for _ in range(p.weight)]
    weighed = audit(tmp_path, people, parameters)
    repeated = audit(tmp_path, NOBODY + single, parameters)
    shown = {"metric", "facet", "value", "status", "sign", "sentence"}
    assert [c.model_dump(include=shown) for c in repeated.checks] == [
        c.model_dump(include=shown) for c in weighed.checks
    ]
