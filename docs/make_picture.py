"""Make docs/page.png, the picture of a page: its head and its findings, of a shipped audit.

`python docs/make_picture.py` runs audits/adult-income.yaml and has Chromium draw the page.
It needs `chromium`, of Debian for example; the picture bears the day on which it was made.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "page.png"
AUDIT = "audits/adult-income.yaml"
FRAME = """<!doctype html>
<style>
body {margin: 0; display: flex; gap: 24px; background: #d8dce2; padding: 24px}
iframe {border: 0; width: 960px; height: 1120px; background: #fff}
</style>
<iframe src="report.html"></iframe><iframe src="report.html#sex-female-compared-with-male"></iframe>
"""
"""The page twice, side by side: from its beginning, and from its first finding."""
WINDOW = "--window-size=1992,1168"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = (
    *("--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def draw(browser: str, folder: Path) -> None:
    """Have a browser draw the page in a folder, and put the picture in its place.

    Parameters
    ----------
    browser : the program.
    folder : where `report.html` is, and what the browser may write to.
    """
    frame = folder / "frame.html"
    frame.write_text(FRAME, encoding="utf-8")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    files = [f"--user-data-dir={folder / 'profile'}", f"--screenshot={folder / 'page.png'}"]
    command = [browser, *OPTIONS, *sandbox, WINDOW, *files, frame.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    shutil.copyfile(folder / "page.png", PICTURE)


def main() -> str | None:
    """Make the picture; return what is missing, if anything is."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        return "Chromium is missing; on Debian, as root: apt-get install chromium"
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "biaspipe", "run", AUDIT, "-q", "-o", str(page)]
        subprocess.run(command, cwd=ROOT, check=False)  # the audit fails, as it should
        draw(browser, Path(folder))
    return None


if __name__ == "__main__":
    sys.exit(main())
