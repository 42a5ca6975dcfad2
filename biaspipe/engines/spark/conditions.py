"""The condition of `where` in the SQL of Spark, with the arithmetic that it has for polars."""

from collections.abc import Mapping

import sqlglot
from sqlglot import exp

from biaspipe.engines.condition import unfit
from biaspipe.engines.sql import condition_in

__all__ = ["spark_condition"]

WIDER = dict.fromkeys(("tinyint", "smallint", "int"), "BIGINT")
"""The type that short integers have in a condition, so that sums and products of them fit."""
COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)
DIVISION = """CASE WHEN {a} IS NULL OR {b} IS NULL THEN NULL WHEN {b} <> 0 THEN {a} / {b}
WHEN {a} = 0 OR ISNAN(CAST({a} AS DOUBLE)) THEN DOUBLE('NaN')
WHEN ({a} > 0) = (CAST(CAST({b} AS DOUBLE) AS STRING) <> '-0.0') THEN DOUBLE('Infinity')
ELSE DOUBLE('-Infinity') END"""
"""Spark itself has no answer to a division by zero."""
WHOLE = "CASE WHEN ABS({a}) < 4503599627370496 THEN CAST({whole} AS DOUBLE) ELSE {a} END"
"""Spark itself has no whole numbers for large floats."""


def spark_condition(where: str, types: Mapping[str, str], name: str) -> str:
    """Return a condition in the SQL of Spark.

    Parameters
    ----------
    where : the condition of a spec.
    types : the columns, and what Spark calls their types.
    name : what messages call the table.

    Raises
    ------
    SpecError
        If it is no SQL, names a column that is not there, or looks at other rows.

    >>> spark_condition("age % 0 = 1", {"age": "bigint"}, "people.csv")
    '`age` % NULLIF(0, 0) = 1'
    """
    wide = {column: WIDER[t] for column, t in types.items() if t in WIDER}
    text = condition_in("spark", where, types, name, wide)
    condition = exp.Paren(this=sqlglot.parse_one(text, read="spark"))
    for node in reversed(list(condition.find_all(exp.Div, exp.Mod, exp.Floor, exp.Ceil))):
        node.replace(_answered(node))
    for node in list(condition.find_all(*COMPARED)):
        _match(node, types)
    return str(condition.this.sql(dialect="spark", identify=True))


def _answered(node: exp.Expression) -> exp.Expression:
    """Return arithmetic that has an answer for all numbers."""
    a, b = _text(node.this), _text(node.args.get("expression"))
    divisor = node.args.get("expression")
    match node:
        case exp.Div() if isinstance(divisor, exp.Literal) and divisor.to_py():
            return node.copy()
        case exp.Div():
            return _parsed(f"({DIVISION.format(a=a, b=b)})")
        case exp.Mod():
            return _parsed(f"{a} % NULLIF({b}, 0)")
    if node.args.get("decimals"):
        return node.copy()
    return _parsed(f"({WHOLE.format(a=a, whole=_text(node))})")


def _match(node: exp.Expression, types: Mapping[str, str]) -> None:
    """Give the two sides of a comparison of a column with numbers one type, as polars does."""
    sides = list(node.iter_expressions())
    columns = [side for side in sides if isinstance(side, exp.Column)]
    numbers = [side for side in sides if _is_number(side)]
    for column in columns if numbers else ():
        match types[column.name]:
            case "string":
                raise unfit(f"column {column.name!r} holds text, not numbers")
            case "boolean":
                column.replace(exp.cast(column.copy(), "int"))
            case "float":
                for number in numbers:
                    number.replace(exp.cast(number.copy(), "float"))


def _is_number(node: exp.Expression) -> bool:
    number = node.this if isinstance(node, exp.Neg) else node
    return isinstance(number, exp.Literal) and not number.is_string


def _text(node: exp.Expression | None) -> str:
    return node.sql(dialect="spark", identify=True) if node else ""


def _parsed(text: str) -> exp.Expression:
    return sqlglot.parse_one(text, read="spark")
