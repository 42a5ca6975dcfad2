"""Make people with numeric features, and search their neighbours as smclarify does.

    python benchmarks/neighbours.py make FILE.parquet --disfavored 100000 --favored 200000
    python benchmarks/neighbours.py smclarify FILE.parquet

The fliptest's benchmark calls this file as a process of its own.
The search is scikit-learn's KNeighborsClassifier with its defaults on lists that Python loops fill,
and a loop over the predictions: what smclarify 0.5 does with a data frame, without pandas.
"""

import argparse
from pathlib import Path

import numpy as np
import polars as pl

SEED, FEATURES, BATCH = 1994, 10, 1_000_000
NEIGHBOURS = 5


def people(part: int, disfavored: int, favored: int) -> pl.DataFrame:
    """Return rows with ten independent features and a prediction that depends on three of them."""
    rng, rows = np.random.default_rng([SEED, part]), disfavored + favored
    numbers = rng.standard_normal((rows, FEATURES))
    is_disfavored = rng.permutation(np.repeat([True, False], [disfavored, favored]))
    odds = numbers[:, :3].sum(axis=1) - 0.4 * is_disfavored
    columns = {f"x{j}": numbers[:, j] for j in range(FEATURES)}
    return pl.DataFrame(
        {
            **columns,
            "sex": pl.Series(np.where(is_disfavored, "f", "m")),
            "picked": (rng.random(rows) < 1 / (1 + np.exp(-odds))).astype(np.int8),
        }
    )


def make(file: Path, disfavored: int, favored: int) -> None:
    """Write the rows in files of a million, or in one."""
    rows = disfavored + favored
    parts = max(1, rows // BATCH)
    folder = file if parts > 1 else file.parent
    folder.mkdir(parents=True, exist_ok=True)
    for part in range(parts):
        name = folder / f"part-{part:03}.parquet" if parts > 1 else file
        people(part, disfavored // parts, favored // parts).write_parquet(name)


def smclarify(file: Path) -> float:
    """Return the fliptest as smclarify computes it, in the documented sign."""
    from sklearn.neighbors import KNeighborsClassifier  # noqa: PLC0415 - only this search has it

    frame = pl.read_parquet(file)
    dataset = frame.select(f"x{j}" for j in range(FEATURES)).to_numpy()
    facet = (frame["sex"] == "f").to_numpy()
    picked = (frame["picked"] == 1).to_numpy()
    data_a = [row for i, row in enumerate(dataset) if not facet[i]]
    labels_a = [label for i, label in enumerate(picked) if not facet[i]]
    data_d = [row for i, row in enumerate(dataset) if facet[i]]
    labels_d = [label for i, label in enumerate(picked) if facet[i]]
    search = KNeighborsClassifier(n_neighbors=NEIGHBOURS)
    voted = search.fit(np.array(data_a), np.array(labels_a)).predict(data_d)
    plus = [i for i, own in enumerate(labels_d) if voted[i] and not own]
    minus = [i for i, own in enumerate(labels_d) if not voted[i] and own]
    return (len(plus) - len(minus)) / len(data_d)


def main() -> None:
    """Make a file, or search one."""
    parser = argparse.ArgumentParser(description="People with features, and smclarify's search.")
    parser.add_argument("task", choices=["make", "smclarify"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--disfavored", type=int, default=100_000)
    parser.add_argument("--favored", type=int, default=200_000)
    given = parser.parse_args()
    if given.task == "make":
        make(given.file, given.disfavored, given.favored)
    else:
        print(smclarify(given.file))


if __name__ == "__main__":
    main()
