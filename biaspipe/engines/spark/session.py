"""Sessions of Spark: the one that is there, or one of our own that ends with the audit."""

import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from biaspipe.engines.spark.answers import channel_to
from biaspipe.engines.spark.errors import translate_errors
from biaspipe.engines.spark.java import (
    ENDING,
    end_java,
    holding_interrupts,
    restore_interrupt,
    start_java,
)
from biaspipe.errors import DataError, UsageError
from biaspipe.extras import import_extra
from biaspipe.policy import DEFAULT, Policy, refuse_master, refuse_settings
from biaspipe.printable_text import list_values
from biaspipe.secrets import names_secret, secret_parameters
from biaspipe.spec import Spark

__all__ = ["Session", "open_session", "refuse_forbidden"]

SESSION_SETTINGS = {
    "spark.app.name": "biaspipe",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
}
LOCAL_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
}
"""The settings of a session on this machine, which nothing else reaches."""
TIMEOUT = 10.0
"""Seconds that a master or server is given to accept a connection."""
CONNECT_PORT = 15002
PARAMETERS = ("use_ssl", "user_id", "user_agent", "session_id", "grpc_max_message_size")
"""The parameters that the URL of a Spark Connect server may have."""
PARAMETER = re.compile(rf"({'|'.join(PARAMETERS)})=[\w.-]{{1,100}}", re.ASCII)


@dataclass(frozen=True)
class Session:
    """A session, and what ends with it if it is our own.

    Parameters
    ----------
    spark : the session of pyspark, classic or Connect.
    connected : whether it is one of Spark Connect.
    own : whether the audit has started it.
    gateway : the process of Java that was started for it.
    interrupt : what an interrupt did before the session was started.
    """

    spark: Any
    connected: bool
    own: bool = False
    gateway: Any = None
    interrupt: Any = None
    version: str = field(init=False)

    def __post_init__(self) -> None:
        """Note the version, which is asked for after the session has ended."""
        pyspark = import_extra("pyspark", "spark").__version__
        spark = self.spark.version
        over = " by Spark Connect" if self.connected else ""
        server = "" if spark == pyspark else f" on Spark {spark}"
        object.__setattr__(self, "version", f"pyspark {pyspark}{server}{over}")

    def setting(self, name: str, default: str = "") -> str:
        """Return a setting as Spark writes it."""
        return str(self.spark.conf.get(name, default))

    @property
    def functions(self) -> ModuleType:
        """The functions of pyspark that make columns for this session."""
        return import_extra(f"pyspark.sql{'.connect' * self.connected}.functions", "spark")

    @property
    def folds_case(self) -> bool:
        """Whether two columns whose names differ in case are one to the session."""
        return self.setting("spark.sql.caseSensitive", "false").lower() != "true"

    @contextmanager
    def cancelling(self) -> Iterator[None]:
        """Cancel the jobs that are started in a block where it is interrupted."""
        tag = f"biaspipe-{uuid4()}"
        self.spark.addTag(tag)
        try:
            yield
        except KeyboardInterrupt:
            with ENDING:
                if not self.own:
                    self.spark.interruptTag(tag)
            raise
        finally:
            with ENDING:
                self.spark.removeTag(tag)

    def close(self) -> None:
        """End a session of our own, with the process of Java that was started for it."""
        if not self.own:
            return
        with ENDING, translate_errors("Spark"):
            self.spark.stop()
        end_java(self.gateway, self.interrupt)


def open_session(settings: Spark | None, policy: Policy = DEFAULT) -> Session:
    """Return the session that is there, or start one.

    Parameters
    ----------
    settings : where Spark runs; what spark-submit or the environment say, if left out.
    policy : what the spec may reach.

    Raises
    ------
    UsageError
        If pyspark or Java is not installed, or the settings hold credentials.
    SpecError
        If the settings ask for what the policy does not allow.
    DataError
        If Spark does not answer or does not start.
    """
    sql = import_extra("pyspark.sql", "spark")
    settings = settings or Spark()
    refuse_forbidden(policy, settings)
    if found := _active(sql):
        return found
    remote = settings.remote
    if remote is None and settings.master is None:
        remote = os.environ.get("SPARK_REMOTE")
    if remote:
        return _connected(remote, settings)
    return _started(sql, settings)


