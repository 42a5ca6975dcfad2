"""What a JSON value may look like, and every way in which one does not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from biaspipe.errors import Fault, Loc, listing, nearest
from biaspipe.migration.reading import dotted

__all__ = ["ANY", "NUMBER", "TEXT", "Anything", "Either", "Items", "Keys", "Scalar", "Shape"]

MOST_FOUND = 80


class Shape(Protocol):
    """What a value has to be."""

    @property
    def expected(self) -> str:
        """The shape in words."""

    def faults(self, value: Any, loc: Loc) -> Iterator[Fault]:
        """Yield every fault of a value that stands at a path."""


def _wrong(value: Any, loc: Loc, expected: str, hint: str | None = None) -> Fault:
    message = f"{dotted(loc)}: this value is of the wrong kind"
    return Fault(message, loc, expected=expected, found=_found(value), hint=hint)


def _found(value: Any) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "an array"
        case None:
            return "null"
        case _:
            return listing([value])[:MOST_FOUND]


@dataclass(frozen=True)
class Anything:
    """Any value: what stands there is not converted, so its inside is nobody's business."""

    expected: str = "any value"

    def faults(self, value: Any, loc: Loc) -> Iterator[Fault]:
        """Yield nothing."""
        yield from ()


@dataclass(frozen=True)
class Scalar:
    """A text, a number or a boolean, perhaps one of few.

    >>> [fault.hint for fault in Scalar("text", (str,), ("csv", "json")).faults("cvs", ("type",))]
    ["did you mean 'csv'?"]
    """

    words: str
    types: tuple[type, ...]
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """The shape in words."""
        if len(self.choices) < 2:
            return self.words
        return f"one of {', '.join(self.choices)}"

    def faults(self, value: Any, loc: Loc) -> Iterator[Fault]:
        """Yield the fault of a value of another type, or of one that is not known."""
        is_flag = isinstance(value, bool) and bool not in self.types
        if is_flag or not isinstance(value, self.types):
            yield _wrong(value, loc, self.expected)
        elif self.choices and str(value).lower() not in {c.lower() for c in self.choices}:
            message = f"{dotted(loc)}: {listing([value])} is not known"
            hint = nearest(str(value), self.choices)
            yield Fault(message, loc, expected=self.expected, hint=hint)


@dataclass(frozen=True)
class Items:
    """An array of values that all have one shape."""

    of: Shape

    @property
    def expected(self) -> str:
        """The shape in words."""
        return f"an array, each entry {self.of.expected}"

    def faults(self, value: Any, loc: Loc) -> Iterator[Fault]:
        """Yield the faults of the entries."""
        if not isinstance(value, list):
            yield _wrong(value, loc, self.expected)
            return
        for i, item in enumerate(value):
            yield from self.of.faults(item, (*loc, i))


@dataclass(frozen=True)
class Keys:
    """An object with known keys, some of which it must have."""

    known: Mapping[str, Shape]
    required: tuple[str, ...] = ()
    expected: str = field(default="an object")

    def faults(self, value: Any, loc: Loc) -> Iterator[Fault]:
        """Yield unknown and missing keys, and the faults of the values."""
        if not isinstance(value, dict):
            yield _wrong(value, loc, self.expected)
            return
        inside = f" in {dotted(loc)}" if loc else ""
        for key, inner in value.items():
            if key in self.known:
                yield from self.known[key].faults(inner, (*loc, key))
            else:
                yield Fault(
                    f"unknown key {key!r}{inside}",
                    (*loc, key),
                    expected=f"one of {', '.join(self.known)}",
                    hint=nearest(key, self.known),
                    at_key=True,
                )
        for key in self.required:
            if key not in value:
                expected = self.known[key].expected
                yield Fault(f"the key {key!r} is missing{inside}", loc, expected=expected)


@dataclass(frozen=True)
class Either:
    """A value of one of several shapes, told apart by whether they are objects or arrays."""

    shapes: tuple[Shape, ...]

    @property
    def expected(self) -> str:
        """The shapes in words."""
        return " or ".join(shape.expected for shape in self.shapes)

    def faults(self, value: Any, loc: Loc) -> Iterator[Fault]:
        """Yield the faults by the shape that a value comes nearest to."""
        each = [list(shape.faults(value, loc)) for shape in self.shapes]
        if any(not found for found in each):
            return
        nearest_one = [f for f in each if not any(x.loc == loc and x.found for x in f)]
        yield from nearest_one[0] if nearest_one else [_wrong(value, loc, self.expected)]


ANY = Anything()
TEXT = Scalar("a text", (str,))
NUMBER = Scalar("a number", (int, float))
