"""Make the data of the benchmarks, the same values each time, without a network.

    python benchmarks/data.py adult FILE.csv
    python benchmarks/data.py decisions FILE.parquet --rows 20000000
    python benchmarks/data.py applications FILE.parquet --rows 10000000 --part 3
    python benchmarks/data.py groups FILE.csv

The benchmarks call this file as a process of its own, because the peak memory that the kernel
reports for a child is never below what its parent held when it started the child.
"""

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WOMEN, MEN = 9_782, 20_380
SEED = 1994

# In per mille, about as in the census extract.
WORKCLASS = {
    "Private": 739,
    "Self-emp-not-inc": 83,
    "Local-gov": 69,
    "State-gov": 42,
    "Self-emp-inc": 36,
    "Federal-gov": 30,
    "Without-pay": 1,
}
# By years of education, from 1 to 16.
EDUCATION = {
    "Preschool": 2,
    "1st-4th": 5,
    "5th-6th": 10,
    "7th-8th": 18,
    "9th": 15,
    "10th": 27,
    "11th": 35,
    "12th": 12,
    "HS-grad": 326,
    "Some-college": 221,
    "Assoc-voc": 43,
    "Assoc-acdm": 33,
    "Bachelors": 169,
    "Masters": 54,
    "Prof-school": 18,
    "Doctorate": 12,
}
MARITAL_STATUS = {
    "Married-civ-spouse": 466,
    "Never-married": 322,
    "Divorced": 140,
    "Separated": 31,
    "Widowed": 27,
    "Married-spouse-absent": 13,
    "Married-AF-spouse": 1,
}
OCCUPATION = {
    "Prof-specialty": 134,
    "Craft-repair": 134,
    "Exec-managerial": 132,
    "Adm-clerical": 123,
    "Sales": 119,
    "Other-service": 107,
    "Machine-op-inspct": 65,
    "Transport-moving": 52,
    "Handlers-cleaners": 45,
    "Farming-fishing": 33,
    "Tech-support": 30,
    "Protective-serv": 21,
    "Priv-house-serv": 4,
    "Armed-Forces": 1,
}
RELATIONSHIP = {
    "Husband": 413,
    "Not-in-family": 256,
    "Own-child": 148,
    "Unmarried": 106,
    "Wife": 47,
    "Other-relative": 30,
}
RACE = {
    "White": 860,
    "Black": 93,
    "Asian-Pac-Islander": 30,
    "Amer-Indian-Eskimo": 9,
    "Other": 8,
}
COUNTRY = {"United-States": 912, "Mexico": 20} | {f"Country-{i}": 2 for i in range(1, 35)}
SEX = {"men": 550, "women": 450}
DEPARTMENT = {f"department-{i:02}": 10 + i for i in range(1, 21)}


def drawn(rng: np.random.Generator, shares: dict[str, int], rows: int) -> pl.Series:
    """Draw texts with the given shares, as categories that take a byte each."""
    weights = np.array(list(shares.values()), dtype=np.float64)
    edges = np.cumsum(weights / weights.sum())[:-1]
    codes = np.searchsorted(edges, rng.random(rows), side="right").astype(np.uint8)
    return pl.Series(codes).cat.to(pl.Enum(list(shares)))


def chance(rng: np.random.Generator, odds: Floats) -> NDArray[np.bool_]:
    """Draw true with the probability that the logarithms of the odds stand for."""
    return np.asarray(rng.random(len(odds)) < 1 / (1 + np.exp(-odds)))


def sometimes(rng: np.random.Generator, share: float, values: NDArray[np.int64]) -> pl.Series:
    """Keep a share of the values and make the others 0."""
    return pl.Series(np.where(rng.random(len(values)) < share, values, 0))


