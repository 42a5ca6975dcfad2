"""`init`: a spec proposed for data that has none."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from biaspipe.cli.help_pages import Command
from biaspipe.cli.messages import say, tell_written
from biaspipe.cli.options import allow_env_option, policy_of, policy_option
from biaspipe.errors import DataError, Exit, UsageError
from biaspipe.printable_text import escape, shorten

if TYPE_CHECKING:
    from biaspipe.policy import Policy
    from biaspipe.proposal import Proposal
    from biaspipe.proposal.questions import Answer

__all__ = ["init"]

FOLDER = Path("audits")
MAX_LISTED = 12
"""Columns of which the terminal has a line each."""
MAX_REASON = 100
FAR = "the spec holds an absolute path, of this computer only: the data is outside of this folder"


@click.command(cls=Command, short_help="Propose a spec for data.")
@click.argument("data", required=False, metavar="[DATA]")
@click.option("--connection", metavar="URL", help="The database that holds --table.")
@click.option("--table", metavar="NAME", help="A table of a database, instead of DATA.")
@click.option(
    "--label",
    metavar="COLUMN[=POSITIVE]",
    help='What was observed: repaid, repaid=yes, "income>=50000", or none.',
)
@click.option(
    "--prediction",
    metavar="COLUMN[=POSITIVE]",
    help='What a model says: approved=1, "score>=0.5", or none.',
)
@click.option(
    "--facet",
    "facets",
    multiple=True,
    metavar="COLUMN[=FAVORED]",
    help="Groups to compare: sex, or sex=male for each with the men. Repeatable.",
)
@click.option("--strata", multiple=True, metavar="COLUMN", help="A column of strata. Repeatable.")
@click.option("--weight", metavar="COLUMN", help="How many people each row stands for.")
@click.option("--name", metavar="NAME", help="The audit's name; that of the data if left out.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the spec here; to audits/NAME.yaml if left out.",
)
@click.option("--yes", is_flag=True, help="Take what is proposed, and ask nothing.")
@click.option("--force", is_flag=True, help="Write over a spec that is there already.")
@policy_option
@allow_env_option
def init(data: str | None, policy: Path | None, allow_env: tuple[str, ...], **options: Any) -> int:
    """Look at data and write a spec for it: a proposal, with comments, to be looked at.

    On a terminal it asks what the columns mean; options answer beforehand.
    Elsewhere it asks nothing: what names and values leave open is an error that names the option.

    \b
    Examples:
      biaspipe init loans.csv
      biaspipe init loans.csv --label repaid=yes --facet sex=male --facet age
      biaspipe init scores.parquet --prediction "score>=0.5" --yes
      biaspipe init "s3://bucket/decisions/*.parquet" --yes
      biaspipe init --connection postgresql://host/name --table hr.decisions
    """
    return _init(data, policy_of(policy, allow_env), **options)


def _init(  # noqa: PLR0913 - each is an option
    data: str | None,
    policy: "Policy",
    *,
    connection: str | None,
    table: str | None,
    name: str | None,
    output: Path | None,
    yes: bool,
    force: bool,
    **given: Any,
) -> int:
    from biaspipe.output_files.streams import is_stream
    from biaspipe.pipeline.resource_limits import within_limits
    from biaspipe.proposal import Given, propose
    from biaspipe.proposal.data_tables import look_at, name_of
    from biaspipe.proposal.places import is_far

    keys = _keys(data, connection, table)
    name = name or name_of(output.stem if output else str(data or table))
    output = output or FOLDER / f"{name}.yaml"
    _refuse_output(output, name, data, force=force)
    with within_limits(policy.limits):
        found = look_at(keys, policy=policy)
    contents, beside = found.contents, is_stream(output)
    size = f"{contents.name}: {contents.rows:,} rows, {len(contents.columns):,} columns"
    notes = [*found.notes, *([FAR] if is_far(found.keys) else [])]
    _say([escape(size), *(f"  {escape(note)}" for note in notes)], err=beside)
    proposal = propose(contents, Given(**given), _answer(yes=yes))
    with within_limits(policy.limits):
        _write(proposal, name, found.keys, output, policy)
    _say(_summary(proposal), err=beside)
    if not beside:
        tell_written([output])
        _say(_next(output))
    return Exit.PASSED


def _say(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines; beside a spec that goes into a stream, to standard error."""
    for line in lines:
        say(line, err=err)


