"""Two reports side by side, for a person."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.about import about
from biaspipe.renderers.cautions import caution_lines, cautions
from biaspipe.renderers.story import (
    Facts,
    Line,
    Role,
    Section,
    Span,
    Story,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.subgroups import search_title
from biaspipe.renderers.text import (
    change_text,
    counted_text,
    earlier_check,
    interval_text,
    parameters_text,
    value_text,
)
from biaspipe.report import BaselineNote, CheckRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["CheckPair", "diff_story", "pairs_in_words"]

ROLES: dict[str, Role] = {
    "regressed": Verdict.FAIL,
    "undecided": Verdict.UNDECIDED,
    "worse": Verdict.WARN,
    "same": "aside",
    "better": Verdict.PASS,
}
"""What may have become of a check, the gravest first."""
Named = tuple[str, Report]
Changed = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Names of what is new, of what vanished, and of what was allowed to."""


class CheckPair(NamedTuple):
    """A check of the new report, and how it was in the old one."""

    check: CheckRecord
    note: BaselineNote


def diff_story(
    old: Named, new: Named, pairs: Sequence[CheckPair], changed: Changed, code: Exit
) -> Story:
    """Return both reports, a table of every check that both have, and what only one has.

    Parameters
    ----------
    old, new : the reports, each with its file.
    pairs : the checks that both have.
    changed : what only one of the two has.
    code : what the process ends with.
    """
    head = Section((*_head("old", *old), *_head("new", *new)))
    tally = _tally(pairs, len(changed[1]), code, _search_verdicts(old[1], new[1]))
    beside = (*_by_chance(pairs), *_one_sided(changed), *_searches(old[1], new[1]))
    return Story((head, Section((_table(pairs), *beside)), Section((tally,))))


def _by_chance(pairs: Sequence[CheckPair]) -> Iterator[Line]:
    """Say how many changes chance may have made."""
    changed = [pair.note for pair in pairs if pair.note.worsening]
    known = [note.change for note in changed if note.change]
    number = sum(change.ends[0] <= 0 <= change.ends[1] for change in known)
    if number:
        whose = counted_text(len(changed), "change")
        yield Line.of(f"may be chance: {number:,} of {whose}, by the interval behind the worsening")


def _head(title: str, name: str, report: Report) -> Iterator[StoryPart]:
    """Yield which report it is, and what a reader should know of how it was run."""
    run = f"{report.result.audit.name}, {report.run.started_at}, biaspipe {report.run.biaspipe}"
    words = f"{escape(name)}  {escape(run)}  sha256 {report.result_sha256[:12]}"
    lines = [Line.fact(title, words)]
    if report.result.audit.parameters:
        lines.append(Line.of(f"with {parameters_text(report.result)}", titles=[""]))
    lines += [Line.of(f"{what}: {told}", titles=[""]) for what, told in about(report)]
    yield Facts(tuple(lines))
    if told := tuple(caution_lines(f"{title}: {words}" for words in cautions(report))):
        yield Facts(told)


def _table(pairs: Sequence[CheckPair]) -> StoryTable:
    titles = ("change", "metric", "old", "new", "worsening", "facet", "groups")
    return StoryTable(
        tuple(StoryColumn(title, "number" if title == "worsening" else "text") for title in titles),
        tuple(map(_row, _ordered(pairs))),
        wrapping=("groups", "old", "new", "metric"),
        apart=(2,),
    )


def _ordered(pairs: Sequence[CheckPair]) -> list[CheckPair]:
    """Return pairs with the gravest changes first, and those of the same groups together."""
    order, groups = list(ROLES), list(dict.fromkeys(map(_groups, pairs)))

    def rank(pair: CheckPair) -> tuple[int, int]:
        return order.index(pair.note.verdict), groups.index(_groups(pair))

    return sorted(pairs, key=rank)


def pairs_in_words(pairs: Sequence[CheckPair]) -> StoryTable:
    """Return the same table with sentences: whom a value is against, and what became of it.

    Parameters
    ----------
    pairs : the checks that both reports have.
    """
    titles = ("change", "metric", "old", "new", "groups", "in words")
    rows = tuple(map(_row_in_words, _ordered(pairs)))
    return StoryTable(tuple(map(StoryColumn, titles)), rows, wrapping=("in words", "groups"))


def _row_in_words(pair: CheckPair) -> StoryRow:
    check, note = pair
    facet, groups = map(escape, _groups(pair))
    words = f"{check.sentence}; {note.sentence}" if check.sentence else note.sentence
    return StoryRow(
        (
            note.verdict,
            check.metric,
            _value(earlier_check(check, note)),
            _value(check),
            f"{facet}: {groups}" if facet else "all people",
            escape(words),
        ),
        ROLES[note.verdict],
    )


def _one_sided(changed: Changed) -> Iterator[Line]:
    """Yield the names of what only one of the reports has."""
    roles = (None, Verdict.FAIL, None)
    for word, names, role in zip(
        ("new", "vanished", "allowed to vanish"), changed, roles, strict=True
    ):
        if names:
            yield Line.of(Span(f"{word}: {escape('; '.join(names))}", role))


def _searches(old: Report, new: Report) -> Iterator[Line]:
    """Say what a search for subgroups came to in either report; its values are not compared."""
    if search := new.result.subgroups or old.result.subgroups:
        then, now = _search_verdicts(old, new)
        role = None if then is now else now
        words = f"not compared: {search_title(search)}: {_told(then)} then, {_told(now)} now"
        yield Line.of(Span(words, role))


def _search_verdicts(old: Report, new: Report) -> tuple[Verdict | None, Verdict | None]:
    """Return what the searches for subgroups came to; None where there is none."""
    before, now = old.result.subgroups, new.result.subgroups
    return (before.verdict if before else None), (now.verdict if now else None)


def _told(verdict: Verdict | None) -> str:
    return verdict.value if verdict else "no search"


def _row(pair: CheckPair) -> StoryRow:
    check, note = pair
    verdict = note.verdict.upper() if note.verdict == "regressed" else note.verdict
    worsening = change_text(note)
    cells = (
        verdict,
        check.metric,
        _value(earlier_check(check, note)),
        _value(check),
        worsening,
        *map(escape, _groups(pair)),
    )
    return StoryRow(cells, ROLES[note.verdict])


def _groups(pair: CheckPair) -> tuple[str, str]:
    """Return the facet of a check and the groups that it compares."""
    check = pair.check
    return (check.facet, f"{check.disfavored} against {check.favored}") if check.facet else ("", "")


def _value(check: CheckRecord) -> str:
    return value_text(check) + (f" ({interval_text(check)})" if check.interval else "")


def _tally(
    pairs: Sequence[CheckPair],
    vanished: int,
    code: Exit,
    search: tuple[Verdict | None, Verdict | None],
) -> Line:
    counted = Counter[str](pair.note.verdict for pair in pairs)
    words = ", ".join(f"{counted[name]} {name}" for name in ROLES if counted[name])
    lost = f"; {vanished} vanished" if vanished else ""
    then, now = search
    lost += f"; search for subgroups: {_told(then)} then, {_told(now)} now" if then != now else ""
    return Line.of(f"{counted_text(len(pairs), 'check')} compared: {words}{lost}  exit {int(code)}")
