"""How many digits a number is shown with: few, and more where these would make it another one."""

from collections.abc import Collection
from decimal import Decimal

__all__ = [
    "DECIMALS",
    "DECISIVE",
    "LEAST_P",
    "SIGNIFICANT",
    "confidence_text",
    "digits_text",
    "points_text",
]

DECIMALS = 4
"""Digits behind the point of a value in a table."""
SIGNIFICANT = 3
"""Digits of a number in a sentence, and of the ends of an interval in a table."""
DECISIVE = 4
"""Digits of what a verdict rests on: the ends of an interval, a value in a baseline."""
LEAST_P = 0.001
"""The least p-value that is written out; of a smaller one it is said that it is less."""


def digits_text(
    number: float,
    digits: int = SIGNIFICANT,
    apart: Collection[float] = (),
    *,
    kind: str = "g",
    sign: str = "",
) -> str:
    """Write a number in so many digits, or in as many as keep it off the numbers that it is not.

    Parameters
    ----------
    number : the number.
    digits : how many digits it has as a rule.
    apart : such as limits, which it must not be rounded to.
    kind : "g" for so many digits, "f" for so many behind the point, "e" for a power of ten.
    sign : "+" where numbers above 0 have a sign.

    >>> digits_text(0.56789), digits_text(0.79999, 3, (0.8,)), digits_text(0.8, 3, (0.8,))
    ('0.568', '0.79999', '0.8')
    """
    text = f"{number:{sign}.{digits}{kind}}"
    while (shown := float(text)) != number and shown in apart:
        digits += 1
        text = f"{number:{sign}.{digits}{kind}}"
    return text


def confidence_text(confidence: float) -> str:
    """Write the confidence of an interval in percent.

    >>> confidence_text(0.95), confidence_text(0.999)
    ('95%', '99.9%')
    """
    return f"{digits_text(100 * confidence, DECISIVE)}%"


def points_text(share: str) -> str:
    """Write a difference of shares in percentage points, with the digits that it has.

    >>> points_text("0.108"), points_text("0.01")
    ('10.8 percentage points', '1 percentage point')
    """
    number = f"{Decimal(share.replace(',', '')).scaleb(2):f}"
    return f"{number} percentage point{'' if number == '1' else 's'}"
