"""Sums of squared weights of a report that have to be possible, and to fit the people."""

from collections.abc import Iterator, Mapping
from math import fsum
from typing import TypeVar

from biaspipe.pipeline.verification.sums import EXACT_DIGITS, is_same
from biaspipe.report import FacetGroupRecord, Finding, GroupRecord, OutcomesRecord, People
from biaspipe.report.counts import CELLS
from biaspipe.spec import Audit

__all__ = ["counted_people", "impossible_effective", "is_sample", "squares_of"]

K = TypeVar("K", bound=str)
LACKING = "people of a weighted sample have sums of squared weights, and there are none"


def squares_of(record: OutcomesRecord | None) -> dict[str, People]:
    """Return the sums of squared weights of people by outcome, under names of their own."""
    written = (record.squares if record else None) or {}
    return {f"squares.{name}": written.get(name, 0) for name in CELLS}


def counted_people(group: GroupRecord) -> dict[str, People]:
    """Return what the parts of a group add up to: rows, people and squares by outcome."""
    return {name: getattr(group, name) or 0 for name in ("rows", *CELLS)} | squares_of(group)


def is_sample(audit: Audit) -> bool:
    """Whether the people of a report are weighed by sampling weights."""
    return audit.columns.weighting is not None and audit.columns.weighting.kind == "sampling"


def impossible_effective(
    where: str,
    record: GroupRecord | FacetGroupRecord,
    counts: OutcomesRecord,
    people: People,
    *,
    sampled: bool,
) -> Iterator[Finding]:
    """Yield effective numbers that no weights of so many rows can have, and those that lack.

    By Cauchy and Schwarz's inequality the squared sum of weights is no more than the sum of their
    squares times their number, and no less than the sum of squares.

    Parameters
    ----------
    where : the place of the group in the report.
    record : the group.
    counts : its people by outcome, and their squared weights.
    people : all its people.
    sampled : whether they are weighed by sampling weights.
    """
    if sampled and record.effective is None:
        yield Finding(f"{where}.effective", "sampling weights have an effective number of people")
    elif not sampled and record.effective is not None:
        yield Finding(f"{where}.effective", "only sampling weights have one")
    most = record.rows * (1 + EXACT_DIGITS)
    if record.effective is not None and record.effective > most:
        words = f"{record.effective:,.6g} people are more than {record.rows:,} rows can be worth"
        yield Finding(f"{where}.effective", words)
    yield from _squares(where, record, counts, people, sampled=sampled)


def _squares(
    where: str,
    record: GroupRecord | FacetGroupRecord,
    counts: OutcomesRecord,
    people: People,
    *,
    sampled: bool,
) -> Iterator[Finding]:
    """Yield sums of squared weights that no weights can have, and those that lack."""
    at = f"{where}.counts.squares" if isinstance(record, FacetGroupRecord) else f"{where}.squares"
    if counts.squares is None:
        if sampled and people:
            yield Finding(at, LACKING)
        return
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
    if isinstance(record, GroupRecord):
        yield from _by_category(where, record, total)


def _by_category(where: str, record: GroupRecord, total: float) -> Iterator[Finding]:
    """Yield sums of squares by category of the label that are not those of a group."""
    if record.label_squares is None:
        if record.labels:
            yield Finding(f"{where}.label_squares", LACKING)
    else:
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
