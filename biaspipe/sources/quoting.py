"""Names and texts in the SQL of engines: each is one name or one text, whatever it holds."""

__all__ = ["backticked", "identifier", "literal"]


def identifier(name: str) -> str:
    """Return a name as DuckDB, SQLite and Postgres quote it.

    >>> print(identifier('an "odd" name'))
    "an ""odd"" name"
    """
    return '"' + name.replace('"', '""') + '"'


def backticked(name: str) -> str:
    """Return a name as Spark quotes it.

    >>> backticked("hours.per.week")
    '`hours.per.week`'
    """
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    """Return a text as DuckDB quotes it.

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"
