"""`run` and `render` write the files for other systems alike."""

from pathlib import Path

import pytest

from tests.cli.calls import call, write_audit

NAMES = ("x.sarif", "x.xml", "gl-code-quality-report.json")


@pytest.mark.parametrize("options", [(), ("--fail-on", "warn"), ("--fail-on", "never")])
def test_stored_report_gives_the_same_bytes(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `render` makes of a report is what its run wrote, whatever made the run fail."""
    files = [word for name in NAMES for word in ("-o", name)]
    monkeypatch.chdir(tmp_path)
    write_audit(metrics={"DI": {"min": 0.5, "warn": {"min": 0.8}}, "RD": {"max_abs": 0.1}})
    ran = call("run", "audit.yaml", *options, "-o", "r.json", *files)
    assert ran.err.endswith("wrote r.json, x.sarif, x.xml, gl-code-quality-report.json\n")
    before = {name: Path(name).read_bytes() for name in NAMES}
    assert call("render", "r.json", *files).code == 0
    assert {name: Path(name).read_bytes() for name in NAMES} == before
    for name, form in zip(NAMES, ("sarif", "junit", "gitlab"), strict=True):
        assert call("render", "r.json", "--format", form).out.encode() == before[name]


def test_format_says_what_the_ending_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any file is written as code quality where `--format` says so."""
    monkeypatch.chdir(tmp_path)
    write_audit(metrics={"DI": {"min": 0.9}})
    assert call("run", "audit.yaml", "-o", "quality.json", "--format", "gitlab").code == 1
    assert Path("quality.json").read_text(encoding="utf-8").startswith('[\n  {\n    "description"')
