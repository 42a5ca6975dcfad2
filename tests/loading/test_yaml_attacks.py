"""Attacks by YAML: texts that unfold, nest or repeat until memory or time are gone."""

import time
from collections.abc import Callable
from pathlib import Path
from tracemalloc import get_traced_memory, start, stop

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading import load_text
from biaspipe.loading.document import MAX_BYTES
from biaspipe.loading.policies import read_policy
from tests.examples import is_thorough

HEAD = "version: 1\nname: a\n"

ATTACKS: dict[str, tuple[Callable[[int], str], str]] = {
    "aliases of one long text": (
        lambda n: f"{HEAD}a: &a {'x' * (n // 2)}\nb: [{','.join(['*a'] * (n // 8))}]\n",
        "with its aliases the spec holds more than 1,000,000 signs",
    ),
    "aliases as keys": (
        lambda n: f"{HEAD}a: &a {'x' * (n // 2)}\nb:\n" + "  - {? *a : 1}\n" * (n // 40),
        "with its aliases the spec holds more than 1,000,000 signs",
    ),
    "aliases of aliases": (
        lambda _: (
            HEAD
            + "a0: &a0 [x]\n"
            + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in range(1, 30))
        ),
        "more than 50,000 values or 40 levels",
    ),
    "open lists": (lambda n: HEAD + "a: " + "[" * n, "nested deeper than 40 levels"),
    "open mappings": (lambda n: HEAD + "a: " + "{a: " * (n // 4), "nested deeper than 40 levels"),
    "lists in lines": (lambda n: HEAD + "a:\n " + "- " * (n // 2), "nested deeper than 40 levels"),
    "control characters": (lambda n: HEAD + "a: " + "\x01" * n, "there is a control character"),
    "one key many times": (lambda n: HEAD + "k: 1\n" * (n // 20), "the key 'k' stands twice"),
    "unknown keys": (
        lambda n: HEAD + "".join(f"k{i}: 1\n" for i in range(n // 40)),
        "unknown key 'k0'",
    ),
    "tags": (lambda n: f"{HEAD}b: [{','.join(['!x y'] * (n // 25))}]\n", "the tag '!x' is not"),
    "halves of characters": (
        lambda n: HEAD + 'a: "' + "\\ud83d" * (n // 6) + '"\n',
        "half of a character",
    ),
    "escapes": (lambda n: HEAD + 'a: "' + "\\u0041" * (n // 6) + '"\n', "unknown key 'a'"),
    "digits": (lambda n: HEAD + "a: " + "9" * n + "\n", "this number is too large"),
    "quotes": (lambda n: HEAD + "a: " + '"' * n, "not YAML"),
    "open quote": (lambda n: HEAD + 'a: "' + "x\n" * (n // 2), "this quote is not closed"),
    "spaces": (lambda n: HEAD + "a:" + " " * n + "x: y", "not YAML"),
    "lines": (lambda n: HEAD + "\n" * n + "x", "not YAML"),
    "directives": (lambda n: "%YAML 1.2\n" * (n // 10), "not YAML"),
    "documents": (lambda n: "---\n" * (n // 4), "more than one document"),
    "comments": (lambda n: HEAD + "#" * n, "the key 'data' is missing"),
}
each_attack = pytest.mark.parametrize(("text", "words"), ATTACKS.values(), ids=ATTACKS)


def refused(content: str) -> str:
    """Return what is said of a spec that is refused."""
    with pytest.raises(SpecError) as caught:
        load_text(content.encode(), "spec.yaml", Path())
    return str(caught.value)


@each_attack
def test_attack_is_refused_in_words(text: Callable[[int], str], words: str) -> None:
    """A spec that attacks is refused by what is wrong with it, in a message that can be read."""
    said = refused(text(100_000))
    assert words in said
    assert len(said) < 50_000


@pytest.mark.parametrize("name", ["aliases of one long text", "open lists"])
def test_attack_takes_bounded_memory(name: str) -> None:
    """A spec that unfolds to gigabytes takes no more than fifty megabytes."""
    content = ATTACKS[name][0](200_000 if is_thorough() else 100_000)
    start()
    try:
        refused(content)
        assert get_traced_memory()[1] < 50 * MAX_BYTES
    finally:
        stop()


@pytest.mark.parametrize("name", ["open lists", "control characters", "aliases of one long text"])
def test_time_grows_with_the_text(name: str) -> None:
    """A text eight times as long takes less than forty times as long, where squares take 64."""
    seconds = []
    for size in (50_000, 400_000):
        begun = time.process_time()
        refused(ATTACKS[name][0](size))
        seconds.append(max(time.process_time() - begun, 0.05))
    assert seconds[1] < 40 * seconds[0]


def test_policy_is_bounded_like_a_spec(tmp_path: Path) -> None:
    """A policy whose aliases unfold is refused as a spec is."""
    path = tmp_path / "policy.yaml"
    path.write_text(f"a: &a {'x' * 2_000}\nb: [{','.join(['*a'] * 1_000)}]\n", encoding="utf-8")
    with pytest.raises(SpecError, match="with its aliases the policy holds more than 1,000,000"):
        read_policy(path)


def test_a_shared_text_may_stand_in_many_places() -> None:
    """Aliases that unfold to less than a file may hold are read."""
    text = f"{HEAD}data: {{path: &p {'x' * 1_000}.csv}}\nmodel: {{m: [{','.join(['*p'] * 900)}]}}\n"
    assert "signs" not in refused(text)
