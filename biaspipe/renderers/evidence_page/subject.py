"""What was tested: the data, the people, the outcomes and the groups, and by which rule."""

from collections.abc import Iterator

from biaspipe.metrics.digits import confidence_text
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.losses import losses_text, outcomes_text
from biaspipe.renderers.evidence_page.wording import (
    CORRECTIONS,
    listed,
    outcome_text,
    share_text,
    spec_value,
)
from biaspipe.renderers.selections import impact_rule
from biaspipe.renderers.story import Facts, Items, Line, Section
from biaspipe.renderers.text import counted_text, parameters_text, sample_text
from biaspipe.report import AuditRecord, Report

__all__ = ["subject_section"]

NO_PERIOD = (
    "none is declared: neither a condition nor a parameter says of which time the rows are, so the "
    "result holds for the rows that were read, whenever they were recorded"
)
STRADDLES = (
    "the whole interval: a check passes where all of it keeps the limit, fails where none of it "
    "does, and is undecided where it reaches across"
)
DECIDED_BY = {
    "value": "the value alone, with no regard to its interval",
    "inside": f"{STRADDLES}; it warns unless all of it keeps the limit of the warning",
    "outside": f"{STRADDLES}; it warns only where none of it keeps the limit of the warning",
}
UNDECIDED = {
    "fail": "makes the audit undecided, if nothing fails",
    "warn": "counts as a warning",
    "pass": "counts as nothing",
}


def subject_section(report: Report) -> Section:
    """Return the section on what was tested, on whom, over which period and by which rule.

    Parameters
    ----------
    report : the whole report.
    """
    rules = Items.of(_rules(report))
    return Section(
        (Facts(tuple(_facts(report))), Line.of("How values became verdicts:"), rules),
        "What was tested",
    )


def _facts(report: Report) -> Iterator[Line]:
    data, audit = report.result.data, report.result.audit
    yield Line.fact("data", f"{spec_value(audit.place)}, {counted_text(data.rows, 'row')}")
    for join in data.joins or ():
        how = f"by {listed(map(escape, join.on))}" if join.on else "by position"
        yield Line.fact("joined to it", f"{escape(join.path)}, {how}")
    yield Line.fact("people", _people(report))
    if words := losses_text(report):
        yield Line.fact(f"without {outcomes_text(report)}", f"{words}; they are not compared")
    yield from _period(report)
    for role in ("label", "prediction"):
        if favorable := outcome_text(report, role):
            yield Line.fact(f"favorable {role}", f"{favorable}{_share(report, role)}")
    yield Line.fact("groups", _groups(report))
    if audit.entry("columns", "weight"):
        yield Line.fact("weight", _weight(audit))
    if strata := audit.entry("columns", "strata"):
        yield Line.fact("strata", spec_value(strata))


def _people(report: Report) -> str:
    """Say how many people there are, where outcomes are declared those that have them."""
    everyone, rows = report.result.data.everyone, report.result.data.rows
    known = " whose outcomes are known" if any(_outcomes(report)) else ""
    words = sample_text(everyone, known)
    weighted = everyone.effective is None and everyone.n != everyone.rows
    if everyone.rows != rows or weighted:
        of_all = "" if everyone.rows == rows else f" of {rows:,}"
        words += f", in {counted_text(everyone.rows, 'row')}{of_all}"
    return words


def _outcomes(report: Report) -> tuple[str | None, str | None]:
    return outcome_text(report, "label"), outcome_text(report, "prediction")


def _period(report: Report) -> Iterator[Line]:
    """Yield what tells the rows that count; nothing may."""
    where = report.result.audit.entry("data", "where")
    given = report.result.audit.parameters
    if where:
        yield Line.fact("only rows with", escape(where))
    if given:
        yield Line.fact("parameters", parameters_text(report.result))
    if where or given:
        what = " and ".join(["the condition"] * bool(where) + ["the parameters"] * bool(given))
        verb = "fixes" if not (where and given) and where else "fix"
        yield Line.fact("period", f"whether {what} {verb} one is for the reader to see; none else")
    else:
        yield Line.fact("period", NO_PERIOD)


def _share(report: Report, role: str) -> str:
    everyone = report.result.data.everyone
    rate = everyone.label_rate if role == "label" else everyone.selection_rate
    return "" if rate is None else f"; {share_text(rate)} of all people"


def _groups(report: Report) -> str:
    """Name the facets, with how many groups each has."""
    named = []
    for record in report.result.facets:
        compared = {side for c in record.comparisons for side in (c.favored, c.disfavored)}
        known = {group.group for group in record.groups if group.compared}
        words = f"{counted_text(len(known & compared), 'group')} compared"
        if known - compared:
            words += f", {len(known - compared):,} only as part of the rest"
        named.append(f"{escape(record.facet)} ({words})")
    return "; ".join(named) or "none"


def _weight(audit: AuditRecord) -> str:
    """Say what the weights of rows mean."""
    column = audit.entry("columns", "weight", "column") or audit.entry("columns", "weight")
    if audit.entry("columns", "weight", "kind") == "sampling":
        return f"{spec_value(column)}: each row stands for so many people of whom it is a sample"
    return f"{spec_value(column)}: each row stands for so many people that were seen"


def _rules(report: Report) -> Iterator[str]:
    """Yield the rules of decision, each as a sentence."""
    rules = report.result.decision
    impact = impact_rule(report)
    but = ", but for adverse impact," if impact else ""
    yield f"What decides{but} is {DECIDED_BY[rules.decide_by]}."
    if impact:
        yield f"What decides about adverse impact is {impact}."
    yield (
        f"Intervals have a confidence of {confidence_text(rules.confidence)}: of many such "
        "intervals, that share holds the true value."
    )
    if rules.min_rows:
        yield (
            f"Nothing is decided on fewer than {rules.min_rows:,} people in a group, or among "
            "those whom a rate is a share of."
        )
    else:
        yield "Groups of any size are decided on; no least number of people is asked for."
    if rules.max_missing is not None:
        yield (
            f"Nothing is decided on a group of which more than {percent_text(rules.max_missing)} "
            "of the people lack an outcome or the facet."
        )
    yield f"A check that cannot be decided {UNDECIDED[rules.undecided]}."
    if rules.correction != "none":
        family = f", over {escape(rules.family)}" if rules.family else ""
        method = CORRECTIONS[rules.correction]
        yield f"P-values are corrected for the number of tests by {method}{family}."
        if rules.decide_by != "value":
            yield "The intervals of checks with a limit are widened for their number by it, too."
    if (baseline := report.result.baseline) is not None:
        yield (
            "A value that is farther from parity than in the baseline, an earlier report, by more "
            f"than {baseline.max_worsening:g} fails. What has no limit is held to that alone."
        )


def percent_text(share: float) -> str:
    """Write a share of the spec in percent, in as many digits as it has.

    >>> percent_text(0.05), percent_text(0.125)
    ('5%', '12.5%')
    """
    return f"{100 * share:.10g}%"
