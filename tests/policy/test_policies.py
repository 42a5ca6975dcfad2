"""A policy is read as strictly as a spec, and what it leaves out holds by its default."""

from pathlib import Path

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading.policies import policy_in_force, read_policy
from biaspipe.policy import DEFAULT
from biaspipe.renderers.policy import policy_text

WRONG = [
    ("", "policy.yaml:1:1: the policy is empty"),
    ("[]", "policy.yaml:1:1: the policy is not a mapping"),
    ("roots: [data]", "the key 'version' is missing"),
    ("version: 2", "version: this value is not known"),
    ("version: true", "the whole number 1"),
    ("version: 1\nroot: [data]", "policy.yaml:2:1: unknown key 'root'"),
    ("version: 1\nroot: [data]", "did you mean 'roots'?"),
    ("version: 1\nlimits: {second: 3}", "policy.yaml:2:10: unknown key 'second' in limits"),
    ("version: 1\nlimits: {seconds: 0}", "limits.seconds: this number is too small"),
    ("version: 1\nlimits: {seconds: soon}", "limits.seconds"),
    ("version: 1\nlimits: {memory: much}", "a size, such as 8 GB"),
    ("version: 1\nlimits: {memory: -1}", "a size, such as 8 GB"),
    ("version: 1\nlimits: {memory: 0}", "limits.memory: this number is too small"),
    ("version: 1\nroots: {a: b}", "a list, such as [a, b]"),
    ("version: 1\nroots: ['']", "roots.0"),
    ("version: 1\nenvironment: [1]", "environment.0"),
    ("version: 1\nspark: {master: local}", "did you mean 'masters'?"),
    ("version: 1\nversion: 1", "the key 'version' stands twice"),
    ("version: 1\nhosts: &a [*a]", "the alias stands inside what it names"),
    ("version: 1\nhosts: !!python/name:os.system x", "is not supported"),
    ("version: 1\nroots:", "roots: nothing stands behind the key"),
    ("version: 1\nhosts:\nschemes:", "schemes: nothing stands behind the key"),
    ("version: 1\nlimits: {memory: }", "limits.memory: nothing stands behind the key"),
    ("version: 1\nlimits:", "limits: nothing stands behind the key"),
    ("version: 1\nlimits: {seconds: true}", "expected: a whole number"),
    ("version: 1\nlimits: {seconds: 1h}", "expected: a whole number"),
    ("version: 1\nlimits: {groups: 1.5}", "expected: a whole number"),
    ("version: 1\nlimits: {line: 10}", "expected: at least 100000"),
    ("version: 1\nroots: [~/data]", "policy.yaml:2:9: roots: this value is of the wrong kind"),
    ("version: 1\nroots: [a, '$HOME/b']", "without ~, $ and *"),
    ("version: 1\nroots: ['data/*']", "without ~, $ and *"),
    ("version: 1\nroots: [file:///data]", "without ~, $ and *"),
    ("version: 1\nschemes: ['s3://']", "a scheme in small letters, as in https"),
    ("version: 1\nhosts: ['https://h']", "without scheme, port and brackets"),
    ("version: 1\nhosts: ['h:5432']", "without scheme, port and brackets"),
    ("version: 1\nhosts: ['[::1]']", "without scheme, port and brackets"),
    ("version: 1\nhosts: [Example.org]", "in small letters"),
    ("version: 1\nenvironment: [$TOKEN]", "a name, as in BIASPIPE_DB"),
]


def written(folder: Path, text: str) -> Path:
    """Write a policy."""
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_a_wrong_policy_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    """What is wrong in a policy is said in words."""
    with pytest.raises(SpecError) as refusal:
        read_policy(written(tmp_path, text))
    assert words in str(refusal.value)


@pytest.mark.parametrize("bad", ["nowhere.yaml", "."])
def test_a_policy_that_cannot_be_read_is_no_default(tmp_path: Path, bad: str) -> None:
    """A policy that is named and cannot be read is an error, and not the defaults."""
    with pytest.raises(SpecError):
        policy_in_force(tmp_path / bad)


def test_roots_are_relative_to_the_policy(tmp_path: Path) -> None:
    """A folder is meant from where the policy stands, links followed; a URI stays as it is."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    policy = read_policy(written(tmp_path, "version: 1\nroots: [link, 's3://bucket/audits/']"))
    assert policy.roots == (str(tmp_path.resolve() / "real"), "s3://bucket/audits/")


def test_what_is_left_out_holds_by_its_default(tmp_path: Path) -> None:
    """A rule that a policy leaves out is the one that holds without a policy."""
    policy = read_policy(written(tmp_path, "version: 1\nlimits: {memory: 8 GB}"))
    assert policy.limits.memory == 8_000_000_000
    assert policy.limits.seconds == 3600
    assert policy.environment == ("BIASPIPE_*",)
    assert policy.spark == DEFAULT.spark
    assert (policy.roots, policy.hosts, policy.schemes) == (None, None, None)


def test_the_command_line_goes_before_the_environment(tmp_path: Path) -> None:
    """The policy that the command line names holds, else that of the environment, else none."""
    other = tmp_path / "other.yaml"
    other.write_text("version: 1\nhosts: [other]\n", encoding="utf-8")
    own = written(tmp_path, "version: 1\nhosts: [own]\n")
    environment = {"BIASPIPE_POLICY": str(other)}
    assert policy_in_force(own, (), environment).hosts == ("own",)
    assert policy_in_force(None, (), environment).hosts == ("other",)
    assert policy_in_force(None, (), {}) == DEFAULT


def test_a_variable_without_a_file_is_no_default() -> None:
    """A variable that is set to nothing, as by a setting that is not there, is an error."""
    with pytest.raises(SpecError, match="BIASPIPE_POLICY is set, and names no file"):
        policy_in_force(None, (), {"BIASPIPE_POLICY": ""})


def test_allowed_variables_come_on_top(tmp_path: Path) -> None:
    """--allow-env adds to what a policy allows, and takes nothing away."""
    own = written(tmp_path, "version: 1\nenvironment: [DB_*]\n")
    assert policy_in_force(own, ("TOKEN",), {}).environment == ("DB_*", "TOKEN")


def test_what_is_printed_is_a_policy(tmp_path: Path) -> None:
    """What `biaspipe policy` prints can be read back, and says the same."""
    own = written(tmp_path, "version: 1\nroots: [/data]\nlimits: {memory: 1 GiB, seconds: 60}\n")
    policy = read_policy(own)
    again = tmp_path / "again.yaml"
    again.write_text(policy_text(policy), encoding="utf-8")
    assert read_policy(again).model_dump() == policy.model_dump()
    assert policy_text(policy).startswith(f"# {own}\n")
    assert "# no policy is given, so the defaults hold\n" in policy_text(DEFAULT)
