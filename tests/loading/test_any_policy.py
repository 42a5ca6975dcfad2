"""Whatever stands in a policy, it is read or refused with the place of its faults."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.errors import SpecError
from biaspipe.loading.policies import read_policy
from biaspipe.policy import Policy
from biaspipe.renderers.policy import policy_text
from tests.examples import examples
from tests.loading.test_fuzz import YAML_LIKE

POLICY = """\
version: 1
roots: [data, /srv/audits, "s3://bucket/loans"]
schemes: [s3, https]
hosts: ["*.example.com"]
environment: [DB_PASSWORD, "BIASPIPE_*"]
spark:
  masters: ["local[*]", "spark://host:7077"]
  config: [spark.sql.*]
connections:
  parameters: [sslmode, "connect_*"]
limits: {seconds: 60, memory: 8 GB, line: 1 MB, unpacked: 1 GB, groups: 1000, strata: 100}
"""
LINES = POLICY.splitlines()
TOKENS = re.findall(r"[\w.*]+|[^\w\s]", POLICY)


@st.composite
def policies(draw: st.DrawFn) -> str:
    """Draw a policy after a few changes anywhere."""
    text = POLICY
    for _ in range(draw(st.integers(1, 4))):
        words = list(re.finditer(r"[\w.]+|[^\w\s]|\n", text))
        if not words:
            return text
        word = draw(st.sampled_from(words))
        new = st.sampled_from([*TOKENS, *LINES, "", "-1", "1e999", ".nan", "{}", "[]", "!x y", "~"])
        text = text[: word.start()] + draw(new | YAML_LIKE) + text[word.end() :]
    return text


def is_read_or_refused(file: Path, text: str) -> None:
    """Check that a text is a policy that can be printed, or is refused with a place."""
    file.write_bytes(text.encode(errors="surrogatepass"))
    try:
        policy = read_policy(file)
    except SpecError as error:
        place = r".*policy\.yaml:\d+:\d+: \S|.*is not UTF-8"
        assert re.match(place, str(error))  # noqa: PT017 - in a property, not a test
        return
    assert isinstance(policy, Policy)
    assert policy_text(policy).endswith("\n")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file for one policy after the other."""
    return tmp_path_factory.mktemp("policies") / "policy.yaml"


def test_changed_policy_is_valid(file: Path) -> None:
    """The policy that the other tests change is itself without a fault."""
    file.write_text(POLICY, encoding="utf-8")
    assert read_policy(file).limits.seconds == 60


@examples(300, unchecked=list(HealthCheck))
@given(text=policies() | st.text(max_size=100))
def test_any_policy(file: Path, text: str) -> None:
    """A damaged policy is read or refused in words, and never breaks anything."""
    is_read_or_refused(file, text)
