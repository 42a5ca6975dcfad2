"""Whatever data holds, what is proposed for it is a spec that the data passes."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import assume as suppose
from hypothesis import example, given
from hypothesis import strategies as st

import biaspipe
from biaspipe.engines import open_engine
from biaspipe.loading import load_text
from biaspipe.pipeline import count_data
from biaspipe.plan import make_plan
from biaspipe.proposal import Given, propose
from biaspipe.proposal.data_tables import look_at
from biaspipe.proposal.questions import Choice, Question, assume
from biaspipe.proposal.spec_text import spec_text
from biaspipe.spec import IN_HAND
from tests.examples import examples

ODD = st.sampled_from(
    ["yes", "no", "null", "~", "1", "01", "1.0", "0x1F", "1e3", "true", "2026-11-02", "12:30:45",
     " padded ", "a: b", "# x", "- x", "'", '"', "\\", "a\nb", "a\tb", "\x1b[31m", "\x00", "\x7f",
     "\x85", "\u2028", "\ufeff", "::error::x", "##[error]", "<<", "=", "%", "@x", "`x`", "{a}",
     "[a]", "!!str x", "&a", "*a", "?", "|", ">", "😀", "x" * 150, "é", "NaN", ".nan", "-0", "."]
)  # fmt: skip
TEXTS = ODD | st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
NUMBERS = st.integers(-(2**62), 2**62) | st.floats(-1e15, 1e15, allow_nan=False)


@st.composite
def tables(draw: st.DrawFn) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Draw a table of one outcome and one facet, of any names and values, and the options."""
    names = draw(st.lists(TEXTS, min_size=2, max_size=2, unique=True))
    suppose("none" not in names)  # as a column it would be taken for the prediction
    pairs = [draw(st.lists(_values(draw), min_size=2, max_size=4, unique=True)) for _ in names]
    rows = [(a, b) for a in pairs[0] for b in pairs[1]]
    frame = pl.DataFrame(
        {name: [row[i] for row in rows] for i, name in enumerate(names)}, strict=False
    )
    suppose(frame[names[0]].n_unique() > 1 < frame[names[1]].n_unique())
    return frame, {"label": names[0], "facets": [names[1]], "prediction": "none"}


def _values(draw: st.DrawFn) -> st.SearchStrategy[Any]:
    return draw(st.sampled_from([TEXTS, st.integers(-9, 9), st.booleans()]))


@given(tables())
@example((pl.DataFrame({"\x7f": ["\x7f", "a"] * 2, "b": ["x", "x", "y", "y"]}),
          {"label": "\x7f", "facets": ["b"], "prediction": "none"}))  # fmt: skip
@example((pl.DataFrame({"a": [0, 1] * 2, "<<": ["x", "x", "y", "y"]}),
          {"label": "a", "facets": ["<<"], "prediction": "none"}))  # fmt: skip
@examples(200)
def test_any_value_comes_back(drawn: tuple[pl.DataFrame, dict[str, Any]]) -> None:
    """Names and values of any text, number or truth are read back as what they are."""
    frame, options = drawn
    text = _proposed(frame, **options)
    loaded = load_text(text.encode(), "audit.yaml", Path())
    audit = loaded.audit
    assert audit.columns.label is not None
    assert audit.columns.label.column == options["label"]
    (facet,) = audit.facets.values()
    assert facet.column == options["facets"][0]
    assert [*audit.facets] in (options["facets"], ["merge"])
    held = frame[options["label"]].to_list()
    (positive,) = audit.columns.label.positive or (None,)
    assert any(type(positive) is type(value) and positive == value for value in held)
    with closing(open_engine(audit, Path(), frame=frame)) as engine:
        counted = count_data(engine, make_plan(audit))
    assert counted.counts.rows == frame.height


COLUMN = st.sampled_from(["sex", "age", "label", "score", "id", "n", "notes", "race", "x"])
CELL = st.none() | TEXTS | NUMBERS | st.booleans()


@given(
    st.dictionaries(COLUMN, st.lists(CELL, min_size=6, max_size=6), min_size=1),
    st.sampled_from([1, 5]),
)
@examples(200)
def test_any_proposal_passes_the_check(columns: dict[str, list[Any]], times: int) -> None:
    """What is proposed for any table is counted without a fault, or an error says what to name."""
    frame = pl.DataFrame({name: values * times for name, values in columns.items()}, strict=False)
    text, hint = _proposed_or_hint(frame)
    if text is None:
        assert hint
        return
    loaded = load_text(text.encode(), "audit.yaml", Path())
    with closing(open_engine(loaded.audit, Path(), frame=frame)) as engine:
        count_data(engine, make_plan(loaded.audit))


def _proposed(frame: pl.DataFrame, **options: Any) -> str:
    """Return the spec where somebody takes what is proposed, and the first where nothing is."""
    found = look_at({"path": IN_HAND}, frame)
    proposal = propose(found.contents, Given(**options), _first)
    return spec_text(proposal, "a", found.keys, Path())


def _proposed_or_hint(frame: pl.DataFrame) -> tuple[str | None, str | None]:
    """Return the spec that is proposed, or the hint of the error that names what is missing."""
    try:
        return _proposed(frame), None
    except biaspipe.UsageError as error:
        return None, error.hint


def _first(question: Question) -> Sequence[Choice]:
    is_open = not (question.proposed or question.optional)
    return (is_open and question.choices[:1]) or assume(question)


def test_what_is_proposed_is_not_judged(tmp_path: Path) -> None:
    """A proposal has no limit, so that its run judges nothing."""
    frame = pl.DataFrame({"sex": list("mmff"), "hired": ["yes", "no"] * 2})
    spec = tmp_path / "audit.yaml"
    spec.write_text(biaspipe.init(frame), encoding="utf-8")
    report = biaspipe.run(spec, frame)
    assert {check.verdict.value for check in report.result.checks} == {"reported"}
