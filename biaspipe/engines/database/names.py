"""Names of tables as specs write them: names, and never files, functions or queries."""

import re

from biaspipe.errors import Fault, Loc, SpecError, shown

__all__ = ["parts_of"]

PART = r'(?:(?!-)(?:[\w$#@]|-(?!-))+|"(?:[^"\x00-\x1f]|"")+")'
TABLE = re.compile(rf"{PART}(?:\.{PART}){{0,2}}")
"""A name, which may have a schema and a catalog; a part with other signs is in double quotes."""
MOST = 1_000
"""Characters; no database has names that are nearly as long."""
MOST_SHOWN = 80


def parts_of(name: str, loc: Loc = ("data", "table")) -> tuple[str, ...]:
    """Return the parts of a table's name: its catalog and schema, if given, and its own.

    Parameters
    ----------
    name : the name as the spec writes it.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        If it is no name.

    >>> parts_of("hr.decisions"), parts_of('"a.b"')
    (('hr', 'decisions'), ('a.b',))
    """
    if len(name) <= MOST and TABLE.fullmatch(name):
        return tuple(_plain(part) for part in re.findall(PART, name))
    cut = name if len(name) <= MOST_SHOWN else f"{name[:MOST_SHOWN]}…"
    raise SpecError(
        [
            Fault(
                f"{shown(cut)!r} is no name of a table",
                loc,
                expected="a name of the database, such as decisions or hr.decisions",
                hint='a part with other signs stands in double quotes: hr."my decisions"',
            )
        ]
    )


def _plain(part: str) -> str:
    return part[1:-1].replace('""', '"') if part.startswith('"') else part
