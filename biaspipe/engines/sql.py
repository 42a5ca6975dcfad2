"""The condition of `where` in the SQL of an engine that has its own."""

from collections.abc import Collection, Mapping

import sqlglot
from sqlglot import exp

from biaspipe.engines.condition import not_of_a_row, refuse_unknown, unfit, unusable
from biaspipe.errors import first_line

__all__ = ["condition_in"]

WRITTEN_IN = "duckdb"
"""The dialect whose operators mean what they mean to polars; 7 / 2 is 3.5."""
BEYOND_A_ROW = (exp.AggFunc, exp.Window, exp.Query, exp.Star)
BY_CHANCE = (exp.Rand, exp.Randn, exp.Randstr, exp.Shuffle, exp.Uniform, exp.Uuid)
NAMED_BY_CHANCE = (
    *("currval", "gen_random_bytes", "nextval", "random_normal", "random_poisson", "setseed"),
    *("uuidv4", "uuidv7", "monotonically_increasing_id", "spark_partition_id"),
)
"""Functions that sqlglot does not know; what the last two give depends on how rows are parted."""


def condition_in(
    dialect: str,
    where: str,
    columns: Collection[str],
    name: str,
    wide: Mapping[str, str] | None = None,
) -> str:
    """Return a condition in an engine's own SQL, its columns quoted.

    Parameters
    ----------
    dialect : the engine's dialect, as sqlglot calls it.
    where : the condition of a spec.
    columns : the columns of the table that it is about.
    name : what messages call the table.
    wide : columns that are cast to a wider type, in the words of the engine.

    Raises
    ------
    SpecError
        If it is no SQL, names a column that is not there, looks at other rows, or is drawn by lot.

    >>> condition_in("spark", "age >= 18 AND sex = 'f'", ["age", "sex"], "people.csv")
    "`age` >= 18 AND `sex` = 'f'"
    """
    condition = _parsed(where)
    refuse_unknown((column.name for column in condition.find_all(exp.Column)), columns, name)
    if condition.find(*BEYOND_A_ROW):
        raise not_of_a_row()
    if condition.find(*BY_CHANCE) or any(
        call.name.lower() in NAMED_BY_CHANCE for call in condition.find_all(exp.Anonymous)
    ):
        raise unfit("the condition is drawn by lot, so no two runs agree")
    widened = condition.transform(lambda node: _cast(node, wide or {}))
    written: str = widened.sql(dialect=dialect, identify=True)
    return written


def _cast(node: exp.Expression, wide: Mapping[str, str]) -> exp.Expression:
    """Return a column with its wider type, and anything else as it is."""
    if isinstance(node, exp.Column) and node.name in wide:
        return exp.cast(node.copy(), wide[node.name], dialect=WRITTEN_IN)
    return node


def _parsed(where: str) -> exp.Expression:
    try:
        parsed = sqlglot.parse_one(f"SELECT 1 WHERE {where}", read=WRITTEN_IN)
    except sqlglot.errors.SqlglotError as error:
        raise unusable(first_line(error)) from None
    found = parsed.args.get("where")
    others = {name for name, part in parsed.args.items() if part} - {"where", "expressions"}
    if not isinstance(found, exp.Where) or others:
        raise unfit("the condition is no single expression")
    return found.this
