"""Attacks by text: what a spec, its data or its names make a terminal or a CI system believe."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from biaspipe.printable_text import escape
from tests.cli.calls import call, write_audit

TEXTS = {
    "github": "q\n::error::x\nVERIFIED  exit 0",
    "verdict": "VERIFIED  exit 0",
    "verdict-wrapped": "v " * 59 + "VERIFIED  exit 0",
    "github-first": "::error::x",
    "github-behind-space": "  ::error file=a::x",
    "github-old": "a ##[error]x",
    "azure": "a ##vso[task.complete result=Succeeded;]x",
    "teamcity": "##teamcity[buildStatus status='SUCCESS']",
    "return": "q\rVERIFIED  exit 0",
    "next-line": "q\x85VERIFIED\u2028VERIFIED\u2029VERIFIED\x0bVERIFIED\x0cVERIFIED",
    "escape": "\x1b[2J\x1b]0;title\x07\x9b31m",
    "bidi": "\u202eDELIAF\u2066\u200f",
    "invisible": "a\u3164b\u2800c\u115fd\u1160e\uffa0f\u00adg\u200bh\ufeff",
    "selectors": "a\ufe0f\ufe00\U000e0100\U000e0041b\u180b\u034f",
    "heap": "Z" + "\u0301" * 60,
    "wrapped": "w " * 59 + "::error::x",
    "folded": "w" * 120 + "::error::x" + "w" * 110 + "##[error]",
    "markup": "[red]x[/red][link=file:///etc]:boom:",
}

LABEL = {"column": "label", "positive": 1}
PREDICTION = {"column": "prediction", "positive": 1}


def waiver(**more: Any) -> list[dict[str, Any]]:
    """Return a waiver, with a text in one of its keys."""
    usual = {"facet": "sex", "metric": "DI", "reason": "r", "approved_by": "b"}
    return [{**usual, "expires": "2999-01-01", **more}]


def parts(key: str, text: str) -> dict[str, Any]:
    """Return the parts of a spec that hold a text at a key."""
    facet = {"column": "sex", "favored": "m"}
    strict = {"metrics": {"DI": {"min": 0.9}}}
    places: dict[str, dict[str, Any]] = {
        "data.path": {"rows": None, "data": text},
        "data.table": {"data": {"table": text, "connection": "sqlite:///none.db"}},
        "data.connection": {"data": {"table": "t", "connection": f"sqlite:///{text}"}},
        "data.separator": {"data": {"path": "data.csv", "separator": text}},
        "data.where": {"data": {"path": "data.csv", "where": text}},
        "data.where.text": {"data": {"path": "data.csv", "where": f"sex <> {text!r}"}},
        "data.join": {"data": {"path": "data.csv", "join": [{"path": text, "on": "sex"}]}},
        "label.column": {"columns": {"label": {"column": text, "positive": 1}}},
        "label.positive": {"columns": {"label": {"column": "label", "positive": text}}},
        "strata": {"columns": {"label": LABEL, "prediction": PREDICTION, "strata": [text]}},
        "facet": {"facets": {text: facet}, **strict},
        "facet.column": {"facets": {"sex": {"column": text, "favored": "m"}}},
        "facet.favored": {"facets": {"sex": {"column": "sex", "favored": text}}},
        "facet.group": {"facets": {"sex": {**facet, "disfavored": "f", "groups": {text: "f"}}}},
        "metric": {"metrics": {text: {"min": 0.5}}},
        "limit": {"metrics": {"DI": {text: 0.5}}},
        "key": {text: 1},
        "engine": {"engine": text},
        "description": {"description": text, **strict},
        "model": {"model": {"name": text, "version": text}, **strict},
        "tags": {"tags": [text], **strict},
        "waiver.reason": {"waivers": waiver(reason=text), **strict},
        "waiver.approved_by": {"waivers": waiver(approved_by=text), **strict},
        "waiver.ticket": {"waivers": waiver(ticket=text), **strict},
        "waiver.facet": {"waivers": waiver(facet=text), **strict},
        "baseline": {"baseline": {"report": text}},
    }
    return places[key]


KEYS = [
    "data.path",
    "data.table",
    "data.connection",
    "data.separator",
    "data.where",
    "data.where.text",
    "data.join",
    "label.column",
    "label.positive",
    "strata",
    "facet",
    "facet.column",
    "facet.favored",
    "facet.group",
    "metric",
    "limit",
    "key",
    "engine",
    "description",
    "model",
    "tags",
    "waiver.reason",
    "waiver.approved_by",
    "waiver.ticket",
    "waiver.facet",
    "baseline",
]
COMMAND = re.compile(r"##[A-Za-z]*\[")
LAST = re.compile(r"^VERIFIED, and the verdict is [A-Z ]+  exit 0\n\Z", re.M)
"""The last line of `verify`."""


def assert_plain(printed: str) -> None:
    """Check that every line can only be read: no command, no verdict, no sign hidden."""
    assert [sign for sign in printed if sign != "\n" and escape(sign) != sign] == []
    for line in printed.split("\n"):
        assert not line.startswith("VERIFIED")
        assert not line.lstrip().startswith("::")
        assert not COMMAND.search(line)
        assert escape(line) == line


def write_attack(key: str, text: str) -> Path:
    """Write an audit with a text at a key."""
    given = parts(key, text)
    data = given.pop("data", "data.csv")
    if isinstance(data, dict):
        path = write_audit(**given)
        spec = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**spec, "data": data}), encoding="utf-8")
        return path
    return write_audit(data=data, **given)


@pytest.mark.combinations
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("key", KEYS)
def test_text_of_a_spec_is_only_read(key: str, text: str) -> None:
    """A text at any key of a spec gives no line, command or hidden sign of its own."""
    path = write_attack(key, text)
    words = ["run", path, "-o", "report.json", "-o", "report.txt"]
    ended = [call(*words), call("check", path, "--data"), call("waivers", path)]
    if Path("report.json").exists():
        assert_plain(Path("report.txt").read_text(encoding="utf-8"))
        ended += [call("verify", "report.json", "--spec", path), call("render", "report.json")]
        ended += [call("diff", "report.json", "report.json")]
    for each in ended:
        assert "Traceback" not in each.err
        lines = LAST.sub("", each.text)
        assert_plain(lines)


@pytest.mark.combinations
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_of_data_is_only_read(text: str) -> None:
    """Names of columns and values of data give no line, command or hidden sign of their own."""
    quoted = '"' + text.replace('"', '""') + '"'
    rows = f"sex,prediction,label,{quoted}\nm,1,1,a\n{quoted},1,0,b\n{quoted},0,1,c\nm,0,0,d\n"
    for metrics in ({"DI": {"min": 0.99}}, {"RD": {"max_abs": 0.001}}):
        path = write_audit(rows=rows, metrics=metrics, waivers=[])
        assert_plain(call("run", path, "-o", "report.json", "-o", "report.txt").text)
        assert_plain(Path("report.txt").read_text(encoding="utf-8"))
        assert_plain(call("check", path, "--data").text)


@pytest.mark.combinations
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_of_file_names_is_only_read(text: str) -> None:
    """Names of specs, folders, reports and outputs give no line, command or hidden sign."""
    name = text.replace("/", "_").replace("VERIFIED", "verified")[:100]  # a file's line begins so
    write_audit()
    Path("audit.yaml").rename(f"{name}.yaml")
    for words in (
        ["run", f"{name}.yaml", "-o", f"{name}.json"],
        ["run", f"{name}.yaml", "--output-dir", name],
        ["run", f"{name}.none"],
        ["run", ".", "--as-of", name],
        ["run", "--" + name, "."],
        ["check", "."],
        ["check", f"{name}.yaml", "--engine", name],
        ["verify", f"{name}.none"],
        ["waivers", f"{name}.yaml"],
        ["explain", name],
        ["convert", f"{name}.yaml"],
        ["policy", "--policy", f"{name}.yaml"],
        ["run", ".", "--select", name],
    ):
        assert_plain(call(*words).text)


@pytest.mark.combinations
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("key", ["facet", "label", "dataset_uri", "unknown"])
def test_text_of_a_configuration_is_only_read(key: str, text: str) -> None:
    """A text in a configuration of another tool gives no line of its own in what is printed."""
    write_audit()
    config: dict[str, Any] = {
        "dataset_type": "text/csv",
        "dataset_uri": "data.csv",
        "label": "label",
        "label_values_or_threshold": [1],
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["f"]}],
        "methods": {"pre_training_bias": {"methods": ["CI"]}, "report": {"name": "r"}},
    }
    config |= {"facet": [{"name_or_index": text}]} if key == "facet" else {key: text}
    Path("analysis_config.json").write_text(json.dumps(config), encoding="utf-8")
    for words in (["convert"], ["convert", "--data", "data.csv"], ["run"]):
        ended = call(words[0], "analysis_config.json", *words[1:])
        assert "Traceback" not in ended.err
        assert_plain(ended.text)
