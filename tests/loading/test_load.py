"""Loading a spec: what comes back, and which faults are shown together."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from biaspipe.errors import Fault, SpecError
from biaspipe.loading import Loaded, find_specs, load

SPEC = """\
version: 1
name: loans
data: {path: data/loans.csv}
columns:
  label: {column: repaid, positive: "yes"}
  prediction: {column: approved, positive: "yes"}
facets:
  sex: {column: sex, favored: male}
metrics:
  DI: {min: 0.8}
"""


def written(folder: Path, content: str | bytes = SPEC) -> Path:
    """Write a spec and return its path."""
    path = folder / "audit.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def loaded(folder: Path, content: str | bytes = SPEC) -> Loaded:
    """Write a spec and load it."""
    return load(written(folder, content))


def faults(folder: Path, content: str | bytes) -> list[tuple[int, str]]:
    """Write a wrong spec and return its faults as they are shown: line and message."""
    with pytest.raises(SpecError) as refusal:
        load(written(folder, content))
    heads = [part.splitlines()[0] for part in str(refusal.value).split("\n\n")]
    parts = [head.rsplit("audit.yaml:", 1)[1].split(":", 2) for head in heads]
    return [(int(line), message.strip()) for line, _, message in parts]


def test_audit_is_frozen(tmp_path: Path) -> None:
    """Nobody changes an audit once it is read, at any level."""
    audit = loaded(tmp_path).audit
    for model, name in (
        (audit, "name"),
        (audit.data, "path"),
        (audit.columns, "label"),
        (audit.facets["sex"], "favored"),
        (audit.metrics["DI"], "min"),
    ):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(model, name, None)


def test_same_text_gives_the_same_audit(tmp_path: Path) -> None:
    """Two readings of a spec are equal, and a spec with another limit is not."""
    assert loaded(tmp_path).audit == loaded(tmp_path).audit
    assert loaded(tmp_path).audit != loaded(tmp_path, SPEC.replace("0.8", "0.9")).audit


def test_folder_is_that_of_the_spec(tmp_path: Path) -> None:
    """Paths in a spec are relative to its folder, and stand in the audit as they are written."""
    found = loaded(tmp_path)
    assert found.folder == tmp_path
    assert found.audit.data.path == ("data/loans.csv",)


def test_folder_of_a_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec named without a folder is relative to the one where the user is."""
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert load(Path("audit.yaml")).folder == Path()


def test_sha256_is_of_the_bytes(tmp_path: Path) -> None:
    """The digest is that of the file's bytes, as `sha256sum` prints it."""
    assert (
        loaded(tmp_path).sha256
        == "af4f7782fa8dc1270f1c421f7597109e94805ed861bd54b2e8cb41704f64aa6d"
    )
    assert (
        loaded(tmp_path, SPEC.replace("\n", "\r\n")).sha256
        == "377b69ce7cbb69576358173afee4a86d1a2a9721bccfa5f286a542d441534c2f"
    )


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xef\xbb\xbf" + SPEC.encode(), id="byte order mark"),
        pytest.param(SPEC.replace("\n", "\r\n").encode(), id="carriage returns"),
        pytest.param(SPEC.rstrip("\n").encode(), id="no line end at the end"),
        pytest.param(b"---\n" + SPEC.encode() + b"...\n", id="markers"),
    ],
)
def test_same_audit_in_another_file(tmp_path: Path, content: bytes) -> None:
    """Byte order marks, line ends and document markers change nothing in the audit."""
    assert loaded(tmp_path, content).audit == loaded(tmp_path).audit


def test_line_of_a_key(tmp_path: Path) -> None:
    """A check is found again in the line where the spec writes it."""
    found = loaded(tmp_path)
    assert found.line(("metrics", "DI")) == 10
    assert found.line(("facets", "sex", "favored")) == 8


def test_faults_found_later_get_their_place(tmp_path: Path) -> None:
    """A fault that only the data shows is placed in the spec; one that has a place keeps it."""
    found = loaded(tmp_path)
    placed = found.placed(SpecError([Fault("'male' does not occur", ("facets", "sex", "favored"))]))
    assert str(placed) == (
        f"{tmp_path}/audit.yaml:8:31: 'male' does not occur\n"
        "     8 |   sex: {column: sex, favored: male}\n"
        "       |                               ^"
    )
    assert found.placed(placed) is placed


def test_not_utf8(tmp_path: Path) -> None:
    """A spec in another encoding is refused with the byte where it breaks."""
    with pytest.raises(SpecError, match="byte 17 is not UTF-8"):
        loaded(tmp_path, "version: 1\nname: é\n".encode("latin-1"))


def test_folder_is_no_spec(tmp_path: Path) -> None:
    """A folder in the place of a spec is refused in the system's words."""
    with pytest.raises(SpecError, match="Is a directory"):
        load(tmp_path)


def test_every_message_of_the_error(tmp_path: Path) -> None:
    """The error carries its faults as records as well as text."""
    with pytest.raises(SpecError) as refusal:
        loaded(tmp_path, SPEC.replace("min", "mni"))
    (fault,) = refusal.value.faults
    assert fault.message == "unknown key 'mni' in metrics.DI"
    assert fault.hint == "did you mean 'min'?"


def test_wrong_keys_do_not_hide_each_other(tmp_path: Path) -> None:
    """Unknown keys of all levels are shown together."""
    text = SPEC.replace("path: data", "paht: x, path: data").replace("favored", "favoured")
    assert faults(tmp_path, text + "onwer: me\n") == [
        (3, "unknown key 'paht' in data"),
        (8, "unknown key 'favoured' in facets.sex"),
        (11, "unknown key 'onwer'"),
    ]


