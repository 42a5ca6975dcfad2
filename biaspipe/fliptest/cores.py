"""How many processor cores a search may take."""

import os

__all__ = ["cores"]


def cores() -> int:
    """Return the cores of this process, or fewer where OMP_NUM_THREADS says so."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
