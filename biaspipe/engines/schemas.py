"""The columns of the files of one table: the same in all of them."""

from collections.abc import Iterator, Mapping

from biaspipe.errors import DataError, listing

__all__ = ["Named", "refuse_other_columns"]

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
