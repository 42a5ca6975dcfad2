"""Functions of texts in conditions."""

import re
from collections.abc import Callable, Sequence

import narwhals as nw

from biaspipe.conditions import Call, unusable
from biaspipe.engines.where.terms import Make, Term, natural, text
from biaspipe.plan import Kind

__all__ = ["TEXTS"]

BLANK = "[ \t\n\r\v\f]+"
META = re.compile(r"[.^$*+?()\[\]{}|\\]")
END = "."
"""What stands behind a text that is matched, since `$` also matches before a last line break."""


def _written(term: Term) -> str:
    """Return a text that has to stand in the condition itself."""
    if not isinstance(term.value, str):
        raise unusable(f"{term.words} stands where a text in quotes is expected")
    return term.value


def _of_text(
    kind: Kind, change: Callable[[nw.Expr, Sequence[Term]], nw.Expr], *, times: int = 1
) -> Make:
    """Return a function of a text, and of what stands behind it in the condition itself."""

    def changed(node: Call, terms: Sequence[Term]) -> Term:
        size = 1 + times * terms[0].size + len(terms)
        return Term(node, kind, change(text(terms[0]), terms[1:]), size)

    return changed


def _substring(text: nw.Expr, more: Sequence[Term]) -> nw.Expr:
    start, *length = (natural(term) for term in more)
    if start < 1:
        raise unusable("SUBSTRING begins before the first letter, which is 1")
    return text.str.slice(start - 1, length[0] if length else None)


def _replace(text: nw.Expr, more: Sequence[Term]) -> nw.Expr:
    old, new = map(_written, more)
    return text.str.replace_all(old, new, literal=True) if old else text


def _like(text: nw.Expr, pattern: str) -> nw.Expr:
    """Return whether texts are like a pattern, in which % stands for any text and _ for one sign.

    Parameters
    ----------
    text : the texts.
    pattern : what they are compared with.
    """
    if "_" not in pattern:
        match pattern.split("%"):
            case [one]:
                return text == one
            case ["", ""]:
                return text.str.len_chars() >= 0
            case [begin, ""]:
                return text.str.starts_with(begin)
            case ["", end]:
                return text.str.ends_with(end)
            case ["", part, ""]:
                return text.str.contains(part, literal=True)
    signs = (".*" if c == "%" else "." if c == "_" else META.sub(r"\\\g<0>", c) for c in pattern)
    expression = f"(?s)^{''.join(signs)}\\{END}$"
    return nw.concat_str([text, nw.lit(END)]).str.contains(expression)


def _joined(node: Call, terms: Sequence[Term]) -> Term:
    texts = [text(term) for term in terms]
    if node.name == "concat":
        texts = [nw.coalesce(text, nw.lit("")) for text in texts]
    size = 1 + sum(term.size for term in terms)
    return Term(node, Kind.TEXT, nw.concat_str(texts), size)


TEXTS: dict[str, Make] = {
    "lower": _of_text(Kind.TEXT, lambda text, _: text.str.to_lowercase()),
    "upper": _of_text(Kind.TEXT, lambda text, _: text.str.to_uppercase()),
    "trim": _of_text(Kind.TEXT, lambda text, _: text.str.replace_all(f"^{BLANK}|{BLANK}$", "")),
    "length": _of_text(Kind.INTEGER, lambda text, _: text.str.len_chars().cast(nw.Int64())),
    "substring": _of_text(Kind.TEXT, _substring),
    "left": _of_text(Kind.TEXT, lambda text, more: text.str.slice(0, natural(more[0]))),
    "replace": _of_text(Kind.TEXT, _replace),
    "starts_with": _of_text(
        Kind.BOOLEAN, lambda text, more: text.str.starts_with(_written(more[0]))
    ),
    "ends_with": _of_text(Kind.BOOLEAN, lambda text, more: text.str.ends_with(_written(more[0]))),
    "contains": _of_text(
        Kind.BOOLEAN, lambda text, more: text.str.contains(_written(more[0]), literal=True)
    ),
    "like": _of_text(Kind.BOOLEAN, lambda text, more: _like(text, _written(more[0])), times=3),
    "ilike": _of_text(
        Kind.BOOLEAN,
        lambda text, more: _like(text.str.to_lowercase(), _written(more[0]).lower()),
        times=3,
    ),
    **dict.fromkeys(("||", "concat"), _joined),
}
"""What makes a term of a text, by the name of the function."""
