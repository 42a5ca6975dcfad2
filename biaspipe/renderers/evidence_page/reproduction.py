"""How anybody can check the page: the commands, the digests, and the versions of everything."""

from collections.abc import Iterator
from shlex import quote

from biaspipe.printable_text import escape
from biaspipe.renderers.story import (
    Facts,
    Line,
    Section,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
    Verbatim,
)
from biaspipe.report import InputRecord, Report

__all__ = ["reproduction_section"]


def reproduction_section(report: Report) -> Section:
    """Return how the result is verified, and what it was made of.

    Parameters
    ----------
    report : the whole report.
    """
    lead = (
        "The page is drawn from a report in JSON. With that report, here report.json, the first "
        f"command recomputes every number from the counts; {_second(report)}"
    )
    in_values = report.result.has_no_spec_file
    spec = "audit.yaml" if in_values else escape(quote(report.run.spec))
    commands = (
        "biaspipe verify report.json",
        f"biaspipe verify report.json --spec {spec} --data",
    )
    parts: list[StoryPart] = [Line.of(lead), Verbatim(commands), Facts(tuple(_facts(report)))]
    if inputs := report.result.data.inputs:
        parts.append(_inputs(inputs))
    return Section(tuple(parts), "How to verify this page")


def _second(report: Report) -> str:
    """Say what the second command does; no file has the digest of what was in hand."""
    of_frame, in_values = report.result.data.is_of_frame, report.result.has_no_spec_file
    if not (of_frame or in_values):
        return (
            "the second compares the spec and reads the data again, and ends well only if the same "
            "result comes out."
        )
    in_hand = [*(["the spec"] if in_values else []), *(["the rows"] if of_frame else [])]
    come = "the same counts, values and verdicts come out"
    return (
        f"{' and '.join(in_hand)} {'were' if of_frame else 'was'} in hand, and no file. With files "
        f"that hold the same, the second compares these, and ends well only if {come}."
    )


def _facts(report: Report) -> Iterator[Line]:
    result, run = report.result, report.run
    yield Line.fact("result, sha256", report.result_sha256)
    yield Line.fact("spec, sha256", result.audit.sha256)
    yield Line.fact("spec", escape(run.spec))
    if result.baseline is not None:
        yield Line.fact("baseline, sha256", result.baseline.result_sha256)
    if run.policy is not None:
        yield Line.fact("policy, sha256", run.policy)
    if run.sha256 is not None:
        yield Line.fact("run, sha256", run.sha256)
    yield Line.fact("started at", run.started_at)
    if commit := run.git.get("commit"):
        modified = ", with changes that are not committed" if run.git.get("modified") else ""
        yield Line.fact("commit of the spec's folder", f"{commit}{modified}")
    yield Line.fact("biaspipe", run.biaspipe)
    yield Line.fact("Python", run.python)
    yield Line.fact("polars", run.polars)
    if run.engine is not None:
        yield Line.fact("counted by", escape(run.engine))


def _inputs(inputs: tuple[InputRecord, ...]) -> StoryTable:
    rows = [
        StoryRow(
            (
                escape(each.path),
                "" if each.bytes is None else f"{each.bytes:,}",
                each.sha256 or "remote, without a digest",
            )
        )
        for each in inputs
    ]
    columns = (StoryColumn("File"), StoryColumn("Bytes", "number"), StoryColumn("sha256"))
    return StoryTable(columns, tuple(rows), ("sha256", "File"), "The files that were read")
