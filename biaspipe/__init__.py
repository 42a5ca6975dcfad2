"""biaspipe: a declarative bias audit, from a YAML spec to a verdict and its evidence."""

import sys

if (
    sys.argv[:1] == ["-m"]
    and sys.orig_argv[-len(sys.argv)].endswith(("biaspipe", "biaspipe.__main__"))
    and not sys.flags.safe_path
):
    # `python -m` looks first into the current folder, which may be a stranger's. Nothing may be
    # imported before this: a file there can have the name of any module, of Python's own too.
    del sys.path[0]
    if (_home := __file__[: -len("/biaspipe/__init__.py")]) not in sys.path:
        sys.path.append(_home)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from biaspipe.api.reports import AuditReport, read_report
    from biaspipe.api.runs import run
    from biaspipe.errors import BiaspipeError, DataError, SpecError, UsageError, VerdictError

__version__ = "0.1.0"
__all__ = [
    "AuditReport",
    "BiaspipeError",
    "DataError",
    "SpecError",
    "UsageError",
    "VerdictError",
    "__version__",
    "read_report",
    "run",
]
PLACES = {"AuditReport": "api.reports", "read_report": "api.reports", "run": "api.runs"}
"""The modules of what is no error."""


def __getattr__(name: str) -> object:
    """Import what the package offers where it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - what fails at import has an exit code too

    return getattr(import_module(f"{__name__}.{PLACES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    """Return what the package offers, for the completion of a notebook."""
    return sorted({*globals(), *__all__})
