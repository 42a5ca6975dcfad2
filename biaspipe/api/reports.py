"""The report of an audit in Python: what it came to, its checks, its frames, its pages."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self, overload

from biaspipe.api.lookup import check_called, checks_called
from biaspipe.errors import Exit, UsageError, VerdictError
from biaspipe.output_files import check_place, refuse_input, write_files
from biaspipe.printable_text import did_you_mean, escape
from biaspipe.renderers.formats import (
    FORMATS,
    endings,
    format_of,
    refuse_without_baseline,
    unknown_ending,
)
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.subgroups import search_title
from biaspipe.renderers.text import finding_text, tally_text
from biaspipe.report import CheckRecord, Report
from biaspipe.report.report_files import files_behind
from biaspipe.verdict import Verdict

if TYPE_CHECKING:
    import polars as pl

__all__ = ["AuditReport", "read_report"]

PathText = str | PathLike[str]
MAX_FINDINGS = 20
"""Checks that an error lists."""


class AuditReport(Report):
    """The report of an audit: what `biaspipe.run` and `biaspipe.read_report` return.

    It is the whole artifact, so that `result`, `run` and `result_sha256` are what stands in
    `report.json`. In a notebook it shows itself as a page in little.

    >>> import polars as pl
    >>> from biaspipe import run
    >>> people = pl.DataFrame({"sex": ["f", "f", "m", "m"], "hired": ["no", "yes", "yes", "yes"]})
    >>> report = run(
    ...     {
    ...         "version": 1,
    ...         "name": "hiring",
    ...         "columns": {"prediction": {"column": "hired", "positive": "yes"}},
    ...         "facets": {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}},
    ...         "metrics": {"DI": {"min": 0.8}},
    ...     },
    ...     data=people,
    ... )
    >>> report
    AuditReport(audit='hiring', verdict='fail', failed=1)
    >>> report.ok, int(report.exit_code), report.check("DI").value
    (False, 1, 0.5)
    """

    @classmethod
    def of(cls, report: Report) -> Self:
        """Return a report with all that Python offers of it.

        Parameters
        ----------
        report : the report, whose parts are shared and not copied.
        """
        return cls(
            schema=report.schema_,
            result=report.result,
            result_sha256=report.result_sha256,
            run=report.run,
        )

    @property
    def verdict(self) -> Verdict:
        """What the audit came to, a text: "fail", "undecided", "warn", "waived", "pass"...

        It is "reported" where no check has a limit, so that nothing was checked.
        """
        return self.result.verdict

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0: something was checked, and nothing failed or is undecided."""
        return self.exit_code is Exit.PASSED

    def check(
        self,
        metric: str,
        *,
        facet: str | None = None,
        favored: str | None = None,
        disfavored: str | None = None,
    ) -> CheckRecord:
        """Return the one check that is called so.

        Parameters
        ----------
        metric : its metric, by id or alias.
        facet, favored, disfavored : its facet and groups; any of them if left out.

        Raises
        ------
        UsageError
            If the report has none, or several, which are listed.
        """
        named = {"facet": facet, "favored": favored, "disfavored": disfavored}
        return check_called(self.result.checks, {"metric": metric, **named})

    def checks(
        self,
        metric: str | None = None,
        *,
        facet: str | None = None,
        favored: str | None = None,
        disfavored: str | None = None,
        verdict: Verdict | str | None = None,
    ) -> tuple[CheckRecord, ...]:
        """Return the checks that are called so, in the order of the report; all without a name.

        Parameters
        ----------
        metric : their metric, by id or alias.
        facet, favored, disfavored : their facet and groups.
        verdict : what they came to, such as "fail"; there may be none.

        Raises
        ------
        UsageError
            If no check of the report is called so: an empty list would look like a pass.
        """
        named = {
            "metric": metric,
            "facet": facet,
            "favored": favored,
            "disfavored": disfavored,
        }
        return checks_called(self.result.checks, named, verdict)

    def raise_for_failures(self) -> None:
        """Do nothing if the audit is `ok`.

        Raises
        ------
        VerdictError
            If a check failed or is undecided, something vanished since the baseline, or nothing
            was checked. It says so in sentences, the gravest first.
        """
        if not self.ok:
            words = f"{self.result.audit.name}: {self.verdict.of_audit.upper()}: {tally_text(self)}"
            raise VerdictError(words, _shortened(list(self._findings())), self.exit_code)

    def _findings(self) -> Iterator[str]:
        """Yield what did not pass; where a warning fails, warnings too."""
        if self.verdict is Verdict.REPORTED:
            yield "no check has a limit, so that nothing can fail or pass"
        least = Verdict.WARN if self.run.warning_fails else Verdict.UNDECIDED
        for check in ordered(self.result.checks, self):
            if check.verdict.gravity <= least.gravity:
                yield f"{check}: {check.verdict}: {finding_text(check, self)}"
        search = self.result.subgroups
        if search and search.verdict.gravity <= least.gravity:
            yield f"{search_title(search)}: {search.verdict}: {escape(search.sentence)}"
        if baseline := self.result.baseline:
            yield from (f"{name}: vanished since the baseline" for name in baseline.vanished)

    def to_frame(self) -> "pl.DataFrame":
        """Return a frame of polars with a row for each check, in the columns of the CSV.

        `.to_pandas()` makes one of pandas of it.
        """
        from biaspipe.api.frames import check_frame

        return check_frame(self)

    def rates(self) -> "pl.DataFrame":
        """Return a frame of polars with a row for each rate of each group, and its interval."""
        from biaspipe.api.frames import rate_frame

        return rate_frame(self)

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: PathText) -> None: ...
    def to_json(self, path: PathText | None = None) -> str | None:
        """Return the artifact, or write it to a file: what `verify`, `diff` and `render` read."""
        return super().to_json() if path is None else self._given("json", path)

    @overload
    def to_text(self, path: None = None) -> str: ...
    @overload
    def to_text(self, path: PathText) -> None: ...
    def to_text(self, path: PathText | None = None) -> str | None:
        """Return what `biaspipe run` prints, or write it to a file."""
        return self._given("text", path)

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: PathText) -> None: ...
    def to_html(self, path: PathText | None = None) -> str | None:
        """Return the page of the report, or write it to a file."""
        return self._given("html", path)

    @overload
    def to_markdown(self, path: None = None) -> str: ...
    @overload
    def to_markdown(self, path: PathText) -> None: ...
    def to_markdown(self, path: PathText | None = None) -> str | None:
        """Return the page as Markdown, or write it to a file."""
        return self._given("markdown", path)

    def write(self, path: PathText, *, format: str | None = None) -> None:  # noqa: A002 - as `--format`
        """Write the report to a file, as its ending or the format says.

        What stood there is replaced as a whole, or left as it was. Folders are made.

        Parameters
        ----------
        path : the file, such as report.html, report.csv or report.md.
        format : what `biaspipe render --format` takes, where the ending does not tell it.

        Raises
        ------
        UsageError
            If nothing tells the format, or the file is one that the report was made from.
        OutputError
            If it cannot be written; it is a `DataError`.
        """
        place = Path(path)
        name = _format(place, format)
        refuse_without_baseline(place, name, compared=self.result.baseline is not None)
        refuse_input([place], files_behind(self, place.parent), "the report")
        check_place(place)
        write_files([(place, self._text(name))])

    def _given(self, name: str, path: PathText | None) -> str | None:
        """Return the text of a format, or write it where a file is named."""
        if path is None:
            return self._text(name)
        self.write(path, format=name)
        return None

    def _text(self, name: str) -> str:
        return FORMATS[name].text(self, self.exit_code)

    def __str__(self) -> str:
        return repr(self)

    def __bool__(self) -> NoReturn:
        """Refuse to be true or false, since `assert run(...)` would hold whatever the verdict.

        Raises
        ------
        UsageError
            Always.
        """
        words = "a report is neither true nor false"
        hint = "report.ok says whether the audit passed; report is None, whether there is one"
        raise UsageError(words, hint=hint)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from biaspipe.renderers.notebook import notebook_html

        return notebook_html(self)


