"""YAML text to a Policy, or every fault of it with line and column."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from biaspipe.errors import Fault, SpecError
from biaspipe.loading.document import Document, content_of, parse_bytes
from biaspipe.loading.faults import empty_fault, empty_keys, fault_of
from biaspipe.policy import DEFAULT, Policy

__all__ = ["policy_in_force", "read_policy"]

VARIABLE = "BIASPIPE_POLICY"
"""The variable that names the policy where the command line does not."""


def policy_in_force(
    given: Path | None, allowed: tuple[str, ...] = (), environment: Mapping[str, str] = os.environ
) -> Policy:
    """Return the policy that a command line asks for; the defaults if it asks for none.

    Parameters
    ----------
    given : the file of `--policy`; the one that the environment names if left out.
    allowed : variables of the environment that specs may name beside those of the policy.
    environment : the variables.

    Raises
    ------
    SpecError
        If the file cannot be read, or is no policy.

    >>> policy_in_force(None, ("DB_PASSWORD",), {}).environment
    ('BIASPIPE_*', 'DB_PASSWORD')
    """
    named = environment.get(VARIABLE)
    if given is None and named == "":
        words = f"the environment variable {VARIABLE} is set, and names no file"
        raise SpecError([Fault(words, hint="unset it where no policy is meant")])
    path = given if named is None or given is not None else Path(named)
    policy = read_policy(path) if path else DEFAULT
    return policy.allowing(allowed) if allowed else policy


def read_policy(path: Path) -> Policy:
    """Read and validate a policy.

    Parameters
    ----------
    path : the YAML file; it appears in messages as it is given.

    Raises
    ------
    SpecError
        With every fault of the policy at once.
    """
    content = content_of(path)
    policy = _validated(parse_bytes(str(path), content, what="policy"))
    roots = policy.roots and tuple(_absolute(root, path.parent) for root in policy.roots)
    placed = policy.model_copy(update={"roots": roots})
    return placed.read_from(str(path), hashlib.sha256(content).hexdigest())


def _validated(document: Document) -> Policy:
    empty = [empty_fault(loc, Policy) for loc in empty_keys(document.values, model=Policy)]
    if document.faults or empty:
        raise document.error([*document.faults, *empty])
    try:
        return Policy.model_validate(document.values)
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise document.error([fault_of(e, e["loc"], Policy) for e in found]) from None


def _absolute(root: str, folder: Path) -> str:
    """Return a folder as it is named from everywhere, links followed; a URI as it is."""
    return root if "://" in root else str((folder / root).resolve())
