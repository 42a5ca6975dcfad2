"""Parameters in conditions: each is one value, and a piece of nothing."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from biaspipe.conditions import Call, ColumnName, Literal, Node, ParameterValue, parse_condition
from biaspipe.errors import SpecError

A = ColumnName("a")
VALUES: dict[str, ParameterValue | None] = {
    "month": "2026-11",
    "since": "2026-07-01",
    "least": 18,
    "share": -0.1,
    "everybody": True,
    "lacking": None,
    "select": "x' OR 1=1 --",
}


def given(value: str | bool | int | Decimal) -> Literal:
    """Return the literal of a parameter."""
    return Literal(value, given=True)


@pytest.mark.parametrize(
    ("where", "tree"),
    [
        ("a = ${month}", Call("=", (A, given("2026-11")))),
        ("${least} <= a", Call("<=", (given(18), A))),
        ("a = ${share}", Call("=", (A, given(Decimal("-0.1"))))),
        ("a > -${least}", Call(">", (A, Literal(-18)))),
        ("a = ${select}", Call("=", (A, given("x' OR 1=1 --")))),
        ("${everybody} OR a = 1", Call("or", (given(True), Call("=", (A, Literal(1)))))),
        ("a IN (${month}, 'b')", Call("in", (A, given("2026-11"), Literal("b")))),
        ("a LIKE ${month}", Call("like", (A, given("2026-11")))),
        ("a >= DATE ${since}", Call(">=", (A, Literal(date(2026, 7, 1))))),
        ("a >= CAST(${since} AS DATE)", Call(">=", (A, Literal(date(2026, 7, 1))))),
        ("a >= DATE(${since})", Call(">=", (A, Literal(date(2026, 7, 1))))),
        ("a >= TIMESTAMP ${since}", Call(">=", (A, Literal(datetime(2026, 7, 1))))),
        ("a = ROUND(a, ${least})", Call("=", (A, Call("round", (A, given(18)))))),
        ("a = $month", Call("=", (A, ColumnName("$month")))),
    ],
)
def test_parameter_is_one_value(where: str, tree: Node) -> None:
    """A parameter is the literal of its value, whatever the value is."""
    assert parse_condition(where, VALUES) == tree


@pytest.mark.parametrize(
    "where",
    [
        "a = ${lacking}",
        "a >= DATE ${lacking}",
        "CAST(${lacking} AS INTEGER) = a",
        "a > -${lacking}",
    ],
)
def test_parameter_without_a_value_is_looked_at_by_its_place(where: str) -> None:
    """A condition can be read before a run has given the values that it lacks."""
    assert isinstance(parse_condition(where, VALUES), Call)


REFUSED = """\
a = '${month}'              | ${month} stands in quotes
a = 'in ${month} only'      | ${month} stands in quotes
"${month}" = 1              | ${month} stands in quotes
a = '${SECRET}'             | ${SECRET} stands in quotes
a = ${SECRET}               | there is no parameter 'SECRET'
a = ${HOME}                 | there is no parameter 'HOME'
a = ${monht}                | there is no parameter 'monht'
a = ${Month}                | there is no parameter 'Month'
a = ${}                     | '${' begins no parameter
a = ${month                 | '${' begins no parameter
a = ${ month }              | '${' begins no parameter
a = ${month-1}              | '${' begins no parameter
a = ${month:-x}             | '${' begins no parameter
a = ${${month}}             | '${' begins no parameter
a = $${month}               | '${' begins no parameter
x${least} = 2               | '${' begins no parameter
${least}x = 2               | ${least} is a piece of something else
a = 1${least}               | ${least} is a piece of something else
a = ${least}1               | ${least} is a piece of something else
a = ${least}e5              | ${least} is a piece of something else
a = ${least}.5              | ${least} is a piece of something else
a = .5${least}              | ${least} is a piece of something else
a.${least} = 1              | ${least} is a piece of something else
${month}.a = 1              | ${month} is a piece of something else
a = 'x'${month}             | ${month} is a piece of something else
a = ${month}'x'             | ${month} is a piece of something else
a = ${month}${least}        | is a piece of something else
DATE${since} = a            | '${' begins no parameter
${month}(a) = 1             | ${month} stands where a function is expected
${month} (a) = 1            | ${month} stands where a function is expected
CAST(a AS ${month}) = 1     | it cannot be read at '${month}'
a COLLATE ${month} = 'x'    | it uses COLLATE
a = INTERVAL ${month} DAY   | it uses INTERVAL
EXTRACT(${month} FROM a) = 1 | it takes ${month} out of a date
date_part(${month}, a) = 1  | it takes ${month} out of a date
a IN ${month}               | it uses IN
a = ANY(${month})           | it uses ANY or ALL
${month} = 5                | it compares a parameter with a value, and no column
5 < ${least}                | it compares a parameter with a value, and no column
${month} IN ('a', 'b')      | it compares a parameter with a value, and no column
${month} LIKE 'x%'          | it compares a parameter with a value, and no column
${least} BETWEEN 1 AND 2    | it compares a parameter with a value, and no column
${month} IS DISTINCT FROM 1 | it compares a parameter with a value, and no column
a = ${month} ${least}       | two texts follow each other
a = 'x' ${month}            | two texts follow each other
a >= DATE ${month}          | '2026-11' is no date
a = ${month}; DROP TABLE x  | it holds several statements
a = ${month} -- b           | it holds a comment
a = ${month} /* b */        | it holds a comment
"""


@pytest.mark.parametrize("case", REFUSED.splitlines())
def test_parameter_elsewhere_is_refused(case: str) -> None:
    """A parameter that is no value by itself is refused with words, and read as nothing."""
    where, words = (part.strip() for part in case.rsplit("|", 1))
    with pytest.raises(SpecError) as refusal:
        parse_condition(where, VALUES)
    message = str(refusal.value).replace("\\", "")
    assert words in message
    assert "\0" not in message


@pytest.mark.parametrize("value", ["x'; DROP TABLE rows --", "${least}", '"a"', "a", "\\", "''"])
def test_value_is_never_read(value: str) -> None:
    """Whatever a value holds, it is the text of one literal."""
    tree = parse_condition("a = ${month} AND b = 1", {"month": value})
    assert tree == Call(
        "and", (Call("=", (A, given(value))), Call("=", (ColumnName("b"), Literal(1))))
    )


def test_two_equal_values_of_other_kinds_are_told_apart() -> None:
    """1, 1.0 and true are equal to Python, and other values of a condition."""
    found = [parse_condition("a = ${x}", {"x": value}) for value in (1, 1.0, True, "1")]
    assert [repr(tree.parts[1]) for tree in found if isinstance(tree, Call)] == [
        "Literal(value=1, given=True)",
        "Literal(value=Decimal('1.0'), given=True)",
        "Literal(value=True, given=True)",
        "Literal(value='1', given=True)",
    ]


def test_clock_is_refused_with_the_parameter_that_does_it() -> None:
    """Who asks for today is told to give the day."""
    with pytest.raises(SpecError) as refusal:
        parse_condition("a >= current_date")
    assert "or a parameter, such as ${since}" in str(refusal.value.faults[0].hint)
