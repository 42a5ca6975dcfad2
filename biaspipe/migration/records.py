"""Rows of JSON that Clarify takes apart by JMESPath, as the fields of a spec."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.reading import dotted
from biaspipe.spec import steps_of

__all__ = ["Records", "inside_of", "is_json", "records_key", "records_of"]

KEYS = ("label", "predicted_label")
DEFAULTS = {"label": "label0", "predicted_label": "predicted_label"}
"""What a column is called that no header names."""
PER_ROW = re.compile(r"(?P<records>.*?)\[\*?\](?:\.(?=[^\s])|(?=\[))(?P<inside>.+)", re.DOTALL)
HINT = "keys and indices, such as Features, instance.age, scores[1], or a list of them: [age, sex]"


@dataclass(frozen=True)
class Records:
    """The columns of rows of JSON.

    Parameters
    ----------
    fields : for each column where it stands in a row, features first, as headers have it.
    features : the columns that are features.
    aliases : the column that a JMESPath of the configuration stands for.
    """

    fields: dict[str, str]
    features: tuple[str, ...]
    aliases: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in their order."""
        return tuple(self.fields)


def is_json(kind: str) -> bool:
    """Whether a data set's type is one of JSON."""
    return kind.lower() in ("application/jsonlines", "application/json")


def records_key(values: dict[str, Any]) -> dict[str, str]:
    """Return what a spec says of a document whose rows stand inside of it.

    >>> records_key({"dataset_type": "application/json", "features": "instances[*].features"})
    {'records': 'instances'}
    """
    if str(values.get("dataset_type", "")).lower() != "application/json":
        return {}
    found = [_split(values[key])[0] for key in ("features", *KEYS) if _is_text(values.get(key))]
    inside = next((path for path in found if path), None)
    return {"records": inside} if inside else {}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _split(path: str) -> tuple[str | None, str]:
    """Return where the rows stand, and what is asked of each of them.

    >>> _split("instances[*].label"), _split("[].label"), _split("label")
    (('instances', 'label'), ('', 'label'), (None, 'label'))
    """
    found = PER_ROW.fullmatch(path.strip())
    if found is None or not _is_path(found["records"] or "a"):
        return None, path.strip()
    return found["records"].strip(), found["inside"].strip()


def _is_path(text: str) -> bool:
    try:
        return bool(steps_of(text))
    except ValueError:
        return False


def records_of(values: dict[str, Any], first: Any, faults: list[Fault]) -> Records | None:
    """Return the columns of rows of JSON; None where they are simply the keys of the rows.

    Parameters
    ----------
    values : the configuration.
    first : the first row, if it could be read.
    faults : gathers what is wrong.
    """
    taken = {key: values[key] for key in KEYS if _is_text(values.get(key))}
    paths = {key: path for key, text in taken.items() if (path := _one(text, key, values, faults))}
    features = _features(values, first, len(paths), faults)
    if features is None:
        return _of_nested(values, paths, first)
    listed, named = features
    headers: Sequence[str] = values.get("headers") or ()
    if "" in headers or len(set(headers)) < len(headers):
        return None
    if not headers and named and all(_is_key(path) for path in [*listed, *paths.values()]):
        return None
    if headers and len(headers) != len(listed) + len(paths):
        found = f"{len(listed)} features and {', '.join(paths) or 'no label'}"
        message = f"headers: {len(headers)} names for {len(listed) + len(paths)} columns"
        if len(paths) == len(taken):
            faults.append(Fault(message, ("headers",), found=found))
        return None
    names = [_last(p) if named else f"column_{i}" for i, p in enumerate(listed)]
    names += [_last(p) if named else DEFAULTS[key] for key, p in paths.items()]
    names = names if len(set(names)) == len(names) else [*listed, *paths.values()]
    return _named(headers or names, listed, paths, taken)


def _named(
    names: Sequence[str], listed: Sequence[str], paths: dict[str, str], taken: dict[str, str]
) -> Records:
    everything = [*listed, *paths.values()]
    fields = dict(zip(names, everything, strict=True))
    by_path = {path: name for name, path in fields.items()}
    aliases = by_path | {taken[key]: by_path[path] for key, path in paths.items()}
    return Records(fields, tuple(names[: len(listed)]), aliases)


