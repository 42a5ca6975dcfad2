"""Columns that a spec names and data lacks: what is listed, and what is guessed."""

import pytest

from biaspipe.errors import SpecError
from biaspipe.plan import make_plan
from biaspipe.plan.kinds import Kind
from biaspipe.plan.planning import refuse_missing
from biaspipe.spec import Audit

AUDIT = {
    "version": 1,
    "name": "hiring",
    "data": {"path": "people.csv"},
    "columns": {"label": {"column": "target", "positive": 1}},
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"CI": {}},
}


def faults(*names: str, **csv: str) -> SpecError:
    """Return the faults of an audit of data with these columns."""
    data = {"path": "people.csv", **({"csv": csv} if csv else {})}
    audit = Audit.model_validate({**AUDIT, "data": data})
    assert make_plan(audit)
    with pytest.raises(SpecError) as raised:
        refuse_missing(audit, dict.fromkeys(names, Kind.TEXT), where="people.csv")
    return raised.value


def test_long_lists_of_columns_are_cut() -> None:
    """A few lines of names are listed, none of them longer than a line."""
    fault, _ = faults(*(f"feature_{number}" for number in range(500))).faults
    assert fault.expected
    assert fault.expected.startswith("feature_0, feature_1, feature_2, ")
    assert fault.expected.endswith("feature_24 and 475 more")
    fault, _ = faults("a" * 400, "b").faults
    assert fault.expected == f"{'a' * 59}…, b"


@pytest.mark.parametrize(
    ("column", "csv", "sign"),
    [
        ("sex;target;age", {}, '";"'),
        ("sex\ttarget", {}, '"\\t"'),
        ("sex|target", {}, '"|"'),
        ("sex,target", {"separator": ";"}, '","'),
    ],
)
def test_one_column_leads_to_its_separator(column: str, csv: dict[str, str], sign: str) -> None:
    """A table of one column with a separator in its name has one fault, which names the key."""
    (fault,) = faults(column, **csv).faults
    assert fault.hint
    assert fault.hint.endswith(f"csv: {{separator: {sign}}}")
    assert "and one column only" in fault.message


@pytest.mark.parametrize("names", [("sex_and_age",), ("sex,age",), ("a;b", "c;d")])
def test_other_tables_are_not_guessed_about(names: tuple[str, ...]) -> None:
    """No separator is guessed where there is none, the spec's own, or a second column."""
    assert len([f for f in faults(*names).faults if "separator" not in (f.hint or "")]) == 2


def test_no_far_name_is_offered() -> None:
    """`age` is not what was meant by `target`, whose half it is; a slip of `target` is."""
    assert [fault.hint for fault in faults("Age", "gender").faults] == [None, None]
    assert faults("Age", "sex", "tagret").faults[0].hint == "did you mean 'tagret'?"
