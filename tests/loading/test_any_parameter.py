"""Whatever a parameter is given, it is refused, or stays a piece of the paths that name it."""

from pathlib import Path, PurePosixPath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from biaspipe.errors import SpecError
from biaspipe.loading import load_text
from biaspipe.loading.parameters import read_texts
from tests.examples import examples

TEMPLATES = (
    *("${a}", "${a}.csv", "d/${a}/x.csv", "d/.${a}/x.csv", "d/${a}${b}/x.csv", "d\\${a}\\x.csv"),
    *("s3://bucket/${a}/x.parquet", "d/*/${a}-*.csv", "/data/${a}", "./${a}", "../${a}/x.csv"),
)
PARTS = (
    *(
        "..",
        ".",
        "/",
        "\\",
        "a",
        "2026-10",
        "*",
        "?",
        "%2e",
        "~",
        "$",
        "{",
        "}",
        "${b}",
        "\0",
        "\n",
    ),
    *(
        " ",
        ":",
        "//",
        "C:",
        "@",
        "=",
        "+",
        "-",
        "_",
        "'",
        '"',
        ";",
        "\u2044",
        "\uff0e",
        "é",
        "\ud800",
    ),
)
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=4).map("".join),
    st.text(max_size=8),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.lists(st.integers(), max_size=1),
)
DEFAULTS = ('"2026-10"', "2026-07-01", "18", "0.5", "true", "", '""', "..", "a/b", "'*'")

CASES = st.tuples(
    st.sampled_from(TEMPLATES),
    st.sampled_from(DEFAULTS),
    st.sampled_from(DEFAULTS),
    st.dictionaries(st.sampled_from("ab"), VALUES),
    st.booleans(),
)
Case = tuple[str, str, str, dict[str, Any], bool]
"""A path, two defaults, values, and whether the texts among these are typed."""


def stays_a_piece(case: Case) -> None:
    """Check that a filled path has the steps of its template, and leads into the same folder."""
    template, a, b, values, typed = case
    text = (
        "version: 1\nname: any\nparameters:\n"
        f"  a: {a}\n  b: {b}\ndata:\n  path: '{template}'\n"
        '  where: "x <> ${a} AND y <> ${b}"\n'
        "columns: {prediction: {column: p, positive: 1}}\nfacets: {sex: {column: sex}}\n"
    )
    loaded = load_text(text.encode(), "audit.yaml", Path())
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    given = read_texts(loaded.audit, texts) if typed else {}
    try:
        (path,) = loaded.filled({**values, **given}).audit.data.path or ()
    except SpecError as error:
        assert str(error).startswith("audit.yaml:")  # noqa: PT017 - in a property, not a test
        return
    for separator in ("/", "\\"):
        before, after = template.split(separator), path.split(separator)
        assert len(before) == len(after)
        fixed = [(x, y) for x, y in zip(before, after, strict=True) if "$" not in x]
        assert all(x == y for x, y in fixed)
        filled = {y for x, y in zip(before, after, strict=True) if "$" in x}
        assert not filled & {".", ".."}
    assert path.count("*") == template.count("*")
    assert PurePosixPath(path).is_absolute() == PurePosixPath(template).is_absolute()
    assert path.isascii()
    assert path.isprintable()


@examples(300)
@given(CASES)
def test_any_value(case: Case) -> None:
    """A value is refused in words, or adds no step, pattern or root to any path."""
    stays_a_piece(case)
