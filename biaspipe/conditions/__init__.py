"""The language of `data.where`: its text is parsed once, and no engine ever sees it."""

from biaspipe.conditions.faults import unusable
from biaspipe.conditions.parameters import (
    NO_PARAMETER,
    NO_TEXT,
    PARAMETER,
    ParameterValue,
    ParameterValues,
)
from biaspipe.conditions.sql_text import faults_in, parse_condition
from biaspipe.conditions.tree import (
    MAX_DIGITS,
    WHERE,
    Call,
    ColumnName,
    Literal,
    Node,
    columns_of,
)

__all__ = [
    "MAX_DIGITS",
    "NO_PARAMETER",
    "NO_TEXT",
    "PARAMETER",
    "WHERE",
    "Call",
    "ColumnName",
    "Literal",
    "Node",
    "ParameterValue",
    "ParameterValues",
    "columns_of",
    "faults_in",
    "parse_condition",
    "unusable",
]
