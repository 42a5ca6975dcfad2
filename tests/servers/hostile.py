"""A server that speaks just enough of Postgres to be told secrets, and keeps what it is told."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

__all__ = ["ANSWERS", "Hostile", "hostile_server"]

NO = b"N"
ENCRYPTION = (80877103, 80877104)
"""What asks for TLS, and for encryption by Kerberos."""
ANSWERS = ("cleartext", "md5", "echo", "silence")
REQUESTS = {
    "cleartext": struct.pack("!cii", b"R", 8, 3),
    "md5": struct.pack("!cii4s", b"R", 12, 5, b"salt"),
}


@dataclass
class Hostile:
    """A server on an address of this machine.

    Parameters
    ----------
    answer : what it asks for: the password in clear, or by md5; or it refuses with an error that
        repeats all that it was told, ends the connection, or waits (waiting).
    port : where it listens.
    told : all that clients have sent.
    calls : how many clients there were.
    """

    answer: str
    port: int
    told: bytearray = field(default_factory=bytearray)
    calls: int = 0

    def serve(self, listening: socket.socket) -> None:
        """Answer clients until the socket is closed."""
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                self.calls += 1
                client.settimeout(5)
                with client, suppress(OSError, struct.error):
                    self._talk(client)

    def _talk(self, client: socket.socket) -> None:
        packet = self._packet(client)
        if self.answer == "waiting":
            client.recv(1)
            return
        while struct.unpack("!i", packet[:4])[0] in ENCRYPTION:
            client.sendall(NO)
            packet = self._packet(client)
        if self.answer in REQUESTS:
            client.sendall(REQUESTS[self.answer])
            self.told += client.recv(4096)
        if self.answer != "silence":
            client.sendall(_refusal(bytes(self.told).replace(b"\0", b" ")))

    def _packet(self, client: socket.socket) -> bytes:
        (size,) = struct.unpack("!i", client.recv(4, socket.MSG_WAITALL))
        packet = client.recv(size - 4, socket.MSG_WAITALL)
        self.told += packet
        return packet


def _refusal(words: bytes) -> bytes:
    fields = b"SFATAL\0C28P01\0M" + words + b"\0\0"
    return b"E" + struct.pack("!i", len(fields) + 4) + fields


@contextmanager
def hostile_server(answer: str, address: str = "127.0.0.1") -> Iterator[Hostile]:
    """Start a server, and stop it with the block."""
    with socket.create_server((address, 0)) as listening:
        server = Hostile(answer, listening.getsockname()[1])
        thread = threading.Thread(target=server.serve, args=(listening,), daemon=True)
        thread.start()
        yield server
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)
