"""Reports as files: what stands where, what was changed, and what a forger would do about it."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from biaspipe.pipeline import Options, run
from biaspipe.pipeline.verification import verify
from biaspipe.report import seal_of, text_digest
from biaspipe.report.locator import check_sums, lines
from tests.engines.builders import prepare, write

__all__ = [
    "COLUMNS",
    "DAY",
    "PARTS",
    "ROWS",
    "WAIVER",
    "WORSE",
    "Place",
    "Values",
    "digits",
    "forged",
    "found",
    "group",
    "places",
    "report",
    "resealed",
    "sides",
    "table",
]

Values = dict[str, Any]


class Place(NamedTuple):
    """A text of a JSON document: from where to where it stands, and the path of its value."""

    start: int
    end: int
    path: str
    is_key: bool


def table(header: str, *rows: str) -> str:
    """Return a text table; `f,0 x 20` is twenty equal rows."""
    lines_ = [header]
    for row in rows:
        values, _, times = row.partition(" x ")
        lines_ += [values] * int(times or 1)
    return "\n".join(lines_) + "\n"


def report(
    folder: Path, rows: str, name: str = "report", *, options: Options | None = None, **parts: Any
) -> Path:
    """Run an audit of these rows in a folder and return the file of its report.

    Parameters
    ----------
    folder : where spec, data and report are written.
    rows : the data as CSV.
    name : of the report's file.
    options : what the command line adds.
    parts : parts of the spec that take the place of the usual ones.
    """
    write(folder / "data.csv", rows)
    path = folder / f"{name}.json"
    made = run(prepare(folder, data={"path": "data.csv"}, **parts), options)
    path.write_text(made.to_json(), encoding="utf-8")
    return path


def places(text: str) -> Iterator[Place]:
    """Yield every key and every single value of a JSON document."""
    yield from _Scanner(text).value(0, "")


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.decode = json.JSONDecoder().raw_decode

    def skip(self, characters: str = " \n") -> str:
        """Move behind the next character that is not a space, and return it."""
        while self.text[self.at] in characters:
            self.at += 1
        self.at += 1
        return self.text[self.at - 1]

    def value(self, start: int, path: str) -> Iterator[Place]:
        self.at = start
        first = self.skip()
        if first == "{":
            yield from self.members(path)
        elif first == "[":
            yield from self.items(path)
        else:
            begin = self.at - 1
            _, self.at = self.decode(self.text, begin)
            yield Place(begin, self.at, path, is_key=False)

    def members(self, path: str) -> Iterator[Place]:
        while self.skip(" \n,") == '"':
            begin = self.at - 1
            key, self.at = self.decode(self.text, begin)
            inner = f"{path}.{key}" if path else key
            yield Place(begin, self.at, inner, is_key=True)
            self.skip()
            yield from self.value(self.at, inner)

    def items(self, path: str) -> Iterator[Place]:
        number = 0
        while self.skip(" \n,") != "]":
            yield from self.value(self.at - 1, f"{path}[{number}]")
            number += 1


def digits(text: str) -> Iterator[tuple[int, Place]]:
    """Yield the position of every digit of a JSON document, and the place that it stands in."""
    for place in places(text):
        yield from ((i, place) for i in range(place.start, place.end) if text[i].isdigit())


def resealed(values: Values) -> Values:
    """Return a report with all its digests and its locator made anew, as a forger would."""
    run_ = {key: part for key, part in values["run"].items() if key not in ("locator", "sha256")}
    sums = check_sums(lines({"result": values["result"], "run": run_}))
    values["result_sha256"] = text_digest(values["result"])
    values["run"] = {**run_, "locator": list(sums)}
    values["run"]["sha256"] = seal_of(values)
    return values


def found(path: Path) -> list[str]:
    """Return the places that the verification of a report names."""
    return [finding.where for finding in verify(path).findings]


def forged(path: Path, forge: Callable[[Values], object], *, seal: bool = True) -> list[str]:
    """Return what is found in a report that somebody changed, and closed again with new digests."""
    values = deepcopy(json.loads(path.read_text(encoding="utf-8")))
    forge(values)
    other = path.with_name("forged.json")
    content = resealed(values) if seal else values
    other.write_text(json.dumps(content, indent=2, sort_keys=True), encoding="utf-8")
    return found(other)


COLUMNS: Values = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
    "strata": ["shift"],
}
ROWS = table(
    "sex,prediction,label,shift",
    "m,1,1,day x 20",
    "m,0,0,night x 15",
    "m,1,0,night x 5",
    "f,1,1,day x 10",
    "f,0,0,night x 15",
    "f,0,1,day x 9",
    "x,0,0,day x 3",
    "x,1,1,night x 2",
    ",1,1,day x 4",
)
WORSE = ROWS.replace("f,1,1,day\n", "f,0,1,day\n", 4)
WAIVER = {
    "metric": "DPPL",
    "disfavored": "f",
    "reason": "known",
    "approved_by": "Ada",
    "expires": "2099-01-01",
}
PARTS: Values = {
    "columns": COLUMNS,
    "metrics": {
        "DI": {"min": 0.8},
        "DPPL": {"max_abs": 0.1},
        "RD": None,
        "DPL": None,
        "KL": {"max": 1},
        "CDDL": None,
    },
    "decision": {"min_rows": 3},
}
DAY = Options(as_of=date(2026, 11, 21))


def sides(values: Values) -> Any:
    """Return the comparisons of the only facet."""
    return values["result"]["facets"][0]["comparisons"]


def group(values: Values, side: str = "disfavored") -> Any:
    """Return the counts of a side of the first comparison."""
    return sides(values)[0]["counts"][side]
