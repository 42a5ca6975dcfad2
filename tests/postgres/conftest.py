"""One PostgreSQL server for all tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.servers.postgres import Database, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Database]:
    """Return a database of a server that runs until the last test has ended."""
    with postgres_server() as database:
        yield database
