"""Parameters of a spec: what their values may be, and where they lead."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError, UsageError
from biaspipe.loading import Loaded, load_text
from biaspipe.loading.parameters import lacking, read_texts, refuse_unknown

SPEC = """\
version: 1
name: hiring
parameters: {month: "2026-10", since: 2026-07-01, least: 18, share: 0.5, all: false, code: "007"}
data:
  path:
    - data/${month}.csv
    - data/year=2026/month=${month}
  where: "day >= ${since} AND age >= ${least} AND share < ${share} OR ${all} OR code = ${code}"
  join: [{path: "s3://people/${month}/rows.parquet", on: id}]
columns: {prediction: {column: hired, positive: "yes"}}
facets: {sex: {column: sex, favored: m}}
metrics: {DI: {min: 0.8}}
baseline: {report: "reports/${month}-${least}.json"}
"""
REQUIRED = SPEC.replace('month: "2026-10"', "month: ")


def loaded(text: str = SPEC) -> Loaded:
    """Load a spec as it is written."""
    return load_text(text.encode(), "audit.yaml", Path("folder"))


def from_texts(text: str = SPEC, **texts: str) -> dict[str, Any]:
    """Return the values of a spec whose parameters a command line gives."""
    spec = loaded(text)
    return spec.filled(read_texts(spec.audit, texts)).audit.parameters


def test_defaults_stand_where_they_are_named() -> None:
    """The default of a parameter is a piece of paths and names, and the document stays."""
    spec = loaded()
    audit = spec.filled().audit
    assert audit.data.path == ("data/2026-10.csv", "data/year=2026/month=2026-10")
    assert audit.data.join[0].path == ("s3://people/2026-10/rows.parquet",)
    assert audit.baseline is not None
    assert audit.baseline.report == "reports/2026-10-18.json"
    assert audit.data.where == spec.audit.data.where
    assert spec.filled().document is spec.document
    assert spec.audit.data.path == ("data/${month}.csv", "data/year=2026/month=${month}")


def test_table_is_filled() -> None:
    """A parameter is a piece of the name of a table, and of no other schema."""
    paths = "path:\n    - data/${month}.csv\n    - data/year=2026/month=${month}\n"
    text = SPEC.replace(paths, "table: a.t_${month}\n  connection: sqlite:///a.db\n")
    text = text.replace('path: "s3://people/${month}/rows.parquet"', 'table: "b_${month}"')
    audit = loaded(text).filled().audit
    assert (audit.data.table, audit.data.join[0].table) == ("a.t_2026-10", "b_2026-10")
    with pytest.raises(SpecError, match="is a piece of a name here"):
        loaded(text).filled({"month": "b.secret"})


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({}, ("2026-10", "2026-07-01", 18, 0.5, False, "007")),
        ({"month": "2026-11"}, ("2026-11", "2026-07-01", 18, 0.5, False, "007")),
        ({"month": "18"}, ("18", "2026-07-01", 18, 0.5, False, "007")),
        ({"least": "-3", "share": "1"}, ("2026-10", "2026-07-01", -3, 1.0, False, "007")),
        ({"all": "true", "code": "true"}, ("2026-10", "2026-07-01", 18, 0.5, True, "true")),
        ({"all": "true", "code": ""}, ("2026-10", "2026-07-01", 18, 0.5, True, "")),
        ({"since": "2024-02-29"}, ("2026-10", "2024-02-29", 18, 0.5, False, "007")),
    ],
)
def test_value_is_of_the_kind_of_its_default(
    given: dict[str, str], values: tuple[Any, ...]
) -> None:
    """What is typed for a text is one, and what is typed for a number is that number."""
    found = tuple(from_texts(**given).values())
    assert [(type(value), value) for value in found] == [(type(v), v) for v in values]


@pytest.mark.parametrize(
    ("default", "given", "value"),
    [
        ("", "18", "18"),
        ("", "'18'", "'18'"),
        ("", "010", "010"),
        ("", "true", "true"),
        ("", "2026-07-01", "2026-07-01"),
        ("", 18, 18),
        ("", 1.0, 1.0),
        ("", True, True),
        ("a", "18", "18"),
        ("18", 30, 30),
        ("0.5", 2, 2.0),
        ("true", False, False),
    ],
)
def test_value_that_is_one_stays_as_it_is(default: str, given: Any, value: Any) -> None:
    """What is no text of a command line is read by nobody; a whole number is a number."""
    text = SPEC.replace('month: "2026-10"', f"month: {default}")
    text = text.replace("${month}", "x").replace("code = ${code}", "code = ${code} OR m = ${month}")
    found = loaded(text).filled({"month": given}).audit.parameters["month"]
    assert (type(found), found) == (type(value), value)
    again = loaded(text).filled({"month": found}).audit.parameters["month"]
    assert (type(again), again) == (type(value), value)


@pytest.mark.parametrize("default", ["", "1.5"])
@pytest.mark.parametrize("text", ["1e308", "-1e308", "1.7976931348623157e308", "5e-324"])
def test_every_finite_number_is_one(default: str, text: str) -> None:
    """The largest and the smallest numbers are numbers like others."""
    spec = SPEC.replace("share: 0.5", f"share: {default}").replace("share < ${share}", "age < 1")
    spec = spec.replace("data/${month}.csv", "data/${month}-${share}.csv")
    assert from_texts(spec, share=text)["share"] == float(text)


@pytest.mark.parametrize("value", ["a\0b", "\ud800", "x" * 1001, 10**400, float("inf")], ids=ascii)
@pytest.mark.parametrize("spec", [SPEC.replace("18,", "1.5,"), SPEC.replace("18,", ",")])
def test_value_that_no_spec_holds_is_refused(spec: str, value: Any) -> None:
    """What could not be a default cannot be given either, and no message has an untrue word."""
    with pytest.raises(SpecError) as refusal:
        loaded(spec.replace("-${least}", "")).filled({"least": value})
    assert [fault.loc for fault in refusal.value.faults] == [("parameters", "least")]
    assert "1.5" in spec or "as the default is" not in str(refusal.value)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"least": "18.5"}, "a whole number"),
        ({"least": "many"}, "a whole number"),
        ({"least": "'18'"}, "a whole number"),
        ({"least": "true"}, "a whole number"),
        ({"least": True}, "a whole number"),
        ({"least": 18.0}, "a whole number"),
        ({"least": "1e999"}, "a whole number"),
        ({"least": "9" * 5000}, "a whole number"),
        ({"share": "9" * 400}, "a number"),
        ({"share": "1e309"}, "a number"),
        ({"share": 10**400}, "a number"),
        ({"share": ".nan"}, "a number"),
        ({"share": ".inf"}, "a number"),
        ({"share": "half"}, "a number"),
        ({"share": False}, "a number"),
        ({"all": "yes"}, "true or false"),
        ({"all": "1"}, "true or false"),
        ({"all": 1}, "true or false"),
        ({"since": "2026-02-30"}, "a day"),
        ({"since": "yesterday"}, "a day"),
        ({"since": "2026-07-01 OR 1=1"}, "a day"),
        ({"code": 7}, "a text"),
        ({"code": ["7"]}, "a text"),
        ({"month": {"a": 1}}, "a text"),
    ],
)
def test_value_of_another_kind_is_refused(given: dict[str, Any], kind: str) -> None:
    """A value that is not what the default is ends as a wrong spec at the parameter."""
    spec = loaded()
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    with pytest.raises(SpecError) as refusal:
        spec.filled({**given, **read_texts(spec.audit, texts)})
    assert refusal.value.faults[0].expected == f"{kind}, as the default is"
    assert str(refusal.value).startswith("audit.yaml:3:")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-11", "2026-11"),
        ("18", 18),
        ("0.50", 0.5),
        ("true", True),
        ("'18'", "18"),
        ('"true"', "true"),
        ("yes", "yes"),
    ],
)
def test_required_value_is_read_as_a_spec_reads_it(text: str, value: object) -> None:
    """What has no default is read as if it stood in the spec; quotes make it a text."""
    assert from_texts(REQUIRED, month=text)["month"] == value


def test_required_value_is_asked_for() -> None:
    """A spec loads without a value that a run has to give, and cannot be run without it."""
    assert lacking(loaded(REQUIRED).audit) == ["month"]
    assert lacking(loaded().audit) == []
    with pytest.raises(SpecError) as refusal:
        loaded(REQUIRED).filled()
    assert "the parameter 'month' has no value" in str(refusal.value)
    assert "hint: give it with --param month=VALUE" in str(refusal.value)


ESCAPES = [
    *("../secret", "..", ".", "a/b", "/etc/passwd", "a\\b", "..\\secret", "a\0b", "*", "?", "[a]"),
    *("a*", "{a,b}", "~", "~root", "$HOME", "${least}", "%2e%2e", "%2F", "a b", "a\nb", "é", ""),
    *("a?x=1", "a#b", "a:b", "file:", "http:", "a;b", "a|b", "`id`", "$(id)", "a'b", 'a"b'),
    *("\N{FULLWIDTH SOLIDUS}", "\N{DIVISION SLASH}", "\u202e", "a&b", "a,b", "!a", "<a>"),
]


@pytest.mark.parametrize("value", ESCAPES, ids=repr)
def test_value_cannot_lead_elsewhere(value: str) -> None:
    """A value is one piece of a path: no separator, no sign of a pattern, no way up."""
    text = SPEC.replace("data/${month}.csv", "data/${month}/rows.csv")
    with pytest.raises(SpecError) as refusal:
        loaded(text).filled({"month": value})
    assert refusal.value.faults[0].loc[:2] in {("data", "path"), ("parameters", "month")}


@pytest.mark.parametrize(
    "path", ["d/${month}${month}/a.csv", "d/.${month}", "${month}./a.csv", "d\\${month}.\\a.csv"]
)
def test_pieces_make_no_way_up(path: str) -> None:
    """Dots that become the folder above only together are refused."""
    text = SPEC.replace("data/${month}.csv", path)
    with pytest.raises(SpecError, match="the way to another folder"):
        loaded(text).filled({"month": "."})


@pytest.mark.parametrize("uri", ["${month}://a/b", "s3://${month}/b", "https://a${month}/b"])
def test_uri_keeps_its_host(uri: str) -> None:
    """Which host is asked is the spec's own word."""
    with pytest.raises(SpecError, match="in the scheme or the host of a URI"):
        loaded(SPEC.replace("s3://people/${month}", uri))


