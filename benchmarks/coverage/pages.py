"""The measured tables in the documentation, written between the lines that mark them."""

from collections.abc import Sequence
from pathlib import Path

from scenes import BOUNDS, FROM_PEOPLE
from tables import coverage_table, event_table, lines, listed, method_table, width_table
from tallies import Cell

__all__ = ["WORST", "worst", "write_pages"]

DOCS = Path(__file__).parent.parent.parent / "docs"
WORST = 10


def worst(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells that are farthest outside of their bounds, or the nearest to them."""
    judged = sorted((cell for cell in cells if cell.is_judged), key=lambda cell: -cell.distance)
    return judged[:WORST]


def write_pages(cells: Sequence[Cell], number: int) -> None:
    """Write the tables into docs/intervals.md and docs/coverage.md.

    Parameters
    ----------
    cells : what was counted.
    number : the samples of most of them.
    """
    _replace("intervals.md", {"by method": method_table(cells)})
    rows = lines(cells)
    parts = {
        "how many": _how_many(cells, number),
        "worst": "\n".join(f"- {words}" for words in listed(worst(cells))),
        "coverage": coverage_table(rows, markdown=True),
        "widths": width_table(rows, markdown=True),
    }
    if any(row.is_event for row in rows):
        parts["events"] = event_table(rows, markdown=True)
    _replace("coverage.md", parts)


def _how_many(cells: Sequence[Cell], number: int) -> str:
    judged = [cell for cell in cells if cell.is_judged]
    low = sum(cell.share < cell.target.bounds[0] for cell in judged)
    high = sum(cell.share > cell.target.bounds[1] for cell in judged)
    return (
        f"{len(cells):,} cells, {number:,} samples of most.\n"
        f"{len(judged):,} have {FROM_PEOPLE} people or more in each denominator: of them {low} are "
        f"below their bounds, which are {BOUNDS[0]} and {BOUNDS[1]} unless said, and {high} above."
    )


def _replace(name: str, parts: dict[str, str]) -> None:
    """Put each part between its marks."""
    path = DOCS / name
    text = path.read_text(encoding="utf-8")
    for mark, words in parts.items():
        start, stop = (f"<!-- {which}: {mark} -->" for which in ("measured", "end"))
        before, _, rest = text.partition(start)
        _, found, after = rest.partition(stop)
        if not found:
            raise ValueError(f"{path} has no lines {start} and {stop}")
        text = f"{before}{start}\n{words}\n{stop}{after}"
    path.write_text(text, encoding="utf-8")
