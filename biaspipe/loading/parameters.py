"""Parameters of a spec: their values, and the spec with the values in it.

A text of a command line is read once, by `read_texts`; every other value is what it is already.
In paths and names a value is one piece that leads nowhere else; in `where` it is a value and
never text. The environment is not read.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pydantic_core import PydanticCustomError

from biaspipe.conditions import NO_PARAMETER, PARAMETER, ParameterValue, faults_in
from biaspipe.errors import Fault, Loc, SpecError, UsageError
from biaspipe.loading.yaml_values import plain_scalar
from biaspipe.printable_text import did_you_mean, list_values, quote
from biaspipe.spec import Audit, Source, format_value, is_day, parameter_value

__all__ = [
    "NOTHING_GIVEN",
    "GivenTexts",
    "GivenValues",
    "fill",
    "lacking",
    "parameter_faults",
    "read_texts",
    "refuse_unknown",
]

GivenValues = Mapping[str, object]
"""Values for parameters, by name, as they are: no text among them is read as anything else."""
GivenTexts = Mapping[str, str]
"""The same as a command line writes them."""

PIECES = {
    "path": (re.compile(r"[A-Za-z0-9._=@+-]+"), "letters, digits and . _ = @ + -"),
    "report": (re.compile(r"[A-Za-z0-9._=@+-]+"), "letters, digits and . _ = @ + -"),
    "table": (re.compile(r"[A-Za-z0-9_-]+"), "letters, digits, _ and -"),
}
"""What a value may consist of in each place, so that it is a piece of one name there."""


def lacking(audit: Audit) -> list[str]:
    """Return the parameters that a run has to give."""
    return [name for name, value in audit.parameters.items() if value is None]


def refuse_unknown(given: Iterable[str], audits: Iterable[Audit]) -> None:
    """Refuse values for what none of the specs declares.

    Raises
    ------
    UsageError
        With the nearest name that one of them declares.
    """
    known = [name for audit in audits for name in audit.parameters]
    for name in given:
        if name not in known:
            words = f"--param {name}: no spec here declares this parameter"
            raise UsageError(words, hint=did_you_mean(name, known))


NOTHING_GIVEN: Mapping[str, Any] = MappingProxyType({})


def read_texts(audit: Audit, texts: GivenTexts) -> GivenValues:
    """Read the texts of a command line by the kinds of the defaults.

    A text that is not of the kind of its default stays as it is, for `fill` to refuse.

    Parameters
    ----------
    audit : as it is written.
    texts : of its parameters; those for other audits are passed over.
    """
    return {
        name: texts[name] if isinstance(default, str) else plain_scalar(texts[name])
        for name, default in audit.parameters.items()
        if name in texts
    }


def fill(audit: Audit, given: GivenValues = NOTHING_GIVEN) -> Audit:
    """Return an audit with the values of its parameters.

    Parameters
    ----------
    audit : as it is written.
    given : values instead of the defaults, as they are; those for other audits are passed over.

    Raises
    ------
    SpecError
        With every value that is lacking or does not fit.
    """
    if not audit.parameters:
        return audit
    faults: list[Fault] = []
    values = dict(_values(audit, given, faults))
    filler = _Filler(values, faults)
    data = audit.data
    update: dict[str, Any] = {"parameters": values}
    if not faults:
        places = filler.source(data, ("data",))
        places["join"] = tuple(
            join.model_copy(update=filler.source(join, ("data", "join", i)))
            for i, join in enumerate(data.join)
        )
        update["data"] = data.given(values, places)
        faults += faults_in(data.where, values)
    if audit.baseline is not None and not faults:
        report = filler.text(audit.baseline.report, ("baseline", "report"))
        update["baseline"] = audit.baseline.model_copy(update={"report": report})
    if faults:
        raise SpecError(faults)
    return audit.model_copy(update=update)


def _values(
    audit: Audit, given: GivenValues, faults: list[Fault]
) -> Iterator[tuple[str, ParameterValue]]:
    for name, default in audit.parameters.items():
        value = given.get(name, default)
        loc = ("parameters", name)
        if value is None:
            hint = f"give it with --param {name}=VALUE"
            faults.append(Fault(f"the parameter {quote(name)} has no value", loc, hint=hint))
            continue
        fitting = _fitting(value, default) if name in given else value
        if not isinstance(fitting, str | int | float):
            words = f"--param {name}: this value is of the wrong kind"
            faults.append(Fault(words, loc, expected=_kind(default), found=list_values([value])))
            continue
        try:
            parameter_value(fitting)
        except PydanticCustomError as error:
            faults.append(Fault(f"--param {name}: {error.message()}", loc))
        else:
            yield name, fitting


def _fitting(value: object, default: ParameterValue | None) -> object:
    """Return a value if it is of the kind of a default, a whole number as any number; or None."""
    if isinstance(value, int | float) and not abs(value) <= sys.float_info.max:
        return None
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if isinstance(default, str) and is_day(default):
        return value if is_day(value) else None
    return value if default is None or type(value) is type(default) else None


def _kind(default: ParameterValue | None) -> str:
    match default:
        case None:
            return "a text, a number, true or false"
        case bool():
            kind = "true or false"
        case int():
            kind = "a whole number"
        case float():
            kind = "a number"
        case _:
            kind = "a day" if is_day(default) else "a text"
    return f"{kind}, as the default is"


STEP = re.compile(r"[/\\]")


class _Filler:
    """Puts values into the places of an audit that name them."""

    def __init__(self, values: Mapping[str, ParameterValue], faults: list[Fault]) -> None:
        self.values = values
        self.faults = faults

    def source(self, source: Source, loc: Loc) -> dict[str, Any]:
        """Return where a table is, filled in."""
        if source.path is None:
            return {"table": self.text(str(source.table), (*loc, "table"))}
        texts = (self.text(text, (*loc, "path", i)) for i, text in enumerate(source.path))
        return {"path": tuple(texts)}

    def text(self, text: str, loc: Loc) -> str:
        """Return one path or name, filled in; a value leads no farther than its own piece."""
        filled = PARAMETER.sub(lambda found: format_value(self.values[found[1]]), text)
        pattern, signs = next(piece for place, piece in PIECES.items() if place in loc)
        for name in PARAMETER.findall(text):
            value = format_value(self.values[name])
            if not pattern.fullmatch(value):
                words = f"the parameter {quote(name)} is a piece of a name here, and does not fit"
                self.faults.append(Fault(words, loc, expected=signs, found=list_values([value])))
                return text
        for before, after in zip(STEP.split(text), STEP.split(filled), strict=True):
            if before != after and after in (".", ".."):
                words = f"parameters make {quote(before)} the way to another folder"
                self.faults.append(Fault(words, loc, found=after))
        return filled


HOST = re.compile(r"[^/]*://[^/]*")


def parameter_faults(audit: Audit) -> Iterator[Fault]:
    """Yield what is wrong with how an audit uses its parameters, but for its condition."""
    known, used = audit.parameters, set(PARAMETER.findall(audit.data.where or ""))
    for loc, text in _places(audit):
        names = PARAMETER.findall(text)
        used |= {*names}
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known) or NO_PARAMETER
                yield Fault(f"there is no parameter {quote(name)}", loc, hint=hint)
        if "${" in PARAMETER.sub("", text):
            yield Fault("'${' begins no parameter", loc, expected="${name}")
        if (host := HOST.match(text)) and PARAMETER.search(host[0]):
            words = "a parameter stands in the scheme or the host of a URI"
            yield Fault(words, loc, expected="a parameter behind the host")
    for name in PARAMETER.findall(audit.data.connection or ""):
        if name in known:
            words = f"{quote(name)} is a parameter, and connection reads the environment alone"
            yield Fault(words, ("data", "connection"), expected="a variable, such as ${DB_URL}")
    for name in known:
        if name not in used:
            words = f"nothing uses the parameter {quote(name)}"
            hint = f"write ${{{name}}} in data.path, data.table, data.where or baseline.report"
            yield Fault(words, ("parameters", name), hint=hint, at_key=True)


def _places(audit: Audit) -> Iterator[tuple[Loc, str]]:
    """Yield the texts that parameters may be a piece of."""
    sources: list[tuple[Loc, Source]] = [(("data",), audit.data)]
    sources += [(("data", "join", i), join) for i, join in enumerate(audit.data.join)]
    for loc, source in sources:
        if source.table is not None:
            yield (*loc, "table"), source.table
        for i, path in enumerate(source.path or ()):
            yield (*loc, "path", i), path
    if audit.baseline is not None:
        yield ("baseline", "report"), audit.baseline.report
