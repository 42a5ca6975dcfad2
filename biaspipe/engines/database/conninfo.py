"""Parameters of libpq for a Postgres: the URL's, our own, and those that keep passwords hidden."""

import os

from biaspipe.engines.database.connection import Connection
from biaspipe.errors import DataError, UsageError
from biaspipe.extras import import_extra
from biaspipe.policy import Policy
from biaspipe.policy.paths_and_hosts import is_here, names_hosts, plain_host

__all__ = [
    "IN_CLEAR",
    "IN_CLEAR_HINT",
    "SENT",
    "conninfo_of",
    "hosts_in",
    "is_familiar",
    "libpq_settings",
    "told_by_environment",
]

SETTINGS = {
    "application_name": "biaspipe",
    "client_encoding": "UTF8",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
"""Parameters unless the URL or the environment says otherwise: no wait is without an end."""
PRIVATE = {"options": "", "sslcertmode": "disable", "gssencmode": "disable", "gssdelegation": "0"}
"""Parameters by which a host that only a spec names learns nothing of the environment or user."""
NO_TICKETS = ",!gss,!sspi"
NEEDED = {"user": "the name of the user", "dbname": "the name of the database"}
"""Parameters that libpq takes from the environment, or the system, if a URL lacks them."""
SENT = ("PGDATESTYLE", "PGTZ", "PGGEQO")
"""Variables that libpq sends whatever it is told."""
VARIABLES = {"connect_timeout": "PGCONNECT_TIMEOUT", "application_name": "PGAPPNAME"}
NO_PASSWORDS = "!password,!md5"
"""Refuses the methods that show the server a password; md5 is as good as the password."""
PASSWORD_METHODS = ("password", "md5")
OLDEST_LIBPQ = 160_000
"""The first version of libpq that has `require_auth`."""
VERIFIED = ("verify-ca", "verify-full")
IN_CLEAR = "the database asks for the password in clear, or by md5, and gets none"
IN_CLEAR_HINT = (
    "let the server ask by scram-sha-256; or name it in the policy, hosts: [...], and verify it,"
    " ?sslmode=verify-full"
)


def conninfo_of(connection: Connection) -> dict[str, str]:
    """Return the parameters that libpq reads in the URL of a Postgres.

    Parameters
    ----------
    connection : filled in.

    Raises
    ------
    DataError
        If libpq cannot read it.
    """
    driver, conninfo = (
        import_extra("psycopg", "postgres"),
        import_extra("psycopg.conninfo", "postgres"),
    )
    try:
        given: dict[str, str] = conninfo.conninfo_to_dict(connection.url)
    except driver.ProgrammingError as error:
        fault = connection.scrubbed(str(error).strip())
    else:
        return given
    if connection.url != connection.written:
        fault = "what the environment fills in makes no URL of Postgres"
    raise DataError(f"connection: {fault}")


def hosts_in(conninfo: dict[str, str]) -> list[str]:
    """Return every host that libpq may try, by name and by address.

    Parameters
    ----------
    conninfo : what libpq reads in a URL.
    """
    lists = [conninfo[name] for name in ("host", "hostaddr") if conninfo.get(name)]
    return [plain_host(host) for hosts in lists for host in hosts.split(",")] or ["localhost"]


def is_familiar(connection: Connection, hosts: list[str], policy: Policy) -> bool:
    """Whether all hosts are the operator's: this machine, in their variable, or in their policy.

    Parameters
    ----------
    connection : filled in.
    hosts : where it leads.
    policy : what the spec may reach.
    """
    is_named = names_hosts(hosts, policy.hosts) or all(map(is_here, hosts))
    return connection.is_whole or is_named


def told_by_environment(given: dict[str, str]) -> list[str]:
    """Return the names of what libpq would send any server from the environment, whatever is set.

    Parameters
    ----------
    given : what libpq reads in a URL.
    """
    lacking = [name for key, name in NEEDED.items() if not given.get(key)]
    return lacking + [name for name in SENT if name in os.environ]


def libpq_settings(connection: Connection, policy: Policy) -> str:
    """Return the connection string of libpq.

    Parameters
    ----------
    connection : filled in.
    policy : what the spec may reach.

    Raises
    ------
    UsageError
        If libpq is too old to keep a password to itself.
    DataError
        If libpq cannot read the URL.
    """
    given = conninfo_of(connection)
    left = {n: v for n, v in SETTINGS.items() if os.environ.get(VARIABLES.get(n, "")) is None}
    told = {**left, **given}
    is_known = is_familiar(connection, hosts_in(given), policy)
    if not is_known:
        told = {**SETTINGS, **given, **PRIVATE}
    if not _is_trusted(given, policy):
        told["require_auth"] = _required_methods(given)
    if not is_known and told["require_auth"].startswith("!"):
        told["require_auth"] += NO_TICKETS
    return str(import_extra("psycopg.conninfo", "postgres").make_conninfo(**told))


def _is_trusted(given: dict[str, str], policy: Policy) -> bool:
    """Whether the operator names the host, and it proves to be that host."""
    mode = given.get("sslmode") or os.environ.get("PGSSLMODE")
    return mode in VERIFIED and names_hosts(hosts_in(given), policy.hosts)


def _required_methods(given: dict[str, str]) -> str:
    """Return `require_auth`: the operator's value, if that is as strict as ours."""
    version = import_extra("psycopg", "postgres").pq.version()
    if version < OLDEST_LIBPQ:
        words = f"libpq {version // 10_000} cannot be told to send no password in clear"
        raise UsageError(words, hint="pip install 'psycopg[binary]' brings one that can")
    said = given.get("require_auth") or os.environ.get("PGREQUIREAUTH") or ""
    ways = {way.strip() for way in said.split(",") if way.strip()}
    denied = all(f"!{way}" in ways for way in PASSWORD_METHODS)
    named = ways and not any(way.startswith("!") or way in PASSWORD_METHODS for way in ways)
    return said if denied or named else NO_PASSWORDS
