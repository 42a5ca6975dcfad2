"""What a policy does to a whole call: refusals at their line, and the policy that holds."""

from pathlib import Path

import pytest

from tests.cli.calls import call, write_audit


def policy(text: str) -> Path:
    """Write a policy where the audit lies."""
    path = Path("policy.yaml")
    path.write_text(f"version: 1\n{text}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [["run"], ["check", "--data"]])
def test_a_file_of_the_system_is_refused_at_its_line(words: list[str]) -> None:
    """Without a policy, no spec reads the system's files; nothing of them is shown."""
    ended = call(*words, write_audit(data="/etc/passwd", rows=None))
    assert ended.code == 2
    assert "/etc/passwd is a place of the system, or of credentials" in ended.err
    assert (
        "no policy is given; one with roots: [/etc/passwd] would allow it: --policy FILE"
        in ended.err
    )
    assert "root:" not in ended.text


def test_data_outside_of_the_roots_is_refused() -> None:
    """Data beside the roots is refused, by the policy of command line or environment."""
    own = policy("roots: [elsewhere]")
    audit = write_audit()
    words = "data.csv lies outside of the folders that specs may read"
    ended = call("run", audit, "--policy", own)
    assert (ended.code, words in ended.err) == (2, True)
    again = call("run", audit, BIASPIPE_POLICY=str(own))
    assert (again.code, words in again.err) == (2, True)
    assert call("run", audit).code == 0


def test_a_baseline_outside_of_the_roots_is_refused() -> None:
    """A baseline is read from within the roots, as data is."""
    audit = write_audit(baseline={"report": "/etc/hostname"})
    ended = call("run", audit)
    assert ended.code == 2
    assert "/etc/hostname is a place of the system, or of credentials" in ended.err


@pytest.mark.parametrize("command", ["run", "check", "verify", "policy"])
def test_a_policy_that_cannot_be_read_is_an_error(command: str) -> None:
    """A policy that is named and not there ends every command that asks for it with 2."""
    words = [command] if command == "policy" else [command, write_audit()]
    ended = call(*words, "--policy", "nowhere.yaml")
    assert (ended.code, ended.err) == (2, "error: nowhere.yaml: No such file or directory\n")


def test_what_holds_is_printed() -> None:
    """`biaspipe policy` prints a policy with what is allowed beside it, and the defaults."""
    ended = call("policy", "--policy", policy("hosts: [a.org]"), "--allow-env", "TOKEN")
    assert ended.code == 0
    assert "hosts:\n- a.org\n" in ended.out
    assert "environment:\n- BIASPIPE_*\n- TOKEN\n" in ended.out
    assert "# roots: any folder but those of the system and of credentials\n" in ended.out


@pytest.mark.filterwarnings(  # an interrupt may fall between the opening of a file and its use
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_an_audit_that_takes_too_much_ends() -> None:
    """An audit that takes more memory than the policy lets it ends with 3, in words."""
    ended = call("run", write_audit(), "--policy", policy("limits: {memory: 1 MB}"))
    assert ended.code == 3
    assert "error: the audit needs more memory than 1.0MB (limits: memory)\n" in ended.err