def test_meaning_is_checked_behind_a_wrong_key(tmp_path: Path) -> None:
    """A wrong key does not hide what is wrong in the meaning of the rest."""
    text = SPEC.replace("DI: {", "DI: {facets: [sxe], ").replace("favored", "favoured")
    assert faults(tmp_path, text + "  CDDPL: {max_abs: 0.1}\n") == [
        (8, "unknown key 'favoured' in facets.sex"),
        (10, "there is no facet 'sxe'"),
        (11, "CDDPL needs columns.strata, which the spec does not declare"),
    ]


def test_wrong_key_is_read_as_the_one_meant(tmp_path: Path) -> None:
    """A misspelt declaration counts as declared, so nothing complains that it is missing."""
    assert faults(tmp_path, SPEC.replace("prediction", "predicton")) == [
        (6, "unknown key 'predicton' in columns")
    ]
    assert faults(tmp_path, SPEC.replace("column: sex", "colum: sex")) == [
        (8, "unknown key 'colum' in facets.sex")
    ]


def test_misspelt_section_hides_nothing(tmp_path: Path) -> None:
    """A misspelt `columns` is one fault, and not as many more as metrics need the columns."""
    assert faults(tmp_path, SPEC.replace("columns:", "colums:")) == [(4, "unknown key 'colums'")]


def test_key_beside_the_one_that_it_resembles(tmp_path: Path) -> None:
    """A wrong key beside the right one never takes its place."""
    text = SPEC.replace("DI: {min: 0.8}", "DI: {min: 0.8, mni: 2, max: 1.25}")
    assert faults(tmp_path, text) == [(10, "unknown key 'mni' in metrics.DI")]


def test_wrong_values_do_not_hide_each_other(tmp_path: Path) -> None:
    """Values of the wrong kind are shown together with wrong keys."""
    text = SPEC.replace("0.8", '"0.8"').replace("loans\n", "5\n").replace("favored", "favoured")
    assert faults(tmp_path, text) == [
        (2, "name: this value is of the wrong kind"),
        (8, "unknown key 'favoured' in facets.sex"),
        (10, "metrics.DI.min: this value is of the wrong kind"),
    ]


def test_wrong_specs_of_a_folder_are_found(tmp_path: Path) -> None:
    """A folder stands for its YAML files in the order of their names, each of them once."""
    for name in ("b.yml", "a.yaml", "c.txt"):
        (tmp_path / name).write_text(SPEC, encoding="utf-8")
    assert find_specs([tmp_path, tmp_path / "a.yaml"]) == [tmp_path / "a.yaml", tmp_path / "b.yml"]


def test_folder_without_specs(tmp_path: Path) -> None:
    """A folder without a spec is an error, since nothing would be checked."""
    with pytest.raises(SpecError, match="the folder holds no"):
        find_specs([tmp_path])


def test_specs_are_found_at_any_depth(tmp_path: Path) -> None:
    """Specs of folders in a folder are found, whatever the case of their ending, links included."""
    for name in ("a.yaml", "team/b.YAML", "team/deep/c.Yml", ".git/d.yaml", "rows.csv", ".e.yaml"):
        (tmp_path / "audits" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "audits" / name).write_text(SPEC, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/f.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "audits/linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "audits/.#a.yaml").symlink_to("nobody@nowhere")
    told: list[object] = []
    found = find_specs([tmp_path / "audits"], told.append)
    names = [str(path.relative_to(tmp_path / "audits")) for path in found]
    expected = [".#a.yaml", ".e.yaml", "a.yaml", "linked/f.yaml", "team/b.YAML", "team/deep/c.Yml"]
    assert (names, told) == (expected, [])


def test_files_that_look_like_specs_are_named(tmp_path: Path) -> None:
    """What a folder holds beside its specs and looks like one is named once, in one line."""
    for name in ("a.yaml", "b.json", "deep/c.yaml.bak", "d.YML~", "rows.csv", "README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SPEC, encoding="utf-8")
    told: list[object] = []
    assert find_specs([tmp_path, tmp_path], told.append) == [tmp_path / "a.yaml"]
    named = ", ".join(str(tmp_path / name) for name in ("b.json", "d.YML~", "deep/c.yaml.bak"))
    words = "left out, since a folder stands for its .yaml and .yml files: "
    assert told == [words + named]
    for number in range(9):
        (tmp_path / f"e{number}.json").touch()
    find_specs([tmp_path], told.append)
    assert str(told[-1]).endswith("e1.json and 7 more")


@pytest.mark.parametrize(
    ("link", "target", "words"),
    [
        ("team", "gone", "team: this link leads nowhere"),
        ("team", ".", "team: this link leads back to a folder that it is in"),
        ("team", "team", "team: "),
    ],
)
def test_links_are_not_passed_over(link: str, target: str, words: str, tmp_path: Path) -> None:
    """A link that cannot be followed is an error, since specs may stand behind it."""
    (tmp_path / "a.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / link).symlink_to(target)
    with pytest.raises(SpecError, match=words):
        find_specs([tmp_path])


def test_folder_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder inside that cannot be listed is named, and not passed over."""
    (tmp_path / "a.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "team").mkdir()
    listed = Path.iterdir

    def iterdir(self: Path) -> Iterator[Path]:
        if self.name == "team":
            raise PermissionError(13, "Permission denied", str(self))
        return listed(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    with pytest.raises(SpecError, match="team: Permission denied"):
        find_specs([tmp_path])