def _active(sql: ModuleType) -> Session | None:
    """Return the session of this process, if it has one."""
    if connect := sys.modules.get("pyspark.sql.connect.session"):
        found = connect.SparkSession.getActiveSession()
        if found is not None:
            return Session(found, connected=True)
    if import_extra("pyspark", "spark").SparkContext._active_spark_context is None:
        return None
    return Session(sql.SparkSession.builder.getOrCreate(), connected=False)


def _connected(remote: str, settings: Spark) -> Session:
    if not remote.startswith("sc://"):
        words = f"spark: remote: {remote!r} is no URL of a Spark Connect server"
        raise UsageError(words, hint="such as sc://host:15002; master names a cluster's master")
    refuse_unreachable(remote.split(";", 1)[0])
    connect = import_extra("pyspark.sql.connect.session", "spark")
    with translate_errors("Spark Connect"):
        builder = connect.SparkSession.builder.channelBuilder(channel_to(remote))
    session_wide = {k: v for k, v in SESSION_SETTINGS.items() if k in CONNECTED}
    for key, value in {**session_wide, **_texts(settings)}.items():
        builder = builder.config(key, value)
    with translate_errors("Spark Connect"):
        return Session(builder.create(), connected=True, own=True)


CONNECTED = ("spark.sql.ansi.enabled", "spark.sql.caseSensitive", "spark.sql.session.timeZone")
"""Settings that each session of a server has for itself."""


def _texts(settings: Spark) -> dict[str, str]:
    """Return the settings of a spec as Spark writes them."""
    config = settings.config or {}
    return {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in config.items()}


def _started(sql: ModuleType, settings: Spark) -> Session:
    """Start Java, and in it a session."""
    pyspark = import_extra("pyspark", "spark")
    before = signal.getsignal(signal.SIGINT)
    asked = pyspark.SparkConf(loadDefaults=False)
    for key, value in {**SESSION_SETTINGS, **_texts(settings)}.items():
        asked.set(key, value)
    if settings.master:
        asked.setMaster(settings.master)
    gateway = None
    try:
        with holding_interrupts():
            gateway = None if pyspark.SparkContext._gateway else start_java(asked)
        with translate_errors("Spark"):
            return _within(sql, asked, gateway, before)
    except BaseException:  # an interrupt too leaves no Java behind
        end_java(gateway, before)
        raise


def _within(sql: ModuleType, asked: Any, gateway: Any, before: Any) -> Session:
    """Start a session in a process of Java that runs."""
    pyspark = import_extra("pyspark", "spark")
    java = gateway or pyspark.SparkContext._gateway
    conf = pyspark.SparkConf(_jvm=java.jvm)
    for key, value in asked.getAll():
        conf.set(key, value)
    conf.setIfMissing("spark.master", "local[*]")
    master = conf.get("spark.master")
    for key, value in LOCAL_SETTINGS.items() if master.startswith("local") else ():
        conf.setIfMissing(key, value)
    if master.startswith("spark://"):
        refuse_unreachable(master)
    context = pyspark.SparkContext(conf=conf, gateway=java)
    restore_interrupt(before)
    return Session(sql.SparkSession(context), False, True, gateway, before)


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
                hint=f"a spec may give {list_values(PARAMETERS)}; SPARK_REMOTE any other",
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
            socket.create_connection((place.hostname or "", port), TIMEOUT).close()
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error)
        else:
            return
    raise DataError(f"{scheme}://{rest}: Spark cannot be reached: {said}")
