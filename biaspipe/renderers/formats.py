"""What a report can be written as: the list behind `--format`, `-o`, their help and errors."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from biaspipe.errors import Exit
    from biaspipe.report import Report

__all__ = [
    "FOLDER_ENDINGS",
    "FORMATS",
    "INDEX",
    "Renderer",
    "ReportFormat",
    "endings",
    "format_of",
    "from_place",
    "lazy_renderer",
]

Renderer = Callable[["Report", "Exit"], str]
"""What makes the text of a file from a report and the code that its run ends with."""


class ReportFormat(NamedTuple):
    """A format of reports.

    Parameters
    ----------
    render : what makes the text of a file.
    about : what that is, in a few words.
    ending : the ending of files that are written so if nothing else is said; None without one.
    name : the name of a file that is always written so; None without one.
    of_baseline : whether it is about what changed since a baseline.
    render_all : what makes the text with `--all`, where that is another one.
    """

    render: Renderer
    about: str
    ending: str | None = None
    name: str | None = None
    of_baseline: bool = False
    render_all: Renderer | None = None

    def text(self, report: "Report", code: "Exit", *, everything: bool = False) -> str:
        """Return the text of a file, with `everything` that of `--all`."""
        render = (self.render_all or self.render) if everything else self.render
        return render(report, code)


def lazy_renderer(place: str) -> Renderer:
    """Return a renderer of this room that is imported when it is needed.

    Parameters
    ----------
    place : its file and its name, such as "sagemaker.analysis:analysis".
    """

    def render(report: "Report", code: "Exit") -> str:
        return str(from_place(place)(report, code))

    return render


def from_place(place: str) -> Callable[..., str]:
    """Import what draws a text, by its file in this room and its name.

    >>> from_place("sagemaker.analysis:analysis").__name__
    'analysis'
    """
    module, _, name = place.partition(":")
    drawn: Callable[..., str] = getattr(import_module(f"biaspipe.renderers.{module}"), name)
    return drawn


FORMATS: dict[str, ReportFormat] = {
    "json": ReportFormat(lambda report, _: report.to_json(), "the artifact", ending=".json"),
    "text": ReportFormat(
        lazy_renderer("console.drawing:plain_text"),
        "the console text",
        ending=".txt",
        render_all=lazy_renderer("console.drawing:full_text"),
    ),
    "html": ReportFormat(lazy_renderer("evidence_page:html"), "one page of HTML", ending=".html"),
    "markdown": ReportFormat(lazy_renderer("markdown:markdown"), "Markdown", ending=".md"),
    "csv": ReportFormat(lazy_renderer("csv.checks:checks_csv"), "a row per check", ending=".csv"),
    "rates": ReportFormat(
        lazy_renderer("csv.rates:rates_csv"),
        "a CSV of the rates of every group",
        name="rates.csv",
    ),
    "clarify": ReportFormat(
        lazy_renderer("sagemaker.analysis:analysis"), "Clarify's analysis.json"
    ),
    "violations": ReportFormat(
        lazy_renderer("sagemaker.violations:violations"),
        "Model Monitor's constraint_violations.json",
        name="constraint_violations.json",
        of_baseline=True,
    ),
}
"""Every format by the name that `--format` takes."""


FOLDER_ENDINGS = (".json", ".html")
"""What `--output-dir` writes of every audit."""
INDEX = "index.html"
"""The page over all of them."""


def endings() -> dict[str, str]:
    """Return the format that each ending of a file tells.

    >>> endings()
    {'.json': 'json', '.txt': 'text', '.html': 'html', '.md': 'markdown', '.csv': 'csv'}
    """
    return {known.ending: name for name, known in FORMATS.items() if known.ending}


def format_of(path: Path, chosen: str | None) -> str | None:
    """Return the format of a file: what its name says, what was chosen, or what its ending says.

    Parameters
    ----------
    path : the file.
    chosen : what `--format` says, which may be no format of files.

    >>> format_of(Path("out/constraint_violations.json"), "clarify"), format_of(Path("a.txt"), None)
    ('violations', 'text')
    """
    named = {known.name: name for name, known in FORMATS.items() if known.name}
    last, kind = ".".join(path.name.split(".")[-2:]), chosen if chosen in FORMATS else None
    return named.get(path.name) or named.get(last) or kind or endings().get(path.suffix.lower())
