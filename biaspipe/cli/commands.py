"""The commands; what is slow to import is imported inside them."""

from datetime import date
from pathlib import Path
from typing import Any, get_args

import click

from biaspipe import __version__
from biaspipe.cli.convert import convert
from biaspipe.cli.help_pages import CommandGroup
from biaspipe.cli.init import init
from biaspipe.cli.options import (
    MetricParam,
    all_option,
    allow_env_option,
    also_option,
    as_of_option,
    engine_option,
    finite,
    format_option,
    param_option,
    policy_of,
    policy_option,
    quiet_option,
    rates_option,
    render_format_option,
    story_output_option,
    told_option,
    verbose_option,
)
from biaspipe.errors import Exit, FailOn
from biaspipe.renderers.formats import FORMATS

__all__ = ["command"]


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
Specs = click.Path(path_type=Path)
ENDINGS = ", ".join(f"{f.ending} {f.about}" for f in FORMATS.values() if f.ending)
"""What an output is by the ending of its name."""


@click.group(cls=CommandGroup, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="biaspipe", message="%(prog)s %(version)s")
def command() -> None:
    """Audit data and models for bias: a YAML spec in, a verdict and its evidence out.

    \b
    Examples:
      biaspipe init loans.csv                    propose a spec for data
      biaspipe run audits/loan.yaml              audit, print, exit 0 if all pass
      biaspipe run audits/ --output-dir reports  every spec, with artifacts
      biaspipe check audits/ --data              find faults before the run
      biaspipe verify reports/loan.json          recompute from the counts
      biaspipe diff old.json new.json            what got worse
      biaspipe convert analysis_config.json      a spec from Clarify's
      biaspipe waivers audits/                   who accepted what, until when
      biaspipe policy                            what specs may reach
      biaspipe explain DI                        what a metric means

    \b
    Exit codes: 0 all passed, 1 a check failed, 2 the command line or a spec
    is wrong, 3 the data is faulty, 4 a check could not be decided, 5 nothing
    was checked.
    """


@command.command()
@click.argument("paths", nargs=-1, required=True, type=Specs, metavar="PATH...")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=Specs,
    metavar="FILE",
    help=f"Write the report here: {ENDINGS}. Repeatable.",
)
@click.option(
    "--output-dir",
    type=Specs,
    metavar="DIR",
    help="Write NAME.json and NAME.html of every audit into a folder, and index.html over all, "
    "with index.json for programs.",
)
@also_option
@click.option(
    "--fail-on",
    type=click.Choice(get_args(FailOn)),
    default="fail",
    show_default=True,
    help="The mildest verdict that ends with exit code 1.",
)
@click.option(
    "--select",
    multiple=True,
    metavar="TAG|METRIC|FACET",
    help="Only audits with this tag, checks of this metric, or on this facet. Repeatable.",
)
@click.option("--no-waivers", is_flag=True, help="Judge as if the specs had no waivers.")
@as_of_option
@click.option(
    "--data",
    metavar="PATH",
    help="A file, glob, folder or URI of rows, in place of the data that the spec names.",
)
@param_option
@engine_option
@format_option
@policy_option
@allow_env_option
@all_option
@rates_option
@quiet_option
@verbose_option
def run(
    paths: tuple[Path, ...],
    outputs: tuple[Path, ...],
    no_waivers: bool,
    policy: Path | None,
    allow_env: tuple[str, ...],
    **rest: Any,
) -> int:
    """Audit specs, or every spec of a folder.

    \b
    Examples:
      biaspipe run audits/loan.yaml -o loan.json
      biaspipe run audits/ --fail-on warn --output-dir reports
      biaspipe run audits/ --output-dir reports --also markdown
      biaspipe run audits/ --select DI --select sex
      biaspipe run audits/loan.yaml --all
      biaspipe run audits/loan.yaml --rates
      biaspipe run audits/loan.yaml --param month=2026-11
      biaspipe run audits/loan.yaml --data november.csv
      biaspipe run analysis_config.json --data loans.csv
      biaspipe run audits/loan.yaml -o analysis.json --format clarify
    """
    from biaspipe.cli.run import RunOptions, run_specs

    options = RunOptions(outputs, waive=not no_waivers, policy_file=policy, **rest)
    return run_specs(paths, options, lambda: policy_of(policy, allow_env))


@command.command()
@click.argument("paths", nargs=-1, required=True, type=Specs, metavar="PATH...")
@click.option(
    "--data",
    is_flag=True,
    help="Also against the columns and values of the data that the specs name.",
)
@param_option
@engine_option
@told_option
@policy_option
@allow_env_option
def check(
    paths: tuple[Path, ...],
    parameters: dict[str, str],
    policy: Path | None,
    allow_env: tuple[str, ...],
    **rest: Any,
) -> int:
    """Find the faults of specs without computing anything.

    \b
    Examples:
      biaspipe check audits/
      biaspipe check audits/loan.yaml --data
    """
    from biaspipe.cli.check import check_specs

    reach = policy_of(policy, allow_env)
    return check_specs(paths, given=parameters, policy=reach, **rest)


@command.command(short_help="Recompute a report from its counts.")
@click.argument("report", type=Specs, metavar="REPORT")
@click.option("--spec", type=Specs, metavar="FILE", help="Also against this spec.")
@click.option(
    "--data",
    is_flag=True,
    help="Also read the data again, which the spec names, or the report where `run --data` gave "
    "it: the same bytes come out.",
)
@story_output_option
@engine_option
@policy_option
@allow_env_option
@quiet_option
def verify(
    report: Path,
    spec: Path | None,
    policy: Path | None,
    allow_env: tuple[str, ...],
    **rest: Any,
) -> int:
    """Recompute a report from its own counts, and name whatever was changed in it.

    \b
    Examples:
      biaspipe verify reports/loan.json
      biaspipe verify reports/loan.json --spec audits/loan.yaml --data
    """
    from biaspipe.cli.verify import verify_report

    reach = policy_of(policy, allow_env)
    return verify_report(report, spec, policy=reach, **rest)


