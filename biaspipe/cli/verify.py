"""`verify`: a report against itself, its spec and its data."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from biaspipe.cli.file_kinds import told_apart
from biaspipe.cli.progress import alive
from biaspipe.cli.story_outputs import StoryOutputs, story_outputs
from biaspipe.errors import Exit
from biaspipe.loading import Loaded
from biaspipe.pipeline.verification import Verified, is_of_other_methods, verify
from biaspipe.pipeline.verification.reruns import against_data, against_spec, spec_of
from biaspipe.policy import DEFAULT, Policy
from biaspipe.renderers.commands.pages import verification_page
from biaspipe.renderers.commands.verification import VerificationStep, verification_story
from biaspipe.report import Report
from biaspipe.spec import EngineName, today

__all__ = ["verify_report"]


def verify_report(  # noqa: PLR0913 - each is an option
    path: Path,
    spec: Path | None,
    *,
    data: bool,
    engine: EngineName | None = None,
    policy: Policy = DEFAULT,
    outputs: Sequence[Path] = (),
    quiet: bool = False,
) -> Exit:
    """Verify a report, print what was found, and return the exit code.

    Parameters
    ----------
    path : the JSON artifact.
    spec : the spec to compare it with.
    data : whether to read the data again.
    engine : what reads it, instead of what the spec says.
    policy : what the spec may reach.
    quiet : whether only the last line is printed.
    outputs : files to write what was found to, too.
    """
    read = [("report", path), *([("spec", spec)] if spec else [])]
    with story_outputs(outputs, read, quiet=quiet) as pages:
        return _verified(path, spec, (engine, policy), pages, data=data)


def _verified(
    path: Path,
    spec: Path | None,
    reading: tuple[EngineName | None, Policy],
    pages: StoryOutputs,
    *,
    data: bool,
) -> Exit:
    engine, policy = reading
    with told_apart(path, "report", "verify"):
        verified = verify(path)
    steps = [_report_step(verified)]
    if verified.report is not None:
        with told_apart(spec or path, "spec" if spec else "report", "--spec"):
            loaded = spec_of(verified.report, spec, policy) if spec or data else None
        steps += _other_steps(verified.report, loaded, engine, policy, data=data)
    code = Exit.FAILED if any(step.findings for step in steps) else Exit.PASSED
    ends = verified.report.exit_code if verified.report else None
    day = today()
    story = verification_story(str(path), verified.report, steps, (code, ends), day)
    command = _command(path, spec, reading, data=data)
    page = partial(verification_page, story, verified.report, steps, command, (code, day))
    pages.show(story, page)
    return code


def _command(
    path: Path, spec: Path | None, reading: tuple[EngineName | None, Policy], *, data: bool
) -> list[str]:
    """Return the words of the command that verifies a report in the same way."""
    engine, policy = reading
    words = ["biaspipe", "verify", str(path)]
    words += ["--spec", str(spec)] if spec else []
    words += ["--data"] if data else []
    words += ["--engine", engine] if engine else []
    return words + (["--policy", policy.name] if policy.name else [])


def _report_step(verified: Verified) -> VerificationStep:
    checks = len(verified.report.result.checks) if verified.report else 0
    words = f"digests hold; {checks} values with interval and verdict follow from the counts"
    if verified.report and verified.report.result.subgroups:
        words += ", and so does the search for subgroups, draws included"
    if verified.report and not verified.report.run.is_of_own_wording:
        words += "; its sentences are of another wording, and are not compared"
    return VerificationStep("report", words, verified.findings)


def _other_steps(
    report: Report,
    loaded: Loaded | None,
    engine: EngineName | None,
    policy: Policy,
    *,
    data: bool,
) -> list[VerificationStep]:
    unread = VerificationStep("data", "not read again (--data)", done=False)
    if loaded is None:
        return [VerificationStep("spec", "not compared (--spec FILE)", done=False), unread]
    words = f"{loaded.document.name} is the one that was run"
    if report.result.has_no_spec_file:
        words = f"{loaded.document.name} says what the spec said that was given as values"
    steps = [VerificationStep("spec", words, tuple(against_spec(report, loaded, policy)))]
    if not data:
        return [*steps, unread]
    if is_of_other_methods(report):
        words = "not read again: other methods would come to other intervals"
        return [*steps, VerificationStep("data", words, done=False)]
    with alive() as progress:
        rerun = against_data(report, loaded, progress, engine, policy)
    same = "the same but for sentences and rates, which are of another wording"
    words = f"a new run gives {'the same bytes' if rerun.is_same else same}"
    if report.result.data.is_of_frame:
        words = "the rows counted come to the same counts, values and verdicts; the report is of a "
        words += "frame, whose own rows are not there to be read again"
    return [*steps, VerificationStep("data", words, rerun.findings)]
