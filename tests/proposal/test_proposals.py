"""What names and values of columns are taken for, and what is left open."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines import open_engine
from biaspipe.engines.column_contents import contents_of
from biaspipe.errors import UsageError
from biaspipe.proposal import Given, Proposal, propose
from biaspipe.proposal.questions import assume, refuse_open
from biaspipe.spec import Audit

SEX = ["m", "m", "m", "f", "f", "f"]
YES = ["yes", "no", "yes", "no", "yes", "no"]
LOW = [0.1, 0.2, 0.4, 0.5, 0.8, 0.9]
HIGH = [0.9, 0.8, 0.6, 0.5, 0.2, 0.1]


def proposal_of(columns: Mapping[str, Any], *, yes: bool = False, **given: Any) -> Proposal:
    """Return what is proposed for these columns."""
    audit = Audit.model_validate(
        {"version": 1, "name": "a", "data": {"path": "-"}, "facets": {"a": {"column": "a"}}}
    )
    with closing(open_engine(audit, Path(), frame=pl.DataFrame(columns))) as engine:
        table = contents_of(engine)
    return propose(table, Given(**given), assume if yes else refuse_open)


def facets_of(proposal: Proposal) -> dict[str, Any]:
    """Return the facets as a spec has them."""
    return {facet.column.name: facet.values for facet in proposal.facets}


@pytest.mark.parametrize(
    ("name", "values", "positive"),
    [
        ("approved", ["yes", "no"], "yes"),
        ("label", [1, 0], 1),
        ("y_true", [1.0, 0.0], 1),
        ("hired", [True, False], True),
        ("income", ["<=50K", ">50K"], ">50K"),
        ("outcome", ["not admitted", "admitted"], "admitted"),
        ("target", ["good", "bad"], "good"),
        ("status", ["Denied", "Approved"], "Approved"),
        ("bewilligung_result", ["ja", "nein"], "ja"),
    ],
)
def test_pairs_of_values_tell_the_favorable_one(
    name: str, values: list[Any], positive: object
) -> None:
    """A pair of values that is usually meant in one way is taken without a question."""
    found = proposal_of({"sex": SEX, name: values * 3})
    assert found.label is not None
    assert found.label.values == {"column": name, "positive": positive}
    assert found.prediction is None
    assert [words for words in found.assumptions if words.startswith(f"label {name}: ")]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("label", [1, 2]),
        ("class", ["a", "b"]),
        ("default", [0, 1]),
        ("two_year_recid", [0, 1]),
        ("churn", ["yes", "no"]),
        ("label", [0, 1, 2]),
    ],
)
def test_values_that_mean_this_or_that_are_an_error(name: str, values: list[Any]) -> None:
    """Where no word tells the favorable value, the error names the option and the candidates."""
    columns = {"sex": SEX, name: (values * 3)[:6]}
    with pytest.raises(UsageError, match=f"which value of '{name}' is favorable") as caught:
        proposal_of(columns)
    assert f"--label {name}=VALUE" in str(caught.value.hint)
    assert all(str(value) in caught.value.message for value in values)


@pytest.mark.parametrize(
    ("name", "values", "positive"),
    [
        ("fraud", ["fraud", "not fraud"], "not fraud"),
        ("fraud", ["no fraud", "fraud"], "no fraud"),
        ("verdict_label", ["guilty", "not guilty"], "not guilty"),
        ("outcome", ["infected", "not infected"], "not infected"),
        ("class", ["toxic", "non-toxic"], "non-toxic"),
        ("Risk", ["good", "bad"], "good"),
        ("credit_risk", ["bad", "good"], "good"),
        ("loan_default", ["repaid", "defaulted"], "repaid"),
        ("rejected", ["approved", "rejected"], "approved"),
        ("rejected", ["rejected", "approved"], "approved"),
        ("late", ["y", "n"], "n"),
        ("risk", [">5", "<=5"], "<=5"),
        ("status", ["fraud", "other"], "other"),
    ],
)
def test_a_harm_is_never_the_favorable_value(name: str, values: list[str], positive: str) -> None:
    """Values or names that read like a harm are left open, and --yes takes what is no harm."""
    columns = {"sex": SEX, name: values * 3}
    with pytest.raises(UsageError, match=f"which value of '{name}' is favorable"):
        proposal_of(columns, label=name)
    found = proposal_of(columns, label=name, yes=True)
    assert found.label is not None
    assert found.label.values == {"column": name, "positive": positive}


@pytest.mark.parametrize(
    "values",
    [
        ["Charged Off", "Fully Paid"],
        ["high risk", "low risk"],
        ["left", "stayed"],
        ["member", "not member"],
        ["<30", ">30", "NO"],
        [">50K", "<=50K", ">50K.", "<=50K."],
        [1, 2],
        [0, 1, 2],
        ["f", "m"],
    ],
)
def test_what_only_the_count_speaks_for_is_refused(values: list[Any]) -> None:
    """With --yes too, no value is taken for favorable only since it is the commonest."""
    times = 12 // len(values)
    columns = {"sex": SEX * 2, "outcome": values * times}
    with pytest.raises(UsageError, match="which value of 'outcome' is favorable") as caught:
        proposal_of(columns, yes=True)
    assert caught.value.hint == "say it with --label outcome=VALUE"
    assert all(str(value) in caught.value.message for value in values)


def test_a_reason_speaks_for_what_is_taken() -> None:
    """What is told of a harm is what was chosen by it."""
    found = proposal_of({"sex": SEX, "Risk": ["good", "bad", "bad"] * 2}, label="Risk", yes=True)
    assert found.assumptions[0] == (
        "label Risk: 'good' is positive (2 of 6 rows), by its word, while Risk reads like a harm"
    )
    found = proposal_of({"sex": SEX, "churn": ["yes", "no"] * 3}, label="churn", yes=True)
    assert found.assumptions[0].endswith("churn reads like a harm, so that 'no' is favorable")


def test_outcomes_that_harm_have_the_other_value() -> None:
    """With --yes the favorable value of a harm is that it did not happen, and this is said."""
    found = proposal_of({"sex": SEX, "default": [0, 1] * 3, "y_pred": [0, 1, 1] * 2}, yes=True)
    assert found.label is not None
    assert found.prediction is not None
    assert found.label.values == {"column": "default", "positive": 0}
    assert found.prediction.values == {"column": "y_pred", "positive": 0}
    assert "reads like a harm" in found.assumptions[0]
    assert "as in 'default'" in found.assumptions[1]


def test_scores_are_favorable_from_a_half_on() -> None:
    """A score from 0 to 1 gets the bound 0.5, which is said to be assumed."""
    scores = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9]
    found = proposal_of({"sex": SEX, "score": scores})
    assert found.label is None
    assert found.prediction is not None
    assert found.prediction.values == {"column": "score", "at_least": 0.5}
    assert found.assumptions == (
        "prediction score: at least 0.5 is positive, a half of a score from 0 to 1",
    )


def test_other_scores_need_a_bound() -> None:
    """A score of any other range is an error that shows how the bound is given."""
    columns = {"sex": SEX, "score": [300, 410, 520, 630, 740, 850]}
    with pytest.raises(UsageError, match="From which number is 'score' favorable") as caught:
        proposal_of(columns)
    assert '--prediction "score>=NUMBER"' in str(caught.value.hint)
    found = proposal_of(columns, prediction="score>600")
    assert found.prediction is not None
    assert found.prediction.values == {"column": "score", "above": 600}
    assert found.assumptions == ()


def test_scores_of_risk_are_favorable_below() -> None:
    """With --yes a score beside a harm is favorable below its middle."""
    columns = {"sex": SEX * 2, "recid": [0, 1] * 6, "decile_score": [1, 2, 3, 5, 8, 9] * 2}
    found = proposal_of(columns, yes=True)
    assert found.prediction is not None
    assert found.prediction.values == {"column": "decile_score", "below": 3}


@pytest.mark.parametrize(
    ("columns", "label", "prediction"),
    [
        (
            {"Attrition": YES, "Prediction": YES},
            {"column": "Attrition", "positive": "no"},
            {"column": "Prediction", "positive": "no"},
        ),
        (
            {"denied": [0, 1, 1] * 2, "pred_denied": [0, 1] * 3},
            {"column": "denied", "positive": 0},
            {"column": "pred_denied", "positive": 0},
        ),
        (
            {"pred_ok": [0, 1] * 3, "thing": ["pass", "fail", "pass"] * 2, "Prediction": YES},
            {"column": "thing", "positive": "pass"},
            {"column": "pred_ok", "positive": 1},
        ),
        (
            {"prob_0": LOW, "prob_1": HIGH, "y_true": [0, 1] * 3},
            {"column": "y_true", "positive": 1},
            {"column": "prob_1", "at_least": 0.5},
        ),
        (
            {"prob_0": LOW, "prob_1": HIGH, "recid": [0, 1] * 3},
            {"column": "recid", "positive": 0},
            {"column": "prob_0", "at_least": 0.5},
        ),
        (
            {"prob_0": LOW, "y_true": [0, 1] * 3},
            {"column": "y_true", "positive": 1},
            {"column": "prob_0", "below": 0.5},
        ),
        (
            {"probBad": LOW, "target": ["good", "bad"] * 3},
            {"column": "target", "positive": "good"},
            {"column": "probBad", "below": 0.5},
        ),
    ],
)
def test_predictions_are_no_labels_and_point_the_same_way(
    columns: dict[str, Any], label: dict[str, Any], prediction: dict[str, Any]
) -> None:
    """What is named a prediction is no label, and a score speaks of the value that it names."""
    found = proposal_of({"sex": SEX} | columns, yes=True)
    assert found.label is not None
    assert found.prediction is not None
    assert found.label.values == label
    assert found.prediction.values == prediction


def test_a_prediction_of_a_harm_is_left_open() -> None:
    """A prediction that is called by a harm is asked for, whatever its label is taken for."""
    columns = {"sex": SEX, "label": [0, 1] * 3, "pred_default": [0, 1, 1] * 2}
    for yes in (False, True):
        with pytest.raises(UsageError, match="which value of 'pred_default' is favorable"):
            proposal_of(columns, yes=yes)
    found = proposal_of(columns, label="label=0")
    assert found.prediction is not None
    assert found.prediction.values == {"column": "pred_default", "positive": 0}


def test_two_labels_are_an_error() -> None:
    """Two columns that may be the label by their names are both shown, and an option chooses."""
    columns = {"sex": SEX, "label": [0, 1] * 3, "y_true": [1, 0] * 3}
    with pytest.raises(UsageError, match=r"candidates: label .*, y_true") as caught:
        proposal_of(columns)
    assert "--label COLUMN=POSITIVE" in str(caught.value.hint)
    assert "--yes" in str(caught.value.hint)
    chosen = proposal_of(columns, label="y_true")
    assert chosen.label is not None
    assert chosen.label.values == {"column": "y_true", "positive": 1}
    assumed = proposal_of(columns, yes=True)
    assert "y_true may be meant" in assumed.assumptions[0]


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ("grade=A", {"positive": "A"}),
        ("grade=A,B", {"positive": ["A", "B"]}),
        ("a=b=1", {"positive": 1}),
        ("a=b>=1", {"at_least": 1}),
        ("x > 1<2.5", {"below": 2.5}),
        ("code=01", {"positive": "01"}),
        ("code=1", {"positive": "1"}),
    ],
)
def test_options_name_columns_and_values_as_they_are(given: str, values: dict[str, Any]) -> None:
    """An option is taken apart where a column ends, whatever signs stand in its name."""
    columns = {
        "sex": SEX,
        "grade": list("ABCABC"),
        "a=b": [0, 1] * 3,
        "x > 1": [1.5, 2.5, 3.5] * 2,
        "code": ["01", "1", "2"] * 2,
    }
    found = proposal_of(columns, label=given)
    assert found.label is not None
    assert found.label.keys == values


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        ({"label": "hird"}, "--label: (frame) has no column 'hird'", "did you mean 'hired'?"),
        ({"label": "hired=ja"}, "--label: 'ja' does not occur in column 'hired'", "'no', 'yes'"),
        ({"label": "hired>=x"}, "--label hired>=x: 'x' is no number", None),
        ({"facets": ["sx"]}, "--facet: (frame) has no column 'sx'", "did you mean 'sex'?"),
        ({"facets": ["sex=x"]}, "--facet: 'x' does not occur in column 'sex'", "'f', 'm'"),
        ({"facets": ["sex", "sex=m"]}, "--facet: column 'sex' is named twice", None),
        ({"facets": ["one"]}, "--facet: column 'one' cannot be used: the same value", None),
        ({"strata": ["dep"]}, "--strata: (frame) has no column 'dep'", "its columns are"),
        ({"weight": "sex"}, "--weight: column 'sex' holds no numbers", None),
        ({"facets": ["age=41"]}, "--facet: '41' is no group of 'age'", "'under 35'"),
    ],
)
def test_options_name_what_there_is(given: Any, message: str, hint: str | None) -> None:
    """What an option names and the data lacks is an error with what there is."""
    columns = {"sex": SEX * 4, "hired": YES * 4, "age": list(range(20, 68, 2)), "one": [1] * 24}
    with pytest.raises(UsageError) as caught:
        proposal_of(columns, **given)
    assert caught.value.message.startswith(message)
    assert (hint or "") in str(caught.value.hint)


def test_protected_attributes_come_first() -> None:
    """Facets are the columns of protected attributes, with nobody favored; others are possible."""
    found = proposal_of(
        {
            "purpose": list("abcabc"),
            "ethnicGroup": list("xyxyxy"),
            "Geschlecht": SEX,
            "approved": YES,
        }
    )
    assert facets_of(found) == {
        "Geschlecht": {"column": "Geschlecht"},
        "ethnicGroup": {"column": "ethnicGroup"},
    }
    assert [column.name for column in found.possible] == ["purpose"]
    assert found.strata_candidates == ("purpose",)


def test_facets_without_a_known_name_are_asked_for() -> None:
    """Where no name is that of a protected attribute, nothing is taken without --yes."""
    columns = {"region": list("abcabc"), "approved": YES}
    with pytest.raises(UsageError, match="candidates: region") as caught:
        proposal_of(columns)
    assert "--facet COLUMN" in str(caught.value.hint)
    found = proposal_of(columns, yes=True)
    assert facets_of(found) == {"region": {"column": "region"}}
    assert found.assumptions[1:] == (
        "facet region: only since it has few values; the name is none of a protected attribute",
    )
    assert len(proposal_of(columns, facets=["region"]).assumptions) == 1
    with pytest.raises(UsageError, match="nothing in the data looks like it"):
        proposal_of({"approved": YES}, yes=True)


def test_ages_get_groups_with_round_bounds() -> None:
    """Ages are cut near their thirds at multiples of five, and the rows of each group are told."""
    ages = list(range(18, 66))
    found = proposal_of({"age": ages, "approved": YES * 8})
    assert facets_of(found) == {
        "age": {
            "column": "age",
            "groups": {
                "under 35": {"below": 35},
                "35 to under 50": {"at_least": 35, "below": 50},
                "50 and over": {"at_least": 50},
            },
        }
    }
    assert found.facets[0].sizes == (
        ("under 35", 17, None),
        ("35 to under 50", 15, None),
        ("50 and over", 16, None),
    )
    assert "the bounds are round numbers" in found.assumptions[-1]


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("applicant_id", list(range(24)), "an identifier by its name"),
        ("ref", [f"r{i}" for i in range(24)], "another value in every row, as an identifier has"),
        ("notes", [f"she said so in {i} words" for i in range(24)], "free text"),
        ("long", ["x" * 300, "y"] * 12, "texts of very many values, or long ones"),
        ("day", ["2026-11-02", "2026-11-03"] * 12, "dates"),
        ("when", pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 1, 24), eager=True), "dates"),
        ("country", ["DE"] * 24, "the same value in every row: 'DE'"),
        ("empty", [None] * 24, "no value in any row"),
        ("nested", [[1]] * 24, "neither text, numbers, true/false nor dates"),
        ("height", [1.5 + i / 100 for i in range(24)], "numbers, and no name of a protected"),
        ("approved_text", YES * 4, "each of its values goes with one 'approved' only"),
    ],
)
def test_columns_are_left_out_with_the_reason(name: str, values: Any, reason: str) -> None:
    """What tells people apart, holds sentences or dates, is constant or leaks is left out."""
    found = proposal_of({"sex": SEX * 4, "approved": YES * 4, name: values}, label="approved")
    ((column, told),) = found.left_out
    assert column == name
    assert told.startswith(reason)


def test_tables_of_counts_have_a_weight() -> None:
    """A column n beside all combinations of few values says how many people each row is."""
    columns: dict[str, list[Any]] = {
        "sex": list("mmff"),
        "hired": ["yes", "no"] * 2,
        "n": [7, 3, 4, 6],
    }
    found = proposal_of(columns)
    assert found.weight == "n"
    assert found.assumptions[-1] == "weight n: each row stands for so many people"
    assert found.label is not None
    assert found.label.words == "'yes' is positive (2 of 4 rows, 11 of 20 people)"
    (sex,) = found.facets
    assert (sex.words, sex.small) == ("'f': 2 (10 people), 'm': 2 (10 people)", ("'f'", "'m'"))
    more = proposal_of(columns | {"n": [700, 300, 4, 6]})
    assert more.facets[0].small == ("'f'",)
    twice = {name: values * 2 for name, values in columns.items()}
    assert proposal_of(twice).weight is None


def test_groups_of_numbers_have_people_too() -> None:
    """Rows that stand for several people are told with them, in groups of ages as well."""
    ages = list(range(18, 66))
    columns = {"age": ages, "approved": YES * 8, "n": [2] * 46 + [4, None]}
    found = proposal_of(columns, weight="n")
    assert found.facets[0].words == (
        "under 35: 17 (34 people), 35 to under 50: 15 (30 people), 50 and over: 16 (32 people)"
    )
    assert found.facets[0].small == ()


def test_sampling_weights_are_only_named() -> None:
    """A column of weights is shown and not used, since it changes every value."""
    found = proposal_of({"sex": SEX, "hired": YES, "fnlwgt": [1.5, 2, 3, 4, 5, 6]})
    assert (found.weight, found.weights) == (None, ("fnlwgt",))
    assert proposal_of(
        {"sex": SEX, "hired": YES, "w": [1.5, 2, 3, 4, 5, 6]}, weight="w"
    ).weight == "w"  # fmt: skip


def test_an_audit_may_go_without_a_label() -> None:
    """A prediction alone is enough, and `none` says that there is no other outcome."""
    columns = {"sex": SEX, "pred": [0, 1] * 3, "label": [1, 0, 0] * 2}
    found = proposal_of(columns, label="none")
    assert found.label is None
    assert found.prediction is not None
    with pytest.raises(UsageError, match="no column is a label or a prediction"):
        proposal_of(columns, label="none", prediction="none")
