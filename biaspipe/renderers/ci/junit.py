"""A report as JUnit XML: each check with a limit is a test case."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from biaspipe.printable_text import escape, list_values, shorten
from biaspipe.renderers.cautions import cautions
from biaspipe.renderers.ci.alerts import alerts, message_text, spec_path
from biaspipe.renderers.text import counted_text, verdict_text
from biaspipe.report import CheckRecord, Report, SubgroupsRecord
from biaspipe.verdict import Verdict

__all__ = ["junit"]

Outcome = Literal["failure", "error", "skipped"]
"""What a test case says that did not simply pass."""
MAX_NAME = 500
MAX_TEXT = 10_000
ATTACHMENT = ("[[ATTACHMENT|", r"[[ATTACHMENT\x7c")
"""What makes Jenkins and GitLab take a file beside the text, and how it is written as a text."""


class _Case(NamedTuple):
    """A test case.

    Parameters
    ----------
    facet : what its class is called after the audit; None where no groups are compared.
    name : which check it is.
    line : its line of the spec.
    outcome : what it says; None if it passed.
    kind : the verdict.
    text : what there is to say; empty for what simply passed.
    """

    facet: str | None
    name: str
    line: int
    outcome: Outcome | None
    kind: str
    text: str


def junit(report: Report, _: object = None) -> str:
    """Return the checks of a report as JUnit XML.

    What failed is a failure, what is undecided an error, and skipped where the spec counts it
    otherwise; what is waived is skipped; what warned passed, and says so in its output.

    Parameters
    ----------
    report : the whole report.
    """
    cases = list(_with_own_names([*_checks(report), *_events(report)]))
    counted = Counter(case.outcome for case in cases)
    counts = {"tests": len(cases), "failures": counted["failure"], "errors": counted["error"]}
    whole = {name: str(n) for name, n in counts.items()} | {"time": f"{report.run.seconds:.3f}"}
    root = Element("testsuites", {"name": "biaspipe"} | whole)
    suite = SubElement(root, "testsuite", {"name": report.result.audit.name} | whole)
    suite.set("skipped", str(counted["skipped"]))
    suite.set("timestamp", report.run.started_at[:19])
    _add_properties(suite, report)
    for case in cases:
        _add_case(suite, case, report)
    if told := "\n".join(_asides(report)):
        SubElement(suite, "system-out").text = _plain(told)
    indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + tostring(root, encoding="unicode").replace("##", "#&#35;") + "\n"


def _checks(report: Report) -> Iterator[_Case]:
    """Yield the checks that can fail."""
    for check in report.result.checks:
        if check.verdict is not Verdict.REPORTED:
            outcome = _outcome(check, report)
            quiet = check.verdict is Verdict.PASS and check.limits.is_set
            text = "" if quiet else _text(check, report)
            name = _name(check)
            yield _Case(check.facet, name, max(1, check.line), outcome, check.verdict, text)


def _events(report: Report) -> Iterator[_Case]:
    """Yield what is no check and makes the verdict."""
    for alert in alerts(report):
        if alert.check is None:
            search = report.result.subgroups if alert.rule == "subgroups" else None
            outcome = _outcome(search, report) if search else _outcome_of_event(alert.verdict)
            yield _Case(None, alert.title, alert.line, outcome, alert.rule, alert.message)


def _outcome_of_event(verdict: Verdict) -> Outcome:
    return "failure" if verdict is Verdict.FAIL else "error"


def _outcome(check: CheckRecord | SubgroupsRecord, report: Report) -> Outcome | None:
    """Return what a reader of tests is told of a check, never better than the exit code has it."""
    counted, warning_fails = report.result.decision.undecided, report.run.warning_fails
    match check.verdict:
        case Verdict.FAIL:
            return "failure"
        case Verdict.WARN if warning_fails:
            return "failure"
        case Verdict.UNDECIDED if counted == "fail" or (counted == "warn" and warning_fails):
            return "error"
        case Verdict.UNDECIDED | Verdict.WAIVED:
            return "skipped"
    return None


def _name(check: CheckRecord) -> str:
    """Write which check it is, with its parameters.

    Readers take the name for what tells one test case from another.
    """
    pair = f", {check.disfavored} against {check.favored}" if check.disfavored else ""
    facet = f" on {check.facet}" if check.facet else ""
    given = sorted((check.parameters or {}).items())
    parameters = ", ".join(f"{name} = {list_values([value])}" for name, value in given)
    return escape(f"{check.metric}{facet}{pair}" + (f" ({parameters})" if parameters else ""))


def _text(check: CheckRecord, report: Report) -> str:
    """Write what a check came to and says."""
    undecided = report.result.decision.undecided
    counted = f" (counted as {undecided}, as the spec says)" if undecided != "fail" else ""
    word = check.verdict.upper() + (counted if check.verdict is Verdict.UNDECIDED else "")
    unlimited = "" if check.limits.is_set else "no limit; "
    return f"{word}: {unlimited}{message_text(check, report)}"


def _with_own_names(cases: Iterable[_Case]) -> Iterator[_Case]:
    """Yield cases with a number behind names that are taken: readers take one case of a name."""
    taken: set[str] = set()
    for case in cases:
        name = _plain(case.name, MAX_NAME)
        numbered = (f"{name} [{number}]" for number in count(2))
        own = next(each for each in chain([name], numbered) if each not in taken)
        taken.add(own)
        yield case._replace(name=own)


def _add_case(suite: Element, case: _Case, report: Report) -> None:
    place = ".".join(filter(None, (report.result.audit.name, escape(case.facet or ""))))
    names = {"classname": _plain(place, MAX_NAME), "name": case.name, "time": "0"}
    path = spec_path(report)
    file = path if path.isprintable() else escape(path)  # XML has no control characters
    where = {"file": file, "line": str(case.line)}
    node = SubElement(suite, "testcase", names | where)
    text = _plain(case.text)
    if case.outcome:
        told = SubElement(node, case.outcome, type=case.kind, message=text)
        told.text = text
    elif text:
        SubElement(node, "system-out").text = text


def _add_properties(suite: Element, report: Report) -> None:
    values = {
        "verdict": verdict_text(report),
        "result_sha256": report.result_sha256,
        "spec": spec_path(report),
        "spec_sha256": report.result.audit.sha256,
        "biaspipe": report.run.biaspipe,
    }
    properties = SubElement(suite, "properties")
    for name, value in values.items():
        SubElement(properties, "property", name=name, value=escape(value))


def _asides(report: Report) -> Iterator[str]:
    """Yield what the cases do not show: cautions, and values without a limit."""
    yield from (f"CAUTION: {escape(words)}" for words in cautions(report))
    if left := report.result.tally.get(Verdict.REPORTED, 0):
        yield f"no test case, since it has no limit: {counted_text(left, 'value')}"


def _plain(text: str, most: int = MAX_TEXT) -> str:
    return shorten(text, most).replace(*ATTACHMENT)
