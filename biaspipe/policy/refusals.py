"""Refusals of what a policy does not allow: each names the rule, and the key that changes it."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.policy.paths_and_hosts import (
    fits,
    host_of,
    is_link_local,
    is_private,
    lies_in,
    real_path,
)
from biaspipe.policy.rules import Policy
from biaspipe.printable_text import escape, list_values

__all__ = [
    "refusal",
    "refuse_address",
    "refuse_file",
    "refuse_names",
    "refuse_parameters",
    "refuse_uri",
    "refuse_variable",
]

NAME = re.compile(r"[\w.-]{1,200}", re.ASCII)
POLICY_HINT = "`biaspipe policy` prints what holds"


def refusal(policy: Policy, message: str, loc: Loc, rule: str) -> SpecError:
    """Return the error for what a policy does not allow.

    Parameters
    ----------
    policy : what holds.
    message : what the spec asks for, and why it may not.
    loc : where in the spec it asks for it.
    rule : the policy's key, with a value that would allow it, such as `roots: [/data]`.
    """
    if policy.name:
        hint = f"{escape(policy.name)} decides; there, {rule} would allow it; {POLICY_HINT}"
    else:
        hint = f"no policy is given; one with {rule} would allow it: --policy FILE; {POLICY_HINT}"
    return SpecError([Fault(message, loc, hint=hint)])


def refuse_file(policy: Policy, path: Path, written: str, loc: Loc) -> None:
    """Refuse a file that lies outside of what specs may read, links followed.

    Parameters
    ----------
    policy : what holds.
    path : the file.
    written : the same, as the spec writes it.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        With the policy's key.
    """
    real, named = real_path(path), Path(os.path.normpath(path.absolute()))
    own = Path("/", *named.parts[1:])
    roots = [root for root in policy.roots or () if "://" not in root and lies_in(real, root)]
    if is_private(real) or (own != real and is_private(own)):
        if not any(is_private(Path(root)) for root in roots):
            words = f"{written}{_link_words(path)} is a place of the system, or of credentials"
            raise refusal(policy, words, loc, f"roots: [{real}]")
    elif policy.roots is not None and not roots:
        words = f"{written}{_link_words(path)} lies outside of the folders that specs may read"
        above = real.parent if real.parent.name else real
        raise refusal(policy, words, loc, f"roots: [{above}]")


def _link_words(path: Path) -> str:
    return ", a link," if any(part.is_symlink() for part in (path, *path.parents)) else ""


def refuse_uri(policy: Policy, uri: str, loc: Loc) -> None:
    """Refuse a URI, or a connection, whose scheme, host or path is out of a spec's reach.

    Parameters
    ----------
    policy : what holds.
    uri : as the spec writes it.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        With the policy's key.
    """
    scheme, host = uri.partition("://")[0].lower(), host_of(uri)
    if policy.schemes is not None and not fits(scheme, policy.schemes):
        words = f"{scheme}:// is none of the schemes that specs may use"
        raise refusal(policy, words, loc, f"schemes: [{scheme}]")
    if policy.hosts is not None and fits(host, policy.hosts):
        return
    roots = [root for root in policy.roots or () if "://" in root]
    if any(_begins(uri, root) for root in roots):
        return
    if policy.hosts is not None or policy.roots is not None:
        words = f"{host or uri} is none of the hosts and buckets that specs may reach"
        raise refusal(policy, words, loc, f"hosts: [{host}]")
    if is_link_local(host):
        words = f"{host} is where a cloud hands out credentials"
        raise refusal(policy, words, loc, f"hosts: [{host}]")


def refuse_address(policy: Policy, uri: str, address: str, loc: Loc) -> None:
    """Refuse what a name has led to, if it is where a cloud hands out credentials.

    Parameters
    ----------
    policy : what holds.
    uri : as the spec writes it.
    address : that was connected to.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        With the policy's key.
    """
    if is_link_local(address) and not fits(address, policy.hosts or ()):
        words = f"{uri} leads to {address}, where a cloud hands out credentials"
        raise refusal(policy, words, loc, f"hosts: [{address}]")


def _begins(uri: str, root: str) -> bool:
    """Whether a URI lies below another; .. leads out of it, however written, and so may {}."""
    plain = uri
    for _ in range(3):  # a server may decode what another one has decoded
        plain = unquote(plain)
    is_plain = ".." not in plain.replace("\\", "/").split("/") and not set("{%") & set(plain)
    return is_plain and (uri == root or uri.startswith(root.rstrip("/") + "/"))


def refuse_variable(policy: Policy, name: str, loc: Loc) -> None:
    """Refuse a variable of the environment that specs may not name; SpecError with the key.

    Parameters
    ----------
    policy : what holds.
    name : of the variable.
    loc : where in the spec it stands.
    """
    if fits(name, policy.environment):
        return
    names = list_values(policy.environment)
    words = f"the environment variable {name} is none of those that specs may name: {names}"
    error = refusal(policy, words, loc, f"environment: [{name}]")
    (fault,) = error.faults
    other = "" if name.startswith("BIASPIPE_") else f", or call it BIASPIPE_{name}"
    hint = f"--allow-env {name} allows it{other}; {fault.hint}"
    raise SpecError([Fault(words, loc, hint=hint)])


def refuse_parameters(policy: Policy, names: Iterable[str], loc: Loc) -> None:
    """Refuse parameters in a URL of a database that specs may not give; SpecError with each.

    Parameters
    ----------
    policy : what holds.
    names : of the parameters.
    loc : where in the spec the URL stands.
    """
    refuse_names(policy, names, loc, "parameter", "connections: {{parameters: [{name}]}}")


def refuse_names(policy: Policy, names: Iterable[str], loc: Loc, kind: str, rule: str) -> None:
    """Refuse names that are none of those that a rule lets specs give; SpecError with each.

    Parameters
    ----------
    policy : what holds.
    names : as the spec gives them.
    loc : where in the spec they stand.
    kind : what they name: a "parameter" or a "setting of Spark".
    rule : the policy's key with `{name}` in it.
    """
    is_setting = kind != "parameter"
    known = policy.spark.config if is_setting else policy.connections.parameters
    faults: list[Fault] = []
    for name in names:
        if not fits(name, known) or not NAME.fullmatch(name):
            words = f"{escape(name)} is no {kind} that specs may give"
            place = (*loc, name) if is_setting else loc
            faults += refusal(policy, words, place, rule.format(name=escape(name))).faults
    if faults:
        raise SpecError(faults)
