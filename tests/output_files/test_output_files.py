"""Files are written as a whole, and never over what was read."""

import os
from pathlib import Path

import pytest

from biaspipe.errors import OutputError, UsageError
from biaspipe.output_files import check_place, make_folder, refuse_input, write_files


def test_several_files_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one of several files cannot be written, none takes the place of what stood there."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("old", encoding="utf-8")
    write_files([(other, "new")])
    assert other.read_text(encoding="utf-8") == "new"

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="one: cannot be written: No space left"):
        write_files([(one, "new"), (other, "newer")])
    assert one.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "other"]


def test_places_are_made_and_checked(tmp_path: Path) -> None:
    """The folder of a file is made; a folder is no place for one, nor is a file a folder."""
    check_place(tmp_path / "a" / "b" / "c.json")
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(OutputError, match="a: this is a folder"):
        check_place(tmp_path / "a")
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="named: cannot be written into: "):
        make_folder(tmp_path / "file", Path("named"))


def test_what_was_read_is_not_written_over(tmp_path: Path) -> None:
    """A link to an input is that input, and another file is none."""
    data, link, other = tmp_path / "data", tmp_path / "link", tmp_path / "other"
    data.touch()
    other.touch()
    link.symlink_to(data)
    refuse_input([other], [("data", data)], "the audit")
    with pytest.raises(UsageError, match="data is the data of the audit, and would be written"):
        refuse_input([link], [("data", data)], "the audit")
