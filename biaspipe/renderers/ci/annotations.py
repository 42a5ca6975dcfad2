"""Annotations of GitHub Actions: commands in a log that it shows at lines of a file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from biaspipe.errors import BiaspipeError, Fault, SpecError
from biaspipe.printable_text import escape, shorten
from biaspipe.secrets import clean_message, mask_secrets

if TYPE_CHECKING:
    from biaspipe.renderers.ci.alerts import Alert, Level

__all__ = ["Annotation", "annotations_of", "annotations_of_error", "draw_annotations"]

COMMANDS: "dict[Level, str]" = {"error": "error", "warning": "warning", "note": "notice"}
"""The command of each level, the gravest first."""
MOST = 10
"""Annotations of a level that GitHub shows of a step."""
MAX_WORDS = 3_000
"""Letters of a message, of which GitHub keeps some more."""
MAX_TITLE = 200


class Annotation(NamedTuple):
    """What GitHub is to show.

    Parameters
    ----------
    level : how grave it is.
    title : what it is about.
    message : what it says, in lines that can only be read.
    path : the file, from the top of the repository; empty where it is about none.
    line, column : the place in the file, from 1; 0 where there is none.
    """

    level: "Level"
    title: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0


def annotations_of(alerts: "Iterable[Alert]", path: str = "") -> list[Annotation]:
    """Return annotations of what somebody has to look at, without what is said twice of one line.

    Parameters
    ----------
    alerts : those of a report.
    path : the spec, where that is known better than the report does.
    """
    return [
        Annotation(
            alert.level,
            f"{alert.verdict.of_audit}: {alert.title}" if alert.check else alert.title,
            alert.full_message,
            "" if _is_of_values(alert) else path or escape(alert.path),
            alert.line,
        )
        for alert in alerts
        if not alert.repeats_limit
    ]


def _is_of_values(alert: "Alert") -> bool:
    """Whether no file holds the spec, whose key the message names then."""
    return alert.check is not None and alert.check.spec_key is not None


def annotations_of_error(
    error: BaseException,
    title: str,
    place: Callable[[str], str] = str,
    about: tuple[str, int] = ("", 0),
) -> list[Annotation]:
    """Return annotations of an error: of a wrong spec one for each fault, where it stands.

    Parameters
    ----------
    error : the error; what is none of a user's is a bug.
    title : what it kept from being done.
    place : returns the path of a spec from the top of the repository, which may be found later.
    about : the spec and its line that any other error is about, if it is about one.
    """
    if isinstance(error, SpecError) and error.file:
        path = place(error.file)
        found = [
            Annotation("error", title, _words(fault), path, fault.line or 1, fault.column or 1)
            for fault in error.faults
        ]
        return sorted(found, key=lambda one: (one.line, one.column))
    if not isinstance(error, BiaspipeError):
        return [Annotation("error", title, "this is a bug in biaspipe; the log has more")]
    lines = clean_message(error).split("\n")
    spec, line = about
    return [Annotation("error", title, "\n".join(map(escape, lines)), spec and place(spec), line)]


def draw_annotations(groups: Sequence[Sequence[Annotation]]) -> list[str]:
    """Return annotations as commands, as many as GitHub shows: the worst of each group first.

    Where there are more, one of them says how many there are in all.

    Parameters
    ----------
    groups : the annotations of each audit, the worst first.

    >>> draw_annotations([[Annotation("error", "DI: a, b", "50% of men", "a.yaml", 3)]])
    ['::error file=a.yaml,line=3,title=DI%3A a%2C b::50%25 of men']
    """
    levels = list(COMMANDS)
    ranked = [
        (levels.index(one.level), rank, one) for group in groups for rank, one in enumerate(group)
    ]
    ranked.sort(key=lambda each: each[:2])
    by_level = {name: [one for i, _, one in ranked if levels[i] == name] for name in levels}
    by_level["note"][:0] = _more({name: len(found) for name, found in by_level.items()})
    return [_command(one) for found in by_level.values() for one in found[:MOST]]


def _more(counted: "dict[Level, int]") -> Iterator[Annotation]:
    """Yield how many annotations there are, where GitHub does not show them all."""
    if max(counted.values()) <= MOST:
        return
    told = [f"{n:,} {COMMANDS[name]}{'s' if n > 1 else ''}" for name, n in counted.items() if n]
    words = f"{', '.join(told)} in all; GitHub shows {MOST} of a level, the worst stand here"
    yield Annotation("note", "not all are shown", words)


def _words(fault: Fault) -> str:
    """Return a fault in lines: what is wrong, what was expected, what was found, what helps."""
    titled = ((title, getattr(fault, title)) for title in ("expected", "found", "hint"))
    lines = [fault.message, *(f"{title}: {words}" for title, words in titled if words)]
    return "\n".join(escape(mask_secrets(line)) for line in lines)


def _command(one: Annotation) -> str:
    """Write an annotation as a line of a log."""
    places = {"file": one.path, "line": one.line, "col": one.column}
    if not one.path:
        places = {}
    given = {**places, "title": shorten(one.title, MAX_TITLE)}
    named = ",".join(f"{name}={_property(value)}" for name, value in given.items() if value)
    return f"::{COMMANDS[one.level]} {named}::{_data(shorten(one.message, MAX_WORDS))}"


def _data(text: str) -> str:
    """Write what an annotation says, as GitHub asks for."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    """Write what stands before that, where a colon and a comma end it."""
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
