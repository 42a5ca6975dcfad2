"""What a spec may not make of Spark: run it elsewhere, set it up to load code, take its word."""

import pytest

from biaspipe.engines.spark.files import refuse_other_stores
from biaspipe.engines.spark.session import refuse_forbidden
from biaspipe.errors import SpecError, UsageError
from biaspipe.policy import DEFAULT, Policy, refuse_uri
from biaspipe.sources.files import TableFiles
from biaspipe.spec import Source, Spark


def refusal(settings: Spark, policy: Policy = DEFAULT) -> str | None:
    """Return what is said of settings that are refused; None where they are not."""
    try:
        refuse_forbidden(policy, settings)
    except SpecError as error:
        return "; ".join(fault.message for fault in error.faults)
    except UsageError as error:
        return str(error)
    return None


def allowing(*masters: str) -> Policy:
    """Return a policy of some masters."""
    return Policy.model_validate({"version": 1, "spark": {"masters": list(masters)}})


@pytest.mark.parametrize(
    "url",
    [
        *("local", "local[4]", "local[*]", "local[2,3]", "yarn"),
        *("spark://localhost:7077", "spark://127.0.0.1:7077,localhost:7078", "spark://[::1]:7077"),
        "spark://127.1.2.3:7077",
    ],
)
def test_masters_of_this_machine(url: str) -> None:
    """A master of this machine may be named."""
    assert refusal(Spark(master=url)) is None


@pytest.mark.parametrize(
    "url",
    [
        *("sc://127.0.0.1", "sc://localhost:15002", "sc://[::1]:15002/"),
        *("sc://127.0.0.1:15002/;use_ssl=true", "sc://127.0.0.1:15002/;user_id=me;use_ssl=false"),
    ],
)
def test_servers_of_this_machine(url: str) -> None:
    """A Spark Connect server of this machine may be named, with harmless parameters."""
    assert refusal(Spark(remote=url)) is None


