"""A web server on loopback, in threads of the tests, whose answers the tests choose."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

__all__ = ["Answer", "Web", "serving"]

Answer = Callable[[BaseHTTPRequestHandler], None]


class Web:
    """A server that runs.

    Attributes
    ----------
    url
        Where clients find it.
    answers
        What answers each path; 404 where none does.
    asked
        The requests so far: path, and headers by their names in small letters.
    """

    def __init__(self) -> None:
        self.url = ""
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    def put(self, path: str, content: bytes) -> str:
        """Serve a file, and return its URI."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content)

        self.answers[path] = answer
        return self.url + path

    def lead(self, path: str, target: str, status: int = 302) -> str:
        """Serve a redirect, and return its URI."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Location", target)
            handler.end_headers()

        self.answers[path] = answer
        return self.url + path


@contextmanager
def serving() -> Iterator[Web]:
    """Run a server until the block is left."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            web.asked.append((self.path, headers))
            answer = web.answers.get(self.path)
            if answer is None:
                self.send_error(404)
            else:
                answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name above
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing of clients that break off."""

    with Quiet(("127.0.0.1", 0), Handler) as server:
        web.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield web
        finally:
            server.shutdown()
