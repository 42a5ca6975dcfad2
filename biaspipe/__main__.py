"""The process of the command `biaspipe`, the same as of `python -m biaspipe`."""

import atexit
import os
import sys
from contextlib import suppress

from biaspipe.cli import main

__all__ = ["run_process"]


def run_process() -> None:
    """Run the command line in a process of its own, which ends as soon as it has its code.

    Everything is written and closed by then: to take libraries down object by object, as Python
    does at its end, would only cost time. And nobody else's plugins take part in validation.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        main()
    except SystemExit as end:
        atexit._run_exitfuncs()  # temporary folders, and processes of ours that run
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError):  # one that is closed is None
                stream.flush()
        os._exit(int(end.code or 0))


if __name__ == "__main__":
    run_process()
