"""What the arguments of commands may be; what is slow to import is imported inside them."""

from datetime import date
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from click.shell_completion import CompletionItem

from biaspipe.renderers.formats import FORMATS

if TYPE_CHECKING:
    from biaspipe.policy import Policy

__all__ = [
    "DayParam",
    "EngineParam",
    "MetricParam",
    "all_option",
    "allow_env_option",
    "as_of_option",
    "engine_option",
    "finite",
    "format_option",
    "param_option",
    "policy_of",
    "policy_option",
    "quiet_option",
    "rates_option",
    "render_format_option",
    "story_output_option",
    "told_option",
    "verbose_option",
]


class MetricParam(click.ParamType[str]):
    """A metric or family by any of its names, completed in the shell."""

    name = "metric"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the names that begin like this."""
        from biaspipe.metrics import ALIASES, METRICS
        from biaspipe.statistics import METHODS

        names = (*METRICS, *ALIASES, *METHODS)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class DayParam(click.ParamType[date]):
    """A day, such as 2027-03-31."""

    name = "date"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> date:
        """Read a day, or say what one looks like."""
        from biaspipe.spec import day

        try:
            return day(value)
        except ValueError as error:
            self.fail(f"{value}: {error}", param, ctx)


class EngineParam(click.Choice[str]):
    """The name of an engine, as the spec knows them."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override] # click would have them at once
        """The names."""
        from biaspipe.spec import EngineName

        return get_args(EngineName)


def policy_of(file: Path | None, allowed: tuple[str, ...] = ()) -> "Policy":
    """Return the policy of `--policy`, with the variables that `--allow-env` adds."""
    from biaspipe.loading.policies import policy_in_force

    return policy_in_force(file, allowed)


def finite(ctx: click.Context, param: click.Parameter, value: float) -> float:
    """Refuse what no number is farther than."""
    if not isfinite(value):
        raise click.BadParameter("expected a number", ctx, param)
    return value


def read_assignments(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Read the values of parameters, each given once."""
    found: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise click.BadParameter(
                f"{text!r} is not NAME=VALUE, such as month=2026-11", ctx, param
            )
        if name in found:
            raise click.BadParameter(f"{name} is given twice", ctx, param)
        found[name] = value
    return found


param_option = click.option(
    "--param",
    "parameters",
    multiple=True,
    callback=read_assignments,
    metavar="NAME=VALUE",
    help="The value of a parameter, instead of the spec's default. Repeatable.",
)

as_of_option = click.option(
    "--as-of",
    type=DayParam(),
    metavar="DATE",
    help="Judge waivers as on this day, not today (UTC).",
)

engine_option = click.option(
    "--engine",
    type=EngineParam(),
    help="What reads and counts the files, instead of what the spec says.",
)

first, *others = [(name, known.about) for name, known in FORMATS.items() if not known.ending]
NAMED = f"Write every -o FILE as this, whatever its ending: {' is '.join(first)}" + "".join(
    f", {name} {about}" for name, about in others
)
TOLD = "github tells GitHub Actions what is found, by annotations and a summary of the step"
BY_ITSELF = f"{TOLD}, which happens there by itself; none keeps it from that."

format_option = click.option(
    "--format",
    type=click.Choice([*FORMATS, "github", "none"]),
    help=f"{NAMED}. Or, whatever -o says: {BY_ITSELF}",
)

render_format_option = click.option(
    "--format",
    type=click.Choice([*FORMATS, "github"]),
    help=f"{NAMED}. Or, whatever -o says: {TOLD}.",
)

told_option = click.option(
    "--format",
    "chosen",
    type=click.Choice(["github", "none"]),
    help="Whom to tell: github annotates what is wrong in GitHub Actions, which happens there"
    " by itself; none keeps it from that.",
)

rates_option = click.option(
    "--rates",
    is_flag=True,
    help="Show the rates of every group too, each with its interval: TPR, FPR, PPV and the like.",
)

story_output_option = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write it here too: .html one page of HTML, .md Markdown. Repeatable.",
)

policy_option = click.option(
    "--policy",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What specs may reach: a YAML file outside of what a stranger may change. The one that "
    "BIASPIPE_POLICY names if left out; else safe defaults, which `biaspipe policy` prints.",
)

all_option = click.option(
    "--all",
    "everything",
    is_flag=True,
    help="A row for every check: also what passed, has no limit, or repeats another check.",
)

verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Tell each step when it begins, on standard error."
)

quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Print the verdict line only, which is the last one."
)

allow_env_option = click.option(
    "--allow-env",
    multiple=True,
    metavar="NAME",
    help="A variable of the environment that connections may name, beside BIASPIPE_... Repeatable.",
)
