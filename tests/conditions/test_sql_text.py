"""The text of a condition becomes a tree, or is refused by name with what to write instead."""

import logging
import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaspipe.conditions import Call, ColumnName, Literal, Node, columns_of, parse_condition
from biaspipe.errors import SpecError
from tests.examples import examples

A, B = ColumnName("a"), ColumnName("b")


def refused(where: str) -> tuple[str, str]:
    """Return why a condition is refused, and the hint."""
    with pytest.raises(SpecError) as raised:
        parse_condition(where)
    (fault,) = raised.value.faults
    assert fault.loc == ("data", "where")
    assert "\n" not in fault.message
    return fault.message.removeprefix("the condition cannot be used: "), fault.hint or ""


@pytest.mark.parametrize(
    ("where", "tree"),
    [
        ("a", A),
        ("(((a)))", A),
        ('"a b" = 1', Call("=", (ColumnName("a b"), Literal(1)))),
        ('"a""b" = 1', Call("=", (ColumnName('a"b'), Literal(1)))),
        ("a = 'it''s'", Call("=", (A, Literal("it's")))),
        ("a = 'b\\'", Call("=", (A, Literal("b\\")))),
        ("a <> -1.50", Call("<>", (A, Literal(Decimal("-1.50"))))),
        ("a > 1e3", Call(">", (A, Literal(Decimal("1000"))))),
        ("a = TRUE", Call("=", (A, Literal(value=True)))),
        ("a = DATE '2026-07-01'", Call("=", (A, Literal(date(2026, 7, 1))))),
        ("a = CAST('2026-07-01' AS DATE)", Call("=", (A, Literal(date(2026, 7, 1))))),
        (
            "a < TIMESTAMP '2026-07-01 10:30:00'",
            Call("<", (A, Literal(datetime(2026, 7, 1, 10, 30)))),
        ),
        (
            "a < TIMESTAMPTZ '2026-07-01 10:30:00Z'",
            Call("<", (A, Literal(datetime(2026, 7, 1, 10, 30, tzinfo=UTC)))),
        ),
        ("a OR b OR NOT a", Call("or", (A, B, Call("not", (A,))))),
        ("a OR b AND a", Call("or", (A, Call("and", (B, A))))),
        ("NOT a = b", Call("not", (Call("=", (A, B)),))),
        (
            "a BETWEEN 1 AND 2",
            Call("and", (Call(">=", (A, Literal(1))), Call("<=", (A, Literal(2))))),
        ),
        ("a NOT IN (1, 2)", Call("not", (Call("in", (A, Literal(1), Literal(2))),))),
        ("a NOT LIKE 'b%'", Call("not", (Call("like", (A, Literal("b%"))),))),
        ("a IS NOT NULL", Call("not", (Call("is_null", (A,)),))),
        ("a - b - 1", Call("-", (Call("-", (A, B)), Literal(1)))),
        ("a + b * 2", Call("+", (A, Call("*", (B, Literal(2)))))),
        ("YEAR(a)", Call("year", (A,))),
        ("EXTRACT(year FROM a)", Call("year", (A,))),
        ("a::TEXT", Call("text", (A,))),
        ("CASE a WHEN 1 THEN b END", Call("case", (Call("=", (A, Literal(1))), B))),
    ],
)
def test_text_becomes_a_tree(where: str, tree: Node) -> None:
    """A condition has the tree that SQL gives it."""
    assert parse_condition(where) == tree


