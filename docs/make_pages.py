"""Make compat.md, csv.md, names.md and the pages under metrics/ in docs/ from records in biaspipe.

`python docs/make_pages.py` writes every page and removes surplus ones.
With `--check` it writes nothing, names the pages that are not as they should be, and exits 1.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from biaspipe.renderers.reference.csv_page import csv_page
from biaspipe.renderers.reference.metric_pages import pages
from biaspipe.renderers.reference.names_page import names_page
from biaspipe.renderers.reference.smclarify import compat_page

FOLDER = Path(__file__).parent / "metrics"
OTHERS = {"compat.md": compat_page, "csv.md": csv_page, "names.md": names_page}
"""The pages beside that folder, each with what makes it."""


def faults(folder: Path) -> Iterator[str]:
    """Name every page that is missing, stale or surplus.

    Parameters
    ----------
    folder : where the pages are.
    """
    expected = pages()
    present = {path.name: path for path in folder.glob("*.md")}
    for name, text in expected.items():
        if name not in present:
            yield f"{name} is missing"
        elif present[name].read_bytes() != text.encode():
            yield f"{name} is stale"
    yield from (f"{name} is surplus" for name in sorted(present) if name not in expected)


def write(folder: Path) -> None:
    """Write every page and remove those of metrics that there are not.

    Parameters
    ----------
    folder : where the pages are; made if it is not there.
    """
    folder.mkdir(exist_ok=True)
    expected = pages()
    for path in folder.glob("*.md"):
        if path.name not in expected:
            path.unlink()
    for name, text in expected.items():
        (folder / name).write_bytes(text.encode())


def main() -> str | None:
    """Read the command line and do what it asks; return what is wrong, if anything is."""
    parser = argparse.ArgumentParser(description="Make the pages under docs/metrics/.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 on a difference")
    if not parser.parse_args().check:
        write(FOLDER)
        for name, page in OTHERS.items():
            (FOLDER.parent / name).write_bytes(page().encode())
    found = [f"docs/metrics/{fault}; run: python docs/make_pages.py" for fault in faults(FOLDER)]
    for name, page in OTHERS.items():
        path = FOLDER.parent / name
        if not path.exists() or path.read_bytes() != page().encode():
            found.append(f"docs/{name} is stale; run: python docs/make_pages.py")
    return "\n".join(found) or None


if __name__ == "__main__":
    sys.exit(main())
