"""Make every data file under ``examples/data/``, the same bytes each time, without a network.

    python examples/make_data.py            write the files
    python examples/make_data.py --check    compare them with what is on disk; exit 1 if one differs

Three files are count tables: each row stands for ``n`` people; the counts are written out below.
One is a sample of borrowers, a row each, made from counts, with the weight of each in the sample.
One holds real patients, a row each, and the predictions of a model trained by this script.
``examples/data/README.md`` says where every number comes from.
Needs scikit-learn.
"""

import argparse
import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DATA = Path(__file__).resolve().parent / "data"

Row = Sequence[str | int]
Floats = npt.NDArray[np.float64]


class Confusion(NamedTuple):
    """How many people of one group fall into each cell of observed against predicted."""

    true_positive: int
    false_negative: int
    false_positive: int
    true_negative: int


ADULT = {
    "male": Confusion(2718, 3678, 84, 13900),
    "female": Confusion(433, 679, 10, 8660),
}

COLLEGE = {
    "California": Confusion(50, 10, 20, 120),
    "Florida": Confusion(20, 0, 30, 50),
}

# Per department: men admitted, men rejected, women admitted, women rejected.
BERKELEY = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}

# Borrowers in the sample, by age and by whether they repaid.
CREDIT = {
    ("over 25", "good"): 590,
    ("over 25", "bad"): 220,
    ("25 or less", "good"): 110,
    ("25 or less", "bad"): 80,
}

# How many borrowers of the bank one in the sample stands for, but for a common factor.
# 700 good and 300 bad ones were drawn, where 5 % are bad: 300 * 7 is 5 % of 700 * 57 + 300 * 7.
CREDIT_WEIGHTS = {"good": 57, "bad": 7}

# The names of scikit-learn's ten columns, in its order, spelled out.
FEATURES = (
    "age",
    "sex",
    "bmi",
    "blood_pressure",
    "total_cholesterol",
    "ldl",
    "hdl",
    "cholesterol_hdl_ratio",
    "log_triglycerides",
    "blood_sugar",
)


def adult_income() -> bytes:
    """Return the count table of income, observed and predicted, by sex."""
    header = ("sex", "income", "prediction", "n")
    return csv_bytes(header, confusion_rows(ADULT, positive=">50K", negative="<=50K"))


def college_applications() -> bytes:
    """Return the count table of acceptances, observed and predicted, by state."""
    header = ("state", "accepted", "predicted", "n")
    return csv_bytes(header, confusion_rows(COLLEGE, positive="yes", negative="no"))


def berkeley_admissions() -> bytes:
    """Return the count table of admissions by sex and department."""
    rows: list[Row] = []
    for department, (men_in, men_out, women_in, women_out) in BERKELEY.items():
        rows.append(("men", department, "yes", men_in))
        rows.append(("men", department, "no", men_out))
        rows.append(("women", department, "yes", women_in))
        rows.append(("women", department, "no", women_out))
    return csv_bytes(("sex", "department", "admitted", "n"), rows)


def german_credit() -> bytes:
    """Return one row per borrower in the sample: age, repayment, and the weight in the sample."""
    rows = [
        (age, credit, CREDIT_WEIGHTS[credit])
        for (age, credit), drawn in CREDIT.items()
        for _ in range(drawn)
    ]
    return csv_bytes(("age", "credit", "weight"), rows)


def diabetes_progression() -> bytes:
    """Return one row per patient: ten measurements, the progression, and a prediction of it."""
    bunch = load_diabetes(scaled=False)
    measured, progression = bunch.data, bunch.target
    columns = {"patient": [str(number) for number in range(1, len(progression) + 1)]}
    columns |= {name: texts(values) for name, values in zip(FEATURES, measured.T, strict=True)}
    columns["sex"] = [f"sex_{code}" for code in columns["sex"]]
    columns["progression"] = texts(progression)
    columns["predicted_progression"] = predicted(measured, progression)
    return csv_bytes(tuple(columns), zip(*columns.values(), strict=True))


def predicted(measured: Floats, progression: Floats) -> list[str]:
    """Return out-of-fold predictions: each patient's comes from a model that never saw them.

    One decimal is kept, so that the last digits of a linear algebra library cannot show.
    """
    model = make_pipeline(StandardScaler(), LinearRegression())
    values = cross_val_predict(model, measured, progression, cv=KFold(n_splits=10))
    return [f"{value:.1f}" for value in values]


def texts(values: Floats) -> list[str]:
    """Return numbers as text: without a decimal point if the whole column can do without one."""
    if all(value.is_integer() for value in values):
        return [str(int(value)) for value in values]
    return [str(float(value)) for value in values]


def confusion_rows(groups: dict[str, Confusion], *, positive: str, negative: str) -> Iterable[Row]:
    """Yield (group, observed, predicted, count) for the four cells of every group."""
    for group, counts in groups.items():
        yield group, positive, positive, counts.true_positive
        yield group, positive, negative, counts.false_negative
        yield group, negative, positive, counts.false_positive
        yield group, negative, negative, counts.true_negative


def csv_bytes(header: Row, rows: Iterable[Row]) -> bytes:
    """Return a CSV file with Unix line ends, whatever the machine."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


FILES: dict[str, Callable[[], bytes]] = {
    "adult-income.csv": adult_income,
    "berkeley-admissions.csv": berkeley_admissions,
    "college-applications.csv": college_applications,
    "diabetes-progression.csv": diabetes_progression,
    "german-credit.csv": german_credit,
}


def write() -> int:
    """Write every file and return the exit code, 0."""
    DATA.mkdir(exist_ok=True)
    for name, make in FILES.items():
        (DATA / name).write_bytes(make())
        print(f"wrote {name}")
    return 0


def check() -> int:
    """Name every file that is missing or differs, and return the exit code: 1 if there is one."""
    faults = {name: fault(DATA / name, make()) for name, make in FILES.items()}
    for name, words in faults.items():
        if words:
            print(f"{name} {words}; run: python examples/make_data.py")
    return 1 if any(faults.values()) else 0


def fault(path: Path, expected: bytes) -> str:
    """Return what is wrong with a file on disk, in words, or nothing."""
    if not path.is_file():
        return "is missing"
    return "" if path.read_bytes() == expected else "differs from what this script makes"


def main() -> int:
    """Read the command line, do what it asks, and return the exit code."""
    parser = argparse.ArgumentParser(description="Make the data files under examples/data/.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 on a difference")
    return check() if parser.parse_args().check else write()


if __name__ == "__main__":
    raise SystemExit(main())
