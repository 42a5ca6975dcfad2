"""Queries of Ibis in words that every database understands alike."""

from decimal import Decimal
from math import inf
from typing import Any

from biaspipe.sources.extras import import_extra

__all__ = ["portable"]

MOST_DIGITS = 38


def portable(query: Any, backend: Any) -> Any:
    """Return a query that a database answers as any other does.

    Decimals are written with all their digits, since only Postgres has a type without a scale.
    Texts are compared by their bytes, since the order of Postgres depends on its language.
    Truths become integers of 32 bits first, since Postgres knows no other way.
    Where a database cannot tell floats that are no numbers, it holds none.

    Parameters
    ----------
    query : a table of Ibis.
    backend : the connection of Ibis.
    """
    operations = import_extra("ibis.expr.operations", "postgres")
    bounded = backend.name != "postgres"
    ordered = (operations.Less, operations.LessEqual, operations.Greater, operations.GreaterEqual)
    lacks_nan = not backend.has_operation(operations.IsNan)
    lacks_inf = not backend.has_operation(operations.IsInf)

    def replaced(node: Any, changes: Any) -> Any:
        node = node.__recreate__(changes) if changes else node
        if bounded and isinstance(node, operations.Literal) and isinstance(node.value, Decimal):
            return _exact(node)
        if not bounded and isinstance(node, ordered) and node.left.dtype.is_string():
            return node.copy(left=_bytes(node.left), right=_bytes(node.right))
        if isinstance(node, operations.Cast) and node.arg.dtype.is_boolean():
            return _counted(node)
        if lacks_nan and isinstance(node, operations.IsNan):
            return operations.Literal(False, "boolean")
        if lacks_inf and isinstance(node, operations.IsInf):
            return operations.Equals(operations.Abs(node.arg), operations.Literal(inf, "float64"))
        return node

    return query.op().replace(replaced).to_expr()


def _bytes(text: Any) -> Any:
    """Return a text as its bytes, whose order is that of its letters in no language."""
    udf = import_extra("ibis", "postgres").udf.scalar
    function: Any = udf.builtin(_in, name="convert_to", signature=(("string",) * 2, "binary"))
    return function(text.to_expr(), "UTF8").op()


def _in(text: str, encoding: str) -> bytes:
    """Stand for the function of Postgres, which takes the same."""
    return text.encode(encoding)


def _exact(literal: Any) -> Any:
    types = import_extra("ibis.expr.datatypes", "postgres")
    scale = max(0, -int(literal.value.as_tuple().exponent))
    return literal.copy(dtype=types.Decimal(max(MOST_DIGITS, scale), scale))


def _counted(cast: Any) -> Any:
    types = import_extra("ibis.expr.datatypes", "postgres")
    return cast.copy(arg=cast.copy(to=types.int32)) if cast.to.is_integer() else cast
