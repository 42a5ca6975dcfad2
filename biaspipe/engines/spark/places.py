"""Where Spark runs: the URLs that it is reached by, and what they may not hold."""

import re
import socket
from urllib.parse import urlsplit

from biaspipe.errors import DataError, UsageError, listing
from biaspipe.policy import Policy, refuse_master, refuse_settings
from biaspipe.secrets import names_secret, secret_parameters
from biaspipe.spec import Spark

__all__ = ["refuse_forbidden", "refuse_unreachable"]

PATIENCE = 10.0
"""Seconds that a master or server is given to accept a connection."""
CONNECT_PORT = 15002
PARAMETERS = ("use_ssl", "user_id", "user_agent", "session_id", "grpc_max_message_size")
"""What may follow the place in the URL of a Spark Connect server."""
PARAMETER = re.compile(rf"({'|'.join(PARAMETERS)})=[\w.-]{{1,100}}", re.ASCII)


def refuse_forbidden(policy: Policy, settings: Spark) -> None:
    """Refuse what a spec may not say of Spark, before anything is started or sent anywhere.

    Parameters
    ----------
    policy : what the spec may reach.
    settings : of the spec.

    Raises
    ------
    SpecError
        With the policy's key.
    UsageError
        If they let people in, since reports show the spec; without the credentials themselves.
    """
    _refuse_secrets(settings)
    for key, url in _places(settings):
        place = url.split(";", 1)[0]
        refuse_master(policy, place.removesuffix("/") if key == "remote" else url, ("spark", key))
    refuse_settings(policy, settings.config or {}, ("spark", "config"))


def _refuse_secrets(settings: Spark) -> None:
    for key in settings.config or {}:
        if names_secret(key):
            raise UsageError(
                f"spark: config: {key} is a credential, and credentials do not belong in a spec",
                hint="Spark takes it from spark-defaults.conf or the environment",
            )
    for key, url in _places(settings):
        place, *parameters = url.split(";")
        if secret_parameters(url) or "@" in place:
            raise UsageError(
                f"spark: {key}: the URL holds credentials, which do not belong in a spec",
                hint="Spark takes the whole URL from the environment: SPARK_REMOTE",
            )
        if not all(PARAMETER.fullmatch(parameter) for parameter in parameters):
            raise UsageError(
                f"spark: {key}: the URL has parameters that a spec may not give",
                hint=f"a spec may give {listing(PARAMETERS)}; SPARK_REMOTE any other",
            )


def _places(settings: Spark) -> list[tuple[str, str]]:
    pairs = (("master", settings.master), ("remote", settings.remote))
    return [(key, url) for key, url in pairs if url is not None]


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
    rest = rest.rpartition("@")[2]
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
