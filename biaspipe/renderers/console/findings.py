"""What a report comes to in a sentence, and each check that did not simply pass."""

from collections import Counter
from collections.abc import Iterable, Iterator

from biaspipe.printable_text import escape
from biaspipe.renderers.severity import worst
from biaspipe.renderers.story import Line, Span
from biaspipe.renderers.subgroups import search_title
from biaspipe.renderers.text import counted_text, finding_text, verdict_text
from biaspipe.report import CheckRecord, Report, SubgroupsRecord, WaiverRecord
from biaspipe.verdict import Verdict

__all__ = ["counts_text", "is_finding", "place_text", "summary_line", "worst_text"]


def is_finding(check: CheckRecord | SubgroupsRecord) -> bool:
    """Whether a check did not simply pass."""
    return check.verdict.gravity < Verdict.PASS.gravity


def place_text(record: CheckRecord | WaiverRecord, report: Report) -> str:
    """Write where the spec asks for a check, or has a waiver: by line, or by key without lines."""
    if record.spec_key is not None:
        return escape(record.spec_key)
    return f"{escape(report.run.spec)}:{record.line}"


def counts_text(checks: Iterable[CheckRecord | SubgroupsRecord]) -> str:
    """Write how many checks came to what, the gravest first.

    >>> from types import SimpleNamespace
    >>> found = [SimpleNamespace(verdict=verdict) for verdict in (Verdict.PASS, Verdict.FAIL)]
    >>> counts_text([*found, *found])
    '2 failed, 2 passed'
    """
    return ", ".join(f"{n:,} {verdict.past}" for verdict, n in _counted(checks))


def _counted(checks: Iterable[CheckRecord | SubgroupsRecord]) -> list[tuple[Verdict, int]]:
    counted = Counter(check.verdict for check in checks)
    return [(verdict, counted[verdict]) for verdict in Verdict if counted[verdict]]


def summary_line(report: Report) -> Line:
    """Return the verdict, and of how many checks how many failed, were undecided or warned."""
    verdict = Span(verdict_text(report), report.result.verdict)
    told = ": " + "; ".join(_summary(report))
    return Line.fact("verdict", verdict, told)


def _summary(report: Report) -> Iterator[str]:
    limited = [c for c in report.result.rulings if c.verdict is not Verdict.REPORTED]
    told = ["no check has a limit"]
    if limited:
        (verdict, first), *others = _counted(filter(is_finding, limited)) or _counted(limited)
        words = [f"{_of(first, len(limited))} {verdict.past}"]
        told = [", ".join([*words, *(f"{n:,} {other.past}" for other, n in others)])]
    if (baseline := report.result.baseline) and baseline.fails:
        lost = f"{len(baseline.vanished):,} vanished since the baseline"
        told.insert(any(map(is_finding, limited)), lost)
    yield from told


def _of(n: int, whole: int) -> str:
    """Say how many checks of how many.

    >>> _of(2, 1200), _of(3, 3), _of(1, 1)
    ('2 of 1,200 checks', 'all 3 checks', 'the only check')
    """
    if n == whole:
        return "the only check" if n == 1 else f"all {counted_text(n, 'check')}"
    return f"{n:,} of {counted_text(whole, 'check')}"


def worst_text(report: Report) -> str | None:
    """Return the worst finding in words; None where all passed or are waived."""
    check, search = worst(report), report.result.subgroups
    if (
        search
        and is_finding(search)
        and (check is None or search.verdict.gravity < check.verdict.gravity)
    ):
        return f"{search_title(search)}: {escape(search.sentence)}"
    if check is None:
        return None
    facet = f" on {escape(check.facet)}" if check.facet else ""
    return f"{check.metric}{facet}: {finding_text(check, report)}"
