"""What smclarify computes otherwise than its documentation says, for a terminal and as a page."""

from textwrap import fill

from biaspipe.metrics import FAMILIES
from biaspipe.smclarify import DIFFERENCES, NAME, VERSION

__all__ = ["compat_page", "compat_text"]

WIDTH = 80


def compat_text() -> str:
    """Return the differences of smclarify from its documentation, for a terminal."""
    lines = [f"compat: {NAME} computes as {NAME} {VERSION} does. Where it differs:"]
    for difference in DIFFERENCES:
        lines += [
            f"\n{difference.id}: {difference.title}",
            _line("metrics", _metrics(difference.metrics, "all of Clarify's")),
            _line("documented", difference.documented),
            _line(NAME, difference.smclarify),
        ]
    return "\n".join(lines)


def _line(title: str, text: str) -> str:
    return fill(text, WIDTH, initial_indent=f"  {title:<12}", subsequent_indent=" " * 14)


def _metrics(ids: tuple[str, ...], everything: str) -> str:
    return everything if len(ids) == len(FAMILIES["clarify"]) else ", ".join(ids)


def compat_page() -> str:
    """Return the same as a page in Markdown."""
    rows = [
        f"| `{d.id}` | {d.title} | {_metrics(d.metrics, 'all')} | {d.documented} | {d.smclarify} |"
        for d in DIFFERENCES
    ]
    return "\n".join([HEADER, *rows]) + FOOTER


HEADER = f"""<!-- Made by docs/make_pages.py from the records in biaspipe/smclarify. -->

# `compat: {NAME}`

SageMaker Clarify's documentation and the code behind it, smclarify {VERSION}, do not always agree.
By default biaspipe computes what is documented.
With `compat: {NAME}` at the top of a spec the value of each of Clarify's 21 metrics is the one that
smclarify computes from the same data, and the verdict is that value's.
Metrics that are none of Clarify's, those of Vertex AI and of the family `rates`, stay as they are.
The report and the console name every value that is not the documented one, with the difference
and the reasons; `biaspipe explain --compat` prints this table.
`benchmarks/parity.py` compares both tools on random frames.

## What differs

| id | case | metrics | documented, our default | smclarify |
| --- | --- | --- | --- | --- |"""

FOOTER = """

## What stands in the report

`compat` in each check holds the documented value, the difference, and the ids of the cases that
occur in the data.
`compat` in each comparison holds the counts that smclarify's values follow from, with nobody left
out, so that `biaspipe verify` recomputes them; `compat` in the result says how smclarify reads the
columns.
A value that is not the documented one has no interval and no test of parity.
Where smclarify gives up, on a metric, a facet or all predictions, the checks are undefined.

## What it takes

- `where` works as ever, and so do joins by key: rows without a partner stay, and what they miss
  counts as missing. Clarify itself drops them.
- One group against the rest: `disfavored` as a value, a list or `{above: t}`, or nothing for each
  value against the rest. `favored`, `groups` and `cross` are refused.
- Thresholds are `above`, exclusive lower bounds. A prediction with an `above` of its own is a score
  that Clarify's `probability_threshold` turns into 1 or 0 beforehand; where the label's positive
  value is 0 it is `at_most`.
- Weights, several columns of strata, `decide_by` other than `value`, and parameters of metrics are
  refused, since smclarify has none of them.
- Every value that the spec names must occur in the data, as ever.
- The fliptest is computed where `columns.features` is declared; `{exclude: [...]}` stands for
  Clarify's `excluded_columns`.
- Columns are taken as pandas reads a CSV: whole numbers with one missing are floats.
  Decimals of 16 digits or more pandas may read one step off; biaspipe reads what is written.
  Dates, decimals, and texts that are all whole numbers are refused as labels, facets and strata.
"""