def test_environment_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of the environment is no parameter, whether it is set or not."""
    monkeypatch.setenv("month_of", "secret")
    with pytest.raises(SpecError) as refusal:
        loaded(SPEC.replace("data/${month}.csv", "data/${month_of}.csv"))
    assert "there is no parameter 'month_of'" in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_all_faults_of_values_come_together() -> None:
    """Two values that do not fit are told at once, each at its place."""
    with pytest.raises(SpecError) as refusal:
        loaded().filled({"least": "x", "share": "y"})
    assert [fault.loc for fault in refusal.value.faults] == [
        ("parameters", "least"),
        ("parameters", "share"),
    ]


def test_filling_twice_keeps_what_was_given() -> None:
    """A spec that has its values already keeps them."""
    once = loaded().filled({"month": "2026-11", "least": 30})
    assert once.filled() == once


def test_unknown_name_is_refused_with_the_nearest() -> None:
    """A value for what no spec declares ends as a wrong command line."""
    audits = [loaded().audit, loaded(REQUIRED).audit]
    refuse_unknown({"month": "1", "least": "2"}, audits)
    with pytest.raises(UsageError) as refusal:
        refuse_unknown({"leest": "2"}, audits)
    assert refusal.value.message == "--param leest: no spec here declares this parameter"
    assert refusal.value.hint == "did you mean 'least'?"
