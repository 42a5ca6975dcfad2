"""How texts of a spec are shown in messages: cut, so that no message floods a terminal."""

__all__ = ["cut", "quoted"]

MOST_QUOTED = 80


def cut(text: str, most: int) -> str:
    """Cut a text after so many characters.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def quoted(text: object) -> str:
    """Quote a key or a value of the spec.

    >>> quoted("min")
    "'min'"
    """
    return repr(cut(str(text), MOST_QUOTED))
