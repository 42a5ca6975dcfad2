"""Each rule of a policy lets through what it names, and nothing that only looks like it."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from biaspipe.policy import (
    DEFAULT,
    Policy,
    refuse_file,
    refuse_master,
    refuse_parameters,
    refuse_settings,
    refuse_uri,
    refuse_variable,
)

LOC = ("data", "path")


def policy(**rules: Any) -> Policy:
    """Return a policy of some rules."""
    return Policy.model_validate({"version": 1, **rules})


def refusal(call: Any, *values: Any) -> str | None:
    """Return what a refusal says; None where there is none."""
    try:
        call(*values, LOC)
    except SpecError as error:
        (fault,) = error.faults
        return f"{fault.message}; {fault.hint}"
    return None


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/../etc/passwd",
        "/proc/self/environ",
        "/dev/stdin",
        "/run/secrets/token",
        "~me/.ssh/id_rsa",
        "~me/.aws/credentials",
        "/srv/project/.git/config",
        "/srv/project/.env",
        "~me/.config/gcloud/credentials.db",
    ],
)
def test_no_file_of_the_system_or_of_credentials_by_default(path: str) -> None:
    """Without roots, what belongs to the system or lets people in is refused, with the key."""
    said = refusal(refuse_file, DEFAULT, Path(path), path)
    assert said is not None
    assert "is a place of the system, or of credentials" in said
    assert "roots: [" in said


@pytest.mark.parametrize(
    "name",
    [
        *(".env.local", "prod.env", "id_rsa", ".vault-token", "server.key", "terraform.tfstate"),
        *(".psql_history", ".pg_service.conf", ".duckdb/stored_secrets/x", ".dbt/profiles.yml"),
        *("service-account.json", ".M2/settings.xml", ".cache/huggingface/token"),
    ],
)
def test_credentials_are_refused_within_roots_too(tmp_path: Path, name: str) -> None:
    """Roots open no place of credentials, unless they name it."""
    rules = policy(roots=[str(tmp_path.resolve())])
    for known in (DEFAULT, rules):
        said = refusal(refuse_file, known, tmp_path / name, name)
        assert said is not None
        assert "is a place of the system, or of credentials" in said
    named = policy(roots=[str((tmp_path / name).resolve())])
    assert refusal(refuse_file, named, tmp_path / name, name) is None


@pytest.mark.parametrize(
    "name",
    [
        *("people.csv", "environment.csv", "tokens.parquet", "keys.csv", ".dvc/cache/ab/cd"),
        *(".git/annex/objects/x/people.csv", ".cache/huggingface/hub/a.parquet", "monkey.csv"),
    ],
)
def test_data_is_no_credential(tmp_path: Path, name: str) -> None:
    """Names that only resemble those of credentials, and stores of data, are fine."""
    assert refusal(refuse_file, DEFAULT, tmp_path / name, name) is None


def test_any_other_file_by_default(tmp_path: Path) -> None:
    """Without roots, data may lie anywhere else, also in memory that is shared."""
    assert refusal(refuse_file, DEFAULT, tmp_path / "people.csv", "people.csv") is None
    shared = Path("/dev", "shm", "people.csv")
    assert refusal(refuse_file, DEFAULT, shared, "people.csv") is None


def test_a_link_counts_as_what_it_leads_to(tmp_path: Path) -> None:
    """A link out of the roots is refused, by default too, and said to be one."""
    root, out = tmp_path / "root", tmp_path / "out.csv"
    root.mkdir()
    out.touch()
    (root / "link.csv").symlink_to(out)
    (root / "deep").symlink_to(tmp_path)
    (root / "system.csv").symlink_to("/etc/passwd")
    rules = policy(roots=[str(root.resolve())])
    for name in ("link.csv", "deep/out.csv"):
        said = refusal(refuse_file, rules, root / name, name)
        assert said is not None
        assert f"{name}, a link, lies outside of the folders" in said
    assert "a link, is a place of the system" in str(
        refusal(refuse_file, DEFAULT, root / "system.csv", "system.csv")
    )


@pytest.mark.parametrize("name", ["root/../out.csv", "rooted/a.csv", "out.csv", "ROOT/a.csv"])
def test_beside_a_root_is_outside(tmp_path: Path, name: str) -> None:
    """A folder whose name begins like a root, or a way back out of it, is no root."""
    rules = policy(roots=[str(tmp_path.resolve() / "root")])
    assert refusal(refuse_file, rules, tmp_path / "root" / "deep" / "a.csv", "a.csv") is None
    assert refusal(refuse_file, rules, tmp_path / name, name) is not None


OUT: list[tuple[dict[str, Any], str]] = [
    ({"hosts": ["example.org"]}, "https://evil.org/a.csv"),
    ({"hosts": ["example.org"]}, "https://example.org.evil.org/a.csv"),
    ({"hosts": ["example.org"]}, "https://example.org@evil.org/a.csv"),
    ({"hosts": ["example.org"]}, "https://evil.org/?@example.org/a.csv"),
    ({"hosts": ["example.org"]}, "https://evil.org#@example.org/a.csv"),
    ({"hosts": ["example.org"]}, "https://[::1]/a.csv"),
    ({"hosts": ["*.example.org"]}, "https://badexample.org/a.csv"),
    ({"hosts": []}, "s3://bucket/a.csv"),
    ({"roots": ["/data"]}, "s3://bucket/a.csv"),
    ({"roots": ["s3://bucket/audits/"]}, "s3://bucket/other/a.csv"),
    ({"roots": ["s3://bucket/audits/"]}, "s3://bucket/audits/../other/a.csv"),
    ({"roots": ["s3://bucket/audits/"]}, "s3://bucket/audits/%2e%2E/other/a.csv"),
    ({"roots": ["https://h/audits/"]}, "https://h/audits/..%2fother/a.csv"),
    ({"roots": ["https://h/audits/"]}, "https://h/audits/%252e%252e%252fother/a.csv"),
    ({"roots": ["https://h/audits/"]}, "https://h/audits/..%5Cother/a.csv"),
    ({"roots": ["s3://bucket/audits"]}, "s3://bucket/audits-of-others/a.csv"),
    ({"roots": ["s3://bucket"]}, "s3://bucket-of-others/a.csv"),
    ({"schemes": ["s3"]}, "https://example.org/a.csv"),
    ({"schemes": ["s3"], "hosts": ["bucket"]}, "s3a://bucket/a.csv"),
    ({}, "http://169.254.169.254/latest/meta-data/"),
    ({}, "http://[::ffff:169.254.169.254]/a.csv"),
    ({}, "http://[fd00:ec2::254]/a.csv"),
    ({}, "http://[fe80::1]/a.csv"),
    ({}, "http://metadata.google.internal/a.csv"),
    ({}, "http://METADATA.google.internal./a.csv"),
]


@pytest.mark.parametrize(("rules", "uri"), OUT)
def test_a_uri_out_of_reach(rules: dict[str, Any], uri: str) -> None:
    """A URI of another scheme, host or beginning is refused, with the key that would allow it."""
    said = refusal(refuse_uri, policy(**rules), uri)
    assert said is not None
    assert "hosts: [" in said or "schemes: [" in said


IN: list[tuple[dict[str, Any], str]] = [
    ({}, "https://example.org/a.csv"),
    ({}, "http://127.0.0.1:8000/a.csv"),
    ({"hosts": ["example.org"]}, "https://EXAMPLE.org:8443/a.csv"),
    ({"hosts": ["*.example.org"]}, "https://data.example.org/a.csv"),
    ({"hosts": ["bucket"], "roots": ["/data"]}, "s3://bucket/a.csv"),
    ({"roots": ["s3://bucket/audits/"]}, "s3://bucket/audits/2026/a.csv"),
    ({"schemes": ["s3*"]}, "s3a://bucket/a.csv"),
    ({"hosts": ["169.254.169.254"]}, "http://169.254.169.254/a.csv"),
]


@pytest.mark.parametrize(("rules", "uri"), IN)
def test_a_uri_in_reach(rules: dict[str, Any], uri: str) -> None:
    """A URI that every rule lets through is not refused."""
    assert refusal(refuse_uri, policy(**rules), uri) is None


def test_variables() -> None:
    """Only variables that are meant for specs may be named, and the refusal says how to allow."""
    assert refusal(refuse_variable, DEFAULT, "BIASPIPE_DB") is None
    assert refusal(refuse_variable, DEFAULT.allowing(("TOKEN",)), "TOKEN") is None
    for name in ("TOKEN", "biaspipe_db", "XBIASPIPE_DB", "AWS_SECRET_ACCESS_KEY"):
        said = refusal(refuse_variable, DEFAULT, name)
        assert said is not None
        assert f"--allow-env {name} allows it" in said
        assert f"environment: [{name}]" in said


@pytest.mark.parametrize("url", ["local", "local[*]", "local[4]", "yarn", "spark://localhost:7077"])
def test_masters_of_this_machine(url: str) -> None:
    """Spark runs on this machine, or on the cluster that the machine is set up for."""
    assert refusal(refuse_master, DEFAULT, url) is None


@pytest.mark.parametrize(
    "url",
    [
        "spark://evil:7077",
        "spark://localhost:7077,evil:7077",
        "sc://evil:15002",
        "k8s://https://evil",
        "mesos://127.0.0.1:5050",
        "localhost",
    ],
)
def test_masters_elsewhere(url: str) -> None:
    """Another master is the operator's to allow."""
    said = refusal(refuse_master, DEFAULT, url)
    assert said is not None
    assert "masters: [" in said
    assert refusal(refuse_master, policy(spark={"masters": [url.replace("[", "[[]")]}), url) is None


def test_settings_and_parameters() -> None:
    """Settings of Spark and parameters of URLs are refused unless they are known to be harmless."""
    fine = {"spark.executor.memory": "4g", "spark.sql.shuffle.partitions": 200}
    assert refusal(refuse_settings, DEFAULT, fine) is None
    bad = ["spark.jars", "spark.driver.extraJavaOptions", "spark.plugins", "spark.SQL.files.x"]
    for name in bad:
        said = refusal(refuse_settings, DEFAULT, {**fine, name: "1"})
        assert said is not None
        assert f"spark: {{config: [{name}]}}" in said
    assert refusal(refuse_parameters, DEFAULT, ["sslmode", "host"]) is None
    for name in ("options", "service", "passfile", "allow_unsigned_extensions"):
        said = refusal(refuse_parameters, DEFAULT, [name])
        assert said is not None
        assert f"connections: {{parameters: [{name}]}}" in said
