"""Nothing that a folder or glob holds is passed over in silence, and nothing is read twice."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.errors import DataError, SpecError
from biaspipe.report import Result
from biaspipe.sources.paths import PathEntry
from tests.engines.builders import audited, write

TEXT = "sex,label\nm,1\nf,0\n"
PATHS = ["data", "data/*", "data/*.csv", "data/**/*.csv", "d*a/*.csv", "{here}/data/*.csv"]
each_path = pytest.mark.parametrize("path", PATHS)


def audit(folder: Path, path: str | list[str]) -> Result:
    """Audit what a path stands for in a folder."""
    written = path.format(here=folder) if isinstance(path, str) else path
    return audited(folder, None, data={"path": written})


@each_path
def test_broken_link_is_an_error(path: str, tmp_path: Path) -> None:
    """A link to nothing is named, in a folder and in what a glob matches."""
    write(tmp_path / "data" / "a.csv", TEXT)
    (tmp_path / "data" / "b.csv").symlink_to("gone.csv")
    with pytest.raises(DataError, match=r"data/b\.csv: the link leads nowhere"):
        audit(tmp_path, path)


@pytest.mark.parametrize("path", ["data", "data/**/*.csv", "data/*/*.csv"])
def test_link_to_a_folder_that_is_gone_is_an_error(path: str, tmp_path: Path) -> None:
    """A link to nothing where a folder could be is named, whatever it is called."""
    write(tmp_path / "data" / "2026" / "a.csv", TEXT)
    (tmp_path / "data" / "2025").symlink_to(tmp_path / "gone")
    with pytest.raises(DataError, match="data/2025: the link leads nowhere"):
        audit(tmp_path, path)


@pytest.mark.parametrize("path", ["data", "data/**/*.csv", "data/*/*.csv"])
def test_linked_folder_is_read(path: str, tmp_path: Path) -> None:
    """A folder that is linked is read like any other."""
    write(tmp_path / "data" / "2025" / "a.csv", TEXT)
    write(tmp_path / "elsewhere" / "b.csv", TEXT)
    (tmp_path / "data" / "2026").symlink_to(tmp_path / "elsewhere")
    result = audit(tmp_path, path)
    assert [file.path for file in result.data.inputs] == ["data/2025/a.csv", "data/2026/b.csv"]
    assert result.data.rows == 4


@pytest.mark.parametrize("path", ["data", "data/**/*.csv"])
def test_folder_that_holds_itself_is_an_error(path: str, tmp_path: Path) -> None:
    """A link to a folder above it ends in an error, and not never."""
    write(tmp_path / "data" / "2026" / "a.csv", TEXT)
    (tmp_path / "data" / "2026" / "back").symlink_to(tmp_path / "data")
    with pytest.raises(DataError, match="data/2026/back: the link leads to a folder that it is in"):
        audit(tmp_path, path)


def listen(path: Path) -> None:
    """Make a socket, from its folder, since its path may not be long."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


@each_path
@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "a pipe"), (listen, "a socket")])
def test_what_is_no_file_is_an_error(
    make: Callable[[Path], None], kind: str, path: str, tmp_path: Path
) -> None:
    """A pipe or socket among the files is named, and not waited for."""
    write(tmp_path / "data" / "a.csv", TEXT)
    make(tmp_path / "data" / "b.csv")
    with pytest.raises(DataError, match=rf"data/b\.csv: this is {kind}, and no file"):
        audit(tmp_path, path)


def test_path_to_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    """A path that leads to a pipe itself is an error, too."""
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="and no file"):
        audit(tmp_path, "pipe.csv")


