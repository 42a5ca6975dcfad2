"""Where Spark runs: the URLs that it is reached by, and what they may not hold."""

import socket
from urllib.parse import urlsplit

from biaspipe.errors import DataError, UsageError
from biaspipe.secrets import names_secret, secret_parameters
from biaspipe.spec import Spark

__all__ = ["refuse_secrets", "refuse_unreachable"]

PATIENCE = 10.0
"""Seconds that a master or server is given to accept a connection."""
CONNECT_PORT = 15002


def refuse_secrets(settings: Spark) -> None:
    """Refuse settings that let people in, since reports show the spec.

    Parameters
    ----------
    settings : of the spec.

    Raises
    ------
    UsageError
        Without the credentials themselves.
    """
    for key in settings.config or {}:
        if names_secret(key):
            raise UsageError(
                f"spark: config: {key} is a credential, and credentials do not belong in a spec",
                hint="Spark takes it from spark-defaults.conf or the environment",
            )
    if settings.remote and (secret_parameters(settings.remote) or "@" in settings.remote):
        raise UsageError(
            "spark: remote: the URL holds credentials, which do not belong in a spec",
            hint="Spark takes the whole URL from the environment: SPARK_REMOTE",
        )


def refuse_unreachable(url: str) -> None:
    """Refuse a URL none of whose hosts accepts a connection; Spark itself would try for long.

    Parameters
    ----------
    url : of a master, or of a Spark Connect server.

    Raises
    ------
    DataError
        Within seconds.
    """
    scheme, rest = url.split("://", 1)
    places = [urlsplit(f"//{place}") for place in rest.split("/", 1)[0].split(",")]
    for place in places:
        try:
            port = place.port or CONNECT_PORT
            socket.create_connection((place.hostname or "", port), PATIENCE).close()
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error)
        else:
            return
    raise DataError(f"{scheme}://{rest}: Spark cannot be reached: {said}")