PLACES = [
    "evil:7077",
    "evil",
    "",
    ",",
    ",evil:7077",
    "localhost,evil:7077",
    "127.0.0.1:7077,evil:7077",
    "localhost:7077, evil:7077",
    "localhost@evil:7077",
    "evil:7077@localhost",
    "localhost:7077@evil",
    "localhost:7077#@evil",
    "localhost:7077?@evil",
    "localhost:7077/@evil",
    "localhost:7077/../evil",
    "localhost\\@evil",
    "localhost%2eevil:7077",
    "localhost%00.evil",
    "%6cocalhost@evil",
    "localhost.evil:7077",
    "localhost:7077:evil",
    "localhost:evil",
    "localhost:7077\nevil",
    "localhost\t:7077",
    " localhost:7077",
    "localhost:7077 ",
    "\N{SMALL ROMAN NUMERAL FIFTY}ocalhost:7077",
    "127。0。0。1:7077",
    "127.0.0.1.nip.io:7077",
    "127.1:7077",
    "2130706433:7077",
    "0x7f000001:7077",
    "0177.0.0.1:7077",
    "0.0.0.0:7077",
    "[::]:7077",
    "[::1",
    "[::1]evil:7077",
    "[evil]:7077",
    "[::ffff:10.0.0.1]:7077",
    "[fe80::1%25eth0]:7077",
    "169.254.169.254:7077",
    "metadata.google.internal:7077",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("key", ["master", "remote"])
def test_places_elsewhere(key: str, place: str) -> None:
    """A place that is not this machine, or is not to be told, is refused by its key."""
    url = f"spark://{place}" if key == "master" else f"sc://{place}"
    assert refusal(Spark(**{key: url})) is not None


@pytest.mark.parametrize(
    "url",
    [
        *("k8s://https://127.0.0.1:6443", "mesos://127.0.0.1:5050", "mesos://zk://localhost/m"),
        *("local-cluster[1,1,1024]", "LOCAL[2]", "Local", "SPARK://localhost:7077"),
        *("SC://localhost", "yarn-cluster", "yarn://localhost", "Yarn", " local[2]", "local[2]\n"),
        *("local[2]@evil", "local[*] --jars x", "http://localhost:7077", "spark:/localhost:7077"),
        *("spark:localhost:7077", "file:///tmp/x", "//localhost", "localhost:7077", "127.0.0.1"),
        *("sc://evil", "local[2];spark://evil", "local[$(id)]", "local[`id`]", "localx", "xlocal"),
    ],
)
def test_masters_of_other_kinds(url: str) -> None:
    """A master of a kind that is not allowed, or hidden in another, is refused."""
    assert refusal(Spark(master=url)) is not None
    assert refusal(Spark(remote=url)) is not None


@pytest.mark.parametrize(
    "parameters",
    [
        *("token=hidden", "TOKEN=hidden", "tok%65n=hidden", "use_ssl=true;token=hidden"),
        *("authorization=hidden", "x-api-key=hidden", "Authorization=hidden", "hidden", "=hidden"),
        *("user_id=hidden@evil", "user_id=hid%0Aden", "use_ssl=true#hidden", "user_id=a=hidden"),
        *(
            " use_ssl=hidden",
            "use_ssl=hidden ",
            "USE_SSL=hidden",
            "user_id=",
            "",
            "password=hidden",
        ),
        *("session_id=hidden\n", "user_agent=hidden/1;cookie=hidden", "user_id=hid;den"),
    ],
)
def test_parameters_that_a_spec_may_not_give(parameters: str) -> None:
    """A parameter that is not known to be harmless is refused, and not shown."""
    said = refusal(Spark(remote=f"sc://127.0.0.1:15002/;{parameters}"))
    assert said is not None
    assert "hid" not in said


def test_names_and_passwords_in_a_place_are_not_shown() -> None:
    """Who lets themselves in by the URL is refused, and their password not shown."""
    for key, scheme in (("master", "spark"), ("remote", "sc")):
        said = refusal(Spark(**{key: f"{scheme}://me:hidden@127.0.0.1:7077"}))
        assert said is not None
        assert f"spark: {key}: the URL holds credentials, which do not belong in a spec" in said
        assert "hidden" not in said


def test_the_operator_allows_places() -> None:
    """A policy allows a place; each of several has to be allowed, and signs never are."""
    policy = allowing("spark://*.example.org:7077", "sc://spark.example.org")
    assert refusal(Spark(master="spark://a.example.org:7077"), policy) is None
    assert refusal(Spark(master="spark://a.example.org:7077,b.example.org:7077"), policy) is None
    assert refusal(Spark(remote="sc://spark.example.org/;use_ssl=true"), policy) is None
    for url in (
        *("spark://evil:7077,a.example.org:7077", "spark://evil/x.example.org:7077,evil:7077"),
        *("spark://evil#.example.org:7077", "spark://evil@a.example.org:7077", "local[2]"),
        *("spark://localhost:7077", "spark://evil\n.example.org:7077"),
    ):
        assert refusal(Spark(master=url), policy) is not None
    exact = allowing("spark://a:7077,b:7077")
    assert refusal(Spark(master="spark://a:7077,b:7077"), exact) is None
    assert refusal(Spark(master="spark://a:7077"), exact) is not None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("spark.app.name", "nightly audit 7"), ("spark.executor.memory", "4g")),
        *(("spark.driver.memory", "512m"), ("spark.sql.shuffle.partitions", 200)),
        *(("spark.memory.fraction", "0.6"), ("spark.network.timeout", "30s")),
        *(("spark.sql.adaptive.enabled", True), ("spark.sql.autoBroadcastJoinThreshold", -1)),
        *(("spark.locality.wait.node", "500ms"), ("spark.scheduler.mode", "FAIR")),
        *(("spark.speculation.multiplier", "1.5"), ("spark.sql.files.maxPartitionBytes", "64MB")),
    ],
)
def test_settings_that_a_spec_may_make(name: str, value: str | int | bool) -> None:
    """Memory, cores, partitions and the like may be set."""
    assert refusal(Spark(config={name: value})) is None


