"""The columns of rows of JSON, which Clarify takes apart by JMESPath: their paths in a row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.migration.clarify.models import ClarifyConfig
from biaspipe.migration.config_file import config_path
from biaspipe.migration.json_paths import is_key, last_key, steps, value_at

__all__ = ["JsonColumns", "json_columns", "records_key"]

DEFAULTS = {"label": "label0", "predicted_label": "predicted_label"}
"""The name of a column that no header names."""
PER_ROW = re.compile(r"(?P<records>.*?)\[\*?\](?:\.(?=[^\s])|(?=\[))(?P<inside>.+)", re.DOTALL)
HINT = "keys and indices, such as Features, instance.age, scores[1], or a list of them: [age, sex]"


@dataclass(frozen=True)
class JsonColumns:
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


def records_key(config: ClarifyConfig) -> dict[str, str]:
    """Return `records` of a spec, for a document whose rows stand inside of it.

    >>> values = {"dataset_type": "application/json", "features": "instances[*].features"}
    >>> records_key(ClarifyConfig.model_validate(values | {"methods": {}}))
    {'records': 'instances'}
    """
    if config.dataset_type != "application/json":
        return {}
    texts = [config.features, *_labels(config).values()]
    found = [_split(text)[0] for text in texts if text is not None]
    inside = next((path for path in found if path), None)
    return {"records": inside} if inside else {}


def _labels(config: ClarifyConfig) -> dict[str, str]:
    """Return the JMESPaths of label and prediction, by their keys."""
    named = {"label": config.label, "predicted_label": config.predicted_label}
    return {key: text for key, text in named.items() if isinstance(text, str)}


def _split(path: str) -> tuple[str | None, str]:
    """Return where the rows stand, and what is asked of each of them.

    >>> _split("instances[*].label"), _split("[].label"), _split("label")
    (('instances', 'label'), ('', 'label'), (None, 'label'))
    """
    found = PER_ROW.fullmatch(path.strip())
    if found is None or not steps(found["records"] or "a"):
        return None, path.strip()
    return found["records"].strip(), found["inside"].strip()


def json_columns(config: ClarifyConfig, first: Any, faults: list[Fault]) -> JsonColumns | None:
    """Return the columns of rows of JSON; None where they are simply the keys of the rows.

    Parameters
    ----------
    config : the configuration.
    first : the first row, if it could be read.
    faults : gathers what is wrong.
    """
    taken = _labels(config)
    paths = {
        key: path for key, text in taken.items() if (path := _path_of(text, key, config, faults))
    }
    features = _features(config, first, len(paths), faults)
    if features is None:
        return _of_nested(config, paths, first)
    listed, named = features
    headers: Sequence[str] = config.headers or ()
    if "" in headers or len(set(headers)) < len(headers):
        return None
    if not headers and named and all(is_key(path) for path in [*listed, *paths.values()]):
        return None
    if headers and len(headers) != len(listed) + len(paths):
        found = f"{len(listed)} features and {', '.join(paths) or 'no label'}"
        message = f"headers: {len(headers)} names for {len(listed) + len(paths)} columns"
        if len(paths) == len(taken):
            faults.append(Fault(message, ("headers",), found=found))
        return None
    names = [last_key(p) if named else f"column_{i}" for i, p in enumerate(listed)]
    names += [last_key(p) if named else DEFAULTS[key] for key, p in paths.items()]
    names = names if len(set(names)) == len(names) else [*listed, *paths.values()]
    return _named(headers or names, listed, paths, taken)


def _named(
    names: Sequence[str], listed: Sequence[str], paths: dict[str, str], taken: dict[str, str]
) -> JsonColumns:
    everything = [*listed, *paths.values()]
    fields = dict(zip(names, everything, strict=True))
    by_path = {path: name for name, path in fields.items()}
    aliases = by_path | {taken[key]: by_path[path] for key, path in paths.items()}
    return JsonColumns(fields, tuple(names[: len(listed)]), aliases)


def _path_of(text: str, key: str, config: ClarifyConfig, faults: list[Fault]) -> str | None:
    """Return the path of a label inside of a row."""
    rows, path = _split(text)
    if config.dataset_type == "application/json" and rows is None:
        message = f"{key}: the JMESPath {text!r} is not one value for each row"
        faults.append(Fault(message, (key,), expected=f"[*].{text}, or the like"))
        return None
    return path if _checked(path, (key,), text, faults) else None


def _checked(path: str, loc: Loc, text: str, faults: list[Fault]) -> bool:
    if steps(path):
        return True
    message = f"{config_path(loc)}: the JMESPath {text!r} does more than name values of a row"
    faults.append(Fault(message, loc, expected=HINT))
    return False


def _features(
    config: ClarifyConfig, first: Any, labels: int, faults: list[Fault]
) -> tuple[list[str], bool] | None:
    """Return the paths of the features, and whether their keys can name them."""
    text = config.features
    if text is None:
        return None
    _, inside = _split(text)
    loc: Loc = ("features",)
    if inside.startswith("[") and inside.endswith("]") and not steps(inside):
        listed = [part.strip() for part in inside[1:-1].split(",")]
        return (listed, True) if all(_checked(p, loc, text, faults) for p in listed) else None
    if not _checked(inside, loc, text, faults):
        return None
    held = value_at(inside, first)
    count = len(held) if isinstance(held, list) else 0
    if first is None and config.headers:
        count = len(config.headers) - labels
    if count < 1:
        message = f"features: nothing tells how many features {text!r} holds"
        hint = "name the data with --data PATH, or the columns with headers"
        if first is not None:
            message, hint = f"features: the JMESPath {text!r} leads to no array of features", HINT
        faults.append(Fault(message, loc, hint=hint))
        return None
    return [f"{inside}[{i}]" for i in range(count)], False


def _of_nested(config: ClarifyConfig, paths: dict[str, str], first: Any) -> JsonColumns | None:
    """Return the columns where no features are named, but a label stands inside of something."""
    if all(map(is_key, paths.values())):
        return None
    own = {path: last_key(path) for path in paths.values()}
    named = [*(facet.name_or_index for facet in config.facet or ()), config.group_variable]
    keys = [key for key in named if isinstance(key, str)]
    if isinstance(first, dict):
        keys = [key for key, held in first.items() if not isinstance(held, list | dict)]
    beside = {f'"{key}"' if not steps(key) else key: key for key in keys if key not in own}
    fields = {name: path for path, name in (own | beside).items()}
    aliases = {text: own[paths[key]] for key, text in _labels(config).items() if key in paths}
    return JsonColumns(fields, (), aliases)
