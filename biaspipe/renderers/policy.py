"""What specs may reach, for a person, as a policy file that says the same."""

from typing import Any

import yaml

from biaspipe.policy import Policy
from biaspipe.printable_text import escape

__all__ = ["policy_text"]

ANY = {
    "roots": "any folder but those of the system and of credentials",
    "schemes": "all that are known",
    "hosts": "any that gets nothing of the environment, and this machine",
    "memory": "all that the machine has",
}
"""What holds where a rule is left out that has no list or number for it."""


def policy_text(policy: Policy) -> str:
    """Return the YAML of a policy; a rule without a list is a comment.

    Parameters
    ----------
    policy : what holds.
    """
    whence = escape(policy.name) if policy.name else "no policy is given, so the defaults hold"
    return f"# {whence}\n" + _lines(policy.model_dump(mode="json"))


def _lines(values: dict[str, Any], indent: str = "") -> str:
    text = ""
    for key, value in values.items():
        if isinstance(value, dict):
            text += f"{indent}{key}:\n{_lines(value, indent + '  ')}"
        elif value is None:
            text += f"{indent}# {key}: {ANY[key]}\n"
        else:
            written = yaml.safe_dump({key: value}, allow_unicode=True, width=96, sort_keys=False)
            text += "".join(f"{indent}{line}\n" for line in written.splitlines())
    return text
