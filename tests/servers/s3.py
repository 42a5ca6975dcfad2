"""An S3-compatible server on loopback that keeps objects in memory and checks signatures.

Run as a module it is the server itself, which `serving` starts as a process of its own.
"""

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote

__all__ = ["KEY", "REGION", "SECRET", "Server", "serving"]

KEY, SECRET, REGION = "AKIAEXAMPLE", "aVerySecretKey", "eu-west-1"
"""The one key that the server accepts, and where it claims to be."""

PUBLIC = "public"
"""The one bucket that anybody may read; every other one needs the key."""

OWNER = "X-Owner"
"""A header that only `Server` sends, to fill buckets without a signature."""

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Server:
    """A server that runs.

    Parameters
    ----------
    port : where it listens on 127.0.0.1.
    """

    port: int

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def place(self) -> dict[str, str]:
        """The variables of the environment that lead to it, without any key."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_REGION": REGION,
            "AWS_ALLOW_HTTP": "true",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    @property
    def access(self) -> dict[str, str]:
        """The variables of the environment that lead to it with the right key."""
        return {**self.place, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}

    @property
    def anonymous(self) -> dict[str, str]:
        """The variables of the environment that lead to it without a signature."""
        return {**self.place, "AWS_SKIP_SIGNATURE": "true"}

    def put(self, bucket: str, key: str, content: bytes) -> str:
        """Store an object, making its bucket if need be, and return its URI."""
        self._put(f"/{bucket}", b"")
        self._put(f"/{bucket}/{quote(key)}", content)
        return f"s3://{bucket}/{key}"

    def _put(self, path: str, content: bytes) -> None:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("PUT", path, content, {OWNER: "yes", "x-amz-acl": "public-read"})
            answer = connection.getresponse()
            assert answer.status in (200, 409), (answer.status, answer.read())
        finally:
            connection.close()


@contextmanager
def serving() -> Iterator[Server]:
    """Start a server as a process on a free port, and stop it at the end."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    ) as process:
        try:
            assert process.stdout is not None
            yield Server(int(process.stdout.readline()))
        finally:
            process.kill()


def gated(store: Application) -> Application:
    """Put a check before a store: a signature must be right, and without one all is read only."""

    def answer(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        fault = None if OWNER_FIELD in environ else fault_of(environ)
        if fault is None:
            return store(environ, start)
        start("403 Forbidden", [("Content-Type", "application/xml")])
        words = f"<Error><Code>{fault}</Code><Message>{fault}</Message></Error>"
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else words.encode()]

    return answer


OWNER_FIELD = "HTTP_" + OWNER.upper().replace("-", "_")


def fault_of(environ: Environ) -> str | None:
    """Return what S3 calls the fault of a request, if there is one."""
    if header := environ.get("HTTP_AUTHORIZATION"):
        scheme, _, rest = header.partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        key, _, region, *_ = parts["Credential"].split("/")
        if scheme != "AWS4-HMAC-SHA256" or key != KEY:
            return "InvalidAccessKeyId"
        signed = signature(environ, region, parts["SignedHeaders"].split(";"))
        return None if signed == parts["Signature"] else "SignatureDoesNotMatch"
    bucket = environ["PATH_INFO"].split("/")[1]
    reads = environ["REQUEST_METHOD"] in ("GET", "HEAD")
    return None if bucket == PUBLIC and reads else "AccessDenied"


def signature(environ: Environ, region: str, names: Iterable[str]) -> str:
    """Sign a request with the right key."""
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    fields = {name: environ.get("HTTP_" + name.upper().replace("-", "_"), "") for name in names}
    url = f"http://{environ['HTTP_HOST']}{environ['RAW_URI']}"
    request = AWSRequest(environ["REQUEST_METHOD"], url, headers=fields)
    request.context["timestamp"] = fields["x-amz-date"]
    signer = S3SigV4Auth(Credentials(KEY, SECRET), "s3", region)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return str(signer.signature(text, request))


def serve() -> None:
    """Listen on a free port, say which one, and answer until killed."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    store = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, gated(store), threaded=True)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    serve()