@pytest.mark.parametrize(
    "name",
    [
        *("spark.jars", "spark.jars.packages", "spark.jars.ivySettings", "spark.jars.repositories"),
        *("spark.plugins", "spark.files", "spark.archives", "spark.submit.pyFiles"),
        *("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions"),
        *("spark.driver.defaultJavaOptions", "spark.driver.extraClassPath"),
        *("spark.driver.extraLibraryPath", "spark.executor.extraClassPath", "spark.extraListeners"),
        *("spark.sql.extensions", "spark.sql.catalog.x", "spark.sql.queryExecutionListeners"),
        *("spark.pyspark.python", "spark.pyspark.driver.python", "spark.executorEnv.LD_PRELOAD"),
        *("spark.yarn.appMasterEnv.X", "spark.yarn.dist.files", "spark.yarn.archive"),
        *("spark.hadoop.fs.s3a.endpoint", "spark.hadoop.fs.file.impl", "spark.serializer"),
        *("spark.master", "spark.remote", "spark.submit.deployMode", "spark.driver.host"),
        *("spark.eventLog.dir", "spark.local.dir", "spark.sql.warehouse.dir", "spark.log.level"),
        *("spark.python.profile", "spark.sql.pyspark.udf.profiler", "spark.ui.enabled"),
        *("spark.sql.ansi.enabled", "spark.sql.caseSensitive", "spark.sql.session.timeZone"),
        *("spark.sql.files.ignoreCorruptFiles", "spark.sql.files.ignoreMissingFiles"),
        *("spark.sql.files", "spark.sql.files.*", "spark.sql.adaptive.customCostEvaluatorClass"),
        *("spark.shuffle.sort.io.plugin.class", "spark.shuffle.manager", "spark.memory.x"),
        *("spark.dynamicAllocation.x", "spark.executor.memory ", " spark.executor.memory"),
        *("SPARK.executor.memory", "spark.Executor.memory", "spark.executor.memory\n"),
        *("*", "spark.*", "spark.sql.adaptive.skewJoin./"),
        *("spark.speculation\nspark.jars", "spark.speculation=1 --jars x", "spark.locality.wait/x"),
        *("spark.app.name=x", "--conf", "", "spark.speculation\x00"),
    ],
)  # fmt: skip
def test_settings_that_a_spec_may_not_make(name: str) -> None:
    """A setting that names code, a file, a host or a secret, or leaves rows out, is refused."""
    assert refusal(Spark.model_construct(master=None, remote=None, config={name: "1"})) is not None


@pytest.mark.parametrize(
    "value",
    [
        *("1g -agentpath:/x.so", "1g -XX", "1g\n-agentpath:/x.so", "-agentpath:/x.so", "1g;id"),
        *("$(id)", "`id`", "1g,spark.jars=x", "1g spark.jars x", "/x.so", "http://evil", "evil"),
        *(
            "1e9",
            "0x10",
            "1g\x00",
            "1g ",
            " 1g",
            "1 g",
            "",
            "\u0661g",
            "1" * 13,
            "--1",
            "{{x}}",
            "%s",
        ),
        *("${env:HOME}", "${spark.x}", "1gg", "truefalse", "true\n", "None"),
    ],
)
@pytest.mark.parametrize(
    "name", ["spark.driver.memory", "spark.executor.memory", "spark.speculation", "spark.task.cpus"]
)
def test_values_that_are_no_measures(name: str, value: str) -> None:
    """A size, a number or a time is nothing else: memory ends on the command line of Java."""
    assert refusal(Spark(config={name: value})) is not None


@pytest.mark.parametrize(
    "value",
    [
        "a\nb",
        "a\rb",
        "-x",
        "--jars",
        "a=b",
        "a;b",
        "a/b",
        "$x",
        "${env:HOME}",
        "a'b",
        "",
        "x" * 101,
    ],
)
@pytest.mark.parametrize("name", ["spark.app.name", "spark.yarn.queue", "spark.scheduler.mode"])
def test_values_that_are_no_words(name: str, value: str) -> None:
    """A name is of letters, digits, blanks and few signs, on one line."""
    assert refusal(Spark(config={name: value})) is not None


