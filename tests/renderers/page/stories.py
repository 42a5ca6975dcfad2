"""Stories with every kind of part and figure, for as many groups and metrics as wanted."""

from collections.abc import Sequence
from math import inf

from biaspipe.renderers.figures import (
    ConfusionTable,
    ConfusionTables,
    IntervalBar,
    IntervalBars,
    RateBar,
    RateBars,
    RowBar,
    RowBars,
    Scale,
    StrataBars,
    Stratum,
)
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    Section,
    Span,
    Story,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
    Verbatim,
)
from biaspipe.verdict import Verdict

__all__ = ["GROUPS", "HOSTILE", "sample_story"]

GROUPS = ("Female", "Amer-Indian-Eskimo")
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></svg></style><b>bold</b>",
    "&amp; &lt; &#60;",
    "{{ 7 * 7 }} {% raw %}",
    "left\u202eright\u2066isolate",
    "line\nfeed\x00null\x1b[31mred\x7f\x85",
    "\u05e0\u05e9\u05d9\u05dd 1 (\u05de)",
    "\u0627\u0644\u0646\u0633\u0627\u0621",
    "\u5973\u6027\u306e\u7533\u8acb\u8005",
    "\U0001f469\U0001f3fd\u200d\U0001f52c",
    "long " * 20,
    "x" * 300,
    "",
    "(missing)",
    "javascript:alert(1)",
    "https://example.com/?a=1&b=2",
)
"""Names of groups as nobody should choose them."""
VERDICTS = tuple(Verdict)
LINEAR, RATIOS = Scale(-0.5, 0.5), Scale(0.1, 10, logarithmic=True)
WORDS = {
    Verdict.FAIL: "fails",
    Verdict.UNDECIDED: "undecided",
    Verdict.WARN: "warns",
    Verdict.WAIVED: "waived",
    Verdict.PASS: "passes",
    Verdict.REPORTED: "reported",
}


def _bars(label: str) -> tuple[IntervalBar, ...]:
    """Return values of all kinds: plain, on an edge, beyond it, infinite, undefined, one-sided."""
    both, at_most, at_least = (-0.1, 0.1), (-inf, 0.1), (-0.1, inf)
    return (
        IntervalBar(label, "0.184", 0.184, (0.12, 0.25), both, (-0.05, 0.05), 0, Verdict.FAIL, 0.3),
        IntervalBar(label, "0.9", 0.9, (0.4, 1.2), both, None, 0, Verdict.FAIL, -0.9),
        IntervalBar(label, "-0.04", -0.04, (-0.7, 0.02), at_most, None, 0, Verdict.WARN),
        IntervalBar(label, "0.02", 0.02, (-0.08, 0.09), at_least, None, 0, Verdict.PASS, 0.0),
        IntervalBar(label, "undefined", None, None, both, None, 0, Verdict.UNDECIDED),
        IntervalBar(label, "-inf", -inf, (-inf, inf), None, None, 0, Verdict.REPORTED),
    )


def _ratio(label: str, i: int) -> IntervalBar:
    values = (0.3, 1.0, 2.5, inf, 0.0, None)
    value = values[i % 6]
    ends = None if value is None else (value * 0.8, value * 1.3)
    limit = ((0.8, 1.25), (0.8, inf), None)[i % 3]
    return IntervalBar(label, str(value), value, ends, limit, None, 1, VERDICTS[i % 6])


def _head() -> Section:
    return Section(
        (
            Line.of("Bias audit, 22 November 2026", role="aside"),
            Line.of(
                Span("Does not meet its limits. ", Verdict.FAIL),
                "10 of 25 checks fail and 8 cannot be decided.",
                role=Verdict.FAIL,
            ),
            Facts(
                (
                    Line.of("adult_scored.csv, 30,162 people", titles=["Data:"]),
                    Line.of("the whole 95% interval inside of the limit", titles=["Decided by:"]),
                    Line.of("at least 100 people"),
                    Line.of("75fcfca63968de25" * 4, titles=["Result:"]),
                )
            ),
        )
    )


def _glance(groups: Sequence[str], metrics: int) -> Section:
    columns = [StoryColumn("group"), *(StoryColumn(f"M{i:02}") for i in range(metrics))]
    rows = []
    for g, group in enumerate(groups):
        cells = [
            StoryCell(
                (Line.of(WORDS[VERDICTS[(g + i) % 6]]), Line.of(f"-0.{g:02}{i:02}", role="aside")),
                role=VERDICTS[(g + i) % 6],
            )
            for i in range(metrics)
        ]
        rows.append(StoryRow((group, *cells)))
    table = StoryTable(tuple(columns), tuple(rows), caption="race, compared with White")
    return Section((Line.of("Each cell is a check."), table), "At a glance")


