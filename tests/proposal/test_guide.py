"""The page on `init` does what it shows."""

import re
from pathlib import Path

from tests.house.test_readme import sessions, surprises

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "docs" / "init.md").read_text(encoding="utf-8")


def test_guide_does_what_it_shows(tmp_path: Path) -> None:
    """Every command of the page prints what stands below it and ends with the code it tells."""
    assert len(list(sessions(GUIDE))) >= 4
    assert "\n\n".join(surprises(GUIDE, tmp_path)) == ""
    shown = re.search(r"^```yaml\n(columns:.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert shown is not None
    text = (tmp_path / "audits" / "loans.yaml").read_text(encoding="utf-8")
    assert [line for line in shown[1].splitlines() if line not in text.splitlines()] == []
