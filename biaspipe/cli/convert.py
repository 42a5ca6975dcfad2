"""`convert`: configurations of other tools to audit specs."""

from pathlib import Path

import click

from biaspipe.cli.help_pages import Command
from biaspipe.cli.messages import tell
from biaspipe.cli.options import policy_of, policy_option
from biaspipe.errors import Exit, OutputError, UsageError

__all__ = ["convert"]


@click.command(cls=Command)
@click.argument("config", type=click.Path(path_type=Path), metavar="CONFIG")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE|DIR",
    help="Write the spec here: a .yaml file, or a folder for several. Printed if left out.",
)
@click.option("--data", metavar="PATH", help="The data, in place of the configuration's.")
@policy_option
@click.option("--vertex", is_flag=True, help="CONFIG is a bias configuration of Vertex AI.")
def convert(
    config: Path, output: Path | None, data: str | None, policy: Path | None, vertex: bool
) -> int:
    """Convert a configuration of SageMaker Clarify or Vertex AI to a spec.

    \b
    Examples:
      biaspipe convert analysis_config.json -o audits/loan.yaml
      biaspipe convert analysis_config.json --data loans.csv
      biaspipe convert --vertex bias_config.json -o audits/loan.yaml
    """
    from biaspipe.loading.spec_files import SPEC_ENDINGS  # noqa: PLC0415 - brings pydantic
    from biaspipe.migration.conversion import convert as converted  # noqa: PLC0415 - brings polars
    from biaspipe.migration.data_tables import Paths  # noqa: PLC0415 - as above
    from biaspipe.pipeline.resource_limits import within_limits  # noqa: PLC0415 - as above

    reach = policy_of(policy)
    is_file = output is not None and output.suffix.lower() in SPEC_ENDINGS
    name = output.stem if output and is_file else None
    folder = output.parent if output and is_file else output or Path()
    paths = Paths(config.parent, folder, data, Path(), reach)
    with within_limits(reach.limits):
        conversion = converted(config, paths, name, vertex=vertex)
    texts = conversion.texts
    if len(texts) > 1 and (output is None or is_file):
        words = f"{config} has segments, so it becomes {len(texts)} specs"
        raise UsageError(words, hint="name a folder for them: -o audits")
    if output:
        _write(config, texts, output, is_file=is_file)
    else:
        click.echo("".join(texts.values()), nl=False)
    for note in conversion.said():
        tell(note)
    return Exit.PASSED


def _write(config: Path, texts: dict[str, str], output: Path, *, is_file: bool) -> None:
    """Write specs; what stands there already may have been edited, and is not written over."""
    from biaspipe.cli.outputs import check_names  # noqa: PLC0415 - brings the renderers
    from biaspipe.output_files import refuse_input, write_files  # noqa: PLC0415 - as above

    check_names(() if is_file else texts)
    files = [(output if is_file else output / f"{name}.yaml", text) for name, text in texts.items()]
    refuse_input([path for path, _ in files], [("configuration", config)], "this call")
    for path, text in files:
        if path.is_file() and path.read_bytes() != text.encode():
            words = f"{path} is there already, and is not what would be written"
            raise UsageError(words, hint="remove it, or write to another file")
    folder = output.parent if is_file else output
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written into: {error.strerror}") from None
    write_files(files)