@command.command()
@click.argument("report", type=Specs, metavar="REPORT")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=Specs,
    metavar="FILE",
    help="Write it here; printed if left out. Repeatable.",
)
@render_format_option
@all_option
@rates_option
@quiet_option
def render(report: Path, outputs: tuple[Path, ...], **rest: Any) -> int:
    """Write a stored report in another format, or print it.

    \b
    Examples:
      biaspipe render reports/loan.json --all
      biaspipe render reports/loan.json --rates
      biaspipe render reports/loan.json --format clarify -o analysis.json
      biaspipe render reports/loan.json -o constraint_violations.json
    """
    from biaspipe.cli.render import render_report

    return render_report(report, outputs, rest.pop("format"), **rest)


@command.command(short_help="Compare two reports.")
@click.argument("old", type=Specs)
@click.argument("new", type=Specs)
@click.option(
    "--max-worsening",
    type=click.FloatRange(min=0),
    callback=finite,
    default=0.0,
    show_default=True,
    metavar="X",
    help="How much farther from parity a value may be in the new report.",
)
@click.option(
    "--allow-vanished",
    multiple=True,
    metavar="NAME",
    help="A metric, facet or group that the new report may lack. Repeatable.",
)
@quiet_option
@story_output_option
def diff(
    old: Path, new: Path, max_worsening: float, allow_vanished: tuple[str, ...], **rest: Any
) -> int:
    """Compare two reports of the same definitions; exit 1 where a value got worse or vanished.

    \b
    Examples:
      biaspipe diff reports/v1.json reports/v2.json
      biaspipe diff v1.json v2.json --max-worsening 0.02 --allow-vanished DI
      biaspipe diff v1.json v2.json -o changes.html
    """
    from biaspipe.cli.diff import compare_reports

    return compare_reports(old, new, max_worsening, allow_vanished, **rest)


@command.command(short_help="List the waivers of specs.")
@click.argument("paths", nargs=-1, required=True, type=Specs, metavar="PATH...")
@as_of_option
@story_output_option
def waivers(paths: tuple[Path, ...], as_of: date | None, outputs: tuple[Path, ...]) -> int:
    """List the waivers of specs, or of every spec of a folder, with their state.

    \b
    Examples:
      biaspipe waivers audits/
      biaspipe waivers audits/loan.yaml --as-of 2027-01-01
    """
    from biaspipe.cli.waivers import list_waivers
    from biaspipe.spec import today

    return list_waivers(paths, as_of or today(), outputs)


@command.command()
@click.argument("metric", required=False, type=MetricParam(), metavar="[ID]")
@click.option("--compat", is_flag=True, help="What smclarify computes otherwise.")
def explain(metric: str | None, compat: bool) -> int:
    """Explain a metric or the method of an interval, or list all metrics.

    \b
    Examples:
      biaspipe explain
      biaspipe explain DI
      biaspipe explain vertex.recall_difference
      biaspipe explain newcombe
      biaspipe explain --compat
    """
    from biaspipe.cli.explain import explain_metric, list_metrics

    if compat:
        from biaspipe.renderers.reference.smclarify import compat_text

        click.echo(compat_text())
        return Exit.PASSED
    click.echo(explain_metric(metric) if metric else list_metrics())
    return Exit.PASSED


@command.command(short_help="Print what specs may reach.")
@policy_option
@allow_env_option
def policy(policy: Path | None, allow_env: tuple[str, ...]) -> int:
    """Print what specs may reach: the rules of a policy, and the defaults of the rest.

    \b
    Examples:
      biaspipe policy
      biaspipe policy --policy gate/policy.yaml
    """
    from biaspipe.renderers.policy import policy_text

    click.echo(policy_text(policy_of(policy, allow_env)), nl=False)
    return Exit.PASSED


@command.command()
@click.argument("which", type=click.Choice(["audit", "report", "policy"]))
@click.option(
    "-o", "--output", type=Specs, metavar="FILE", help="Write it here; printed if left out."
)
def schema(which: str, output: Path | None) -> int:
    """Print the JSON Schema of the audit spec, the report or the policy, or write it to a file.

    An editor with the YAML language server reads it where the first line of a spec names it.

    \b
    Examples:
      biaspipe schema audit -o audit-v1.schema.json
      biaspipe schema report
    """
    from biaspipe.renderers.reference.schemas import schema_text

    text = schema_text(which)
    if output is None:
        click.echo(text, nl=False)
        return Exit.PASSED
    from biaspipe.cli.messages import tell_written
    from biaspipe.cli.outputs import refuse_other_content
    from biaspipe.output_files import check_place, write_files

    check_place(output)
    refuse_other_content(output)
    write_files([(output, text)])
    tell_written([output])
    return Exit.PASSED


@command.command(short_help="Complete commands in a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the script that completes commands, options and metrics in a shell.

    \b
    Examples:
      biaspipe completion bash > ~/.local/share/bash-completion/completions/biaspipe
      biaspipe completion zsh > ~/.zfunc/_biaspipe
      biaspipe completion fish > ~/.config/fish/completions/biaspipe.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(found(command, {}, "biaspipe", "_BIASPIPE_COMPLETE").source())
    return Exit.PASSED


command.add_command(convert)
command.add_command(init)