def _findings(groups: Sequence[str], metrics: int) -> Section:
    columns = (
        StoryColumn("Verdict"),
        StoryColumn("What was found"),
        StoryColumn("Value", "number"),
        StoryColumn("95% interval", "number"),
        StoryColumn("Required"),
        StoryColumn("People", "number"),
    )
    rows = []
    for g, group in enumerate(groups):
        for i in range(metrics):
            verdict = VERDICTS[(g + i) % 6]
            label = f"M{i:02}, {group} compared with White"
            lines = (
                Line.of(f"{group} are rated low risk ", Span("0.39 times", "strong"), " as often"),
                Line.of(f"M{i:02} · Disparate impact", role="aside"),
            )
            figure = IntervalBars(label, (_ratio(label, g + i),), RATIOS)
            cells = (
                WORDS[verdict],
                StoryCell(lines, figure),
                "0.388",
                "0.35 to 0.43",
                "0.8 to 1.25",
            )
            rows.append(StoryRow((*cells, "2,817"), verdict))
    return Section((StoryTable(columns, tuple(rows)),), "The checks, worst first")


def _rate(label: str, i: int) -> RateBar:
    part = ("reference", "compared", "other")[min(i, 2)]
    if i % 7 == 5:
        return RateBar(label, "nobody to count", None, None, "other")
    value = (i * 37 % 100) / 100
    ends = (max(0, value - 0.06), min(1, value + 0.04))
    return RateBar(label, f"{value:.1%}, {ends[0]:.1%} to {ends[1]:.1%}", value, ends, part)


def _groups(groups: Sequence[str]) -> Section:
    rates = tuple(_rate(group, i) for i, group in enumerate(groups))
    rows = [
        StoryRow(
            (g, "2,817", *(StoryCell((Line.of(r.text),), RateBars(g, (r,))) for _ in range(3)))
        )
        for g, r in zip(groups, rates, strict=True)
    ]
    titles = ("group", "people", "selection rate", "TPR", "FPR")
    columns = tuple(StoryColumn(t, "number" if t == "people" else "text") for t in titles)
    counts = (620.0, 180.0, 240.0, 1777.0)
    texts = ("620", "180", "240", "1,777")
    return Section(
        (
            RateBars("Selection rate of each group", rates),
            StoryTable(columns, tuple(rows), caption="Rates of each group"),
            ConfusionTables(
                "Predictions against labels",
                tuple(ConfusionTable(group, counts, texts) for group in groups),
                ("rated low risk", "not rated low risk"),
                ("did not reoffend", "did reoffend"),
            ),
            RowBars(
                "Where every row went",
                tuple(
                    RowBar(
                        group,
                        (("compared", 2000.0 / (i + 1), "2,000"), ("label missing", 300.0, "300"),
                         ("prediction missing", 0.0, "0"), ("removed by where", 120.0, "120")),
                    )
                    for i, group in enumerate(groups)
                ),
            ),
            StrataBars(
                "Selection rate by education",
                "White",
                groups[0],
                tuple(
                    Stratum(group, _rate("White", i), _rate(group, i + 1), "210 and 1,204 people")
                    for i, group in enumerate(groups)
                ),
            ),
        ),
        "Groups",
    )  # fmt: skip


def _rest(groups: Sequence[str]) -> Sequence[Section]:
    names = ", ".join(groups)
    return (
        Section((IntervalBars("Change against the baseline", _bars(groups[0]), LINEAR),), "Change"),
        Section(
            (
                Items((Line.of("a first thing"), Line.of(f"about {names}", role="caution"))),
                Line.of("See ", Span("another page", link="a b.html"), "."),
            ),
            "What was not computed",
        ),
        Section((Verbatim(("biaspipe verify report.json", f"# {names}")),), names, level=3),
        Section((Line.of("sound", role="verified"),), "How to verify"),
    )


def sample_story(groups: Sequence[str] = GROUPS, metrics: int = 5) -> Story:
    """Return a story with every kind of part and figure.

    Parameters
    ----------
    groups : the names of the groups.
    metrics : how many metrics there are.
    """
    sections = (_head(), _glance(groups, metrics), _findings(groups, metrics), _groups(groups))
    return Story((*sections, *_rest(groups)), "income-model, version 2026.11")
