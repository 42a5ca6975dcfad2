"""Where a connection may lead, and what of the environment may go there."""

from pathlib import Path
from urllib.parse import urlsplit

from biaspipe.engines.database.connection import FILES, LOC, Connection
from biaspipe.engines.database.conninfo import (
    SENT,
    conninfo_of,
    hosts_in,
    is_familiar,
    told_by_environment,
)
from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.policy import Policy, refusal, refuse_file, refuse_parameters, refuse_uri
from biaspipe.policy.paths_and_hosts import fits, host_of, is_here, plain_host
from biaspipe.printable_text import list_values

__all__ = ["refuse_reach"]

PLACES = ("host", "hostaddr", "server", "server_hostname", "account", "endpoint", "url")
"""Parameters that lead elsewhere than the URL says."""
BASIC = ("user", "password", "host", "port", "dbname")
"""What libpq finds in a URL before its parameters."""


def refuse_reach(policy: Policy, connection: Connection) -> None:
    """Refuse a connection that leads where specs may not, or takes there what it may not.

    Parameters
    ----------
    policy : what holds.
    connection : filled in, and not yet made.

    Raises
    ------
    SpecError
        With the policy's key.
    DataError
        If there is no such file.
    """
    if connection.scheme in FILES:
        _refuse_file(policy, connection)
        return
    if not connection.is_whole:
        refuse_parameters(policy, _parameters(connection), LOC)
    hosts = _hosts(connection)
    for host in hosts:
        _refuse_host(policy, connection, host)
    if not is_familiar(connection, hosts, policy):
        _refuse_telling(policy, connection, hosts)


def _refuse_telling(policy: Policy, connection: Connection, hosts: list[str]) -> None:
    """Refuse to tell a host that only the spec names anything of the environment."""
    what, hint = "", ""
    if connection.in_clear:
        what = f"${{{connection.in_clear[0]}}} would be sent"
        hint = "a variable may be the password, or the whole URL; "
    elif connection.scheme != "postgres":
        what = f"the driver of {connection.scheme} may send credentials"
    elif told := told_by_environment(conninfo_of(connection)):
        what = f"{', '.join(told)} of the environment would be sent"
        hint = f"write postgresql://USER@HOST/DATABASE, and unset {', '.join(SENT)}; "
    if what:
        named = list_values(host for host in hosts if not is_here(host))
        words = f"{what} in clear to {named}, a host of the spec"
        (fault,) = refusal(policy, words, LOC, f"hosts: [{hosts[0]}]").faults
        raise SpecError([fault._replace(hint=f"{hint}{fault.hint}")])


def _hosts(connection: Connection) -> list[str]:
    if connection.scheme == "postgres":
        return hosts_in(conninfo_of(connection))
    *_, places = urlsplit(connection.url).netloc.rpartition("@")
    written = [host_of(f"//{place}") for place in places.split(",")]
    led = [value for name, value in connection.parameters if name.lower() in PLACES]
    return [plain_host(host) for host in (*written, *led)]


def _parameters(connection: Connection) -> list[str]:
    names = [name for name, _ in connection.parameters]
    if connection.scheme == "postgres":
        names += [name for name in conninfo_of(connection) if name not in BASIC]
    return list(dict.fromkeys(names))


def _refuse_host(policy: Policy, connection: Connection, host: str) -> None:
    scheme = urlsplit(connection.url).scheme
    if scheme.startswith("postgres"):
        known = policy.schemes or ()
        scheme = "postgres" if fits("postgres", known) else "postgresql"
    place = f"[{host}]" if ":" in host else host
    refuse_uri(policy, f"{scheme}://{place}{urlsplit(connection.url).path}", LOC)


def _refuse_file(policy: Policy, connection: Connection) -> None:
    scheme, path = connection.scheme, Path(connection.path)
    if policy.schemes is not None and not fits(scheme, policy.schemes):
        words = f"{scheme}:// is none of the schemes that specs may use"
        raise refusal(policy, words, LOC, f"schemes: [{scheme}]")
    if "?" in connection.url:
        words = f"{scheme}:// takes no parameters: the file is read as it is, and only read"
        raise SpecError([Fault(words, LOC)])
    if not connection.path or connection.path.startswith(":") or not connection.path.isprintable():
        words = f"connection: {scheme}:// names no file"
        raise DataError(words, hint=f"such as {scheme}:///path/to/file.{scheme}")
    try:
        refuse_file(policy, path, connection.written, LOC)
        is_file = path.is_file()
    except (OSError, RuntimeError):  # a name that is too long, or a link that leads to itself
        is_file = False
    if not is_file:
        raise DataError(f"connection: there is no file {connection.path}")
