"""The URL of a database: filled in from the environment, its secrets in no message."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, quote_plus, unquote, unquote_plus, urlsplit

from biaspipe.errors import DataError

__all__ = ["Connection", "filled"]

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
SECRET = re.compile(r"(password|passwd|pwd|token|secret|credentials?|api_?key|private_key)$", re.I)
"""The names of those parts of a query that let people in."""
SECRETS = ("PGPASSWORD",)
"""Variables that drivers take secrets from by themselves."""
HOSTS = re.compile(r"((\[[^\]]*\]|[^:,\[]*)(:\d*)?(,|$))*")
"""Names or addresses of hosts with their ports."""
HIDDEN = "***"
HINT = (
    "credentials come from the environment, such as ${DATABASE_URL}, ${DB_PASSWORD} or PGPASSWORD"
)
SIGNS = "in a name or password, signs such as @ : / ? # are written %40 %3A %2F %3F %23"


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
        """The path of a database that is a file; empty for one in memory."""
        parts = urlsplit(self.url)
        path = unquote(parts.netloc + parts.path)
        return "" if path == ":memory:" else path

    def scrubbed(self, text: str) -> str:
        """Return a driver's words without secrets, however they are written.

        Parameters
        ----------
        text : what the driver says.

        >>> Connection("${URL}", "mysql://me:a%40b@host/db", ("a@b",)).scrubbed("no: a%40b a@b")
        'no: *** ***'
        """
        text = text.replace(self.url, self.written)
        forms = {f(s) for s in self.secrets for f in (str, _quoted, quote, quote_plus, repr)}
        for form in sorted(forms, key=len, reverse=True):
            text = text.replace(form, HIDDEN)
        return text


def filled(written: str, environment: Mapping[str, str]) -> Connection:
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

    >>> filled("postgresql://me:${SECRET}@host/db", {"SECRET": "a@b"}).url
    'postgresql://me:a%40b@host/db'
    """
    _refuse_secrets(written)
    unset = [name for name in VARIABLE.findall(written) if not environment.get(name)]
    if unset:
        raise DataError(f"connection: the environment variable {unset[0]} is not set")
    if "${" in VARIABLE.sub("", written):
        raise DataError("connection: '${' begins no variable", hint="a variable is ${NAME}")
    userinfo = re.match(r"[^:/?#]+://[^/?#]*@", written)
    end = userinfo.end() if userinfo else 0
    url = VARIABLE.sub(lambda m: _quoted(environment[m[1]]), written[:end])
    url += VARIABLE.sub(lambda m: environment[m[1]], written[end:])
    parts = _split(url.strip())
    secrets = [*_secrets(parts), *(environment.get(name) for name in SECRETS)]
    return Connection(written, url.strip(), tuple(dict.fromkeys(s for s in secrets if s)))


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _refuse_secrets(written: str) -> None:
    """Refuse what lets people in, since specs are kept, and reports and messages show them."""
    parts = _split(VARIABLE.sub("", written)) if "://" in written else None
    if parts and any(_secrets(parts)):
        raise DataError("connection: a password does not belong in a spec", hint=HINT)


def _secrets(parts: SplitResult) -> list[str]:
    """Return the secrets of a URL, as they are written and as they are meant."""
    query = [value for name, value in parse_qsl(parts.query) if SECRET.search(name)]
    password = parts.password or ""
    return [*query, password, unquote(password), unquote_plus(password)]


def _split(url: str) -> SplitResult:
    """Return the parts of a URL; what could be read in two ways is refused."""
    parts: SplitResult | None
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = None
    if parts is None or "://" not in url or not _is_plain(parts):
        words = "connection: this is no URL of a database, such as postgresql://host/name"
        raise DataError(words, hint=SIGNS)
    return parts


def _is_plain(parts: SplitResult) -> bool:
    """Whether no password can be taken for a host, a port or a path."""
    userinfo, at, hosts = parts.netloc.rpartition("@")
    elsewhere = parts.path if at else parts.path + parts.query
    stray = "@" in userinfo + elsewhere or parts.fragment
    return not stray and bool(parts.scheme) and bool(HOSTS.fullmatch(hosts))
