"""Checks by their names: what no check is called is an error, and never an empty list."""

from collections.abc import Iterator, Mapping, Sequence

from biaspipe.errors import UsageError
from biaspipe.metrics import ALIASES, meaning_of
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.report import CheckRecord
from biaspipe.spec import format_value
from biaspipe.verdict import Verdict

__all__ = ["check_called", "checks_called"]

MAX_LISTED = 8
"""Checks that an error lists."""
Names = Mapping[str, object]
"""What a check is called, by the names of its fields; None is anything."""


def check_called(checks: Sequence[CheckRecord], names: Names) -> CheckRecord:
    """Return the one check that is called so.

    Parameters
    ----------
    checks : the checks of a report.
    names : what it is called.

    Raises
    ------
    UsageError
        If none is, or several are.
    """
    found = checks_called(checks, names)
    if len(found) == 1:
        return found[0]
    calls = list(_calls(found))
    listed = ", ".join(calls[:MAX_LISTED])
    more = f" and {len(calls) - MAX_LISTED:,} more" if len(calls) > MAX_LISTED else ""
    words = f"{len(found):,} checks have {_text(names) or 'any name'}, where one was expected"
    raise UsageError(words, hint=f"say which: {listed}{more}; or checks(...) for all of them")


def checks_called(
    checks: Sequence[CheckRecord], names: Names, verdict: str | None = None
) -> tuple[CheckRecord, ...]:
    """Return the checks that are called so.

    Parameters
    ----------
    checks : the checks of a report.
    names : what they are called.
    verdict : what they came to, if that matters; there may be none.

    Raises
    ------
    UsageError
        If none is called so, or there is no such verdict.
    """
    found = tuple(checks)
    for key, name in names.items():
        if name is not None:
            found = _narrowed(found, key, _written(key, name), names)
    if verdict is None:
        return found
    known = [each.value for each in Verdict]
    if verdict not in known:
        words = f"there is no verdict {verdict!r}; it is {list_values(known)}"
        raise UsageError(words, hint=did_you_mean(str(verdict), known))
    return tuple(check for check in found if check.verdict == verdict)


def _written(key: str, name: object) -> str:
    """Return a name as a report has it: a metric by its id, a group by its text."""
    if isinstance(name, bool | int | float):
        return format_value(name)
    if not isinstance(name, str):
        raise UsageError(f"{key} is a {type(name).__name__}; expected a text")
    return ALIASES.get(name, name) if key == "metric" else name


def _narrowed(
    checks: Sequence[CheckRecord], key: str, name: str, names: Names
) -> tuple[CheckRecord, ...]:
    """Return the checks of which one field is so; those before it hold already."""
    found = tuple(check for check in checks if getattr(check, key) == name)
    if not found:
        known = list(dict.fromkeys(str(value) for c in checks if (value := getattr(c, key))))
        before = _text(dict(list(names.items())[: list(names).index(key)]))
        of = f" of {before}" if before else ""
        listed = f"; there is {list_values(known)}" if known else ""
        words = f"no check{of} has the {key} {name!r}{listed}"
        hint = meaning_of(name) if key == "metric" else did_you_mean(name, known)
        raise UsageError(words, hint=hint)
    return found


def _text(names: Names) -> str:
    return ", ".join(f"{key} {name!r}" for key, name in names.items() if name is not None)


def _calls(checks: Sequence[CheckRecord]) -> Iterator[str]:
    """Yield the call that finds each of some checks, and no other one of them."""
    fields = ("facet", "favored", "disfavored")
    differing = [f for f in fields if len({getattr(check, f) for check in checks}) > 1]
    for check in checks:
        named = "".join(f", {field}={getattr(check, field)!r}" for field in differing)
        yield f'check("{check.metric}"{named})'
