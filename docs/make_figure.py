"""Make docs/verdicts.svg: intervals against a limit, and what each comes to.

`python docs/make_figure.py` computes the intervals with biaspipe and needs nothing else.
The figure has its own background, so that it reads on light pages and on dark ones.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from biaspipe.counts import Group, Table
from biaspipe.metrics import find
from biaspipe.spec import Check
from biaspipe.statistics import Intervals
from biaspipe.statistics.multiplicity import pointwise, tukey
from biaspipe.verdict import Verdict

__all__ = ["figure"]

FIGURE = Path(__file__).parent / "verdicts.svg"
LIMIT, CONFIDENCE, METRIC = 0.8, 0.95, find("DI")
FAVORED = (1_600, 2_000)
"""Of 2,000 people in the favored group 1,600 are selected."""
LEAST, GREATEST = 0.5, 1.1
WIDTH, LEFT, RIGHT, TOP, ROW = 440, 24, 416, 84, 66
COLORS = {Verdict.PASS: "pass", Verdict.FAIL: "fail", Verdict.UNDECIDED: "undecided"}
STYLE = """
text{font:16px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:#1c2128}
.paper{fill:#fff}.kept{fill:#e3f0e6}.limit{stroke:#1c2128;stroke-width:2;stroke-dasharray:6 4}
.axis{stroke:#8b949e;stroke-width:1}.ends{stroke-width:5;stroke-linecap:round}
.small{font-size:14px}.verdict{font-weight:700}
.pass{fill:#116329;stroke:#116329}.fail{fill:#b31d28;stroke:#b31d28}
.undecided{fill:#7a4d00;stroke:#7a4d00}text.pass,text.fail,text.undecided{stroke:none}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.paper{fill:#161b22}.kept{fill:#1d3526}.limit{stroke:#e6edf3}
.pass{fill:#57c26d;stroke:#57c26d}.fail{fill:#ff8078;stroke:#ff8078}
.undecided{fill:#e3b04b;stroke:#e3b04b}}
"""


class Example(NamedTuple):
    """A disfavored group, and how many groups are compared with the best one."""

    words: str
    selected: int
    people: int
    groups: int = 2


EXAMPLES = (
    Example("1,000 people", 780, 1_000),
    Example("200 people", 130, 200),
    Example("200 other people", 112, 200),
    Example("the same, best of 10 groups", 112, 200, groups=10),
)


def ends_of(example: Example) -> tuple[float, float, float]:
    """Return the low end of the interval, the value, and the high end."""
    sides = (FAVORED, (example.selected, example.people))
    favored, other = (Group({(None, True): yes, (None, False): n - yes}) for yes, n in sides)
    table = Table(favored, other)
    value, level = METRIC(table), pointwise(tukey(example.groups, CONFIDENCE))
    found = Intervals(table, level).of(METRIC, value)
    if found is None or value.number is None:
        raise ValueError(f"{example.words}: there is no value")
    return found.low, value.number, found.high


def verdict_of(low: float, high: float) -> Verdict:
    """Return what an interval comes to against the limit."""
    check = Check(min=LIMIT)
    if check.breaks(low, high):
        return Verdict.FAIL
    return Verdict.PASS if check.holds(low, high) else Verdict.UNDECIDED


def across(value: float) -> float:
    """Return where a value stands."""
    return round(LEFT + (RIGHT - LEFT) * (value - LEAST) / (GREATEST - LEAST), 1)


def row(place: int, example: Example) -> Iterator[str]:
    """Yield the words of an example, its interval and its value."""
    low, value, high = ends_of(example)
    verdict, y = verdict_of(low, high), TOP + ROW * place
    kind = COLORS[verdict]
    words = f"{example.words}: {value:.2f}, from {low:.2f} to {high:.2f}"
    yield f'<text class="small" x="{LEFT}" y="{y}">{words}</text>'
    yield f'<text class="verdict {kind}" x="{RIGHT}" y="{y + 28}" text-anchor="end">'
    yield f"{verdict.upper()}</text>"
    limit = across(LIMIT)
    yield f'<line class="limit" x1="{limit}" x2="{limit}" y1="{y + 8}" y2="{y + 36}"/>'
    line = f'x1="{across(low)}" x2="{across(high)}" y1="{y + 22}" y2="{y + 22}"'
    yield f'<line class="ends {kind}" {line}/>'
    yield f'<circle class="{kind}" cx="{across(value)}" cy="{y + 22}" r="8"/>'


def figure() -> str:
    """Return the figure as SVG."""
    height = TOP + ROW * len(EXAMPLES) + 14
    limit, bottom = across(LIMIT), height - 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Intervals of DI against the limit min: 0.8, and their verdicts</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<rect class="kept" x="{limit}" y="36" width="{RIGHT - limit}" height="{bottom - 36}"/>',
        f'<text class="small" x="{limit - 8}" y="28" text-anchor="end">breaks the limit</text>',
        f'<text class="small" x="{limit + 8}" y="28">keeps DI at least 0.8</text>',
        f'<line class="limit" x1="{limit}" x2="{limit}" y1="14" y2="62"/>',
        *(part for place, example in enumerate(EXAMPLES) for part in row(place, example)),
        f'<line class="axis" x1="{LEFT}" x2="{RIGHT}" y1="{bottom}" y2="{bottom}"/>',
        *(
            f'<text class="small" x="{across(mark)}" y="{bottom + 20}" text-anchor="middle">'
            f"{mark:g}</text>"
            for mark in (0.6, LIMIT, 1.0)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    FIGURE.write_text(figure(), encoding="utf-8")
