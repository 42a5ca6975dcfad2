"""The commit of a spec's folder, read without running what a repository configures."""

import os
import subprocess
from pathlib import Path

import pytest

from biaspipe.pipeline.provenance import Clock, commit_of, path_of

NAMED = {
    **{f"GIT_{who}_NAME": "Ada" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "ada@example.com" for who in ("AUTHOR", "COMMITTER")},
}


def git(folder: Path, *words: str) -> str:
    """Run git in a folder; return what it says."""
    done = subprocess.run(
        ["git", *words],  # noqa: S607 - found by PATH
        cwd=folder,
        env=os.environ | NAMED,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a work tree with one commit of two folders."""
    root = tmp_path / "work"
    (root / "audits").mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch=main")
    (root / "audits" / "a.yaml").write_text("a")
    (root / "README").write_text("r")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=first")
    return root


def test_commit_is_that_of_git(work: Path) -> None:
    """The commit of a clean folder is the one that git names."""
    expected = {"commit": git(work, "rev-parse", "HEAD"), "modified": False}
    assert commit_of(work / "audits") == commit_of(work) == expected


@pytest.mark.parametrize("way", [["pack-refs", "--all"], ["checkout", "--quiet", "--detach"]])
def test_commit_is_found_however_it_is_kept(work: Path, way: list[str]) -> None:
    """A packed reference and a detached HEAD name the commit too."""
    git(work, *way)
    assert commit_of(work) == {"commit": git(work, "rev-parse", "HEAD"), "modified": False}


def test_linked_work_tree_has_its_own_commit(work: Path) -> None:
    """A second work tree of a repository is at its own commit."""
    git(work, "worktree", "add", "--quiet", "-b", "other", "../other")
    other = work.parent / "other"
    (other / "new").write_text("n")
    git(other, "add", "--all")
    git(other, "commit", "--quiet", "--message=second")
    assert commit_of(other) == {"commit": git(other, "rev-parse", "HEAD"), "modified": False}
    assert commit_of(work)["commit"] != commit_of(other)["commit"]


@pytest.mark.parametrize("name", ["a.yaml", "new.yaml"])
def test_changed_folder_is_modified(work: Path, name: str) -> None:
    """A changed or a new file makes its folder modified, and no other."""
    (work / "audits" / name).write_text("changed")
    (work / "other").mkdir()
    assert commit_of(work / "audits")["modified"] is True
    assert commit_of(work / "other")["modified"] is False


def test_asking_changes_nothing(work: Path) -> None:
    """The index stays as it is, byte for byte and in time."""
    os.utime(work / "README", (1, 1))
    index = work / ".git" / "index"
    before = index.read_bytes(), index.stat().st_mtime_ns
    commit_of(work)
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


def test_outside_of_a_repository_there_is_none(tmp_path: Path) -> None:
    """A folder outside of any repository, or of one without a commit, has no commit."""
    assert commit_of(tmp_path) == {}
    git(tmp_path, "init", "--quiet")
    assert commit_of(tmp_path) == {}


def executable(script: Path, seen: Path) -> Path:
    """Write a script that leaves a file behind when it is run."""
    script.write_text(f"#!/bin/sh\ntouch {seen}\ncat\n")
    script.chmod(0o755)
    return script


ATTACKS = ("fsmonitor", "filter", "hooks")


@pytest.mark.parametrize("attack", ATTACKS)
def test_configuration_of_a_repository_runs_nothing(work: Path, attack: str) -> None:
    """Commands that a repository's own configuration names are not run."""
    seen = work.parent / "seen"
    script = executable(work.parent / "script.sh", seen)
    if attack == "fsmonitor":
        git(work, "config", "core.fsmonitor", str(script))
    elif attack == "filter":
        (work / ".gitattributes").write_text("* filter=evil\n")
        git(work, "config", "filter.evil.clean", str(script))
    else:
        git(work, "config", "core.hooksPath", str(work.parent))
        script.rename(work.parent / "post-index-change")
    os.utime(work / "README", (1, 1))
    (work / "audits" / "a.yaml").write_text("b")
    assert commit_of(work)["modified"] is True
    assert not seen.exists()
    git(work, "add", "--all")
    assert seen.exists()  # the attack is one, if git is asked in the usual way


def test_folder_that_looks_like_a_repository_is_none(work: Path) -> None:
    """Files that make a folder look like a bare repository are files like any others."""
    seen, folder = work.parent / "seen", work / "audits"
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "refs" / "heads").mkdir(parents=True)
    (folder / "objects").mkdir()
    for name in ("refs/heads/main", "objects/.keep"):
        (folder / name).write_text("0" * 40)
    script = executable(work.parent / "script.sh", seen)
    (folder / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n"
        f"\tfsmonitor = {script}\n"
    )
    expected = {"commit": git(work, "rev-parse", "HEAD"), "modified": True}
    assert commit_of(folder) == expected
    assert not seen.exists()
    subprocess.run(["git", "status"], cwd=folder, check=False, capture_output=True)  # noqa: S607 - as above
    assert seen.exists()  # as above


@pytest.mark.parametrize(
    "head",
    [
        "ref: refs/heads/../../../x",
        "ref: /etc/passwd",
        "root:x:0:0",
        "",
        "\0",
        "ref: refs/heads/no",
    ],
)
def test_damaged_head_names_no_commit(work: Path, head: str) -> None:
    """What is no commit is not taken for one."""
    (work / ".git" / "HEAD").write_text(head)
    assert commit_of(work) == {}


def test_commit_is_told_without_a_place_for_files(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no temporary file can be made, as on a read-only machine, the commit is told alone."""

    def full(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("biaspipe.pipeline.provenance.TemporaryDirectory", full)
    assert commit_of(work) == {"commit": git(work, "rev-parse", "HEAD")}


def test_path_is_from_the_top_of_the_repository(work: Path) -> None:
    """A file's path is the one that git has it by, also where a link to it is given."""
    (work.parent / "link.yaml").symlink_to(work / "audits" / "a.yaml")
    assert path_of(work / "audits" / "a.yaml") == {"path": "audits/a.yaml"}
    assert path_of(work / "audits" / ".." / "README") == {"path": "README"}
    assert path_of(work.parent / "link.yaml") == {"path": "audits/a.yaml"}


def test_path_is_what_the_file_is_called(work: Path) -> None:
    """A name that looks like a command is kept; one that is no text has its bytes spelled out."""
    for name, told in (("##[x]\n.yaml", "##[x]\n.yaml"), ("\udcff.yaml", r"\xff.yaml")):
        (work / name).touch()
        assert path_of(work / name) == {"path": told}


def test_file_of_no_repository_has_no_path(work: Path) -> None:
    """A file outside of a repository, and one that is not there, have no path in it."""
    (work.parent / "alone.yaml").write_text("a")
    assert path_of(work.parent / "alone.yaml") == {}
    assert path_of(work / "audits" / "missing.yaml") == {}


def test_run_says_where_its_spec_stands(work: Path) -> None:
    """A report has the path of its spec in the repository, whatever way it was given."""
    clock = Clock.start(work / "audits" / "a.yaml")
    asked = {"as_of": "2026-01-01", "waivers": True, "select": ()}
    record = clock.stop("../audits/a.yaml", engine="polars", polars="2.0", asked=asked)
    assert (record.spec, record.git["path"]) == ("../audits/a.yaml", "audits/a.yaml")
