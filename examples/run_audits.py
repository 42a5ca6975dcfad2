"""Run every audit of audits/ and check that each comes to the verdict that its header documents.

    python examples/run_audits.py

Writes the page of each and an index over all to build/demo, and says so.
Ends with 0 when all verdicts are as documented, else with 1 and the names of those that are not.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "build" / "demo"
DOCUMENTED = re.compile(r"^# Verdict: ([A-Z]+), exit code (\d)", re.MULTILINE)


def documented(audit: Path) -> tuple[str, int]:
    """Return the verdict and the exit code that an audit's header promises."""
    found = DOCUMENTED.search(audit.read_text(encoding="utf-8"))
    if not found:
        raise SystemExit(f"{audit}: the header documents no verdict")
    return found[1], int(found[2])


def surprise(audit: Path) -> str | None:
    """Run an audit; return what is wrong with how it ended."""
    verdict, code = documented(audit)
    name = audit.relative_to(ROOT)
    ended = run(str(name))
    print(f"documented: {verdict}, exit code {code}")
    return None if ended == code else f"{name} ended with {ended}, not {code}"


def run(*words: str) -> int:
    """Call `biaspipe run` in this repository; return its exit code."""
    print(f"\n$ biaspipe run {' '.join(words)}", flush=True)
    command = [sys.executable, "-m", "biaspipe", "run", *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    """Run all audits, and write their pages."""
    audits = sorted(ROOT.glob("audits/*.yaml"))
    surprises = [found for audit in audits if (found := surprise(audit))]
    run("audits", "-q", "--output-dir", PAGES.relative_to(ROOT).as_posix())
    pages = [PAGES / "index.html", *(PAGES / f"{audit.stem}.html" for audit in audits)]
    surprises += [f"{page.name} was not written" for page in pages if not page.is_file()]
    print("\n" + ("\n".join(surprises) or "Every audit came to its documented verdict."))
    print(f"The pages of all audits: {(PAGES / 'index.html').as_uri()}")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
