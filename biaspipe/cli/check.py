"""`check`: the faults of specs, without computing anything."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from biaspipe.cli.file_kinds import told_apart
from biaspipe.cli.github import annotate, in_repository, tells_github
from biaspipe.cli.messages import say, tell, tell_error
from biaspipe.errors import BiaspipeError, Exit, SpecError
from biaspipe.loading import Loaded, find_specs
from biaspipe.loading.parameters import (
    NOTHING_GIVEN,
    GivenTexts,
    lacking,
    read_texts,
    refuse_unknown,
)
from biaspipe.migration import load_specs
from biaspipe.plan import make_plan, missing_limits, planned_checks
from biaspipe.policy import DEFAULT, Policy
from biaspipe.printable_text import escape
from biaspipe.renderers.ci.annotations import Annotation, annotations_of_error
from biaspipe.renderers.text import counted_text
from biaspipe.spec import EngineName

__all__ = ["check_data", "check_specs"]

UNLIMITED = "no check has a limit, so `run` will end with exit code 5"


class _Asked(NamedTuple):
    """What a check is asked for beside the specs."""

    data: bool
    given: GivenTexts
    engine: EngineName | None
    policy: Policy


def check_specs(  # noqa: PLR0913 - each is an option
    paths: Sequence[Path],
    *,
    data: bool,
    given: GivenTexts = NOTHING_GIVEN,
    engine: EngineName | None = None,
    policy: Policy = DEFAULT,
    chosen: str | None = None,
) -> Exit:
    """Check specs one by one, print what is wrong with each, and return the worst code.

    Parameters
    ----------
    paths : specs or folders of them.
    data : whether to read the data's columns and values too.
    given : the values of parameters, as texts, instead of their defaults.
    engine : what reads them, instead of what the spec says.
    policy : what the specs may reach.
    chosen : what `--format` says.
    """
    found: list[list[Annotation]] = []
    try:
        return _check_all(paths, _Asked(data, given, engine, policy), found)
    except BiaspipeError as error:
        found.append(annotations_of_error(error, "biaspipe check"))
        raise
    finally:
        if tells_github(chosen):
            annotate(in_repository(found))


def _check_all(paths: Sequence[Path], asked: _Asked, found: list[list[Annotation]]) -> Exit:
    """Check specs; add what there is to annotate of each of them."""
    codes, read = [], list[Sequence[Loaded]]()
    for path in find_specs(paths, tell):
        try:
            with told_apart(path, "spec", "check"):
                read.append(load_specs(path, tell=tell, policy=asked.policy))
            found.append([note for loaded in read[-1] for note in _check_one(path, loaded, asked)])
            codes.append(Exit.PASSED)
        except BiaspipeError as error:
            tell_error(error)
            title = "wrong spec" if isinstance(error, SpecError) else "wrong data"
            found.append(annotations_of_error(error, title))
            codes.append(error.exit)
    if len(read) == len(codes):  # a spec that cannot be read may declare any
        refuse_unknown(asked.given, (loaded.audit for specs in read for loaded in specs))
    return Exit.worst(codes)


def _check_one(path: Path, loaded: Loaded, asked: _Asked) -> list[Annotation]:
    """Check a spec, print that it is valid, and print and return the notes on it."""
    left = () if asked.data else [n for n in lacking(loaded.audit) if n not in asked.given]
    if not left:
        loaded = loaded.filled(read_texts(loaded.audit, asked.given))
    told = check_data(loaded, asked.engine, asked.policy) if asked.data else ()
    say(f"{escape(path)}: {_validity(loaded, data=asked.data)}")
    for column in told:
        say(f"  {column}")
    notes = [*_missing_limits(loaded), *_lacking(loaded, left)]
    for line, words in notes:
        say(escape(f"{loaded.document.name}:{line}: note: {words}"))
    name = loaded.document.name
    found = [Annotation("note", "note", escape(words), name, line) for line, words in notes]
    unlimited = Annotation("warning", "nothing to check", UNLIMITED, name, 1)
    return [unlimited, *found] if _checks_nothing(loaded) else found


def _lacking(loaded: Loaded, names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield which parameters a run has to give, each with its line."""
    for name in names:
        words = f"the parameter {name!r} has no value; `run` needs --param {name}=VALUE"
        yield loaded.line(("parameters", name)), words


def check_data(loaded: Loaded, chosen: EngineName | None, policy: Policy) -> Sequence[str]:
    """Compare a spec with its data; return what values count as, and whom the limits need."""
    from biaspipe.cli.limit_needs import impact_lines, need_lines  # noqa: PLC0415 - as above
    from biaspipe.engines import open_engine  # noqa: PLC0415 - brings polars
    from biaspipe.pipeline import count_data  # noqa: PLC0415 - as above
    from biaspipe.pipeline.column_records import column_records, with_notes  # noqa: PLC0415 - as above
    from biaspipe.pipeline.limit_needs import impact_needs, limit_needs  # noqa: PLC0415 - as above
    from biaspipe.pipeline.resource_limits import within_limits  # noqa: PLC0415 - as above
    from biaspipe.renderers.column_lines import column_notes, column_text  # noqa: PLC0415 - as above

    try:
        with within_limits(policy.limits):
            opened = open_engine(loaded.audit, loaded.folder, engine=chosen, policy=policy)
            with closing(opened) as engine:
                found = count_data(engine, make_plan(loaded.audit))
                engine.inputs()  # which refuses files that are damaged, or changed
    except SpecError as error:
        raise loaded.placed(error) from None
    columns = with_notes(column_records(found.columns), loaded.audit) or ()
    needs = need_lines(limit_needs(found), loaded.audit.rules.decide_by)
    impacts = impact_lines(impact_needs(found))
    return [*map(column_text, columns), *column_notes(columns), *needs, *impacts]


def _missing_limits(loaded: Loaded) -> list[tuple[int, str]]:
    """Return what the checks leave unguarded, in the order of the spec, with lines."""
    placed = [(loaded.line(note.loc), note) for note in missing_limits(loaded.audit)]
    ordered = sorted(placed, key=lambda pair: pair[0])
    return [(line, f"{note.message}; {note.hint}") for line, note in ordered]


def _validity(loaded: Loaded, *, data: bool) -> str:
    words = "the spec is valid, and the data has what it names" if data else "the spec is valid"
    if _checks_nothing(loaded):
        return f"{words}; {UNLIMITED}"
    checks, search = planned_checks(loaded.audit), loaded.audit.subgroups
    limits = sum(planned.check.has_limit for planned in checks)
    words += f"; {counted_text(len(checks), 'check')}, {limits:,} with a limit"
    if search is None:
        return words
    return f"{words}, and a search for subgroups {'with' if search.max_gap else 'without'} one"


def _checks_nothing(loaded: Loaded) -> bool:
    """Whether no check has a limit, nor a search or a baseline to be held against."""
    limited = any(planned.check.has_limit for planned in planned_checks(loaded.audit))
    limited |= loaded.audit.subgroups is not None and loaded.audit.subgroups.max_gap is not None
    return not limited and loaded.audit.baseline is None
