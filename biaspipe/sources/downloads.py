"""Files of web servers, fetched once: each hop and each address is one that specs may reach."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    getproxies_environment,
)

from biaspipe.errors import DataError, Fault, LimitError, Loc, SpecError, StoreError
from biaspipe.policy import Policy, refusal, refuse_address, refuse_uri
from biaspipe.printable_text import first_line
from biaspipe.sources.uris import TIMEOUT, WEB

__all__ = ["fetch"]

BLOCK = 1 << 18
MAX_HOPS = 10
REDIRECTS = (301, 302, 303, 307, 308)
ANSWERS = {
    401: "access is denied",
    403: "access is denied",
    404: "there is no such file",
    410: "there is no such file",
}
URI_SIGNS = "%/:=&?~+!$,;'@()*[]|"
"""What stands in a URI as it is written."""


def fetch(uri: str, folder: Path, name: str, policy: Policy, loc: Loc) -> Path:
    """Fetch a file of a web server, without credentials or cookies; return where it is kept.

    Parameters
    ----------
    uri : as the spec writes it.
    folder : where it is kept, below the folders of the URI that are named key=value.
    name : of the file.
    policy : what the spec may reach.
    loc : where in the spec the URI stands.

    Raises
    ------
    SpecError
        If the policy does not allow where the server leads.
    StoreError
        If the server does not answer, refuses, or breaks off.
    LimitError, DataError
        If the file is larger than the policy allows, or cannot be kept.
    """
    target = _kept_in(uri, folder) / name
    give_up = monotonic() + policy.limits.seconds
    with _translate_errors(uri), _answer(uri, policy, loc) as answer, target.open("wb") as file:
        size, whole = 0, answer.length
        _refuse_large(uri, whole or 0, policy)
        while block := answer.read(BLOCK):
            size += len(block)
            _refuse_large(uri, size, policy)
            if monotonic() > give_up:
                words = f"{uri}: not fetched within {policy.limits.seconds:,} seconds"
                raise StoreError(words, hint="the policy's limits: {seconds: ...} allows more")
            _write(uri, file, block)
        if whole is not None and size < whole:
            words = f"{uri}: the server breaks off after {size:,} of {whole:,} bytes"
            raise StoreError(words)
    return target


def _kept_in(uri: str, folder: Path) -> Path:
    """Return the folder that a URI is fetched to; folders named key=value keep their names."""
    steps = unquote(urlsplit(uri).path).split("/")[:-1]
    folder = folder.joinpath(*(step for step in steps if "=" in step and "\0" not in step))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{uri}: cannot be kept: {error.strerror}") from None
    return folder


def _write(uri: str, file: Any, block: bytes) -> None:
    try:
        file.write(block)
    except OSError as error:
        raise DataError(f"{uri}: cannot be kept in {file.name}: {error.strerror}") from None


def _refuse_large(uri: str, size: int, policy: Policy) -> None:
    if size > policy.limits.download:
        most = policy.limits.download.human_readable(decimal=True)
        words = f"{uri}: the file is larger than {most}, and no larger one is fetched"
        raise LimitError(words, hint="the policy's limits: {download: ...} allows more")


@contextmanager
def _answer(uri: str, policy: Policy, loc: Loc) -> Iterator[HTTPResponse]:
    """Follow a URI to the server that has the file; each hop is asked about."""
    now = uri
    for _ in range(MAX_HOPS):
        with _opened(now, policy, loc) as answer:
            if answer.status == 200:
                yield answer
                return
            leads = answer.headers.get("Location") if answer.status in REDIRECTS else None
            if not leads:
                words = ANSWERS.get(answer.status) or f"the store answers {answer.status}"
                raise StoreError(f"{uri}: {words}")
        following = urljoin(now, leads.strip())
        _refuse_hop(uri, now, following, policy, loc)
        now = following
    raise StoreError(f"{uri}: the server leads on more than {MAX_HOPS} times")


def _opened(uri: str, policy: Policy, loc: Loc) -> Any:
    class Checked(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            refuse_address(policy, uri, self.sock.getpeername()[0], loc)

    class CheckedTls(HTTPSConnection, Checked):
        """The same, asked before anything is said."""

    class Plain(HTTPHandler):
        def http_open(self, req: Request) -> HTTPResponse:
            return self.do_open(Checked, req)

    class Tls(HTTPSHandler):
        def https_open(self, req: Request) -> HTTPResponse:
            return self.do_open(CheckedTls, req, context=ssl.create_default_context())

    opener = OpenerDirector()
    for handler in (ProxyHandler(getproxies_environment()), Plain(), Tls()):
        opener.add_handler(handler)
    opener.addheaders = [("User-Agent", "biaspipe"), ("Accept-Encoding", "identity")]
    answer = opener.open(quote(uri.partition("#")[0], safe=URI_SIGNS), timeout=TIMEOUT)
    if answer is None:
        raise StoreError(f"{uri}: only http and https are fetched")
    return answer


def _refuse_hop(uri: str, now: str, following: str, policy: Policy, loc: Loc) -> None:
    """Refuse a redirect to a place that the spec does not name and the policy does not allow."""
    leads = f"{uri} leads on to {following}"
    if not following.startswith(WEB) or urlsplit(following).username is not None:
        raise StoreError(f"{leads}, which is not fetched")
    if now.startswith("https:") and not following.startswith("https:"):
        raise SpecError([Fault(f"{leads}, where anybody on the way may change it", loc)])
    try:
        refuse_uri(policy, following, loc)
    except SpecError as error:
        raise SpecError(
            [Fault(f"{uri} leads on: {f.message}", loc, hint=f.hint) for f in error.faults]
        ) from None
    if policy.hosts is None and policy.roots is None and not _is_same(now, following):
        host = urlsplit(following).hostname or ""
        raise refusal(policy, f"{leads}, another server", loc, f"hosts: [{host}]")


def _is_same(now: str, following: str) -> bool:
    """Whether two URIs are of one server; the ports of http and https count as one."""
    one, other = urlsplit(now), urlsplit(following)
    usual = {"http": 80, "https": 443}
    ports = [parts.port or usual[parts.scheme] for parts in (one, other)]
    return one.hostname == other.hostname and (
        ports[0] == ports[1] or ports == [usual["http"], usual["https"]]
    )


@contextmanager
def _translate_errors(uri: str) -> Iterator[None]:
    """Raise a StoreError in words for whatever keeps a file from being fetched."""
    host = urlsplit(uri).netloc
    try:
        yield
    except HTTPException as error:
        raise StoreError(f"{uri}: the connection to {host} failed: {first_line(error)}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise StoreError(f"{uri}: {_words(host, reason)}") from None


def _words(host: str, reason: object) -> str:
    import socket  # noqa: PLC0415 - only a fault needs it

    match reason:
        case TimeoutError():
            return f"{host} does not answer"
        case ConnectionRefusedError():
            return f"{host} refuses the connection"
        case socket.gaierror():
            return f"the host {host} is not known"
        case ssl.SSLCertVerificationError():
            return f"{host} has no certificate that holds: {reason.verify_message}"
    return f"the connection to {host} failed: {first_line(reason)}"
