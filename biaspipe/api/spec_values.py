"""A spec that is given as values of Python, as the text of the YAML that says the same."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from math import isfinite
from typing import Any

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.loading.document import unplaced
from biaspipe.loading.faults import loc_text
from biaspipe.loading.yaml_values import LARGEST, MAX_DEPTH

__all__ = ["spec_text"]

EXPECTED = "a text, a number, True, False, None, a datetime.date, a list or a mapping"
HINTS = {
    "ndarray": "a list, as .tolist() makes one",
    "Series": "a list, as .to_list() makes one",
    "set": "a list, as sorted(...) makes one",
    "frozenset": "a list, as sorted(...) makes one",
    "Decimal": "a number, as float(...) makes one",
    "datetime": "a text, as .isoformat() makes one, or a day, as .date() does",
    "Timestamp": "a text, as .isoformat() makes one, or a day, as .date() does",
    "datetime64": "a text, as str(...) makes one",
    "bytes": "a text, as .decode() makes one",
}
"""What to write for a value that YAML has no word for, by its type."""


def spec_text(values: Mapping[str, Any], name: str) -> str:
    """Return the text of the YAML that says what some values of Python say.

    Parameters
    ----------
    values : the spec.
    name : what messages call it.

    Raises
    ------
    SpecError
        If a value, or a part of one, is nothing that YAML has; all of them, each by its key.
    """
    reader = _Reader()
    plain = reader.plain(values, ())
    if reader.faults:
        raise unplaced(name, SpecError(reader.faults))
    return json.dumps(plain, indent=2, ensure_ascii=False)


class _Reader:
    """Values as YAML has them, and the faults of those that it has not."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.open: set[int] = set()

    def plain(self, value: Any, loc: Loc) -> Any:
        """Return a value as YAML has it, and None with a fault for what it has not."""
        if len(loc) > MAX_DEPTH:
            return self.fault(f"is nested deeper than {MAX_DEPTH} levels", loc[:1])
        if not isinstance(value, Mapping | list | tuple):
            return self.scalar(_of_numpy(value), loc)
        if id(value) in self.open:
            return self.fault("stands inside of itself", loc)
        self.open.add(id(value))
        plain = self.parts(value, loc)
        self.open.discard(id(value))
        return plain

    def parts(self, value: Any, loc: Loc) -> Any:
        """Return a mapping or a list as YAML has it."""
        if isinstance(value, Mapping):
            return dict(self.entries(value, loc))
        return [self.plain(part, (*loc, i)) for i, part in enumerate(value)]

    def entries(self, mapping: Mapping[Any, Any], loc: Loc) -> Iterator[tuple[Any, Any]]:
        """Yield the keys of a mapping with their values."""
        for key, value in mapping.items():
            if not isinstance(key, str | int | float | None):
                self.fault(f"has a key that is a {type(key).__name__}", loc, "keys that are texts")
            elif self.text(key, loc):
                yield key, self.plain(value, (*loc, str(key)))

    def scalar(self, value: Any, loc: Loc) -> Any:
        """Return a value that has no parts."""
        if isinstance(value, str):
            return value if self.text(value, loc) else None
        if type(value) is date:
            return value.isoformat()
        if value is None or isinstance(value, int | float):
            return self.number(value, loc)
        kind = type(value).__name__
        words = f"is a {kind}, which no spec can hold"
        return self.fault(words, loc, EXPECTED, HINTS.get(kind))

    def number(self, value: Any, loc: Loc) -> Any:
        """Return a number, true, false or nothing; neither limits nor values can be infinite."""
        if value is None:
            return value
        if isinstance(value, float) and not isfinite(value):
            hint = "None where there is no such number"
            return self.fault(f"is {value}, which is no number", loc, "a finite number", hint)
        if abs(value) > LARGEST:
            return self.fault("is too large a number", loc, f"a number up to {LARGEST:g}")
        return value

    def text(self, text: object, loc: Loc) -> bool:
        """Whether a text can be written; it cannot with half of a character in it."""
        try:
            str(text).encode()
        except UnicodeEncodeError:
            self.fault("holds half of a character", loc, "both halves of it, or neither")
            return False
        return True

    def fault(
        self, words: str, loc: Loc, expected: str | None = None, hint: str | None = None
    ) -> Any:
        """Note what is wrong at a key."""
        message = f"{loc_text(loc)} {words}"
        self.faults.append(Fault(message, loc, expected=expected, hint=hint))


def _of_numpy(value: Any) -> Any:
    """Return a single number, text or day of NumPy as Python's; anything else as it is."""
    if type(value).__module__ != "numpy" or getattr(value, "ndim", None) != 0:
        return value
    item = value.item()
    return value if type(value).__name__ == "datetime64" and type(item) is not date else item