def _keys(data: str | None, connection: str | None, table: str | None) -> dict[str, Any]:
    """Return the part of a spec that names the data, or say what is given instead of it."""
    from biaspipe.loading.spec_files import SPEC_ENDINGS

    if table is not None and data is None:
        if connection is None:
            raise UsageError("--table needs --connection URL, the database that holds it")
        return {"connection": connection, "table": table}
    if table is not None or connection is not None:
        words = "DATA and --table both say where the rows are; keep one"
        raise UsageError(words if data else "--connection needs --table NAME")
    if data is None:
        hint = "biaspipe init loans.csv, or --connection URL --table NAME"
        raise UsageError("nothing says where the rows are", hint=hint)
    if data.lower().endswith(SPEC_ENDINGS):
        hint = f"biaspipe check {data}"
        raise UsageError(f"{data} is a spec by its ending; init takes data", hint=hint)
    if data.lower().endswith(".json"):
        return {"path": data, "format": _document(data)}
    if not ("://" in data or has_magic(data) or os.path.lexists(data)):
        raise DataError(f"{data}: there is no such file")
    return {"path": data}


def _document(data: str) -> str:
    """Return the format of a document of JSON, which may be a configuration instead."""
    try:
        with Path(data).open("rb") as file:
            first = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    except OSError:
        return "json"
    if first == b"{":
        hint = f"biaspipe convert {data} makes specs of a configuration"
        raise UsageError(f"{data} is no list of rows", hint=hint)
    return "json"


def _refuse_output(output: Path, name: str, data: str | None, *, force: bool) -> None:
    """Refuse a name or a file that could not be written, before data is read."""
    from biaspipe.cli.outputs import check_names
    from biaspipe.loading.spec_files import SPEC_ENDINGS
    from biaspipe.output_files import refuse_input
    from biaspipe.output_files.streams import is_stream
    from biaspipe.proposal.data_tables import checked_name

    checked_name(name)
    check_names([name])
    if output.suffix.lower() not in SPEC_ENDINGS and not is_stream(output):
        raise UsageError(f"-o {output}: a spec ends in .yaml")
    if data is not None and "://" not in data:
        refuse_input([output], [("data", Path(data))], "this call")
    if os.path.lexists(output) and not is_stream(output) and not force:
        hint = "write to another file with -o FILE, or over it with --force"
        raise UsageError(f"{output} is there already, and may have been edited", hint=hint)


def _answer(*, yes: bool) -> "Answer":
    """Return who answers: what is proposed, the person at the terminal, or nobody."""
    from biaspipe.cli.prompts import ask
    from biaspipe.proposal.questions import assume, refuse_open

    if yes:
        return assume
    return ask if sys.stdin.isatty() and sys.stdout.isatty() else refuse_open


def _write(
    proposal: "Proposal", name: str, keys: dict[str, Any], output: Path, policy: "Policy"
) -> None:
    """Write the spec, after it was checked against the data as `check --data` does."""
    from biaspipe.cli.check import check_data
    from biaspipe.loading import load_text
    from biaspipe.output_files import check_place, write_files
    from biaspipe.output_files.streams import is_stream
    from biaspipe.proposal.spec_text import spec_text

    folder = Path() if is_stream(output) else output.parent
    text = spec_text(proposal, name, keys, folder)
    check_place(output)
    loaded = load_text(text.encode(), str(output), folder)
    check_data(loaded, None, policy)
    write_files([(output, text)])


def _summary(proposal: "Proposal") -> Iterator[str]:
    """Yield what is proposed, what was assumed, and what was left out."""
    for role, outcome in (("label", proposal.label), ("prediction", proposal.prediction)):
        if outcome:
            yield f"  {role} {escape(outcome.column.name)}: {escape(outcome.words)}"
    for facet in proposal.facets:
        against = "the rest" if facet.favored is None else repr(facet.favored)
        words = f"facet {facet.column.name}: {facet.words}; compared with {against}"
        yield f"  {escape(words)}"
    for what, names in (("strata", proposal.strata), ("weight", [proposal.weight])):
        if names and names[0]:
            yield f"  {what} {escape(', '.join(map(str, names)))}"
    if proposal.possible:
        named = _listed([column.name for column in proposal.possible])
        yield f"  other columns for facets or strata: {escape(named)}"
    for reason, columns in proposal.reasons.items():
        yield f"  left out {escape(_listed(columns))}: {shorten(escape(reason), MAX_REASON)}"
    for words in proposal.assumptions:
        yield f"assumed: {escape(words)}"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MAX_LISTED
    return ", ".join(names[:MAX_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def _next(output: Path) -> Iterator[str]:
    """Yield what to do with the spec."""
    from biaspipe.proposal.places import SCHEMA, schema_file

    yield "no value has a limit yet, so `run` reports values and ends with exit code 5"
    yield f"next:  biaspipe check {escape(output)} --data"
    yield f"       biaspipe run {escape(output)}"
    if not schema_file(output.parent).is_file():
        yield f"       biaspipe schema audit -o {SCHEMA}    for completion in editors"