def test_settings_that_the_operator_allows() -> None:
    """A policy allows a setting; its value is one line, and sizes remain sizes."""
    policy = Policy.model_validate({"version": 1, "spark": {"config": ["spark.*"]}})
    assert refusal(Spark(config={"spark.sql.warehouse.dir": "/data"}), policy) is None
    assert refusal(Spark(config={"spark.sql.warehouse.dir": "/data\nx"}), policy) is not None
    assert refusal(Spark(config={"spark.driver.memory": "1g -XX"}), policy) is not None
    assert refusal(Spark(config={"spark.jars\n": "x"}), policy) is not None


@pytest.mark.parametrize(
    "name",
    ["spark.hadoop.fs.s3a.secret.key", "spark.hadoop.fs.azure.account.key.x", "spark.x.token"],
)
def test_credentials_in_settings_are_not_shown(name: str) -> None:
    """A credential is refused whatever a policy allows, and its value not shown."""
    policy = Policy.model_validate({"version": 1, "spark": {"config": ["*"]}})
    for held in (DEFAULT, policy):
        said = refusal(Spark(config={name: "hidden"}), held)
        assert said is not None
        assert "is a credential" in said
        assert "hidden" not in said


def stores(uri: str, policy: Policy = DEFAULT) -> str | None:
    """Return what is said of a URI that Spark is not given; None if it is."""
    try:
        files = TableFiles(Source(path=(uri,)), (uri,), (uri,), "parquet", remote=True)
        refuse_other_stores(policy, files)
    except SpecError as error:
        return error.faults[0].message
    return None


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "s3a://bucket/people.parquet",
            "hdfs://name:8020/d/*.parquet",
            "hdfs:///d/people.parquet",
        ),
        *("abfss://people@account.dfs.core.windows.net/d/", "gs://bucket/é/[ab]?.parquet"),
        *("dbfs:///mnt/d.parquet", "s3://b/year=2026/"),
    ],
)
def test_stores_that_spark_reads(uri: str) -> None:
    """URIs of object stores and of Hadoop go to Spark."""
    assert stores(uri) is None


@pytest.mark.parametrize(
    "uri",
    [
        *("FILE:///etc/people.parquet", "File:///x", "file:///x", "local:///x", "viewfs:///x"),
        *("har:///x.har/y", "har://file-/x", "jar:file:///x.jar!/y", "jdbc:postgresql://evil/x"),
        *("ftp://evil/x", "sftp://evil/x", "https://evil/x", "data://x", "spark://evil/x"),
        *("S3A://bucket/x", "s3a://good\\@evil/x", "s3a://evil#@good/x", "s3a://evil?@good/x"),
        *("s3a://evil%00good/x", "s3a://good /x", "s3a://good\n/x", "s3a://good/x\n", "://x"),
        *("s3a://good,evil/x", "s3a://{good,evil}/x", "s3a://good/..\\x", " s3a://good/x"),
    ],
)
def test_uris_that_spark_is_not_given(uri: str) -> None:
    """A URI that leads to this machine, into an archive, or to nobody knows where is refused."""
    assert stores(uri) is not None


def test_the_operator_allows_schemes() -> None:
    """A policy allows another scheme, and no URI of which two hosts can be read."""
    policy = Policy.model_validate({"version": 1, "schemes": ["viewfs"]})
    assert stores("viewfs://cluster/x", policy) is None
    assert stores("viewfs://good\\@evil/x", policy) is not None


@pytest.mark.parametrize(
    "uri",
    [
        *("s3a://b/ok/{../secret,x}/y", "s3a://b/ok/{.,x}{.,x}/secret", "s3a://b/ok/../secret"),
        *("s3a://b/ok/..", "s3a://b/ok/%2e%2e/secret", "s3a://b/ok/..\\secret", "s3a://b/okay"),
    ],
)
def test_globs_do_not_leave_the_roots(uri: str) -> None:
    """Braces, which Hadoop expands before it looks at paths, lead out of no root."""
    policy = Policy.model_validate({"version": 1, "roots": ["s3a://b/ok/"]})
    with pytest.raises(SpecError):
        refuse_uri(policy, uri, ("data", "path"))
    refuse_uri(policy, "s3a://b/ok/y*/[ab].parquet", ("data", "path"))
