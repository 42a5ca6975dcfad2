"""When a value that a spec names is a value of a column: compared as the column's own type."""

from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from biaspipe.conditions import MAX_DIGITS
from biaspipe.spec import Scalar, format_value

__all__ = ["Kind", "is_missing", "kind_of", "literals", "same"]


class Kind(StrEnum):
    """The types of column that an audit can compare values with."""

    TEXT = "text"
    INTEGER = "whole numbers"
    FLOAT = "numbers"
    DECIMAL = "decimals"
    BOOLEAN = "true/false"
    DATE = "dates"
    DATETIME = "times"
    ZONED = "times with a zone"
    MISSING = "only missing values"
    OTHER = "neither text, numbers, true/false nor dates"

    @property
    def is_number(self) -> bool:
        """Whether intervals make sense on the column."""
        return self in (Kind.INTEGER, Kind.FLOAT, Kind.DECIMAL, Kind.MISSING)


ColumnValue = str | int | float | Decimal | date | datetime
"""A value that a column can hold."""


def literals(scalar: Scalar, kind: Kind) -> tuple[ColumnValue, ...]:
    """Return the values of a column that a spec's scalar names; none if it cannot name any.

    >>> literals("1", Kind.INTEGER), literals(1.0, Kind.INTEGER), literals("yes", Kind.INTEGER)
    ((1,), (1,), ())
    >>> literals(1, Kind.TEXT), literals(True, Kind.BOOLEAN)
    (('1', '1.0'), (True,))
    """
    match kind:
        case Kind.TEXT:
            return tuple(dict.fromkeys(_texts(scalar)))
        case Kind.BOOLEAN:
            return tuple(b for b in (True, False) if _text_of(scalar) in _BOOLEANS[b])
        case Kind.INTEGER | Kind.FLOAT | Kind.DECIMAL:
            return _numbers(scalar, kind)
        case Kind.DATE | Kind.DATETIME | Kind.ZONED:
            return _dates(scalar, kind)
    return ()


_BOOLEANS = {True: ("true", "1"), False: ("false", "0")}


def _text_of(scalar: Scalar) -> str:
    if isinstance(scalar, str):
        with suppress(ValueError):
            return format_value(float(scalar))
        return scalar.lower() if scalar in ("True", "TRUE", "False", "FALSE") else scalar
    return format_value(scalar)


def _texts(scalar: Scalar) -> tuple[str, ...]:
    if isinstance(scalar, str):
        return (scalar,)
    if isinstance(scalar, bool):
        return (str(scalar).lower(), str(scalar), str(scalar).upper())
    return (format_value(scalar), str(scalar), repr(float(scalar)))


def _numbers(scalar: Scalar, kind: Kind) -> tuple[ColumnValue, ...]:
    try:
        number = Decimal(int(scalar)) if isinstance(scalar, bool) else Decimal(str(scalar).strip())
    except InvalidOperation:
        return ()
    if not number.is_finite() or number.adjusted() > MAX_DIGITS:
        return ()
    if kind is Kind.INTEGER:
        return (int(number),) if number == number.to_integral_value() else ()
    return (number,) if kind is Kind.DECIMAL else (float(number),)


def _dates(scalar: Scalar, kind: Kind) -> tuple[ColumnValue, ...]:
    with suppress(ValueError):
        moment = datetime.fromisoformat(str(scalar))
        if kind is Kind.DATE:
            return (moment.date(),)
        return (moment,) if (moment.tzinfo is not None) == (kind is Kind.ZONED) else ()
    return ()


_KINDS: tuple[tuple[type, Kind], ...] = (
    (bool, Kind.BOOLEAN),
    (int, Kind.INTEGER),
    (float, Kind.FLOAT),
    (str, Kind.TEXT),
    (Decimal, Kind.DECIMAL),
    (datetime, Kind.DATETIME),
    (date, Kind.DATE),
)


def kind_of(value: object) -> Kind:
    """Return the kind of column that a value comes from."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return Kind.ZONED
    return next((kind for cls, kind in _KINDS if isinstance(value, cls)), Kind.OTHER)


def same(scalar: Scalar, value: object) -> bool:
    """Whether a spec's scalar names this value of a column.

    >>> same("1.0", 1), same(True, "True"), same("yes", "Yes")
    (True, True, False)
    """
    return value in literals(scalar, kind_of(value))


def is_missing(value: object) -> bool:
    """Whether a value is null or NaN."""
    return value is None or value != value  # noqa: PLR0124 - only NaN differs from itself
