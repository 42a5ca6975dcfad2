"""Whatever stands in a file, it loads or is refused with a SpecError, and no typo loads."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given
from hypothesis import strategies as st

from biaspipe.errors import Loc, SpecError
from biaspipe.loading import Loaded, load
from biaspipe.loading.document import parse
from biaspipe.loading.known_keys import known_keys
from tests.examples import examples

SPEC = """\
version: 1
name: loans
description: Release candidate
owner: risk@example.com
tags: [release, credit]
data:
  path: [loans.csv, more.csv]
  format: csv
  csv: {separator: ";", header: true, null_values: ["?"]}
  where: "year >= 2026"
  join: [{path: people.csv, on: applicant}]
columns:
  label: {column: repaid, positive: [yes, 1]}
  prediction: {column: score, above: 0.5}
  strata: [purpose]
  weight: {column: n, kind: frequency}
  features: {exclude: [applicant]}
facets:
  sex: {column: sex, favored: male, disfavored: female}
  race:
    column: race
    favored: [White, 1]
    metrics:
      DI: {min: 0.7, warn: {min: 0.9}}
  age:
    column: age
    groups: {young: {below: 25}, old: {at_least: 25, at_most: 120}}
    compare: pairs
  both: {cross: [sex, age]}
metrics:
  pre_training:
  DPPL: {max_abs: 0.1, facets: [sex, race]}
  DI: {min: 0.8, max: 1.25, warn: {min: 0.9, max: 1.1}}
  FT: {k: 5, scaling: range}
  LP: {p: 1}
  GE: &mild {alpha: 2}
decision: {confidence: 0.9, decide_by: inside, min_rows: 50, undecided: warn, correction: holm}
waivers:
  - {metric: DI, facet: race, favored: White, reason: Known, approved_by: Ada, expires: 2027-03-31}
  - facet: age
    disfavored: young
    reason: Few are so young
    approved_by: Ada
    ticket: RISK-17
    expires: 2027-03-31
    bound: {min: -0.2, max: 0.2}
baseline: {report: v1.json, max_worsening: 0.02}
"""

LINES = SPEC.splitlines()
TOKENS = re.findall(r"[\w.]+|[^\w\s]", SPEC)
NAMES_OF_STEPS = ["value", "list", "interval", "mapping", "'[key]'"]
YAML_LIKE = st.text(alphabet="abk01.-+:,?!&*#%@|>'\"[]{}<=~ \t\n\r\\é\u2028", max_size=40)

fuzz = examples(400, unchecked=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file for one spec after the other."""
    return tmp_path_factory.mktemp("fuzz") / "audit.yaml"


def attempt(spec: Path, content: str | bytes) -> Loaded | SpecError:
    """Load a content; anything raised but a SpecError is the test's failure."""
    spec.write_bytes(content.encode() if isinstance(content, str) else content)
    try:
        return load(spec)
    except SpecError as error:
        return error


def is_loaded_or_refused(spec: Path, text: str) -> None:
    """Check that a text loads, or is refused with the places of its faults."""
    found = attempt(spec, text)
    if isinstance(found, SpecError):
        assert re.match(r".*audit\.yaml:\d+:\d+: \S", str(found))
        assert found.faults


def lines_changed(draw: st.DrawFn, text: str) -> str:
    """Delete, repeat, move or replace a line."""
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    other = st.sampled_from(LINES) | YAML_LIKE
    put = draw(st.sampled_from([[], [lines[at]] * 2, [draw(other)], [lines[at], draw(other)]]))
    return "\n".join([*lines[:at], *put, *lines[at + 1 :]])


def characters_changed(draw: st.DrawFn, text: str) -> str:
    """Delete, repeat or replace a character."""
    at = draw(st.integers(0, max(0, len(text) - 1)))
    put = draw(
        st.sampled_from(["", text[at : at + 1] * 2]) | YAML_LIKE | st.characters(codec="utf-8")
    )
    return text[:at] + put + text[at + 1 :]


