"""`convert` on the command line, and configurations of other tools where a spec is expected."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit

CONFIG: dict[str, Any] = {
    "dataset_type": "text/csv",
    "dataset_uri": "data.csv",
    "label": "label",
    "label_values_or_threshold": [1],
    "predicted_label": "prediction",
    "facet": [{"name_or_index": "sex", "value_or_threshold": ["f"]}],
    "methods": {"post_training_bias": {"methods": ["DI", "DPPL"]}},
}
SEGMENTS = [{"name_or_index": "team", "segments": [["a"]]}]
ROWS = "sex,prediction,label,team\n" + "m,1,1,a\nm,0,0,a\nf,1,0,b\nf,0,1,a\nm,1,0,b\nf,0,1,b\n" * 5


def write_config(name: str = "analysis_config.json", **parts: Any) -> Path:
    """Write a configuration and its data; a part that is None is left out."""
    Path("data.csv").write_text(ROWS)
    values = {k: v for k, v in {**CONFIG, **parts}.items() if v is not None}
    Path(name).write_text(json.dumps(values, indent=1))
    return Path(name)


def convert(*words: object, **parts: Any) -> Ended:
    """Convert a configuration."""
    return call("convert", write_config(**parts), *words)


def test_spec_is_printed() -> None:
    """Without -o the spec goes to standard output, and nothing else does."""
    done = convert()
    assert (done.code, done.err) == (0, "")
    Path("audit.yaml").write_text(done.out)
    assert call("check", "audit.yaml", "--data").code == 0
    assert call("run", "audit.yaml").code == 5


def test_notes_are_on_standard_error() -> None:
    """What is not carried over is named on standard error, with its place, and in the spec."""
    done = convert(predictor={"model_name": "m"})
    assert done.err.startswith("note: analysis_config.json:25:2: predictor: no endpoint is called")
    assert "# - predictor: no endpoint is called here" in done.out


def test_spec_is_written_for_its_folder() -> None:
    """Paths in a written spec are relative to it, and its name is that of the file."""
    assert convert("-o", "audits/loan.yaml").code == 0
    text = Path("audits/loan.yaml").read_text()
    assert "name: loan\n" in text
    assert "path: ../data.csv\n" in text
    assert call("check", "audits/loan.yaml", "--data").code == 0


def test_data_takes_the_place_of_the_configured_one() -> None:
    """--data names the data, relative to the current folder."""
    Path("local").mkdir()
    Path("local/rows.csv").write_text(ROWS)
    done = convert("--data", "local/rows.csv", "-o", "audits/a.yaml", dataset_uri="s3://b/d.csv")
    assert done.code == 0
    assert "path: ../local/rows.csv\n" in Path("audits/a.yaml").read_text()


def test_uri_is_kept() -> None:
    """A URI stands in the spec as it is, and the note says how to look at the data."""
    done = convert(dataset_uri="s3://bucket/data.csv")
    assert 'path: "s3://bucket/data.csv"' in done.out
    assert "s3://bucket/data.csv was not looked at; name a local copy with --data PATH" in done.err


def test_data_that_is_not_there() -> None:
    """Data named on the command line has to be there: exit code 3."""
    done = convert("--data", "nowhere.csv")
    assert (done.code, done.out) == (3, "")
    assert "nowhere.csv: there is no such file" in done.err


def test_wrong_configuration() -> None:
    """All faults of a configuration are shown at once, and nothing is written."""
    done = convert("-o", "a.yaml", lable="x", label=1.5)
    assert done.code == 2
    assert "unknown key 'lable'" in done.err
    assert "label: this value is of the wrong kind" in done.err
    assert not Path("a.yaml").exists()


@pytest.mark.parametrize("words", [[], ["-o", "a.yaml"]])
def test_segments_need_a_folder(words: list[str]) -> None:
    """Several specs do not go into one file."""
    done = convert(*words, segment_config=SEGMENTS)
    assert (done.code, done.out) == (2, "")
    assert "it becomes 3 specs" in done.err
    assert "-o audits" in done.err


def test_segments_go_into_a_folder() -> None:
    """A folder takes a spec of all rows and one of each segment, which run at once."""
    assert convert("-o", "audits", segment_config=SEGMENTS).code == 0
    names = sorted(path.stem for path in Path("audits").iterdir())
    whole = "analysis_config"
    assert names == [whole, f"{whole}-team-a", f"{whole}-team-default"]
    assert call("check", "audits", "--data").code == 0


def test_configuration_runs_at_once() -> None:
    """`run` converts a configuration in memory; --data names its data."""
    path = write_config(dataset_uri=None)
    done = call("run", path, "--data", "data.csv", "-o", "report.json")
    assert done.code == 5
    result = json.loads(Path("report.json").read_text())["result"]
    assert result["audit"]["spec"]["facets"] == {"sex": {"column": "sex", "disfavored": "f"}}
    assert [check["metric"] for check in result["checks"]] == ["DI", "DPPL"]


def test_report_of_a_configuration_is_verified() -> None:
    """The report has the digest of the JSON file, and `verify` finds it and its data again."""
    path = write_config(dataset_uri=None)
    call("run", path, "--data", "data.csv", "-o", "report.json")
    done = call("verify", "report.json", "--spec", path, "--data")
    assert done.code == 0, done.text
    write_config(dataset_uri=None, version="1.0")
    assert call("verify", "report.json", "--spec", path).code == 1


def test_segments_run_at_once() -> None:
    """Each segment of a configuration is an audit of its own, verified by its name."""
    path = write_config(segment_config=SEGMENTS)
    done = call("run", path, "--output-dir", "reports")
    assert done.code == 5
    reports = sorted(path for path in Path("reports").glob("*.json") if path.stem != "index")
    assert len(reports) == 3
    pages = {path.name for path in Path("reports").iterdir()} - {path.name for path in reports}
    assert pages == {"index.html", "index.json", *(f"{path.stem}.html" for path in reports)}
    for report in reports:
        assert call("verify", report, "--spec", path, "--data").code == 0
    assert call("run", path, "-o", "one.json").code == 2


def test_fault_in_the_data_is_shown_in_the_configuration() -> None:
    """What the data lacks is told at the key of the configuration."""
    values = [{"name_or_index": "sex", "value_or_threshold": ["x"]}]
    done = call("run", write_config(facet=values))
    assert done.code == 2
    assert "analysis_config.json:12:" in done.err
    assert "'x' does not occur" in done.err


def test_check_reads_configurations() -> None:
    """`check` says what is wrong with a configuration, or that it is sound."""
    assert call("check", write_config(), "--data").code == 0
    assert call("check", write_config(label="labl")).code == 2


def test_data_beside_a_spec_is_its_data() -> None:
    """--data takes the place of a spec's data, too; what is not there is told as what was given."""
    assert call("run", write_audit(), "--data", "data.csv").code == 0
    done = call("run", write_audit(), "--data", "nowhere.csv")
    assert done.code == 3
    assert "--data nowhere.csv: there is no such file or folder" in done.err


