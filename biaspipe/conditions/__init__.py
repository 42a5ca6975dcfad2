"""The language of `data.where`: its text is parsed once, and no engine ever sees it."""

from biaspipe.conditions.faults import unusable
from biaspipe.conditions.parameters import (
    NO_PARAMETER,
    NO_TEXT,
    PARAMETER,
    ParameterValue,
    ParameterValues,
)
from biaspipe.conditions.parsing import faults_in, parsed
from biaspipe.conditions.tree import (
    MOST_DIGITS,
    WHERE,
    Call,
    Column,
    Constant,
    Literal,
    Node,
    columns_of,
)

__all__ = [
    "MOST_DIGITS",
    "NO_PARAMETER",
    "NO_TEXT",
    "PARAMETER",
    "WHERE",
    "Call",
    "Column",
    "Constant",
    "Literal",
    "Node",
    "ParameterValue",
    "ParameterValues",
    "columns_of",
    "faults_in",
    "parsed",
    "unusable",
]
