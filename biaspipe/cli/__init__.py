"""The command line: arguments to calls to an exit code.

The only place that prints an error or exits. Python ends with 1 where an import fails, which would
say that a check failed; so `main` imports everything else, and nothing stands before it.
"""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit."""
    code, words = 3, sys.argv[1:]
    try:
        from biaspipe.cli.signals import catch_signals

        with catch_signals(holding=words[:1] == ["run"]):
            from biaspipe.cli.process import call

            code = call(words)
    except KeyboardInterrupt as error:
        code = 128 + getattr(error, "number", 2)
    except BaseException as error:  # noqa: BLE001 - an installation that is broken, or no memory
        _tell(error)
    sys.exit(code)


def _tell(error: BaseException) -> None:
    """Say what keeps the command line from starting, if it can be said."""
    try:
        words = f"error: biaspipe cannot be started: {type(error).__name__}: {error}"
        print(ascii(words)[1:-1], file=sys.stderr)
    except BaseException:  # noqa: BLE001 - nobody hears it
        return