def test_spec_in_json_is_a_spec() -> None:
    """A spec may be written in JSON: its version is the number 1."""
    Path("audit.json").write_text(write_audit().read_text())
    assert call("run", "audit.json").code == 0


def test_vertex_has_to_be_one() -> None:
    """--vertex takes the file for a configuration of Vertex AI, and says what it lacks."""
    done = convert("--vertex")
    assert done.code == 2
    assert "the key 'bias_configs' is missing" in done.err


def test_vertex_is_told_by_its_keys() -> None:
    """A bias configuration of Vertex AI is converted with the flag and without it."""
    write_config()
    slices = {"configs": {"sex": {"value": {"stringValue": "m"}}}}
    values = {
        "targetFieldName": "label",
        "predictionLabelColumn": "prediction",
        "biasConfigs": [{"biasSlices": slices, "labels": ["1"]}],
    }
    Path("bias.json").write_text(json.dumps(values))
    one, other = (
        call("convert", *words, "bias.json", "--data", "data.csv") for words in ([], ["--vertex"])
    )
    assert one.code == 0, one.text
    assert one.out == other.out
    assert "sex: {column: sex, favored: m, compare: over_rest}" in one.out
    assert call("run", "bias.json", "--data", "data.csv").code == 5


def test_no_such_configuration() -> None:
    """A file that is not there is named: exit code 2."""
    done = call("convert", "nowhere.json")
    assert (done.code, "nowhere.json" in done.err) == (2, True)
