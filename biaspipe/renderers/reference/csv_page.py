"""The page of the documentation about reports as CSV."""

from biaspipe.renderers.csv.checks import CHECK_COLUMNS
from biaspipe.renderers.csv.columns import column_table
from biaspipe.renderers.csv.rates import RATE_COLUMNS

__all__ = ["csv_page"]

TEXT = """<!-- Made by docs/make_pages.py from the columns in biaspipe/renderers/csv. -->

# Reports as CSV

`biaspipe run audit.yaml -o report.csv` writes a row for each check,
and `-o rates.csv` (or a name that ends so, `loan.rates.csv`)
a row for each rate of each group, as `--format rates` does under another name.
`biaspipe render report.json -o report.csv` makes the same of a stored report.

The files keep to RFC 4180: commas, double quotes where they are needed, lines that end with CRLF,
and a first line of titles; UTF-8 without a byte order mark,
which some readers take for a part of the first title.
A spreadsheet opens them by its import of text, where UTF-8 can be chosen.

- A column holds one type. A number stands in full, so that the same number is read;
  pandas before 3.0 needs `float_precision="round_trip"` for that.
- Texts are texts, also those that are digits alone, such as a `model_version` of `3.20`
  or a group called `1`. A program that guesses types from the cells takes them for numbers:
  tell pandas `dtype={{"model_version": str, "favored": str, "disfavored": str, "group": str}}`.
- An empty cell is a value that does not apply, or that there is none of.
- A value that is no number is empty in `value`, and `status` says what it is:
  `infinite`, with its sign in `sign`, or `undefined`, with the reason in `reason`.
- Every row is one line: a line break in a text, and whatever else does not show,
  is spelled out, as on the console.
- No text is a formula. One that begins with `=`, `+`, `-` or `@`, or with their wide forms,
  has an apostrophe before it, and so has one that begins with
  apostrophes or spaces before such a sign.
  To have the text as it was, take one apostrophe away from every text that begins so:

```python
import re


def original(text: str) -> str:
    marked = re.match(r"'+\\s*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]", text)
    return text[1:] if marked else text
```

New columns may be added at the end; read columns by their titles.

## Checks

{checks}

## Rates

A report of a version that knew no rates has none. `(missing)` is the group of the people without
a value of the facet; they are counted in `rows`, and their rates are empty.

{rates}
"""


def csv_page() -> str:
    """Return what the columns hold as a page in Markdown."""
    tables = {"checks": column_table(CHECK_COLUMNS), "rates": column_table(RATE_COLUMNS)}
    return TEXT.format(**tables)
