"""Nothing that somebody hands over is unpickled."""

import re
from pathlib import Path

import biaspipe

PACKAGE = Path(biaspipe.__file__).parent
PICKLING = re.compile(
    r"^\s*(?:import|from)\s+(?:\w+\.)*(?:pickle|cloudpickle|dill|marshal|shelve)\b|"
    r"allow_pickle\s*=\s*True|read_pickle|\bserialize\(",
    re.M,
)


def test_only_what_is_sent_to_workers_is_pickled() -> None:
    """No module imports what unpickles, but the one that a worker runs on our own bytes."""
    found = [
        path.relative_to(PACKAGE).as_posix()
        for path in sorted(PACKAGE.rglob("*.py"))
        if PICKLING.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["engines/spark/workers.py"]
