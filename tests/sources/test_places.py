"""What the paths and URIs of a spec may lead to: nothing outside of what a policy allows."""

import json
from pathlib import Path

import pytest

from biaspipe.errors import DataError, SpecError, UsageError
from biaspipe.loading.policies import read_policy
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.verification.reruns import spec_of
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.files import find_files
from biaspipe.spec import Source
from tests.cli.calls import call
from tests.engines.builders import audited, prepare, write
from tests.sources.path_attacks import OUTSIDE, SYSTEM
from tests.sources.uri_attacks import URIS

TEXT = "sex,label\nm,1\nf,0\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Make a folder of audits with links that lead out of it."""
    folder = tmp_path / "audits"
    write(folder / "data" / "a.csv", TEXT)
    write(folder / "tree" / "deep" / "a.csv", TEXT)
    for name in ("outside", "audits-of-others"):
        write(tmp_path / name / "secret.csv", TEXT)
    return folder


def link_to_system(folder: Path) -> None:
    """Lay links to the system's files."""
    (folder / "link.csv").symlink_to("/etc/passwd")
    (folder / "second.csv").symlink_to("link.csv")
    (folder / "system").symlink_to("/etc")
    (folder / "dangling.csv").symlink_to("/etc/nothing-there.csv")
    (folder / "tree" / "deep" / "link").symlink_to("/etc")


def refusal(folder: Path, path: str, policy: Policy = DEFAULT) -> str:
    """Return what is said of a path that is refused."""
    with pytest.raises(SpecError) as caught:
        find_files(Source(path=path, format="csv"), folder, ("data", "path"), policy)
    (fault,) = caught.value.faults
    assert fault.loc == ("data", "path")
    return fault.message


@pytest.mark.parametrize("attack", SYSTEM)
def test_files_of_the_system_are_refused(attack: str, here: Path) -> None:
    """No way of writing a path leads to the system's files, or to credentials."""
    link_to_system(here)
    assert refusal(here, SYSTEM[attack]).endswith(" is a place of the system, or of credentials")


@pytest.mark.parametrize("attack", OUTSIDE)
def test_files_outside_of_the_roots_are_refused(attack: str, here: Path) -> None:
    """No way of writing a path leads out of the roots of a policy."""
    (here / "out.csv").symlink_to("../outside/secret.csv")
    (here / "out").symlink_to("../outside")
    (here / "tree" / "deep" / "link").symlink_to("../../../outside")
    policy = Policy(version=1, roots=(str(here),))
    path = OUTSIDE[attack].format(top=here.parent)
    assert refusal(here, path, policy).endswith("lies outside of the folders that specs may read")


@pytest.mark.parametrize("attack", URIS)
def test_uris_that_lead_elsewhere_are_refused(attack: str, tmp_path: Path) -> None:
    """No way of writing a URI leads to credentials of a cloud, or sets up a store."""
    with pytest.raises((DataError, SpecError)):
        find_files(Source(path=(URIS[attack],), format="csv"), tmp_path, ("data", "path"))


def test_refusal_does_not_show_what_is_there(here: Path) -> None:
    """A refusal says the same of a file that is there and of one that is not."""
    (here / "there").symlink_to("/etc/passwd")
    (here / "gone.").symlink_to("/etc/passwe")
    there, gone = refusal(here, "there"), refusal(here, "gone.")
    assert there.replace("there", "gone.") == gone


def test_refused_folder_is_never_listed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be read is refused before it is looked into."""
    listed: list[Path] = []
    monkeypatch.setattr(Path, "iterdir", listed.append)
    refusal(here, "/etc/**/*.csv")
    assert listed == []


def test_data_in_the_roots_are_read(here: Path) -> None:
    """Within the roots, links and globs are read as they are without a policy."""
    (here / "data" / "b.csv").symlink_to("../tree/deep/a.csv")
    policy = Policy(version=1, roots=(str(here),))
    source = Source(path=["data/*.csv"])
    assert find_files(source, here, (), policy).written == ("data/a.csv", "data/b.csv")


def test_path_that_libraries_take_for_a_scheme_is_a_path(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder named as a scheme is that folder to every engine."""
    write(here / "file:" / "etc" / "passwd", TEXT)
    monkeypatch.chdir(here)
    loaded = prepare(Path(), data={"path": "file:/etc/passwd", "format": "csv"})
    assert run(loaded, Options(engine="polars")).result.data.rows == 2
    assert run(loaded, Options(engine="duckdb")).result.data.rows == 2


def test_joined_tables_obey_too(here: Path) -> None:
    """The path of a join is refused where it stands in the spec, with the policy's key."""
    join = [{"path": "/etc/passwd", "format": "csv", "on": "id"}]
    with pytest.raises(SpecError) as caught:
        audited(here, None, "data/a.csv", data={"join": join})
    assert "/etc/passwd is a place of the system" in str(caught.value)
    assert '"path": "/etc/passwd"' in str(caught.value)
    assert "roots: [/etc/passwd] would allow it: --policy FILE" in str(caught.value)


def test_baseline_obeys_too(here: Path) -> None:
    """A baseline outside of the roots is refused before it is opened."""
    policy = Policy(version=1, roots=(str(here),))
    loaded = prepare(here, data={"path": "data/a.csv"}, baseline={"report": "../outside/r.json"})
    with pytest.raises(SpecError, match=r"\.\./outside/r\.json lies outside of the folders"):
        run(loaded, Options(policy=policy))


def test_roots_are_relative_to_the_policy(here: Path) -> None:
    """A root is named from the folder of the policy file."""
    write(here / "policy.yaml", "version: 1\nroots: [data]\n")
    policy = read_policy(here / "policy.yaml")
    assert find_files(Source(path="data/a.csv"), here, (), policy).written == ("data/a.csv",)
    assert refusal(here, "tree", policy)


def test_configuration_of_another_tool_obeys_too(here: Path) -> None:
    """A configuration names no file of the system, whether it is run, checked or converted."""
    config = {"dataset_type": "text/csv", "dataset_uri": "/etc/passwd", "headers": ["a"]}
    more = {
        "label": "a",
        "facet": [{"name_or_index": "a"}],
        "methods": {"pre_training_bias": {"methods": "all"}},
    }
    write(here / "analysis_config.json", json.dumps({**config, **more}))
    for command in ("run", "check", "convert"):
        done = call(command, here / "analysis_config.json")
        assert (done.code, "root:" in done.text) == (2, False)
        assert "/etc/passwd is a place of the system, or of credentials" in done.err


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("/etc/passwd", "which is not below this folder"),
        ("../outside/secret.csv", "which is not below this folder"),
        ("out.yaml", "which is not below this folder"),
        ("a\0b", "which is not below this folder"),
        ("notes.txt", "is none that can be read"),
        ("gone.yaml", "there is no spec at gone.yaml"),
        (".env", "is a place of the system, or of credentials"),
    ],
)
def test_report_cannot_have_any_file_opened(
    spec: str, words: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A spec that only the report names lies below the current folder, and no line is shown."""
    monkeypatch.chdir(here)
    write(here / "notes.txt", "password: [hunter2\n")
    write(here / ".env", "PASSWORD=hunter2\n")
    (here / "out.yaml").symlink_to("/etc/passwd")
    report = run(prepare(here, data={"path": "data/a.csv"}))
    named = report.model_copy(update={"run": report.run.model_copy(update={"spec": spec})})
    with pytest.raises((UsageError, SpecError)) as caught:
        spec_of(named, None)
    assert words in str(caught.value)
    assert "hunter2" not in str(caught.value)
