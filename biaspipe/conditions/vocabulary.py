"""The words of the language, by what sqlglot calls them, and the words for everything else."""

__all__ = [
    "BOOLEANS",
    "CASTS",
    "CLOCKS",
    "COMPARED",
    "DATE_PARTS",
    "FORMS",
    "HINTS",
    "JOINED",
    "LANGUAGE",
    "LEAST",
    "NO_CLOCK",
    "SQL_NAMES",
]

COMPARED = {"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
JOINED = {"And": "and", "Or": "or"}
BOOLEANS = {*COMPARED, *JOINED, "Not", "Between", "In", "Like", "ILike", "Is"}
BOOLEANS |= {"NullSafeEQ", "NullSafeNEQ"}
"""Expressions that are true or false."""

FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    **{name: (sign, ("this", "expression")) for name, sign in COMPARED.items()},
    **{
        name: (sign, ("this", "expression"))
        for name, sign in {
            "Add": "+",
            "Sub": "-",
            "Mul": "*",
            "Div": "/",
            "Mod": "%",
            "DPipe": "||",
            "NullSafeEQ": "same",
            "Nullif": "nullif",
            "StartsWith": "starts_with",
            "EndsWith": "ends_with",
            "Contains": "contains",
            "Left": "left",
        }.items()
    },
    **{
        name: (name.lower(), ("this",))
        for name in (
            *("Not", "Lower", "Upper", "Trim", "Length", "Abs", "Floor", "Ceil", "Sqrt"),
            *("Year", "Month", "Day", "Hour", "Minute", "Second"),
        )
    },
    "Neg": ("negative", ("this",)),
    "Round": ("round", ("this", "decimals")),
    "Substring": ("substring", ("this", "start", "length")),
    "Replace": ("replace", ("this", "expression", "replacement")),
    "Coalesce": ("coalesce", ("this", "expressions")),
    "Concat": ("concat", ("expressions",)),
    "In": ("in", ("this", "expressions")),
    "If": ("case", ("this", "true", "false")),
}
"""Operators and functions: the name of each, and the parts that it is applied to."""
LEAST = {"substring": 2, "replace": 3}
"""How many parts a function has to have, where that is not one."""
DATE_PARTS = ("year", "month", "day", "hour", "minute", "second")
"""The parts of a date or time that EXTRACT takes out."""
CASTS = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INT", "BIGINT"), "integer"),
    **dict.fromkeys(("VARCHAR", "TEXT"), "text"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMPNTZ", "DATETIME"), "timestamp"),
    "TIMESTAMPTZ": "timestamptz",
    "DOUBLE": "double",
    "DATE": "date",
}

LANGUAGE = (
    "a condition is true or false for each row by itself; it is made of columns, texts, numbers, "
    "TRUE, FALSE, DATE '...', TIMESTAMP '...', = <> < <= > >=, AND, OR, NOT, IN, BETWEEN, LIKE, "
    "ILIKE, IS NULL, + - * / %, ||, CASE, CAST, EXTRACT, and of functions: abs, ceil, coalesce, "
    "concat, contains, date, day, ends_with, floor, hour, if, left, length, lower, minute, month, "
    "nullif, replace, round, second, sqrt, starts_with, substring, trim, upper, year"
)
CLOCKS = {
    *("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_DATETIME", "LOCALTIME"),
    *("LOCALTIMESTAMP", "NOW", "TODAY", "GETDATE", "SYSDATE", "CLOCK_TIMESTAMP"),
    *("STATEMENT_TIMESTAMP", "TRANSACTION_TIMESTAMP", "UNIX_TIMESTAMP", "UNIXEPOCH", "JULIANDAY"),
}
NO_CLOCK = (
    "write the day itself, such as DATE '2026-07-01', or a parameter, such as ${since}: "
    "a condition asks no clock"
)
OTHERS = "a condition is true or false for each row by itself"
OUTSIDE = "a condition asks its own table only; join the other one"
FILLED = "write the value itself, or ${name}, which parameters declares"
HINTS: dict[str, str] = {
    **dict.fromkeys(("Select", "Subquery", "Exists", "Union", "Any", "All"), OUTSIDE),
    **dict.fromkeys(("Unnest", "Explode", "Posexplode", "Inline", "GenerateSeries"), OTHERS),
    **dict.fromkeys(("Window", "Star", "WithinGroup", "Filter", "AggFunc", "Columns"), OTHERS),
    **dict.fromkeys(("Rank", "RowNumber", "DenseRank", "Lag", "Lead", "NextValueFor"), OTHERS),
    **dict.fromkeys(("Placeholder", "Parameter", "SessionParameter"), FILLED),
    **dict.fromkeys(("Rand", "Randn", "Uuid", "Shuffle", "Uniform"), "no two runs would agree"),
    "Null": "write IS NULL, or IS NOT NULL: nothing is equal to a missing value",
    "Interval": "write the date itself, such as DATE '2026-07-01'",
    "Pow": "write x * x for a square",
    "Greatest": "write age <= 40 for GREATEST(age, 40) = 40",
    "Least": "write age >= 40 for LEAST(age, 40) = 40",
    "Dot": "write the column alone, in double quotes if a dot is part of its name",
    "TryCast": "write CAST",
    "Escape": "write starts_with, ends_with or contains, in which no sign stands for others",
    "RegexpLike": "write LIKE",
}
"""What to write instead, by what sqlglot calls a piece of SQL that is not part of the language."""
SQL_NAMES: dict[str, str] = {
    **dict.fromkeys(("Select", "Subquery", "Exists", "Union"), "a subquery"),
    **dict.fromkeys(("Any", "All"), "ANY or ALL"),
    **dict.fromkeys(("Placeholder", "Parameter", "SessionParameter"), "a placeholder"),
    **dict.fromkeys(("Bracket", "Array", "Slice", "Tuple"), "a list"),
    **dict.fromkeys(("ByteString", "RawString", "National", "HexString"), "a text of another kind"),
    **dict.fromkeys(("JSONExtract", "JSONExtractScalar", "Lambda", "Kwarg"), "-> or =>"),
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor"), "an operator on bits"),
    **dict.fromkeys(("BitwiseNot", "BitwiseLeftShift", "BitwiseRightShift"), "an operator on bits"),
    "Window": "a window function",
    "Star": "*",
    "Null": "NULL as a value",
    "Interval": "INTERVAL",
    "Dot": "a qualified name",
    "Pow": "a power",
    "Escape": "ESCAPE",
    "RegexpLike": "a regular expression",
    "Struct": "a struct",
    "Collate": "COLLATE",
    "AtTimeZone": "AT TIME ZONE",
}