def read_report(path: PathText) -> AuditReport:
    """Read a report that was written before, as `biaspipe render` and `diff` do.

    Its digests have to hold, and every value, interval and verdict has to follow from the counts
    that stand in it. Whether these are of the spec and the data, `biaspipe verify` tells.

    Parameters
    ----------
    path : the JSON that `biaspipe run -o report.json` or `report.to_json("report.json")` wrote.

    Raises
    ------
    DataError
        If it cannot be read, is no report, or was changed.
    """
    from biaspipe.pipeline.verification import sound_report

    return AuditReport.of(sound_report(Path(path)))


def _format(path: Path, chosen: str | None) -> str:
    """Return the format of a file, given or by its ending."""
    if chosen is not None and chosen not in FORMATS:
        words = f"there is no format {chosen!r}; it is {' or '.join(FORMATS)}"
        raise UsageError(words, hint=did_you_mean(str(chosen), FORMATS))
    if chosen is not None:
        return chosen
    if name := format_of(path, None):
        return name
    raise unknown_ending(path, endings())


def _shortened(findings: list[str]) -> Iterable[str]:
    """Cut a long list, and say so."""
    more = len(findings) - MAX_FINDINGS
    return [*findings[:MAX_FINDINGS], *([f"and {more:,} more"] if more > 0 else [])]
