"""The URL of a database: filled in from the environment, its secrets in no message."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from biaspipe import secrets
from biaspipe.errors import BiaspipeError, DataError, Fault, SpecError
from biaspipe.policy import Policy, refuse_variable
from biaspipe.secrets import SECRET_VARIABLES, VARIABLE, secret_parameters

__all__ = [
    "CONNECTION_HINT",
    "FILES",
    "LOC",
    "Connection",
    "fill_variables",
    "permitted_connection",
]

LOC = ("data", "connection")
FILES = ("duckdb", "sqlite")
"""Databases that are files."""
HOSTS = re.compile(r"((\[[^\]]*\]|[^:,\[]*)(:\d*)?(,|$))*")
"""Names or addresses of hosts with their ports."""
PASSWORD = re.compile(r"([^:/?#]+://[^:@/?#]*):[^@/?#]*@")
"""The beginning of a URL, up to the host."""
CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
SCHEMES = ("postgres", "postgresql", "mysql", "snowflake", *FILES)
LOCAL_HOSTS = ("localhost", "127.0.0.1")
"""Parts of a URL that tell nothing."""
CONNECTION_HINT = (
    "credentials come from the environment, such as ${BIASPIPE_DATABASE_URL},"
    f" ${{BIASPIPE_DATABASE_PASSWORD}} or {' or '.join(SECRET_VARIABLES)}"
)
ENCODING_HINT = "in a name or password, signs such as @ : / ? # are written %40 %3A %2F %3F %23"


@dataclass(frozen=True)
class Connection:
    """Where a database is.

    Parameters
    ----------
    written : the URL as the spec writes it.
    url : the same, filled in.
    secrets : what no message may show.
    """

    written: str
    url: str
    secrets: tuple[str, ...]

    @property
    def scheme(self) -> str:
        """The kind of database; postgres for all names of Postgres."""
        scheme = urlsplit(self.url).scheme
        return "postgres" if scheme == "postgresql" else scheme

    @property
    def path(self) -> str:
        """The path of a database that is a file."""
        parts = urlsplit(self.url)
        return unquote(parts.netloc + parts.path)

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """Names and values of what stands behind the question mark."""
        return parse_qsl(urlsplit(self.url).query, keep_blank_values=True)

    @property
    def is_whole(self) -> bool:
        """Whether one variable stands for all of it, so that the spec writes no host."""
        return VARIABLE.fullmatch(self.written.strip()) is not None

    @property
    def in_clear(self) -> list[str]:
        """The variables that stand elsewhere than for all of it, or for the password."""
        written = self.written.strip()
        start = PASSWORD.match(written)
        rest = start[1] + written[start.end() :] if start else written
        return [] if self.is_whole else VARIABLE.findall(rest)

    def scrubbed(self, text: str) -> str:
        """Return a driver's words without what was filled in, however it is written.

        Parameters
        ----------
        text : what the driver says.

        >>> Connection("${URL}", "mysql://me:a%40b@host/db", ("a@b",)).scrubbed("no: a%40b a@b")
        'no: *** ***'
        """
        return secrets.remove_values(text.replace(self.url, self.written), self.secrets)

    @contextmanager
    def scrubbing(self) -> Iterator[None]:
        """Take what was filled in out of every error of a block."""
        try:
            yield
        except SpecError as error:
            faults = [self._without_values(fault) for fault in error.faults]
            raise SpecError(faults) from None
        except BiaspipeError as error:
            raise type(error)(
                self.scrubbed(error.message), hint=error.hint and self.scrubbed(error.hint)
            ) from None

    def _without_values(self, fault: Fault) -> Fault:
        return fault._replace(
            message=self.scrubbed(fault.message),
            expected=fault.expected and self.scrubbed(fault.expected),
            found=fault.found and self.scrubbed(fault.found),
            hint=fault.hint and self.scrubbed(fault.hint),
        )


def permitted_connection(
    written: str, environment: Mapping[str, str], policy: Policy
) -> Connection:
    """Fill in the variables that a policy lets a spec name; no message shows them from then on.

    Parameters
    ----------
    written : the URL as the spec writes it.
    environment : the variables.
    policy : what the spec may reach.

    Raises
    ------
    SpecError
        If it names another variable.
    DataError
        As `fill_variables` does.
    """
    for name in VARIABLE.findall(written):
        refuse_variable(policy, name, LOC)
    given = [environment.get(name, "") for name in VARIABLE.findall(written)]
    given += [environment.get(name, "") for name in SECRET_VARIABLES]
    secrets.remember(_without_scheme(value) for value in given if value)
    connection = fill_variables(written, environment)
    secrets.remember(connection.secrets)
    return connection


def fill_variables(written: str, environment: Mapping[str, str]) -> Connection:
    """Fill in the variables of a connection.

    Parameters
    ----------
    written : the URL as the spec writes it. A variable before the host is taken literally, and
        encoded; elsewhere it is a piece of the URL.
    environment : the variables.

    Raises
    ------
    DataError
        If the spec holds a password, a variable is not set, or the URL is none; no message shows
        what is filled in.

    >>> fill_variables("postgresql://me:${SECRET}@host/db", {"SECRET": "a@b"}).url
    'postgresql://me:a%40b@host/db'
    """
    _refuse_secrets(written)
    names = VARIABLE.findall(written)
    unset = [name for name in names if not environment.get(name)]
    if unset:
        raise DataError(f"connection: the environment variable {unset[0]} is not set")
    if "${" in VARIABLE.sub("", written):
        raise DataError("connection: '${' begins no variable", hint="a variable is ${NAME}")
    userinfo = re.match(r"[^:/?#]+://[^/?#]*@", written)
    end = userinfo.end() if userinfo else 0
    url = VARIABLE.sub(lambda m: quote(environment[m[1]], safe=""), written[:end])
    url += VARIABLE.sub(lambda m: environment[m[1]], written[end:])
    _split(url.strip())
    values = [environment[name].strip() for name in names]
    found = [*_secret_parts(written, url, values), *map(environment.get, SECRET_VARIABLES)]
    return Connection(written, url.strip(), tuple(dict.fromkeys(v for v in found if v)))


def _secret_parts(written: str, url: str, values: list[str]) -> Iterator[str]:
    """Yield what a connection tells of the environment: values, and the parts that hold them."""
    yield from map(_without_scheme, values)
    if values:
        kept = {*_parts(written), *LOCAL_HOSTS}
        yield from (part for part in _parts(url) if part not in kept)


def _without_scheme(value: str) -> str:
    """Return a value without the scheme of a URL, which tells nothing if it is well known."""
    scheme, _, rest = value.partition("://")
    return rest if rest and scheme in SCHEMES else value


def _parts(url: str) -> list[str]:
    """Return the names, hosts, folders and parameters of a URL."""
    rest, _, query = url.strip().partition("://")[2].partition("?")
    place, _, path = rest.partition("/")
    userinfo, _, hosts = place.rpartition("@")
    named = [part for name in query.split("&") for part in name.split("=", 1)]
    ports = [re.sub(r":\d*$", "", host).strip("[]") for host in hosts.split(",")]
    return [*userinfo.split(":", 1), *ports, path, *path.split("/"), *named]


def _refuse_secrets(written: str) -> None:
    """Refuse what lets people in, since specs are kept, and reports and messages show them."""
    if "://" not in written:
        return
    bare = VARIABLE.sub("", written)
    if any(value for _, value in secret_parameters(bare)) or _split(bare).password:
        raise DataError("connection: a password does not belong in a spec", hint=CONNECTION_HINT)


def _split(url: str) -> SplitResult:
    """Return the parts of a URL; what could be read in two ways is refused."""
    parts: SplitResult | None
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = None
    if parts is None or "://" not in url or CONTROLS.search(url) or not _is_plain(parts):
        words = "connection: this is no URL of a database, such as postgresql://host/name"
        raise DataError(words, hint=ENCODING_HINT)
    return parts


def _is_plain(parts: SplitResult) -> bool:
    """Whether no password can be taken for a host, a port or a path."""
    userinfo, at, hosts = parts.netloc.rpartition("@")
    elsewhere = parts.path if at else parts.path + parts.query
    stray = "@" in userinfo + elsewhere or parts.fragment
    return not stray and bool(parts.scheme) and bool(HOSTS.fullmatch(hosts))
