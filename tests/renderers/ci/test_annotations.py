"""Annotations: escaped as GitHub asks for, ten of a level, the worst first, and all counted."""

import pytest

from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.loading.document import parse
from biaspipe.renderers.ci.alerts import alerts
from biaspipe.renderers.ci.annotations import (
    Annotation,
    annotations_of,
    annotations_of_error,
    draw_annotations,
)
from biaspipe.verdict import Verdict
from tests.cli.log_commands import commands_in
from tests.golden.audits import NAMES, report_of

HOSTILE = "a%0A::b\r\n##[error]c, d: e=f%25;]"
"""Everything that ends a line, a property or a command, and what is escaped already."""


def test_runner_reads_what_was_written() -> None:
    """The runner reads every text back as it was, whatever signs it has."""
    one = Annotation("warning", HOSTILE, HOSTILE, HOSTILE, 3, 7)
    (line,) = draw_annotations([[one]])
    (found,) = commands_in(line)
    assert found.name == "warning"
    assert found.properties == {"file": HOSTILE, "line": "3", "col": "7", "title": HOSTILE}
    assert found.data == HOSTILE


def test_annotation_of_no_file_has_no_line() -> None:
    """What is about no file has a title alone."""
    assert draw_annotations([[Annotation("note", "t", "m", "", 1, 1)]]) == ["::notice title=t::m"]
    assert draw_annotations([[], []]) == []


def test_levels_stand_apart_the_worst_of_each_audit_first() -> None:
    """Errors come first, and of each audit its first before the second of any."""
    groups = [
        [Annotation("error", "a1", ""), Annotation("error", "a2", ""), Annotation("note", "n", "")],
        [Annotation("warning", "w", ""), Annotation("error", "b2", "")],
        [Annotation("error", "c1", "")],
    ]
    titles = [
        found.properties["title"] for found in commands_in("\n".join(draw_annotations(groups)))
    ]
    assert titles == ["a1", "c1", "a2", "b2", "w", "n"]


@pytest.mark.parametrize(("errors", "warnings"), [(10, 10), (11, 0), (1, 12)])
def test_what_is_not_shown_is_counted(errors: int, warnings: int) -> None:
    """Ten of a level are written; a notice says how many there are where that is not all."""
    groups = [
        [Annotation("error", f"e{i}", "") for i in range(errors)],
        [Annotation("warning", f"w{i}", "") for i in range(warnings)],
        [Annotation("note", f"n{i}", "") for i in range(10)],
    ]
    found = commands_in("\n".join(draw_annotations(groups)))
    counted = [[each.name for each in found].count(n) for n in ("error", "warning", "notice")]
    assert counted == [min(errors, 10), min(warnings, 10), 10]
    told = [each.data for each in found if each.properties["title"] == "not all are shown"]
    few = errors <= 10 and warnings <= 10
    assert len(told) == (0 if few else 1)
    assert few or told[0].startswith(
        "11 errors, 10 notices in all" if errors == 11 else "1 error, 12 warnings, 10 notices in"
    )


def test_long_message_is_cut() -> None:
    """A message and a title are no longer than GitHub keeps them."""
    (line,) = draw_annotations([[Annotation("error", "t" * 9_999, "m" * 99_999)]])
    assert len(line) < 4_000


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_twice_is_annotated_once(name: str) -> None:
    """Each alert is annotated, with its verdict, but where another one has its line and limit."""
    found = annotations_of(alerts(report_of(name)))
    kept = [alert for alert in alerts(report_of(name)) if not alert.repeats_limit]
    assert [one.message for one in found] == [alert.full_message for alert in kept]
    verdicts = {"fail: ", "undecided: ", "warn: "}
    checks = [one.title for one, alert in zip(found, kept, strict=True) if alert.check]
    assert all(any(title.startswith(verdict) for verdict in verdicts) for title in checks)
    assert {alert.verdict for alert in kept} <= {Verdict.FAIL, Verdict.UNDECIDED, Verdict.WARN}


def test_fault_stands_where_it_is() -> None:
    """Each fault of a spec is at its own line and column, in a file that is looked up."""
    document = parse("audit.yaml", "version: 1\nfacets:\n  sex: {column: sex, favourd: m}\n")
    faults = [
        Fault("unknown key", ("facets", "sex", "favourd"), hint="did you mean it?", at_key=True),
        Fault("wrong version", ("version",), expected="1", found="2"),
    ]
    first, second = annotations_of_error(document.error(faults), "wrong spec", "audits/{}".format)
    assert (first.path, first.line, first.column) == ("audits/audit.yaml", 1, 10)
    assert first.message == "wrong version\nexpected: 1\nfound: 2"
    assert (second.path, second.line, second.column) == ("audits/audit.yaml", 3, 22)
    assert second.message == "unknown key\nhint: did you mean it?"


def test_error_of_no_place_is_said_as_it_is() -> None:
    """An error of data, or of a spec that cannot be read, has message and hint and no file."""
    for error in (DataError("no rows", hint="look"), SpecError([Fault("a.yaml: no such file")])):
        (found,) = annotations_of_error(error, "not audited")
        assert (found.level, found.path, found.line) == ("error", "", 0)
        assert found.message in {"no rows\n  hint: look", "a.yaml: no such file"}


def test_bug_is_named_and_quotes_nothing() -> None:
    """What is no error of a user's is called a bug, without what it quotes."""
    (found,) = annotations_of_error(KeyError("secret"), "biaspipe")
    assert found.message == "this is a bug in biaspipe; the log has more"


def test_secret_of_a_url_is_not_shown() -> None:
    """A password in a fault or an error is masked."""
    url = "postgresql://me:hunter2@db.example/x"
    document = parse("audit.yaml", "version: 1\n")
    for error in (document.error([Fault(f"cannot read {url}")]), DataError(f"no answer of {url}")):
        (found,) = annotations_of_error(error, "t")
        assert "hunter2" not in found.message