def _one(text: str, key: str, values: dict[str, Any], faults: list[Fault]) -> str | None:
    """Return the path of a label inside of a row."""
    rows, path = _split(text)
    is_document = str(values.get("dataset_type")).lower() == "application/json"
    if is_document and rows is None:
        message = f"{key}: the JMESPath {text!r} is not one value for each row"
        faults.append(Fault(message, (key,), expected=f"[*].{text}, or the like"))
        return None
    return path if _checked(path, (key,), text, faults) else None


def _checked(path: str, loc: Loc, text: str, faults: list[Fault]) -> bool:
    if _is_path(path):
        return True
    message = f"{dotted(loc)}: the JMESPath {text!r} does more than name values of a row"
    faults.append(Fault(message, loc, expected=HINT))
    return False


def _features(
    values: dict[str, Any], first: Any, labels: int, faults: list[Fault]
) -> tuple[list[str], bool] | None:
    """Return the paths of the features, and whether their keys can name them."""
    text = values.get("features")
    if not _is_text(text):
        return None
    _, inside = _split(str(text))
    loc: Loc = ("features",)
    if inside.startswith("[") and inside.endswith("]") and not _is_path(inside):
        listed = [part.strip() for part in inside[1:-1].split(",")]
        return (listed, True) if all(_checked(p, loc, str(text), faults) for p in listed) else None
    if not _checked(inside, loc, str(text), faults):
        return None
    held, headers = _found(first, inside), values.get("headers")
    count = len(held) if isinstance(held, list) else 0
    if first is None and headers:
        count = len(headers) - labels
    if count < 1:
        message = f"features: nothing tells how many features {text!r} holds"
        hint = "name the data with --data PATH, or the columns with headers"
        if first is not None:
            message, hint = f"features: the JMESPath {text!r} leads to no array of features", HINT
        faults.append(Fault(message, loc, hint=hint))
        return None
    return [f"{inside}[{i}]" for i in range(count)], False


def _found(row: Any, path: str) -> Any:
    """Return what stands at a path of the first row, an empty array if nothing does."""
    for step in steps_of(path):
        try:
            row = row[step]
        except (KeyError, IndexError, TypeError):
            return []
    return row


def _of_nested(values: dict[str, Any], paths: dict[str, str], first: Any) -> Records | None:
    """Return the columns where no features are named, but a label stands inside of something."""
    if all(map(_is_key, paths.values())):
        return None
    own = {path: _last(path) for path in paths.values()}
    named = [facet.get("name_or_index") for facet in values.get("facet", ())]
    keys = [key for key in (*named, values.get("group_variable")) if isinstance(key, str)]
    if isinstance(first, dict):
        keys = [key for key, held in first.items() if not isinstance(held, list | dict)]
    beside = {f'"{key}"' if not _is_path(key) else key: key for key in keys if key not in own}
    fields = {name: path for path, name in (own | beside).items()}
    aliases = {values[key]: own[path] for key, path in paths.items()}
    return Records(fields, (), aliases)


def inside_of(first: Any, named: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the name and the path of columns that stand in a row of predictions of Vertex AI.

    Parameters
    ----------
    first : the first row.
    named : what a configuration calls them.

    >>> row = {"instance": {"state": "Ohio", "accepted": "no"}, "prediction": "yes"}
    >>> inside_of(row, ["state", "instance.accepted", "prediction"])["state"]
    ('state', 'instance.state')
    """
    found: dict[str, tuple[str, str]] = {}
    for name in named:
        quoted = name if _is_path(name) else f'"{name}"'
        ways = [way for way in (quoted, f"instance.{quoted}") if _is_path(way)]
        path = next((way for way in ways if _is_single(_found(first, way))), None)
        if path is not None:
            found[name] = (_last(path), path)
    names = [name for name, _ in dict.fromkeys(found.values())]
    if all(_is_key(path) for _, path in found.values()):
        return {}
    if len(set(names)) < len(names):
        return {name: (path, path) for name, (_, path) in found.items()}
    return found


def _is_single(value: Any) -> bool:
    return not isinstance(value, list | dict)


def _is_key(path: str) -> bool:
    return len(steps_of(path)) == 1


def _last(path: str) -> str:
    """Return the last key of a path.

    >>> _last("instance.age"), _last("scores[1]")
    ('age', 'scores[1]')
    """
    step = steps_of(path)[-1]
    return step if isinstance(step, str) else path
