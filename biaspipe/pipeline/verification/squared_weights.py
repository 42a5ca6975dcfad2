"""Sums of squared weights of a report that have to be possible, and to fit the people."""

from collections.abc import Iterator, Mapping
from math import fsum
from typing import TypeVar

from biaspipe.pipeline.verification.sums import EXACT_DIGITS, is_same
from biaspipe.report import FacetGroupRecord, Finding, GroupRecord, OutcomesRecord, People
from biaspipe.report.counts import CELLS

__all__ = ["impossible_effective", "squares_of"]

K = TypeVar("K", bound=str)


def squares_of(record: OutcomesRecord | None) -> dict[str, People]:
    """Return the sums of squared weights of people by outcome, under names of their own."""
    written = (record.squares if record else None) or {}
    return {f"squares.{name}": written.get(name, 0) for name in CELLS}


def impossible_effective(
    where: str, record: GroupRecord | FacetGroupRecord, counts: OutcomesRecord, people: People
) -> Iterator[Finding]:
    """Yield effective numbers that no weights of so many rows can have.

    By Cauchy and Schwarz's inequality the squared sum of weights is no more than the sum of their
    squares times their number, and no less than the sum of squares.

    Parameters
    ----------
    where : the place of the group in the report.
    record : the group.
    counts : its people by outcome, and their squared weights.
    people : all its people.
    """
    most = record.rows * (1 + EXACT_DIGITS)
    if record.effective is not None and record.effective > most:
        words = f"{record.effective:,.6g} people are more than {record.rows:,} rows can be worth"
        yield Finding(f"{where}.effective", words)
    if counts.squares is None:
        return
    at = f"{where}.counts.squares" if isinstance(record, FacetGroupRecord) else f"{where}.squares"
    if record.effective is None:
        yield Finding(at, "only sampling weights have sums of squares")
        return
    by_outcome = {name: getattr(counts, name) for name in CELLS}
    seen = {name: n for name, n in by_outcome.items() if n is not None} or {"n": people}
    yield from _impossible(at, seen, counts.squares, record.rows)
    total = fsum(counts.squares.values())
    if total and not is_same(people / total * people, record.effective):
        words = f"make {people / total * people:,.6g} people, not {record.effective:,.6g}"
        yield Finding(at, f"{words}, Kish's number")
    if isinstance(record, GroupRecord) and record.label_squares is not None:
        yield from _impossible(
            f"{where}.label_squares", record.labels or {}, record.label_squares, record.rows
        )
        if not is_same(fsum(record.label_squares.values()), total):
            yield Finding(f"{where}.label_squares", f"do not add up to {total:,.6g}")


def _impossible(
    where: str, people: Mapping[K, People], squares: Mapping[K, float], rows: int
) -> Iterator[Finding]:
    """Yield sums of squares that no weights of these people have."""
    if set(people) != set(squares):
        yield Finding(where, "are not those of the people that are counted")
        return
    least = 0.0
    for name, n in people.items():
        if bool(n) != bool(squares[name]) or squares[name] > n * n * (1 + EXACT_DIGITS):
            words = f"{squares[name]:,.6g} is no sum of squares of weights that add up to {n:,.6g}"
            yield Finding(f"{where}.{name}", words)
        elif n:
            least += n / (squares[name] / n)
    if least > rows * (1 + EXACT_DIGITS):
        words = f"weights as even as these are of {least:,.6g} rows, and there are {rows:,}"
        yield Finding(where, words)
