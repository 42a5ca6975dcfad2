"""Run every audit of audits/ and check that each comes to the verdict that its header documents.

    python examples/run_audits.py

Ends with 0 when all do, else with 1 and the names of those that do not.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
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
    print(f"\n$ biaspipe run {name}", flush=True)
    ended = subprocess.run(
        [sys.executable, "-m", "biaspipe", "run", str(name)], cwd=ROOT, check=False
    )
    print(f"documented: {verdict}, exit code {code}")
    return None if ended.returncode == code else f"{name} ended with {ended.returncode}, not {code}"


def main() -> int:
    """Run all audits."""
    surprises = [
        found for audit in sorted(ROOT.glob("audits/*.yaml")) if (found := surprise(audit))
    ]
    print("\n" + ("\n".join(surprises) or "Every audit came to its documented verdict."))
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