def adult() -> pl.DataFrame:
    """Return 30,162 people with the columns of UCI Adult and a prediction, distributed alike."""
    rng, rows = np.random.default_rng(SEED), WOMEN + MEN
    female = rng.permutation(np.repeat([True, False], [WOMEN, MEN]))
    age = np.clip(17 + rng.gamma(2.2, 9.8, rows), 17, 90).astype(np.int64)
    hours = np.where(rng.random(rows) < 0.47, 40, rng.normal(40, 14, rows))
    education = drawn(rng, EDUCATION, rows)
    years = education.to_physical().to_numpy().astype(np.int64) + 1
    odds = -1.6 - 0.9 * female + 0.35 * (years - 10) + 0.03 * (age - 38)
    texts = {True: ">50K", False: "<=50K"}
    columns = {
        "age": age,
        "workclass": drawn(rng, WORKCLASS, rows),
        "education": education,
        "education-num": years,
        "marital-status": drawn(rng, MARITAL_STATUS, rows),
        "occupation": drawn(rng, OCCUPATION, rows),
        "relationship": drawn(rng, RELATIONSHIP, rows),
        "race": drawn(rng, RACE, rows),
        "sex": np.where(female, "Female", "Male"),
        "capital-gain": sometimes(rng, 0.084, rng.integers(1, 120, rows) ** 2 * 7),
        "capital-loss": sometimes(rng, 0.047, rng.integers(155, 4_356, rows)),
        "hours-per-week": np.clip(hours, 1, 99).astype(np.int64),
        "native-country": drawn(rng, COUNTRY, rows),
        "income": [texts[bool(rich)] for rich in chance(rng, odds)],
        "prediction": [texts[bool(rich)] for rich in chance(rng, 2 * odds)],
    }
    return pl.DataFrame(columns)


def decisions(rows: int, rng: np.random.Generator) -> pl.LazyFrame:
    """Return decisions: sex, race and department, a label, and a score that knows something."""
    frame = pl.DataFrame(
        {
            "sex": drawn(rng, SEX, rows),
            "race": drawn(rng, RACE, rows),
            "department": drawn(rng, DEPARTMENT, rows),
            "score": rng.beta(2.0, 2.5, rows),
        }
    )
    good = pl.Series(rng.random(rows)) < frame["score"]
    label = pl.when(pl.lit(good)).then(pl.lit("yes")).otherwise(pl.lit("no"))
    return frame.lazy().with_columns(pl.col(pl.Enum).cast(pl.String), label=label)


def applications(rows: int, part: int) -> pl.LazyFrame:
    """Return decisions with an age; every part holds other rows, distributed alike."""
    rng = np.random.default_rng([SEED, part])
    ages = pl.Series("age", rng.integers(18, 91, rows))
    return decisions(rows, rng).with_columns(ages)


def groups() -> pl.DataFrame:
    """Return how many people of 41 groups have which label, prediction and department of three."""
    rng = np.random.default_rng(SEED)
    columns = {
        "group": [f"group {number:02d}" for number in range(41)],
        "label": ["yes", "no"],
        "prediction": ["yes", "no"],
        "department": ["A", "B", "C"],
    }
    cells = pl.DataFrame(list(product(*columns.values())), list(columns), orient="row")
    return cells.with_columns(people=pl.Series(rng.integers(20, 201, len(cells))))


def main() -> None:
    """Write one file, under another name until it is complete."""
    parser = argparse.ArgumentParser(description="Make a data file of the benchmarks.")
    parser.add_argument("kind", choices=["adult", "decisions", "applications", "groups"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, default=20_000_000, help="of decisions, applications")
    parser.add_argument("--part", type=int, default=0, help="of applications; 0 is the first")
    given = parser.parse_args()
    temporary = given.file.with_name(f"{given.file.name}.partial")
    if given.kind in ("adult", "groups"):
        (adult() if given.kind == "adult" else groups()).write_csv(temporary)
    elif given.kind == "decisions":
        decisions(given.rows, np.random.default_rng(SEED)).sink_parquet(temporary)
    else:
        frame = applications(given.rows, given.part)
        sink = frame.sink_csv if given.file.suffix == ".csv" else frame.sink_parquet
        sink(temporary)
    temporary.replace(given.file)


if __name__ == "__main__":
    main()
