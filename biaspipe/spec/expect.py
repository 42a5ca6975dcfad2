"""What must be there for an audit to count: pins of the bytes and of the number of rows."""

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from biaspipe.spec.values import SpecModel

__all__ = ["Expect", "RowRange", "joint_digest"]

DIGEST = r"^[0-9a-f]{64}$"
ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
"""How sha256sum writes what would break its lines."""


def _digest(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(DIGEST, value):
        words = "expected a digest of 64 hexadecimal digits in small letters, as sha256sum prints"
        raise PydanticCustomError("digest", "{words}", {"words": words})
    return value


def _rows(value: object) -> object:
    if type(value) is not int or value < 0:
        raise PydanticCustomError("rows", "expected a number of rows, such as 10000")
    return value


Digest = Annotated[str, BeforeValidator(_digest), Field(pattern=DIGEST)]
RowNumber = Annotated[int, BeforeValidator(_rows), Field(ge=0)]


class RowRange(SpecModel):
    """How many rows there are to be.

    >>> RowRange(min=10_000).text
    'at least 10,000'
    """

    min: RowNumber | None = Field(None, description="The fewest rows.")
    max: RowNumber | None = Field(None, description="The most rows.")

    @model_validator(mode="after")
    def _has_bounds(self) -> Self:
        if self.min is None and self.max is None:
            raise PydanticCustomError("rows", "nothing is expected: min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise PydanticCustomError("rows", "no number of rows lies between min and max")
        return self

    def __contains__(self, rows: int) -> bool:
        """Whether there may be so many rows."""
        return (self.min is None or rows >= self.min) and (self.max is None or rows <= self.max)

    @property
    def text(self) -> str:
        """The range in words."""
        if self.min == self.max:
            return f"{self.min:,}"
        if self.min is None or self.max is None:
            return f"at most {self.max:,}" if self.min is None else f"at least {self.min:,}"
        return f"{self.min:,} to {self.max:,}"


class Expect(SpecModel):
    """What a table must be for the audit to count."""

    sha256: Digest | None = Field(
        None,
        description="The digest of the file; of several, that of the lines which sha256sum prints"
        " for them, sorted.",
    )
    rows: RowRange | None = Field(None, description="How many rows are read, before `where`.")

    @model_validator(mode="after")
    def _expects(self) -> Self:
        if self.sha256 is None and self.rows is None:
            raise PydanticCustomError("expect", "nothing is expected: sha256, rows or both")
        return self


def joint_digest(files: Mapping[str, str]) -> str:
    """Return the one digest of the files of a table.

    Parameters
    ----------
    files : the digest of each, by its path as a spec writes it.

    >>> joint_digest({"a.csv": "0f" * 32})[:4]
    '0f0f'
    >>> joint_digest({"a.csv": "0f" * 32, "b.csv": "1e" * 32})[:4]
    '5e90'
    """
    if len(files) == 1:
        return next(iter(files.values()))
    lines = sorted(_line(path, digest) for path, digest in files.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _line(path: str, digest: str) -> str:
    escaped = "".join(ESCAPES.get(sign, sign) for sign in path)
    return f"{'' if escaped == path else chr(92)}{digest}  {escaped}\n"
