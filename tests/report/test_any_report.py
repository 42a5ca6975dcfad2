"""Any report: whatever a stranger made of one, it is refused, found out, or the same."""

import json
from collections.abc import Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from biaspipe.errors import BiaspipeError, Exit
from biaspipe.pipeline.verification import sound_report, verify
from biaspipe.renderers.commands.verification import VerificationStep, verification_story
from biaspipe.renderers.console.drawing import console_for, draw, plain_text
from tests.examples import examples
from tests.golden.audits import MADE, report_of
from tests.pipeline.reports import Values, resealed

WHOLE: dict[str, Values] = {name: report_of(name).to_values() for name in MADE}
DEEP: Any = json.loads("[" * 85 + "]" * 85)
HOSTILE: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 0.0, 0.5, -0.0, 1e308, 5e-324, 10**19, 10**400, -(10**400)),
    *("", "pass", "fail", "0.5", "x" * 10_000, "\ud800", "\x00", "\u202e", "[/b]", "DI", "sex"),
    *("a\nVERIFIED  exit 0", "::error::x", "##[error]x", "9999-12-31", "0001-01-01", "0000-00-00"),
    *([], {}, [[]], [None], {"": None}, {"a\nb": 1}, DEEP, ["m", "f"], [1, 2], {"min": 0.1}),
]
Steps = tuple[Any, ...]
Edit = tuple[Steps, str, Steps]
"""Where something was changed, how, and to what: a number in HOSTILE, or a path."""


OURS = (
    *("report", "audit", "about", "model", "owner", "spec", "run", "policy", "commit", "result"),
    *("waivers", "CAUTION", "verdict", "ok", "WRONG", "what follows", "and ", " "),
)
"""How the lines of a verification begin."""


class Changed(NamedTuple):
    """A report that was changed in a few places, and closed again or not."""

    name: str
    edits: tuple[Edit, ...]
    sealed: bool

    @property
    def values(self) -> Values:
        """The report as plain values."""
        values: Values = json.loads(json.dumps(WHOLE[self.name]))
        for path, how, other in self.edits:
            if how == "moved":
                change(values, path, "replaced", at(values, other))
            else:
                change(values, path, how, HOSTILE[other[0]])
        sealed = self.sealed and isinstance(values.get("run"), dict) and "result" in values
        return resealed(values) if sealed else values


def places(values: Any, path: Steps = ()) -> Iterator[Steps]:
    """Yield the path of everything that stands in a document."""
    items: Any = values.items() if isinstance(values, dict) else enumerate(values)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


PLACES = {name: list(places(values)) for name, values in WHOLE.items()}


def at(values: Any, path: Steps) -> Any:
    """Return what stands at a path; None where nothing does any more."""
    for key in path:
        if not isinstance(values, dict if isinstance(key, str) else list):
            return None
        if isinstance(key, int) and key >= len(values):
            return None
        values = values[key] if isinstance(values, list) else values.get(key)
    return values


def change(values: Values, path: Steps, how: str, other: Any) -> None:
    """Change what stands at a path."""
    inside, key = at(values, path[:-1]), path[-1]
    if not isinstance(inside, dict | list) or at(values, path) is None:
        return
    if how == "replaced":
        inside[key] = json.loads(json.dumps(other))
    elif how == "gone":
        del inside[key]
    elif how == "twice" and isinstance(inside, list):
        inside.insert(key, inside[key])
    elif how == "beside" and isinstance(inside, dict):
        inside["more"] = other
    elif how == "nudged" and type(inside[key]) in (int, float):
        inside[key] += 1
    elif how == "turned" and isinstance(inside[key], list):
        inside[key].reverse()


@st.composite
def changed(draw: st.DrawFn) -> Changed:
    """Draw a report that was changed in one to three places."""
    name = draw(st.sampled_from(sorted(WHOLE)))
    ways = ["replaced", "replaced", "gone", "twice", "beside", "nudged", "turned", "moved"]
    edits: list[Edit] = []
    for _ in range(draw(st.integers(1, 3))):
        path, how = draw(st.sampled_from(PLACES[name])), draw(st.sampled_from(ways))
        moved = st.sampled_from(PLACES[name])
        chosen = st.integers(0, len(HOSTILE) - 1).map(lambda number: (number,))
        edits.append((path, how, draw(moved if how == "moved" else chosen)))
    return Changed(name, tuple(edits), draw(st.booleans()))


def is_found_or_the_same(case: Changed, folder: Path) -> None:
    """Verify, read and render a report: no accident, and no change that nobody sees.

    Parameters
    ----------
    case : the report.
    folder : where it is written.
    """
    path, values = folder / "any.json", case.values
    path.write_text(json.dumps(values), encoding="utf-8")
    try:
        verified = verify(path)
    except BiaspipeError:
        return
    sound, ends = not verified.findings, Exit.PASSED if verified.report else None
    codes = (Exit.PASSED if sound else Exit.FAILED, ends)
    steps = [VerificationStep("report", "digests hold", verified.findings)]
    page = StringIO()
    story = verification_story("any.json", verified.report, steps, codes, date(2026, 11, 22))
    console_for(page, width=100).print(draw(story))
    *above, last = page.getvalue().splitlines()
    assert all(line.startswith(OURS) for line in above), above
    ending = ("VERIFIED, and the verdict", "VERIFIED but for its sentences, and the verdict")
    assert last.startswith(ending if sound else "NOT VERIFIED  exit 1")
    if sound and not case.sealed:
        assert values == WHOLE[case.name]
    try:
        report = sound_report(path)
    except BiaspipeError:
        return
    plain_text(report, Exit.PASSED)


@examples(150)
@given(case=changed())
def test_any_report_is_found_or_the_same(case: Changed, tmp_path_factory: Any) -> None:
    """A changed report ends in words, and is not verified unless it was sealed or is the same."""
    is_found_or_the_same(case, tmp_path_factory.getbasetemp())
