"""Make docs/coverage.svg: the measured coverage of every metric, by people.

`python docs/make_coverage_figure.py` reads the table in docs/coverage.md, which the benchmark of
coverage writes, and needs nothing else.
The figure has its own background, so that it reads on light pages and on dark ones.
"""

import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["figure"]

DOCS = Path(__file__).parent
FIGURE, TABLE = DOCS / "coverage.svg", DOCS / "coverage.md"
PART = re.compile(r"<!-- measured: coverage -->\n(.*?)\n<!-- end: coverage -->", re.DOTALL)
ENTRY = re.compile(r"([01]\.\d+) \(([01]\.\d+)(\*?) to ([01]\.\d+)\*?\)")
"""An average, the lowest and the highest cell, marked where cells are outside beyond chance."""
BOUNDS, LEAST = (0.93, 0.99), 0.85
MARKS = (0.85, 0.9, 0.93, 0.95, 0.99, 1.0)
WIDTH, LEFT, TOP, COLUMN, DEPTH = 660, 58, 62, 116, 300
SPREAD = 23
"""So many dots stand side by side, so that they do not cover each other."""
AVERAGE = "a metric in one kind of audit: the average of its cells"
PEOPLE = "expected people in the smallest denominator"
STYLE = """
text{font:15px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:#1c2128}
.paper{fill:#fff}.kept{fill:#e3f0e6}.axis{stroke:#8b949e;stroke-width:1}
.nominal{stroke:#1c2128;stroke-width:1.5;stroke-dasharray:6 4}
.average{fill:#116329}.lowest{fill:none;stroke:#8b949e;stroke-width:1.2}
.outside{fill:none;stroke:#b35900;stroke-width:1.6}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.paper{fill:#161b22}.kept{fill:#1d3526}.nominal{stroke:#e6edf3}
.average{fill:#57c26d}.outside{stroke:#e3b04b}}
"""


def columns() -> dict[str, list[tuple[float, float, bool]]]:
    """Return, by the words for people, the average and the lowest coverage of every row.

    Behind them stands whether a cell is below its bounds beyond chance.
    """
    found = PART.search(TABLE.read_text(encoding="utf-8"))
    rows = [line.strip("| ").split(" | ") for line in found[1].splitlines()] if found else []
    if len(rows) < 3:
        raise ValueError(f"{TABLE} has no table: python benchmarks/coverage --write")
    heads, body = rows[0][1:], rows[2:]
    places = {head: i for i, head in enumerate(heads, 1)}
    return {
        head: [
            (float(entry[1]), float(entry[2]), bool(entry[3]))
            for row in body
            if len(row) > place and (entry := ENTRY.fullmatch(row[place].strip()))
        ]
        for head, place in places.items()
    }


def down(coverage: float) -> float:
    """Return where a coverage stands; what is below the least stands at it."""
    return round(TOP + DEPTH * (1 - max(coverage, LEAST)) / (1 - LEAST), 1)


def dots(place: int, head: str, values: list[tuple[float, float, bool]]) -> Iterator[str]:
    """Yield the dots of a column, and its words."""
    left = LEFT + COLUMN * place + 12
    middle, bottom = left + (COLUMN - 24) / 2, TOP + DEPTH
    for i, (average, lowest, is_outside) in enumerate(values):
        kind = "outside" if is_outside else "lowest"
        x = round(left + (COLUMN - 24) * (i % SPREAD) / (SPREAD - 1), 1)
        yield f'<circle class="{kind}" cx="{x}" cy="{down(lowest)}" r="2.6"/>'
        yield f'<circle class="average" cx="{x}" cy="{down(average)}" r="2.6"/>'
    yield f'<text x="{middle}" y="{bottom + 22}" text-anchor="middle">{head}</text>'


def frame() -> Iterator[str]:
    """Yield what the dots stand on."""
    right = LEFT + COLUMN * 5
    top, height = down(BOUNDS[1]), down(BOUNDS[0]) - down(BOUNDS[1])
    yield f'<rect class="kept" x="{LEFT}" y="{top}" width="{right - LEFT}" height="{height}"/>'
    for mark in MARKS:
        y = down(mark)
        kind = "nominal" if mark == 0.95 else "axis"
        yield f'<line class="{kind}" x1="{LEFT}" x2="{right}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 5}" text-anchor="end">{mark:g}</text>'
    yield f'<circle class="average" cx="{LEFT + 8}" cy="22" r="4"/>'
    yield f'<text x="{LEFT + 18}" y="27">{AVERAGE}</text>'
    yield f'<circle class="lowest" cx="{LEFT + 8}" cy="44" r="4"/>'
    yield f'<text x="{LEFT + 18}" y="49">its lowest cell (at the foot: below {LEAST})</text>'
    yield f'<circle class="outside" cx="{LEFT + 318}" cy="44" r="4"/>'
    yield f'<text x="{LEFT + 328}" y="49">below {BOUNDS[0]} beyond chance</text>'


def figure() -> str:
    """Return the figure as SVG."""
    height = TOP + DEPTH + 58
    middle = LEFT + COLUMN * 2.5
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Coverage of 95% intervals, by people in the smallest denominator</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        *frame(),
        *(part for i, column in enumerate(columns().items()) for part in dots(i, *column)),
        f'<text x="{middle}" y="{height - 12}" text-anchor="middle">{PEOPLE}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    FIGURE.write_text(figure(), encoding="utf-8")
