"""The columns of the files of one table: the same in all of them."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from biaspipe.errors import DataError, listing

__all__ = ["Named", "refuse_alike", "refuse_other_columns", "refuse_other_types"]

Named = tuple[str, Mapping[str, str]]
"""A file's name, and what each of its columns holds, in their order."""

HINT = "the files of one table hold the same columns, of the same types"


def refuse_other_columns(
    first: Named, other: Named, *, more: bool = True, ordered: bool = False
) -> None:
    """Refuse a file that lacks a column of the first one, or holds other values in it.

    Parameters
    ----------
    first, other : two files of one table.
    more : whether the other may have columns that the first one lacks.
    ordered : whether the order matters, as in text tables.

    Raises
    ------
    DataError
        With the file and the column.
    """
    for fault in _faults(first, other, more=more, ordered=ordered):
        raise DataError(f"{other[0]}: {fault}", hint=HINT)


def _faults(first: Named, other: Named, *, more: bool, ordered: bool) -> Iterator[str]:
    (name, expected), (_, found) = first, other
    for column, held in expected.items():
        if column not in found:
            yield f"there is no column {column!r}, which {name} has"
        elif found[column] != held:
            yield f"column {column!r} holds {found[column]}, and {held} in {name}"
    for column in found:
        if column not in expected and not more:
            yield f"there is a column {column!r}, which {name} lacks"
    if ordered and list(found) != list(expected):
        yield f"the columns are {listing(found)}, and {listing(expected)} in {name}"


def refuse_other_types(
    name: str, first: Mapping[str, object], found: Mapping[str, object], where: str
) -> None:
    """Refuse a file whose columns an engine would read as those of the first one.

    Parameters
    ----------
    name : the file.
    first, found : what the columns of the first file hold, and those of this one.
    where : what messages call the first one.

    Raises
    ------
    DataError
        With the file and the column.
    """
    for column, dtype in first.items():
        if found.get(column) != dtype:
            words = f"{name}: column {column!r} holds {found.get(column)}, and {dtype} in {where}"
            raise DataError(words, hint=HINT)


def refuse_alike(
    tables: Sequence[tuple[str, Sequence[str]]],
    to: str,
    hint: str,
    folded: Callable[[str], Hashable] = str.lower,
) -> None:
    """Refuse columns that differ in case only, for an engine that does not tell them apart.

    Parameters
    ----------
    tables : what messages call them, and the columns of each.
    to : what messages call the engine.
    hint : the way out.
    folded : what is one to the engine, of each name.

    Raises
    ------
    DataError
        With both columns.
    """
    known: dict[Hashable, str] = {}
    for name, columns in tables:
        for column in columns:
            if (other := known.setdefault(folded(column), column)) != column:
                words = f"{name}: {other!r} and {column!r} are one column to {to}"
                raise DataError(words, hint=hint)
