"""What a report can be written as: the list behind `--format`, `-o`, their help and errors."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from biaspipe.errors import UsageError

if TYPE_CHECKING:
    from biaspipe.errors import Exit
    from biaspipe.report import Report

__all__ = [
    "FOLDER_ENDINGS",
    "FORMATS",
    "INDEXES",
    "Renderer",
    "ReportFormat",
    "also",
    "ending_of",
    "endings",
    "format_of",
    "from_place",
    "lazy_renderer",
    "refuse_without_baseline",
    "unknown_ending",
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
    "sarif": ReportFormat(
        lazy_renderer("ci.sarif:sarif"), "SARIF for code scanning", ending=".sarif"
    ),
    "junit": ReportFormat(
        lazy_renderer("ci.junit:junit"), "JUnit XML for test reports", ending=".xml"
    ),
    "gitlab": ReportFormat(
        lazy_renderer("ci.gitlab:gitlab"),
        "GitLab's code quality",
        name="gl-code-quality-report.json",
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
INDEXES = ("index.html", "index.json")
"""What it writes over all of them: the page, and the same for programs."""


def ending_of(name: str) -> str:
    """Return how the file of a format ends in the folder of all audits.

    >>> ending_of("markdown"), ending_of("rates"), ending_of("clarify")
    ('.md', '.rates.csv', '.clarify.json')
    """
    known = FORMATS[name]
    return known.ending or f".{known.name or f'{name}.json'}"


def also() -> list[str]:
    """Return the formats that can be written into that folder beside what is written anyway.

    What is about a baseline is not among them: not every audit has one.

    >>> also()[:3]
    ['text', 'markdown', 'csv']
    """
    return [
        name
        for name, known in FORMATS.items()
        if known.ending not in FOLDER_ENDINGS and not known.of_baseline
    ]


def endings() -> dict[str, str]:
    """Return the format that each ending of a file tells.

    >>> endings()  # doctest: +NORMALIZE_WHITESPACE
    {'.json': 'json', '.txt': 'text', '.html': 'html', '.md': 'markdown', '.csv': 'csv',
     '.sarif': 'sarif', '.xml': 'junit'}
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


def unknown_ending(place: object, known: Iterable[str]) -> UsageError:
    """Return the error of a file whose name tells no format.

    Parameters
    ----------
    place : the file, as the user named it.
    known : the endings that tell one.

    >>> print(unknown_ending("a.pdf", [".html", ".md"]))
    a.pdf: the ending tells the format; it is .html or .md
    """
    return UsageError(f"{place}: the ending tells the format; it is {' or '.join(known)}")


def refuse_without_baseline(place: object, name: str, *, compared: bool) -> None:
    """Refuse to list what got worse where nothing was compared: an empty list looks like a pass.

    Parameters
    ----------
    place : the file, as the user named it.
    name : its format.
    compared : whether there is a baseline.

    Raises
    ------
    UsageError
        If the format is of what changed since a baseline, and there is none.
    """
    if FORMATS[name].of_baseline and not compared:
        words = f"{place}: {name} are of a baseline, and the audit has none"
        raise UsageError(words, hint="name one in the spec: baseline: {report: v1.json}")
