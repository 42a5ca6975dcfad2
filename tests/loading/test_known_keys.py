"""A key of the spec is described in its model alone: messages, hints and the schema read it."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from biaspipe.errors import Fault
from biaspipe.loading.faults import empty_fault, empty_keys, fault_of
from biaspipe.loading.known_keys import expected_at, known_keys, loc_of
from biaspipe.renderers.reference.schemas import audit_schema
from biaspipe.spec import Audit
from biaspipe.spec.values import Expects, SpecModel


class Retention(SpecModel):
    """How long reports are held."""

    EXPECTED = "a mapping, such as {years: 7}"

    years: int = Field(5, gt=0, strict=True, description="The years of holding.")
    medium: Annotated[Literal["disk", "tape"] | None, Expects("disk or tape, such as disk")] = (
        Field(None, description="What it is held on.")
    )


class LongerAudit(Audit):
    """The spec with one key more."""

    retention: Retention | None = Field(None, description="How long reports are held.")


VALID = {"version": 1, "name": "a", "data": {"path": "a.csv"}, "facets": {"s": {"column": "s"}}}


def fault(retention: Any) -> Fault:
    """Return the one fault of a spec with a wrong value of the new key."""
    with pytest.raises(ValidationError) as refusal:
        LongerAudit.model_validate({**VALID, "retention": retention})
    (error,) = refusal.value.errors()
    return fault_of(error, loc_of(error), LongerAudit)


def test_new_key_is_known() -> None:
    """The keys that a message lists are those of the models, the new ones among them."""
    assert known_keys(("retention",), LongerAudit)[-1] == "retention"
    assert known_keys(("retention", "x"), LongerAudit) == ("years", "medium")
    assert "retention" not in known_keys(("retention",))


def test_misspelt_new_key_is_recognized() -> None:
    """A typo in a new key is answered with the keys that are known there and the nearest one."""
    found = fault({"yers": 3})
    assert found.expected == "one of years, medium"
    assert found.hint == "did you mean 'years'?"


@pytest.mark.parametrize(
    ("value", "message", "expected"),
    [
        (3, "retention: this value is of the wrong kind", "a mapping, such as {years: 7}"),
        ({"years": "x"}, "retention.years: this value is of the wrong kind", "a whole number"),
        ({"years": 0}, "retention.years: this number is too small", "more than 0"),
        ({"medium": "stone"}, "retention.medium: this value is not known", "'disk' or 'tape'"),
    ],
)
def test_wrong_value_of_a_new_key(value: Any, message: str, expected: str) -> None:
    """A wrong value is answered with what the model says that the key expects."""
    found = fault(value)
    assert (found.message, found.expected) == (message, expected)


def test_new_key_with_nothing_behind_it() -> None:
    """A new key that stands alone is found, and the message shows its example."""
    values = {"retention": {"medium": None}}
    (loc,) = empty_keys(values, model=LongerAudit)
    assert empty_fault(loc, LongerAudit).expected == "disk or tape, such as disk"


def test_schema_has_the_new_key() -> None:
    """An editor offers the new key with its description, its values and its default."""
    schema = audit_schema(LongerAudit)
    assert schema["properties"]["retention"] == {
        "$ref": "#/$defs/Retention",
        "description": "How long reports are held.",
        "title": "retention",
    }
    assert schema["$defs"]["Retention"]["properties"] == {
        "medium": {
            "description": "What it is held on.",
            "enum": ["disk", "tape"],
            "title": "medium",
            "type": "string",
        },
        "years": {
            "default": 5,
            "description": "The years of holding.",
            "exclusiveMinimum": 0,
            "title": "years",
            "type": "integer",
        },
    }


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        (("columns", "strata"), "a list, such as [purpose]"),
        (("facets", "sex"), "a mapping, such as {column: sex}"),
        (("facets", "sex", "metrics", "DI", "warn"), "a mapping, such as {min: 0.8}"),
        (("facets", "sex", "groups", "old"), "a value, a list or an interval"),
        (("waivers", 0), "a mapping with reason, approved_by and expires"),
        (("facets", "sex", "colunm"), None),
        (("model", "anything"), None),
    ],
)
def test_what_a_key_expects(loc: tuple[str | int, ...], expected: str | None) -> None:
    """What a key expects is said by its type, or by the model that stands there."""
    assert expected_at(loc) == expected
