"""`check`: the faults of specs, without computing anything."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from biaspipe.cli.file_kinds import told_apart
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
from biaspipe.spec import EngineName

__all__ = ["check_data", "check_specs"]


def check_specs(
    paths: Sequence[Path],
    *,
    data: bool,
    given: GivenTexts = NOTHING_GIVEN,
    engine: EngineName | None = None,
    policy: Policy = DEFAULT,
) -> Exit:
    """Check specs one by one, print what is wrong with each, and return the worst code.

    Parameters
    ----------
    paths : specs or folders of them.
    data : whether to read the data's columns and values too.
    given : the values of parameters, as texts, instead of their defaults.
    engine : what reads them, instead of what the spec says.
    policy : what the specs may reach.
    """
    codes, read = [], list[Sequence[Loaded]]()
    for path in find_specs(paths, tell):
        try:
            with told_apart(path, "spec", "check"):
                read.append(load_specs(path, tell=tell, policy=policy))
            for loaded in read[-1]:
                left = () if data else [n for n in lacking(loaded.audit) if n not in given]
                if not left:
                    loaded = loaded.filled(read_texts(loaded.audit, given))  # noqa: PLW2901 - same
                told = check_data(loaded, engine, policy) if data else ()
                say(f"{escape(path)}: {_validity(loaded, data=data)}")
                for line in told:
                    say(f"  {line}")
                _print_missing_limits(loaded)
                _print_lacking(loaded, left)
            codes.append(Exit.PASSED)
        except BiaspipeError as error:
            tell_error(error)
            codes.append(error.exit)
    if len(read) == len(codes):  # a spec that cannot be read may declare any
        refuse_unknown(given, (loaded.audit for specs in read for loaded in specs))
    return Exit.worst(codes)


def _print_lacking(loaded: Loaded, names: Iterable[str]) -> None:
    """Print which parameters a run has to give."""
    for name in names:
        line = loaded.line(("parameters", name))
        words = f"note: the parameter {name!r} has no value; `run` needs --param {name}=VALUE"
        say(escape(f"{loaded.document.name}:{line}: {words}"))


def check_data(loaded: Loaded, chosen: EngineName | None, policy: Policy) -> Sequence[str]:
    """Compare a spec with its data; return what the values of each column count as."""
    from biaspipe.engines import open_engine  # noqa: PLC0415 - brings polars
    from biaspipe.pipeline import count_data  # noqa: PLC0415 - as above
    from biaspipe.pipeline.column_records import column_records, with_notes  # noqa: PLC0415 - as above
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
    return [*map(column_text, columns), *column_notes(columns)]


def _print_missing_limits(loaded: Loaded) -> None:
    """Print what the checks leave unguarded, in the order of the spec."""
    placed = [(loaded.line(note.loc), note) for note in missing_limits(loaded.audit)]
    for line, note in sorted(placed, key=lambda pair: pair[0]):
        words = f"{loaded.document.name}:{line}: note: {note.message}; {note.hint}"
        say(escape(words))


def _validity(loaded: Loaded, *, data: bool) -> str:
    checks = planned_checks(loaded.audit)
    limits = sum(planned.check.has_limit for planned in checks)
    words = "the spec is valid, and the data has what it names" if data else "the spec is valid"
    if not limits and loaded.audit.baseline is None:
        return f"{words}; no check has a limit, so `run` will end with exit code 5"
    return f"{words}; {len(checks)} checks, {limits} with a limit"
