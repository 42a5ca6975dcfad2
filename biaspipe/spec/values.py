"""Values that a spec names: scalars, numbers, intervals, and the sides of a comparison."""

from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from biaspipe.printable_text import list_values

__all__ = [
    "NAME_OR_LIST",
    "Expects",
    "FacetSide",
    "FormatVersion",
    "Interval",
    "Name",
    "Names",
    "Number",
    "OneOrMoreScalars",
    "Scalar",
    "SpecModel",
    "format_value",
    "refuse_blank",
    "scalars",
    "whole",
]

ScalarValue = str | int | float | bool


class Expects(NamedTuple):
    """Notes in the type of a key what messages say that it expects."""

    words: str


class SpecModel(BaseModel):
    """A mapping of a spec: frozen, and every key that it does not know is a fault.

    A subclass may say in `EXPECTED` what messages call it where something else stands.
    """

    EXPECTED: ClassVar[str | None] = None

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)


def _scalar(value: object) -> ScalarValue:
    if isinstance(value, str | int | float | bool):
        return value
    raise PydanticCustomError("scalar", "expected a value: text, a number, true or false")


def _version(value: object) -> object:
    if type(value) is not int:
        raise PydanticCustomError("version", "expected the whole number 1")
    return value


def refuse_blank(value: str) -> str:
    """Refuse a text that is blank."""
    if not value.strip():
        raise PydanticCustomError("blank", "this text is empty")
    return value


def whole(value: object) -> object:
    """Refuse what is no whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise PydanticCustomError("whole", "expected a whole number")
    return value


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("number", "expected a number")
    return value


def _names(value: object) -> object:
    return _listed([value] if isinstance(value, str) else value)


def _listed(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise PydanticCustomError("list", "expected a list, such as [a, b]")
    if not value:
        raise PydanticCustomError("list_empty", "the list is empty")
    seen: dict[str, object] = {}
    for index, item in enumerate(value):
        if str(item) in seen:
            raise _twice(index, item, seen[str(item)])
        seen[str(item)] = item
    return tuple(value)


def _twice(index: int, item: object, first: object) -> PydanticCustomError:
    as_what = "" if type(item) is type(first) else f", as {list_values([first])}"
    context = {"index": index, "item": list_values([item]), "as_what": as_what}
    return PydanticCustomError("list_twice", "{item} stands in the list already{as_what}", context)


Scalar = Annotated[
    ScalarValue,
    PlainValidator(_scalar),
    WithJsonSchema({"type": ["string", "number", "boolean"]}),
]
Scalars = Annotated[tuple[Scalar, ...], BeforeValidator(_listed)]
OneOrMoreScalars = Annotated[
    Scalars,
    BeforeValidator(lambda v: [v] if isinstance(v, str | int | float | bool) else v),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": ["string", "number", "boolean"]},
                {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
            ]
        }
    ),
]
"""A value, or a list of different ones."""
Number = Annotated[float, BeforeValidator(_number), Field(allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1)]
_NAME = {"type": "string", "minLength": 1}
FormatVersion = Annotated[Literal[1], BeforeValidator(_version)]
"""The version of a format."""
NAME_OR_LIST = WithJsonSchema({"anyOf": [_NAME, {"type": "array", "items": _NAME, "minItems": 1}]})
Names = Annotated[tuple[Name, ...], BeforeValidator(_names), NAME_OR_LIST]
"""Different names; a single one may stand without brackets."""


class Interval(SpecModel):
    """Numbers between two bounds, either of which may be left out.

    >>> Interval(at_least=25, below=60).text("age")
    '25 <= age < 60'
    """

    above: Number | None = Field(None, description="Lower bound, itself not in the interval.")
    at_least: Number | None = Field(None, description="Lower bound, itself in the interval.")
    below: Number | None = Field(None, description="Upper bound, itself not in the interval.")
    at_most: Number | None = Field(None, description="Upper bound, itself in the interval.")

    @model_validator(mode="after")
    def _has_bounds(self) -> "Interval":
        if not self.bounded:
            raise PydanticCustomError(
                "bounds", "the interval has no bound: above, at_least, below or at_most"
            )
        return self._refuse_contradiction()

    def _refuse_contradiction(self) -> Self:
        if self.above is not None and self.at_least is not None:
            raise PydanticCustomError("bounds", "above and at_least are two lower bounds; keep one")
        if self.below is not None and self.at_most is not None:
            raise PydanticCustomError("bounds", "below and at_most are two upper bounds; keep one")
        if self.is_empty:
            raise PydanticCustomError("bounds", "no number lies in this interval")
        return self

    @property
    def bounded(self) -> bool:
        """Whether there is a bound at all."""
        return self.lower is not None or self.upper is not None

    @property
    def lower(self) -> float | None:
        """The lower bound, whether it belongs to the interval or not."""
        return self.at_least if self.above is None else self.above

    @property
    def upper(self) -> float | None:
        """The upper bound, whether it belongs to the interval or not."""
        return self.at_most if self.below is None else self.below

    @property
    def is_empty(self) -> bool:
        """Whether no number can lie between the bounds."""
        if self.lower is None or self.upper is None:
            return False
        closed = self.at_least is not None and self.at_most is not None
        return self.lower > self.upper or (self.lower == self.upper and not closed)

    def __contains__(self, number: float) -> bool:
        """Whether the number lies in the interval."""
        return (
            (self.above is None or number > self.above)
            and (self.at_least is None or number >= self.at_least)
            and (self.below is None or number < self.below)
            and (self.at_most is None or number <= self.at_most)
        )

    def meets(self, other: "Interval") -> bool:
        """Whether some number lies in both intervals."""
        return not (self._ends_before(other) or other._ends_before(self))

    def _ends_before(self, other: "Interval") -> bool:
        if self.upper is None or other.lower is None:
            return False
        touching = self.at_most is not None and other.at_least is not None
        return self.upper < other.lower or (self.upper == other.lower and not touching)

    def text(self, column: str) -> str:
        """Write the interval as a condition on a column."""
        low, high = ("<=" if self.above is None else "<"), ("<=" if self.below is None else "<")
        if self.lower is None and self.upper is not None:
            return f"{column} {high} {format_value(self.upper)}"
        if self.lower is not None and self.upper is None:
            return f"{column} {low.replace('<', '>')} {format_value(self.lower)}"
        return f"{format_value(self.lower)} {low} {column} {high} {format_value(self.upper)}"


def format_value(value: object) -> str:
    """Write a value as a person would: whole numbers without a point, booleans in lower case.

    >>> format_value(1.0), format_value(True), format_value(0.1), format_value("a")
    ('1', 'true', '0.1', 'a')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _kind(value: Any) -> str:
    if isinstance(value, dict | Interval):
        return "interval"
    return "list" if isinstance(value, list | tuple) else "value"


FacetSide = Annotated[
    Annotated[Scalar, Tag("value")]
    | Annotated[Scalars, Tag("list")]
    | Annotated[Interval, Tag("interval")],
    Discriminator(_kind),
    Expects("a value, a list or an interval"),
]
"""A value, a list of values taken together, an interval, or a group's name."""


def scalars(side: FacetSide | None) -> tuple[Scalar, ...]:
    """Return the single values that a side names."""
    if side is None or isinstance(side, Interval):
        return ()
    return side if isinstance(side, tuple) else (side,)
