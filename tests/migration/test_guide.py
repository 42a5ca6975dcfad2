"""The guide for those who come from another tool does what it shows."""

import re
import shutil
from pathlib import Path

import pytest

from biaspipe.loading import load
from biaspipe.pipeline import run
from tests.house.test_readme import sessions, surprises

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")
FILE = re.compile(
    r"^<!-- file: (?P<name>\S+) -->\n+```(?:json|csv|yaml)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COUNTS = {
    "a": {"TP": 50, "FN": 10, "FP": 20, "TN": 120},
    "d": {"TP": 20, "FN": 0, "FP": 30, "TN": 50},
}


def write_files(folder: Path) -> None:
    """Write the files that the guide names."""
    for found in FILE.finditer(GUIDE):
        path = folder / found["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["text"], encoding="utf-8")


def test_guide_does_what_it_shows(tmp_path: Path) -> None:
    """Every command of the guide prints what stands below it and ends with the code it tells."""
    write_files(tmp_path)
    assert len(list(sessions(GUIDE))) >= 7
    assert "\n\n".join(surprises(GUIDE, tmp_path)) == ""


def test_guide_shows_the_converted_spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of the spec in the guide are lines of the spec that comes out."""
    from biaspipe.migration.conversion import convert
    from biaspipe.migration.data_tables import Paths

    write_files(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    paths = Paths(Path(), Path(), "examples/data/diabetes-progression.csv")
    (text,) = convert(Path("analysis_config.json"), paths).texts.values()
    shown = re.search(r"^```yaml\n(columns:.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert [line for line in shown[1].splitlines() if line not in text.splitlines()] == []


def rates(group: str) -> dict[str, float]:
    """Return the rates of a group that other tools subtract, by hand."""
    c = COUNTS[group]
    return {
        "selection": (c["TP"] + c["FP"]) / sum(c.values()),
        "TPR": c["TP"] / (c["TP"] + c["FN"]),
        "FPR": c["FP"] / (c["FP"] + c["TN"]),
        "ERR": (c["FP"] + c["FN"]) / sum(c.values()),
        "FDR": c["FP"] / (c["TP"] + c["FP"]),
        "FOR": c["FN"] / (c["TN"] + c["FN"]),
    }


def test_signs_of_other_tools(tmp_path: Path) -> None:
    """What the tables say of fairlearn's and AIF360's formulas holds for the worked example."""
    write_files(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    checks = run(load(tmp_path / "audits" / "four-names.yaml")).result.checks
    here = {check.metric: check.value or 0.0 for check in checks}
    a, d = rates("a"), rates("d")
    unprivileged_less_privileged = {name: d[name] - a[name] for name in a}
    aif360 = {
        "selection": -here["DPPL"],
        "TPR": -here["RD"],
        "FPR": -here["SD"],
        "ERR": here["AD"],
        "FDR": here["DAR"],
        "FOR": -here["DRR"],
    }
    assert aif360 == pytest.approx(unprivileged_less_privileged)
    odds = (d["FPR"] - a["FPR"] + d["TPR"] - a["TPR"]) / 2
    assert -(here["RD"] + here["SD"]) / 2 == pytest.approx(odds)
    assert round(odds, 4) == 0.1994
    assert here["DI"] == pytest.approx(d["selection"] / a["selection"])
    assert max(abs(here["RD"]), abs(here["SD"])) == pytest.approx(
        max(abs(unprivileged_less_privileged[name]) for name in ("TPR", "FPR"))
    )
    assert min(here["DI"], 1 / here["DI"]) == pytest.approx(0.7)