@pytest.mark.parametrize("path", ["data", "data/**/*.csv", "data/*/*.csv"])
def test_folder_that_cannot_be_listed_is_an_error(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be read is named, and not taken for an empty one."""
    write(tmp_path / "data" / "2025" / "a.csv", TEXT)
    write(tmp_path / "data" / "2026" / "b.csv", TEXT)
    listing = Path.iterdir

    def refusing(folder: Path) -> object:
        if folder.name == "2026":
            raise PermissionError(13, "Permission denied")
        return listing(folder)

    monkeypatch.setattr(Path, "iterdir", refusing)
    with pytest.raises(DataError, match="data/2026: Permission denied"):
        audit(tmp_path, path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """A file that may not be read is named."""
    write(tmp_path / "data" / "a.csv", TEXT)
    write(tmp_path / "data" / "b.csv", TEXT)
    (tmp_path / "data" / "b.csv").chmod(0)
    with pytest.raises(DataError, match=r"data/b\.csv: Permission denied"):
        audit(tmp_path, "data")


@pytest.mark.parametrize("path", ["data", "data/*.csv", "data/**/*", ["data/a.csv", "data/b.csv"]])
@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_file_of_two_names_is_refused(
    link: Callable[[Path, Path], None], path: str | list[str], tmp_path: Path
) -> None:
    """A file that is linked, softly or hard, beside itself would be counted twice."""
    write(tmp_path / "data" / "a.csv", TEXT)
    link(tmp_path / "data" / "b.csv", tmp_path / "data" / "a.csv")
    with pytest.raises(SpecError, match=r"data/a\.csv and data/b\.csv are one file; its rows"):
        audit(tmp_path, path)


def test_folder_of_two_names_is_refused(tmp_path: Path) -> None:
    """A folder that is linked beside itself would be counted twice."""
    write(tmp_path / "data" / "2025" / "a.csv", TEXT)
    (tmp_path / "data" / "latest").symlink_to("2025")
    with pytest.raises(SpecError, match=r"data/2025/a\.csv and data/latest/a\.csv are one file"):
        audit(tmp_path, "data")


def test_link_by_itself_is_a_file(tmp_path: Path) -> None:
    """A link to a file is read where the file itself is not."""
    write(tmp_path / "kept" / "a.csv", TEXT)
    (tmp_path / "latest.csv").symlink_to("kept/a.csv")
    assert audit(tmp_path, "latest.csv").data.rows == 2
    assert audit(tmp_path, "*.csv").data.rows == 2


@pytest.mark.parametrize("path", ["data/*", "data/*.csv", "data/b*"])
def test_folder_that_a_glob_matches_is_not_passed_over(path: str, tmp_path: Path) -> None:
    """A folder that a glob stands for, but not for the files in it, is an error."""
    write(tmp_path / "data" / "b.csv" / "part-0.csv", TEXT)
    write(tmp_path / "data" / "ba.csv", TEXT)
    with pytest.raises(DataError, match=r"data/b\.csv: the glob stands for this folder, and not"):
        audit(tmp_path, path)
    assert audit(tmp_path, "data/**/*.csv").data.rows == 4


def test_hidden_names_and_other_files_are_passed_over(tmp_path: Path) -> None:
    """Hidden files and folders, and files whose ending tells no format, are no data."""
    write(tmp_path / "data" / "a.csv", TEXT)
    for name in (".b.csv", "_b.csv", "_old/c.csv", ".old/c.csv", "part-0.csv.bak", "README"):
        write(tmp_path / "data" / name, "no data")
    (tmp_path / "data" / ".gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "data" / "_pipe")
    assert audit(tmp_path, "data").data.rows == 2


@pytest.mark.parametrize("path", ["../data/*.csv", "./../here/../data/*.csv", "../da[t]a/**"])
def test_glob_may_lead_out_of_its_folder(path: str, tmp_path: Path) -> None:
    """A glob may begin above the folder of the spec."""
    write(tmp_path / "data" / "a.csv", TEXT)
    write(tmp_path / "here" / "x.txt", "")
    assert audit(tmp_path / "here", path).data.rows == 2


def test_names_of_globs_are_those_that_the_spec_leads_to(tmp_path: Path) -> None:
    """A file is called what the glob leads to, from the root or from the spec's folder."""
    write(tmp_path / "data" / "a.csv", TEXT)
    for glob, name in (
        ("data/*.csv", "data/a.csv"),
        ("./data/*.csv", "./data/a.csv"),
        (f"{tmp_path}/data/?.csv", f"{tmp_path}/data/a.csv"),
    ):
        assert [file.path for file in audit(tmp_path, glob).data.inputs] == [name]


def test_entry_tells_folders_from_files(tmp_path: Path) -> None:
    """An entry knows whether it holds others, and what they are called."""
    write(tmp_path / "b" / "a.csv", TEXT)
    top = PathEntry(tmp_path, "top")
    assert [(entry.written, entry.is_folder) for entry in top.inside()] == [("top/b", True)]
