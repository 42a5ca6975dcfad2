"""The policy as it is written, with the default of every rule."""

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, ByteSize, Field, PrivateAttr
from pydantic_core import PydanticCustomError

from biaspipe.spec.values import NAME_OR_LIST, FormatVersion, Name, SpecModel

__all__ = ["DEFAULT", "ConnectionRules", "Limits", "Policy", "SparkRules"]


HOST = "a host or bucket in small letters, without scheme, port and brackets"


def _names(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise PydanticCustomError("list", "expected a list, such as [a, b]")
    return tuple(value)


def _size(value: object) -> object:
    words = value if isinstance(value, str) else str(value) if type(value) is int else ""
    if not SIZE.fullmatch(words.strip()):
        raise PydanticCustomError("size", "expected a size, such as 8 GB")
    return value


def _all(pattern: str, words: str) -> AfterValidator:
    """Return a validator that refuses names which could never be met, so that no rule is idle."""

    def checked(values: tuple[str, ...]) -> tuple[str, ...]:
        for i, value in enumerate(values):
            if not re.fullmatch(pattern, value):
                context = {"index": i, "words": words}
                raise PydanticCustomError("never_met", "expected {words}", context)
        return values

    return AfterValidator(checked)


Patterns = Annotated[tuple[Name, ...], BeforeValidator(_names), NAME_OR_LIST]
"""Names in which * stands for any text; an empty list allows nothing."""
Roots = Annotated[
    Patterns,
    _all(r"(?!~|file:)[^*$\x00]+", "a folder, or the beginning of a URI, without ~, $ and *"),
]
Schemes = Annotated[
    Patterns, _all(r"[a-z*][a-z0-9+.*-]*", "a scheme in small letters, as in https")
]
Hosts = Annotated[
    Patterns,
    _all(r"[^A-Z\s/@:\[\]]+|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*", HOST),
]
Variables = Annotated[Patterns, _all(r"[A-Za-z_*][A-Za-z0-9_*]*", "a name, as in BIASPIPE_DB")]
Size = Annotated[ByteSize, BeforeValidator(_size), Field(gt=0)]

SIZE = re.compile(r"\d+(\.\d+)? ?([kmgt]i?)?b?", re.I)
GB = 1_000_000_000
LEAST = 100_000
"""Bytes of a row that are always read, as lines are followed by blocks of that size."""
SETTINGS = (
    "spark.app.name",
    "spark.cores.max",
    "spark.default.parallelism",
    "spark.driver.cores",
    "spark.driver.maxResultSize",
    "spark.driver.memory",
    "spark.driver.memoryOverhead",
    "spark.dynamicAllocation.enabled",
    "spark.dynamicAllocation.initialExecutors",
    "spark.dynamicAllocation.maxExecutors",
    "spark.dynamicAllocation.minExecutors",
    "spark.executor.cores",
    "spark.executor.instances",
    "spark.executor.memory",
    "spark.executor.memoryOverhead",
    "spark.locality.wait*",
    "spark.memory.fraction",
    "spark.memory.offHeap.enabled",
    "spark.memory.offHeap.size",
    "spark.memory.storageFraction",
    "spark.network.timeout",
    "spark.scheduler.mode",
    "spark.shuffle.io.maxRetries",
    "spark.shuffle.io.retryWait",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes",
    "spark.sql.adaptive.coalescePartitions.*",
    "spark.sql.adaptive.enabled",
    "spark.sql.adaptive.skewJoin.*",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.broadcastTimeout",
    "spark.sql.files.maxPartitionBytes",
    "spark.sql.files.maxPartitionNum",
    "spark.sql.files.minPartitionNum",
    "spark.sql.files.openCostInBytes",
    "spark.sql.shuffle.partitions",
    "spark.speculation*",
    "spark.task.cpus",
    "spark.task.maxFailures",
    "spark.yarn.queue",
)
"""Settings of Spark that name no code, file, host or secret, and leave no rows out."""
TEXTS = ("spark.app.name", "spark.scheduler.mode", "spark.yarn.queue")
"""Those of them whose values are words; the others are numbers, sizes, times, true or false."""
PARAMETERS = (
    "application_name",
    "catalog",
    "channel_binding",
    "charset",
    "client_encoding",
    "connect_timeout",
    "database",
    "dbname",
    "gssencmode",
    "host",
    "hostaddr",
    "keepalives*",
    "port",
    "role",
    "schema",
    "sslmode",
    "ssl_mode",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
    "warehouse",
)
"""Parameters in the URL of a database that name no code, file of keys, or setting of a session."""


class SparkRules(SpecModel):
    """Where Spark may run, and how a spec may set it up."""

    masters: Patterns = Field(
        ("local", "local[[]*]", "yarn", "spark://<this machine>", "sc://<this machine>"),
        description="URLs of masters and of Spark Connect servers that a spec may name.",
    )
    config: Patterns = Field(SETTINGS, description="Settings that a spec may make.")


class ConnectionRules(SpecModel):
    """What may stand in the URL of a database."""

    parameters: Patterns = Field(PARAMETERS, description="Parameters that a spec's URL may have.")


class Limits(SpecModel):
    """How much an audit may take; one that takes more ends with an error."""

    seconds: int = Field(3600, gt=0, strict=True, description="The time of one audit.")
    memory: Size | None = Field(
        None, description="The memory of the process; the machine's if left out."
    )
    line: Size = Field(
        ByteSize(16_000_000), ge=LEAST, description="A row of a text table; at least 100 kB."
    )
    unpacked: Size = Field(
        ByteSize(64 * GB), description="What a compressed text table may unpack to."
    )
    download: Size = Field(ByteSize(16 * GB), description="A file of a web server.")
    groups: int = Field(
        10_000, gt=0, strict=True, description="Values of a facet that are counted as groups."
    )
    strata: int = Field(10_000, gt=0, strict=True, description="Strata of an audit.")


class Policy(SpecModel):
    """What specs may reach. A rule that is left out holds by its default."""

    version: FormatVersion = Field(description="The version of this format.")
    roots: Roots | None = Field(
        None,
        description="Folders, relative to this file, and beginnings of URIs that data and "
        "baselines may lie in, links followed; any but the system's own and those of credentials, "
        "if left out.",
    )
    schemes: Schemes | None = Field(
        None, description="Schemes of URIs and connections; all that are known, if left out."
    )
    hosts: Hosts | None = Field(
        None,
        description="Hosts of connections and URIs, and buckets; if left out, any that gets "
        "nothing of the environment, and this machine.",
    )
    environment: Variables = Field(
        ("BIASPIPE_*",), description="Variables of the environment that a spec may name."
    )
    spark: SparkRules = Field(SparkRules(), description="Spark.")
    connections: ConnectionRules = Field(ConnectionRules(), description="Databases.")
    limits: Limits = Field(Limits(), description="Time, memory and sizes.")
    _name: str = PrivateAttr("")
    _sha256: str | None = PrivateAttr(None)

    @property
    def name(self) -> str:
        """The file that it was read from; empty for the defaults."""
        return self._name

    @property
    def sha256(self) -> str | None:
        """The digest of that file, in hexadecimal."""
        return self._sha256

    def read_from(self, name: str, sha256: str) -> "Policy":
        """Return the policy with the file that it was read from.

        Parameters
        ----------
        name : of the file.
        sha256 : its digest.
        """
        copied = self.model_copy()
        copied._name, copied._sha256 = name, sha256
        return copied

    def allowing(self, names: tuple[str, ...]) -> "Policy":
        """Return the policy with more variables of the environment.

        Parameters
        ----------
        names : of the variables.
        """
        return self.model_copy(update={"environment": (*self.environment, *names)})


DEFAULT = Policy(version=1)
"""What holds without a policy file."""
