"""How the numbers were made, what they mean, and what they cannot say."""

from collections.abc import Iterator

from biaspipe.metrics.digits import confidence_text
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.losses import losses_text, outcomes_text
from biaspipe.renderers.evidence_page.subject import percent_text
from biaspipe.renderers.evidence_page.wording import CORRECTIONS, listed, sentence
from biaspipe.renderers.selections import impact_rule
from biaspipe.renderers.story import Items, Line, Section
from biaspipe.renderers.text import counted_text
from biaspipe.report import Report
from biaspipe.statistics import METHODS
from biaspipe.statistics.multiplicity import PROCEDURES
from biaspipe.verdict import Verdict

__all__ = ["method_sections"]

NEVER_SAID = """
It does not say why groups differ. A difference is no proof of a cause, and parity is no proof that
nobody is treated unfairly.

It says nothing of people who are not in the data, nor of groups that the data does not name.

It does not say whether the data is right. A recorded outcome may itself be the work of a biased
decision, and a model that agrees with it repeats it.

It does not say that the limits are the right ones. Whoever wrote the spec chose them.

Measures of fairness contradict each other: where groups differ in how often the outcome occurs, a
model cannot be at parity by all of them.

It is no legal advice, and a verdict is no statement that a law is kept or broken.
"""


def method_sections(report: Report) -> Iterator[Section]:
    """Yield how the result was made, and what it cannot say.

    Parameters
    ----------
    report : the whole report.
    """
    lead = Line.of("Every number on this page follows from the counts in the appendix.")
    yield Section((lead, Items.of(_method(report))), "Method and limits")
    if methods := tuple(_intervals(report)):
        yield Section((Items.of(methods),), "How intervals were made", 3)
    never = (" ".join(words.split()) for words in NEVER_SAID.split("\n\n"))
    yield Section((Items.of([*_lost(report), *never]),), "What this result cannot say", 3)


def _lost(report: Report) -> Iterator[str]:
    """Say that nothing is known of those who lack an outcome."""
    if words := losses_text(report):
        yield (
            f"It says nothing of people without {outcomes_text(report)}, and what they would "
            f"change: {words}."
        )


def _method(report: Report) -> Iterator[str]:
    """Yield what a reader has to know of this report."""
    result = report.result
    yield (
        "People were counted by group, outcome and prediction; each measure is some arithmetic on "
        "these counts."
    )
    yield (
        f"An interval shows how far chance alone can move a value. With {_confidence(report)} "
        "confidence, about that share of such intervals holds the true value of the people whom "
        "the rows are a sample of. It covers chance, and no fault in the data."
    )
    yield from _several(report)
    yield _decided(report)
    if impact := impact_rule(report):
        yield f"Adverse impact was decided by {impact}, whatever decided the rest."
    yield from _best(report)
    yield from _change(report)
    yield from _weights(report)
    if result.compat is not None:
        name = f"{escape(result.compat.name)} {escape(result.compat.version)}"
        yield (
            f"The values are those that {name} computes from the same data, which are not "
            "always the documented ones; such a value has no interval. `biaspipe explain "
            "--compat` says where they differ."
        )
    yield from _flips(report)


def _change(report: Report) -> Iterator[str]:
    """Yield how a change since the baseline was told from chance."""
    baseline = report.result.baseline
    if baseline is None:
        return
    if report.result.decision.decide_by == "value" or baseline.rows is None:
        yield (
            "What became worse since the baseline is told by the values. Two samples of "
            "the same people differ by chance too, and a small worsening may be no more than that."
        )
    else:
        yield (
            "What became worse since the baseline is told by the interval of the change: it fails "
            "where the whole interval is beyond what is allowed, passes where none of it is, and "
            "is undecided where it reaches across."
        )
    if baseline.rows == "same":
        yield (
            "Both are of the same rows, so that a value of the same predictions changes by no "
            "chance, and those of two predictions are compared person by person."
        )
    elif baseline.rows:
        yield (
            "Both are taken to be of different people: the interval of a change joins those of "
            "both values."
        )


def _decided(report: Report) -> str:
    """Say what a pass and a failure are worth."""
    rules = report.result.decision
    checks = "But for adverse impact, checks" if impact_rule(report) else "Checks"
    if rules.decide_by == "value":
        return (
            f"{checks} were decided by the value alone. A value close to its limit may lie on the "
            "other side of it in the next sample, so that a pass is not proof of parity nor a "
            "failure proof of bias; the intervals show how close it is."
        )
    return (
        f"{checks} were decided by intervals. A pass says that values beyond the limit are "
        "unlikely; what is undecided is no pass, and more people may decide it. A pass is a test "
        "of equivalence by two one-sided tests: where the true value lies on a limit, at most "
        f"about {percent_text((1 - rules.confidence) / 2)} of samples pass, and fewer of metrics "
        "that join several rates and where intervals are simultaneous."
    )