@pytest.mark.parametrize(
    ("where", "words", "hint"),
    [
        ("18 <= a <= 65", "it compares what a comparison says", "18 <= a AND a <= 65, or BETWEEN"),
        ("(18 <= a) <= 65", "it compares what a comparison says", "18 <= a AND a <= 65"),
        ("a = b = 1", "it compares what a comparison says", "a = b AND b = 1"),
        ("a BETWEEN 1 AND 2 = b", "it compares what a comparison says", "by AND"),
        ("a IN (SELECT 1)", "it uses a subquery, which is not part of the language", "join"),
        ("unnest(a)", "it uses UNNEST, which is not part of the language", ""),
        ("SUM(a) > 1", "it uses SUM", "for each row by itself"),
        ("RANK() OVER (ORDER BY a) = 1", "it uses a window function", "for each row by itself"),
        ("CURRENT_DATE > a", "it uses CURRENT_DATE", "DATE '2026-07-01'"),
        ("now() > a", "it uses NOW", "DATE '2026-07-01'"),
        ("random() > a", "it uses RAND", "no two runs"),
        ("t.a = 1", "it uses a qualified name", "in double quotes"),
        ("COUNT(*) = 1", "it uses COUNT", "for each row by itself"),
        ("a = ?", "it uses a placeholder", "the value itself"),
        ("a = NULL", "it uses NULL as a value", "IS NULL"),
        ("wrong(a) = 1", "it uses WRONG", "floor, hour, if"),
        ("a & 1 = 1", "it uses an operator on bits", "floor, hour, if"),
        ("CAST(a AS DECIMAL(9, 2)) = 1", "it casts to DECIMAL(9, 2)", "DOUBLE"),
        ("a = 1 -- b", "it holds a comment", ""),
        ("a = 1; b = 1", "it holds several statements", "AND"),
        ("a IN ('x' 'y')", "two texts follow each other: 'y'", "comma"),
        ("a = DATE '2026-02-30'", "'2026-02-30' is no date", "DATE '2026-07-01'"),
        ("EXTRACT(week FROM a) = 1", "it takes 'WEEK' out of a date", "month"),
        ("a >", "it cannot be read at '>'", ""),
        ("a = 'b", "it cannot be read: a quote is not closed", ""),
        ("a = '\0'", "it holds a character that is part of no text", ""),
        ("(" * 51 + "a" + ")" * 51, "it is nested more than 50 levels deep", ""),
        ("a = " + "1" * 10_000, "it has 10,004 characters, and at most 10,000 fit", ""),
        ("a IN (" + "1, " * 1_000 + "1)", "it has more than 1,000 parts", ""),
        ("a = 1e400", "no engine holds a number such as 1e400", ""),
    ],
)
def test_what_is_not_part_of_the_language_is_refused(where: str, words: str, hint: str) -> None:
    """What is refused is named, with what to write instead."""
    found = refused(where)
    assert found[0].startswith(words)
    assert hint in found[1]


@pytest.mark.parametrize("name", ["rank", "order_", "date", "year", "window", "set", "left", "key"])
def test_column_may_be_called_like_a_word_of_sql(name: str) -> None:
    """A column may have the name of a function, or of a word that means nothing here."""
    assert columns_of(parse_condition(f"{name} = 1")) == (name,)


def test_columns_are_named_once() -> None:
    """The columns of a condition are named once each, in their order."""
    assert columns_of(parse_condition("b > 1 AND lower(a) = 'x' OR b = 2 AND TRUE")) == ("b", "a")


def test_long_chains_are_not_deep() -> None:
    """A hundred conditions joined by OR are not nested."""
    assert len(columns_of(parse_condition(" OR ".join(f"c{i} = 1" for i in range(100))))) == 100


WORDS = """\
a b 1 -1 .5 1e9 'x' '' "c" ( ) [ ] { } , ; . : :: -> => = == <> < <= > >= != + - * / % || & | ~ ^ ?
$1 @x # -- /* */ ` ' " AND OR NOT IN BETWEEN LIKE ILIKE IS NULL TRUE FALSE CASE WHEN THEN ELSE END
IF( CAST( AS INTEGER DATE '2026-07-01' TIMESTAMP INTERVAL EXTRACT( YEAR FROM SELECT WHERE GROUP BY
OVER () lower( coalesce( unnest( now() current_date random() COLLATE ESCAPE ANY ( ALL ( EXISTS (
DISTINCT UNION VALUES * t.* t.a ROW ( STRUCT ( ARRAY [ MAP { LAMBDA x : FILTER ( WITHIN PIVOT SET
UNPIVOT QUALIFY LIMIT OFFSET DROP TABLE USING SAMPLE
"""


@examples(400)
@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS.split()), max_size=25).map(" ".join))
def test_any_text_is_a_tree_or_a_wrong_spec(text: str) -> None:
    """Whatever stands there, a tree comes back or the spec is wrong, and nothing else happens."""
    try:
        tree = parse_condition(text)
    except SpecError as error:
        tree = None
        found = str(error)
    assert isinstance(tree, ColumnName | Literal | Call) or found


def test_parser_says_nothing_beside(caplog: pytest.LogCaptureFixture) -> None:
    """The parser logs nothing of what it does not support, and others may log as before."""
    for where in ("CREATE x", "SHOW y", "a -> '$[?(1)]' = 1", "a = {{ b }}"):
        refused(where)
    assert caplog.records == []
    logging.getLogger("sqlglot").warning("heard")
    assert [record.message for record in caplog.records] == ["heard"]


def test_parser_is_loaded_where_there_is_a_condition() -> None:
    """The module costs nothing before a condition is parsed."""
    code = "import sys, biaspipe.conditions; sys.exit('sqlglot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
