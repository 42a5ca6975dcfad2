"""GitLab's code quality is a list of the alerts, each in the keys that GitLab reads."""

import json
from typing import Any

import pytest

from biaspipe.renderers.ci.alerts import alerts
from biaspipe.renderers.ci.gitlab import gitlab
from tests.renderers.ci.reports import ALL, sample, small

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def entries(name: str) -> list[dict[str, Any]]:
    """Return the entries of a report."""
    found = json.loads(gitlab(sample(name)))
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", ALL)
def test_every_alert_is_an_entry_of_its_own(name: str) -> None:
    """Each alert has the keys that GitLab requires, a line of text and a fingerprint of its own."""
    found = entries(name)
    assert len(found) == len(alerts(sample(name)))
    for entry in found:
        keys = ["check_name", "description", "fingerprint", "location", "severity"]
        assert sorted(entry) == keys
        assert entry["severity"] in SEVERITIES
        assert entry["location"]["lines"]["begin"] >= 1
        assert not entry["location"]["path"].startswith(("/", "./", "../"))
        assert "\n" not in entry["description"]
        assert 0 < len(entry["description"]) <= 2_000
    assert len({entry["fingerprint"] for entry in found}) == len(found)


def test_severity_is_that_of_the_verdict() -> None:
    """A failure is critical, an undecided check major, a warning minor; waived is left out."""
    found = [
        (entry["severity"], entry["description"].split()[0]) for entry in entries("every-verdict")
    ]
    assert found == [
        *[("critical", "FAIL")] * 4,
        *[("major", "UNDECIDED")] * 4,
        ("minor", "WARN"),
    ]
    assert [entry["severity"] for entry in entries("unchecked")] == ["critical"]


def test_undecided_that_counts_as_a_pass_is_information() -> None:
    """What is undecided where the spec counts that as a pass is still told."""
    rules = {"min_rows": 1000, "undecided": "pass"}
    (entry,) = json.loads(gitlab(small({"DI": {"min": 0.8}}, decision=rules)))
    assert (entry["severity"], entry["description"].split()[0]) == ("info", "UNDECIDED")


def test_nothing_to_look_at_is_an_empty_list() -> None:
    """An audit that passes gives a list without an entry, and no byte order mark."""
    assert gitlab(small({"DI": {"min": 0.1}})) == "[]\n"
