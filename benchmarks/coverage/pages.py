"""The measured tables in the documentation, written between the lines that mark them."""

from collections.abc import Sequence
from pathlib import Path

from scenes import BOUNDS, FROM_PEOPLE
from tables import OUTSIDE, coverage_table, event_table, lines, listed, method_table, width_table
from tallies import NOISE, Cell, error

__all__ = ["WORST", "how_many", "worst", "write_pages"]

DOCS = Path(__file__).parent.parent.parent / "docs"
WORST = 10


def worst(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells that are farthest outside of their bounds, or the nearest to them.

    They are of those drawn again, if any were: of thousands some are far outside by chance.
    """
    judged = [cell for cell in cells if cell.is_judged]
    drawn_again = [cell for cell in judged if cell.again]
    return sorted(drawn_again or judged, key=lambda cell: -cell.distance)[:WORST]


def write_pages(cells: Sequence[Cell], number: int) -> None:
    """Write the tables into docs/intervals.md and docs/coverage.md.

    Parameters
    ----------
    cells : what was counted.
    number : the samples of most of them.
    """
    counted = how_many(cells, number)
    _replace("intervals.md", {"how many": counted, "by method": method_table(cells)})
    rows = lines(cells)
    parts = {
        "how many": counted,
        "worst": "\n".join(f"- {words}" for words in listed(worst(cells))),
        "coverage": coverage_table(rows, markdown=True),
        "widths": width_table(rows, markdown=True),
    }
    if any(row.is_event for row in rows):
        parts["events"] = event_table(rows, markdown=True)
    _replace("coverage.md", parts)


def how_many(cells: Sequence[Cell], number: int) -> str:
    """Say how many cells were drawn, how sure their shares are, and how many miss their bounds."""
    judged = [cell for cell in cells if cell.is_judged]
    low, high = sum(cell.is_below for cell in judged), sum(cell.is_above for cell in judged)
    again = [cell.samples for cell in cells if cell.again]
    redrawn = (
        f"The {len(again):,} that were farthest outside were drawn again, with up to "
        f"{max(again):,} samples.\n"
        if again
        else ""
    )
    return (
        f"{len(cells):,} cells, {number:,} samples of most: chance alone moves a coverage of 0.95 "
        f"by {NOISE * error(number):.3f}, which is {NOISE:g} standard errors.\n{redrawn}"
        f"{len(judged):,} have {FROM_PEOPLE} people or more in each denominator: of them {low} are "
        f"below their bounds, which are {BOUNDS[0]} and {BOUNDS[1]} unless said, and {high} above, "
        f"by more than chance moves them. Tables mark such cells by `{OUTSIDE}`."
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