def tokens_changed(draw: st.DrawFn, text: str) -> str:
    """Replace a word by another word of a spec, a number, or a structure."""
    words = list(re.finditer(r"[\w.]+", text))
    if not words:
        return text
    word = draw(st.sampled_from(words))
    new = st.sampled_from(
        [*TOKENS, *NAMES_OF_STEPS, "-1", "1e999", ".nan", "{}", "[]", "[a, a]", "*mild", "!x y"]
    )
    return f"{text[: word.start()]}{draw(new)}{text[word.end() :]}"


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """Draw a valid spec after a few changes anywhere."""
    text = SPEC
    for _ in range(draw(st.integers(1, 4))):
        change = draw(st.sampled_from([lines_changed, characters_changed, tokens_changed]))
        text = change(draw, text)
    return text


def test_fuzzed_spec_is_valid(spec: Path) -> None:
    """The spec that the other tests damage is itself without a fault."""
    assert isinstance(attempt(spec, SPEC), Loaded)


@fuzz
@given(content=st.binary(max_size=200) | st.text(max_size=200) | YAML_LIKE)
def test_arbitrary_content(spec: Path, content: str | bytes) -> None:
    """Content that is no spec is refused as one."""
    assert isinstance(attempt(spec, content), SpecError)


@fuzz
@given(text=mutations())
@example(text=SPEC + "'[key]': {}\n")
@example(text=SPEC.replace("disfavored: female", "disfavored: {interval: {below: 3}}"))
@example(text=SPEC.replace("disfavored: female", "disfavored: {interval: 3, below: 4}"))
@example(text=SPEC.replace("null_values:", "'[key]':"))
@example(text=SPEC.replace("exclude:", "mapping:"))
@example(text=SPEC.replace("sex: {column", "value: {colum"))
@example(text=SPEC.replace("GE:", "GEE: *mild").replace("&mild", "&mild\n    <<: *mild\n    a:"))
def test_damaged_spec(spec: Path, text: str) -> None:
    """A damaged spec is loaded or refused with a place and a caret, and never breaks anything."""
    is_loaded_or_refused(spec, text)


def is_free(loc: Loc) -> bool:
    """Tell whether the user chooses this key: a facet's or a group's name."""
    return (loc[0] == "facets" and len(loc) == 2) or loc[-2:-1] == ("groups",)


KEYS = [
    (loc, position.key_line, position.key_column)
    for loc, position in parse("audit.yaml", SPEC).positions.items()
    if loc and isinstance(loc[-1], str) and not is_free(loc)
]

MISSPELLINGS: list[Callable[[str, int, str], str]] = [
    lambda key, at, _: key[:at] + key[at + 1 :],
    lambda key, at, _: key[:at] + key[at] + key[at:],
    lambda key, at, letter: key[:at] + letter + key[at + 1 :],
    lambda key, at, letter: key[:at] + letter + key[at:],
    lambda key, at, _: key[:at] + key[at : at + 2][::-1] + key[at + 2 :],
    lambda key, _, __: key.swapcase(),
]


@st.composite
def misspelt(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a valid spec with one misspelt key, and that key."""
    loc, line, column = draw(st.sampled_from(KEYS))
    right = str(loc[-1])
    at = draw(st.integers(0, len(right) - 1))
    wrong = draw(st.sampled_from(MISSPELLINGS))(right, at, draw(st.sampled_from("aeinrstx_1")))
    assume(wrong and wrong not in known_keys(loc))
    old = LINES[line - 1]
    new = old[: column - 1] + wrong + old[column - 1 + len(right) :]
    return "\n".join([*LINES[: line - 1], new, *LINES[line:]]), wrong


def test_every_key_can_be_misspelt() -> None:
    """The keys that the next test misspells are those of the format, at every level."""
    assert len(KEYS) == 90
    assert ("facets", "age", "groups", "old", "at_most") in [loc for loc, _, _ in KEYS]


@fuzz
@given(case=misspelt())
def test_misspelt_key_never_loads(spec: Path, case: tuple[str, str]) -> None:
    """A spec with a misspelt key is refused, and the message quotes the key."""
    text, wrong = case
    found = attempt(spec, text)
    assert isinstance(found, SpecError)
    assert f"{wrong!r}" in str(found)