def _confidence(report: Report) -> str:
    return confidence_text(report.result.decision.confidence)


def _several(report: Report) -> Iterator[str]:
    """Say what many checks do to chance."""
    rules = report.result.decision
    n = sum(ruled.verdict is not Verdict.REPORTED for ruled in report.result.rulings)
    if n < 2:
        return
    if rules.correction == "none":
        yield (
            f"There are {counted_text(n, 'check')}, and nothing is corrected for their number: "
            "the more there are, the more likely it is that chance alone makes one of them fail. "
            "That all of them pass needs no correction: the audit passes only where each does."
        )
        return
    family = f" over {escape(rules.family)}" if rules.family else ""
    yield (
        f"There are {counted_text(n, 'check')}. P-values are corrected for their number by "
        f"{CORRECTIONS[rules.correction]}{family}; {_widened(report)}"
    )


def _widened(report: Report) -> str:
    """Say what a correction does to the verdicts."""
    rules = report.result.decision
    error = percent_text(1 - rules.confidence)
    if rules.decide_by == "value":
        return "verdicts rest on the values, which are not."
    if rules.correction == "holm":
        return (
            "the intervals that decide are widened, so that in no more than "
            f"{error} of samples anything fails that keeps its limits."
        )
    return (
        "the intervals that decide are widened, so that of the checks that fail no more than "
        f"{error} are expected to keep their limits."
    )


def _best(report: Report) -> Iterator[str]:
    """Say what it does to differences that a reference was picked after looking at the data."""
    audit = report.result.audit
    facets = sorted(audit.entry("facets") or {})
    names = [escape(name) for name in facets if audit.entry("facets", name, "compare") == "best"]
    if names:
        yield (
            f"The reference of {listed(names)} is the group that the data shows to do best. It is "
            "picked after looking, so that chance alone makes the differences larger than they "
            "are. Intervals and corrected p-values count every pair of groups that it was picked "
            "from; the values are as they are."
        )


def _weights(report: Report) -> Iterator[str]:
    audit = report.result.audit
    if audit.entry("columns", "weight", "kind") == "sampling":
        yield (
            "Rows are weighted as a sample: each is a person who was seen and stands for several. "
            "Where some stand for more than others, they tell less than as many people drawn at "
            "random would, or more where those who are rare stand for few. How many of these would "
            "tell as much is what intervals, p-values and "
            "the least number of people count: for each rate of the people it is a rate of, by "
            "what those with the outcome weigh and those without. Of a whole group it is Kish's "
            "effective number. Intervals may be too narrow where few rows carry most of the weight."
        )
    elif audit.entry("columns", "weight"):
        yield "Each row stands for as many people as its weight says, all of them seen."


def _flips(report: Report) -> Iterator[str]:
    flips = [check.flips for check in report.result.checks if check.flips]
    if flips:
        yield (
            "The fliptest looks for like people by the features that the spec names. Another "
            "choice or scaling of features finds other likes, and what it does not name "
            "counts for nothing; its interval does not cover that choice."
        )


def _intervals(report: Report) -> Iterator[str]:
    """Yield the methods that intervals were made by, each with the metrics that it is for."""
    used: dict[str, list[str]] = {}
    for check in report.result.checks:
        if check.interval:
            used.setdefault(check.interval.method, []).append(check.metric)
    for method, metrics in used.items():
        names = ", ".join(dict.fromkeys(metrics))
        known = METHODS.get(method)
        words = f"{known.name}: {known.words} {known.source}." if known else escape(method)
        yield f"{names}: {words}"
    together = (check.simultaneous for check in report.result.checks)
    for name in dict.fromkeys(record.procedure for record in together if record):
        procedure = PROCEDURES[name]
        yield sentence(f"{procedure.name}: {procedure.words} {procedure.source}")
    moved = sum(bool(check.interval and check.interval.clamped) for check in report.result.checks)
    if moved:
        yield (
            f"In {moved} of the checks the method failed: its ends did not hold the value, and the "
            "nearer one was moved to it. Such an interval is too short on one side."
        )
