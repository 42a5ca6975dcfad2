"""Which files and hosts there are that a spec has no business with."""

import os
import re
import socket
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase, translate
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = [
    "fits",
    "host_of",
    "is_here",
    "is_link_local",
    "is_private",
    "lies_in",
    "names_hosts",
    "plain_host",
    "real_path",
]

SYSTEM = re.compile(
    r"/(etc|proc|sys|dev(?!/shm(/|$))|boot|(private/)?var/run/secrets|run/secrets|private/etc|system)"
    r"(/|$)"
)
"""Folders of the system, which hold no data of an audit, in small letters; not shared memory."""
CREDENTIALS = (
    *(".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".config", ".vault*", ".oci"),
    *(".git", ".hg", ".svn", ".git-credentials", ".netrc", "_netrc", ".htpasswd", ".env", ".env.*"),
    *("*.env", ".envrc", ".pgpass", ".pg_service.conf", ".my.cnf", ".mylogin.cnf", ".duckdb"),
    *(".snowflake", ".snowsql", ".dbt", ".databrickscfg", ".boto", ".s3cfg", ".kaggle"),
    *(".npmrc", ".yarnrc*", ".pypirc", ".m2", ".gradle", ".cargo", ".gem", ".terraform*"),
    *("*.tfstate*", ".streamlit", ".password-store", "keyrings", ".mozilla", ".xauthority"),
    *(".*_history", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12"),
    *("*.pfx", "*.jks", "*.kdbx", "token", "stored_tokens", "credentials.json"),
    *("service-account*.json", "service_account*.json", "client_secret*.json"),
    *("application_default_credentials.json",),
)
"""Names of files and folders where people and programs keep what lets them in."""
CREDENTIAL = re.compile("|".join(map(translate, CREDENTIALS)))
NUMBERS = re.compile(r"[0-9a-fx.]*[0-9a-f]", re.I)
"""What may be an address by other numbers than four, such as 127.1."""
METADATA = ("metadata.google.internal", "metadata")
"""Names of the servers by which clouds hand credentials to their machines."""
ADDRESSES = ("fd00:ec2::254", "100.100.100.200", "168.63.129.16")
"""Addresses of such servers that are not link-local."""


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of those in which * stands for any text.

    >>> fits("BIASPIPE_DB", ["BIASPIPE_*"]), fits("HOME", ["BIASPIPE_*"])
    (True, False)
    """
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_private(real: Path) -> bool:
    """Whether a file belongs to the system, or is a place of credentials.

    Parameters
    ----------
    real : where the file is, links followed.

    >>> is_private(Path("/etc/passwd")), is_private(Path("/srv/data/people.csv"))
    (True, False)
    """
    low = real.as_posix().casefold()  # some file systems take no notice of case
    names = low.replace("/.git/annex/objects/", "/")  # where git-annex has data
    if any(map(CREDENTIAL.match, names.split("/"))):
        return True
    return SYSTEM.match(low) is not None


def real_path(path: Path) -> Path:
    """Return where a file is, links followed, whether there is one or not.

    >>> str(real_path(Path("//etc/../etc/./passwd")))
    '/etc/passwd'
    """
    return Path("/" + os.path.realpath(path).lstrip("/")) if os.sep == "/" else path.resolve()


def lies_in(real: Path, root: str) -> bool:
    """Whether a file lies in a folder, at any depth.

    >>> lies_in(Path("/srv/data/a.csv"), "/srv/data"), lies_in(Path("/srv/database"), "/srv/data")
    (True, False)
    """
    return real.is_relative_to(root)


def host_of(uri: str) -> str:
    """Return the host or bucket of a URI, without its port, in small letters.

    >>> host_of("https://Example.org:8080/people.csv"), host_of("s3://bucket/people.csv")
    ('example.org', 'bucket')
    """
    try:
        return unquote(urlsplit(uri).hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


def plain_host(host: str) -> str:
    """Return a host of a connection as a policy names it; a socket is this machine.

    >>> plain_host("DB.example.org."), plain_host("/var/run/postgresql"), plain_host("127.1")
    ('db.example.org', 'localhost', '127.0.0.1')
    """
    host = host.strip().rstrip(".").lower().strip("[]")
    if not host or host.startswith(("/", "@")):
        return "localhost"
    address = _address(host)
    return str(address) if address else host


def names_hosts(hosts: Sequence[str], patterns: Iterable[str] | None) -> bool:
    """Whether a policy names all of some hosts.

    Parameters
    ----------
    hosts : as `plain_host` returns them.
    patterns : of the policy; None where it says nothing.

    >>> names_hosts(["db"], ["db"]), names_hosts(["db", "evil"], ["db"]), names_hosts(["db"], None)
    (True, False, False)
    """
    known = tuple(patterns or ())
    return bool(hosts) and all(fits(host, known) for host in hosts)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is, in whatever numbers it is written."""
    try:
        found = ip_address(host)
    except ValueError:
        if not NUMBERS.fullmatch(host):
            return None
    else:
        return getattr(found, "ipv4_mapped", None) or found
    try:
        return ip_address(socket.inet_aton(host))
    except OSError:
        return None


def is_here(host: str) -> bool:
    """Whether a host is this machine: by its own address, or through a socket.

    >>> is_here("localhost"), is_here("/var/run/postgresql"), is_here("example.org")
    (True, True, False)
    """
    if host in ("", "localhost") or host.startswith(("/", "@")):
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_link_local(host: str) -> bool:
    """Whether a host is one by which a cloud hands out credentials.

    >>> is_link_local("169.254.169.254"), is_link_local("example.org")
    (True, False)
    """
    address = _address(host)
    if address is None:
        return host.lower().rstrip(".") in METADATA
    return address.is_link_local or str(address) in ADDRESSES
