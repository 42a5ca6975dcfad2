"""Whatever stands in `where`, it is refused in words, or keeps the same rows on every engine."""

import re
from time import perf_counter
from typing import Any, NamedTuple

import duckdb
import polars as pl
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.conditions import ParameterValue, parse_condition
from biaspipe.errors import SpecError
from biaspipe.spec import Data
from tests.engines.attacks import ATTACKS
from tests.engines.builders import opened
from tests.engines.conformance import kept
from tests.engines.test_random_conditions import ROWS, VALUES, truths
from tests.examples import examples

LONGEST = 5.0
"""Seconds, within which any text is read; it takes a thousandth of them."""

WORDS = """\
a b n i x f d s t c day at nobody 0 1 -1 0.5 1e2 1e999 0x1F 99999999999999999999 'a' '' 'it''s'
'a%' "s" "a b" `s` [s]
= <> != < <= > >= == <=> + - * / % || ^ & | ~ ! ( ) , . ; : :: -> ->> => @ # ? $ $1 { } [ ] \\
' "
AND OR NOT IN BETWEEN LIKE ILIKE IS NULL TRUE FALSE CASE WHEN THEN ELSE END CAST AS DATE
TIMESTAMP INTERVAL
DISTINCT FROM ESCAPE COLLATE EXISTS ANY ALL SELECT UNION VALUES WITH OVER PARTITION BY FILTER
QUALIFY LIMIT
lower( upper( trim( length( abs( round( coalesce( nullif( replace( substring( concat( year( if(
sqrt( unnest(
now() current_date random() pg_sleep(9) read_csv('x') getenv('HOME') EXTRACT(year FROM -- /* */
e'a' b'1' x'00'
${v} ${w} ${nope} ${ } '${v}' ${v}x $${v} \0 \n \u00e9 \u2028 \U0001f600 DOUBLE INTEGER TEXT
VARCHAR(3) DECIMAL(9,2)
"""
TOKENS = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), WORDS).split()
PIECES = re.compile(r"'[^']*'|\w+|\s+|.")
GIVEN: list[ParameterValue | None] = ["a", "2026-07-01", "x' OR 1=1 --", "", 1, -3, 0.5, True, None]

FRAME = pl.DataFrame(
    {
        "id": range(ROWS),
        **{
            name: pl.Series([values[i * 7 % len(values)] for i in range(ROWS)], dtype=dtype)
            for name, (dtype, values) in VALUES.items()
        },
    }
)


class Asked(NamedTuple):
    """A text of a condition, and the values of its parameters."""

    where: str
    values: dict[str, ParameterValue | None]


@st.composite
def asked(draw: st.DrawFn) -> Asked:
    """Draw a soup of tokens, or a condition with some damage."""
    if draw(st.booleans()):
        glue = draw(st.sampled_from((" ", "", "  ")))
        where = glue.join(draw(st.lists(st.sampled_from(TOKENS), max_size=14)))
    else:
        where = draw(truths(2) | st.sampled_from(list(ATTACKS.values())).map(lambda t: t[:2_000]))
        for _ in range(draw(st.integers(0, 3))):
            where = damaged(draw, where)
    return Asked(where, {name: draw(st.sampled_from(GIVEN)) for name in "vw"})


def damaged(draw: st.DrawFn, where: str) -> str:
    """Delete, repeat or replace a piece of a condition."""
    pieces = PIECES.findall(where)
    if not pieces:
        return draw(st.sampled_from(TOKENS))
    at = draw(st.integers(0, len(pieces) - 1))
    put = draw(
        st.sampled_from((["(", pieces[at], ")"], [], [pieces[at]] * 2))
        | st.sampled_from(TOKENS).map(lambda token: [f" {token} "])
        | st.text(max_size=3).map(lambda text: [text])
    )
    return "".join([*pieces[:at], *put, *pieces[at + 1 :]])


def is_refused_or_alike(case: Asked) -> None:
    """Check that a condition is refused in time, or keeps the same rows on two engines."""
    start = perf_counter()
    try:
        parse_condition(case.where, case.values)
    except SpecError as error:
        assert error.faults[0].loc == ("data", "where")  # noqa: PT017 - in a property, not a test
        assert "\0" not in str(error)  # noqa: PT017 - as above
        return
    finally:
        assert perf_counter() - start < LONGEST
    data = Data.model_validate({"path": "nowhere.parquet", "where": case.where or "x"})
    data = data.given({k: "a" if v is None else v for k, v in case.values.items()}, {})
    frames: dict[str, Any] = {"polars": FRAME, "duckdb": duckdb.from_arrow(FRAME.to_arrow())}
    found = {name: kept(opened(frame, data), case.where) for name, frame in frames.items()}
    assert found["polars"] == found["duckdb"]


@examples(300, unchecked=list(HealthCheck))
@given(asked())
def test_any_condition(case: Asked) -> None:
    """A soup of tokens, or a damaged condition, is refused or answered alike, and soon."""
    is_refused_or_alike(case)
