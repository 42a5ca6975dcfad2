"""A PostgreSQL server on a socket of its own, and on loopback with a password."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers.processes import Account, Server, serving, wait_until

__all__ = ["Database", "postgres_server"]

OWNER = "owner"
AUDITOR = "auditor"
PASSWORD = "a%secret/of:the@tests"  # noqa: S105 - of a server that lives as long as one test run
NAME = "audits"

PACKAGED = Path("/usr/lib/postgresql")

# What is written need not outlive the server, so nothing waits for the disk.
SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "listen_addresses": "127.0.0.1",
    "log_min_messages": "warning",
}


@dataclass(frozen=True)
class Database:
    """An empty database of a running server.

    Its owner may do everything, over the socket alone and without a password.
    The role ``auditor`` may log in and read what it is granted;
    over TCP it needs the password, by SCRAM.

    Attributes
    ----------
    folder
        Where the socket lies, the data and the log.
    port
        The port on 127.0.0.1, which also names the socket.
    password
        What ``auditor`` gives over TCP; each of its signs that is special in a URL is there.
    server
        The running server, which can be stopped or killed in the middle of a test.
    """

    folder: Path
    port: int
    password: str
    server: Server

    def socket_url(self, user: str = OWNER) -> str:
        """Return the URL of the database over the socket, which asks for no password."""
        return f"postgresql:///{NAME}?host={self.folder}&port={self.port}&user={user}"

    def tcp_url(self, user: str = AUDITOR) -> str:
        """Return the URL of the database over TCP, whose password is for the environment."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{NAME}"

    @property
    def credentials(self) -> Mapping[str, str]:
        """The variables that let ``auditor`` in over TCP."""
        return {"PGPASSWORD": self.password}

    def run(self, statements: str, url: str | None = None) -> str:
        """Run SQL, by the owner if no URL is given, and return the rows as lines of text.

        Fields are separated by ``|``; a null is empty.
        RuntimeError with the server's words where a statement fails.
        """
        options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]
        settings = ["--set", "ON_ERROR_STOP=1", "--no-password"]
        command = [program("psql"), *options, *settings, "--dbname", url or self.socket_url()]
        done = subprocess.run(
            command, input=statements, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout


def program(name: str) -> str:
    """Return the path of one of the server's programs; RuntimeError where there is none."""
    versions = sorted(PACKAGED.glob("*/bin"), key=lambda path: path.parent.name.zfill(4))
    folders = [os.environ.get("PATH", ""), *(str(path) for path in reversed(versions))]
    found = [path for folder in folders if (path := shutil.which(name, path=folder))]
    if not found:
        raise RuntimeError(f"{name} is missing: apt-get install postgresql")
    return found[0]


@contextmanager
def postgres_server() -> Iterator[Database]:
    """Start a server with an empty database, and stop it and remove its data with the block.

    Root, whom the server refuses, runs it as ``postgres`` or ``nobody``.

    Raises
    ------
    RuntimeError
        Where no server is installed, or it does not start, with its last words.
    """
    account = Account.named("postgres", "nobody") if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    try:
        if account:
            os.chown(folder, account.user, account.group)
        initialize(folder, account)
        with listening(folder, account) as database:
            yield database
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def initialize(folder: Path, account: Account | None) -> None:
    """Make the files of an empty server."""
    rules = ["--auth-local=trust", "--auth-host=scram-sha-256"]
    form = ["--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"]
    target = ["--username", OWNER, "--pgdata", str(folder / "data")]
    command = [program("initdb"), *rules, *form, *target]
    log = folder / "initdb.log"
    with serving(command, log, account=account, ending=signal.SIGTERM) as making:
        code = making.process.wait()
    if code:
        raise RuntimeError(f"initdb ended with {code}:\n{making.said()}")


@contextmanager
def listening(folder: Path, account: Account | None) -> Iterator[Database]:
    """Serve the files of a server, with a database and the auditor's role in it."""
    port = free_port()
    settings = SETTINGS | {"port": str(port), "unix_socket_directories": str(folder)}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    command = [program("postgres"), "-D", str(folder / "data"), *options]
    log = folder / "log"
    with serving(command, log, account=account, ending=signal.SIGQUIT) as server:
        wait_until(lambda: answers(folder, port), server)
        database = Database(folder, port, PASSWORD, server)
        role = f"create role {AUDITOR} login password '{PASSWORD}';"
        maintenance = database.socket_url().replace(f"/{NAME}?", "/postgres?")
        database.run(f"{role} create database {NAME};", maintenance)
        yield database


def answers(folder: Path, port: int) -> bool:
    """Return whether the server on a port accepts connections."""
    place = ["--host", str(folder), "--port", str(port)]
    command = [
        program("pg_isready"),
        "--quiet",
        *place,
        "--username",
        OWNER,
        "--dbname",
        "postgres",
    ]
    return subprocess.run(command, check=False).returncode == 0


def free_port() -> int:
    """Return a port of loopback that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
