"""What is secret is told by its name, and what was filled in is shown in no form."""

import time
from urllib.parse import quote

import pytest

from biaspipe.secrets import (
    clean_message,
    forget,
    mask_secrets,
    names_secret,
    remember,
    remove_values,
    secret_parameters,
)

SECRET = (
    *("password", "PASSWD", "pwd", "sslpassword", "token", "access_token", "motherduck_token"),
    *("sig", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "AWSAccessKeyId"),
    *("key", "api_key", "apikey", "private_key", "spark.hadoop.fs.s3a.access.key", "auth"),
    *("Authorization", "jwt", "bearer", "client_secret", "sas", "pass", "pass%77ord", "passphrase"),
    *("fs.azure.account.key.mine.dfs.core.windows.net", "credentials", "require_auth"),
)
OPEN = (
    *("version", "page", "host", "sslmode", "keyword", "passive", "keepalives", "authority", "a"),
    *("signal", "compass", "spark.sql.shuffle.partitions", "database", "", "download", "monk"),
)
URLS = {
    "postgresql://me:abc@host/db": "postgresql://******@host/db",
    "postgresql://me:a/b@c@host/db": "postgresql://********@host/db",
    "postgresql://me:${WORD}@host/db": "postgresql://me:${WORD}@host/db",
    "postgresql://${ME}:${WORD}@host/db": "postgresql://${ME}:${WORD}@host/db",
    "postgresql://${ME}:abc@host/db": "postgresql://*********@host/db",
    "postgresql://me:abc${WORD}@host": "postgresql://*************@host",
    "postgresql://me@host/db": "postgresql://me@host/db",
    "https://abc@host/x": "https://***@host/x",
    "https://host/x@2.csv": "https://host/x@2.csv",
    "a://b/,c://me:abc@host": "a://b/,c://******@host",
    "https://h/x?token=abc&page=1": "https://h/x?token=***&page=1",
    "https://h/x?page=1&sig=abc": "https://h/x?page=1&sig=***",
    "https://h/x#token=abc": "https://h/x#token=***",
    "https://h/x;token=abc": "https://h/x;token=***",
    "https://h/x?auth=abc": "https://h/x?auth=***",
    "https://h/x?jwt=a?c": "https://h/x?jwt=***",
    "https://h/x?t%6Fken=abc": "https://h/x?t%6Fken=***",
    "host=db password=abc user=me": "host=db password=*** user=me",
    "'https://h/x?token=abc'": "'https://h/x?token=***'",
    "key=1/part.csv": "key=1/part.csv",
    "https://h/x?token=${WORD}": "https://h/x?token=${WORD}",
    "no secret: at all": "no secret: at all",
}


@pytest.mark.parametrize("name", SECRET)
def test_name_of_a_secret(name: str) -> None:
    """What lets people in is told by its name."""
    assert names_secret(name)


@pytest.mark.parametrize("name", OPEN)
def test_name_of_no_secret(name: str) -> None:
    """What lets nobody in is not taken for a secret."""
    assert not names_secret(name)


@pytest.mark.parametrize("text", URLS)
def test_text_is_masked(text: str) -> None:
    """Secrets give way to stars, and every other letter stays at its place."""
    assert mask_secrets(text) == URLS[text]
    assert len(mask_secrets(text)) == len(text)


def test_parameters_of_secrets() -> None:
    """Secrets are found in the query, in the fragment and in the parameters of a path."""
    assert secret_parameters("https://h/a;token=1;x=2?y=3&Auth=4&sig=#jwt=5") == [
        ("token", "1"),
        ("Auth", "4"),
        ("sig", ""),
        ("jwt", "5"),
    ]


@pytest.mark.parametrize("value", ["kestrel/9%Z @q\n'x\"", "kestrel-flies-far", "a1b2c3", "pw!"])
def test_value_is_scrubbed_in_every_form(value: str) -> None:
    """A value is hidden as it is, coded, spelled out, in capitals and in small letters."""
    forms = {value, quote(value), quote(value, safe=""), repr(value)[1:-1], value.upper()}
    forms |= {form.lower() for form in forms}
    for form in forms:
        assert remove_values(f"no ({form}) here", [value]) == "no (***) here"


def test_part_of_a_value_is_scrubbed() -> None:
    """What a driver cuts off a long value is hidden as the whole is."""
    value = "kestrel-that-flies-over-the-fields"
    assert remove_values("bad kestrel-that-fl... here", [value]) == "bad ***... here"
    assert remove_values("bad ...over-the-fields", [value]) == "bad ...***"
    assert (
        remove_values("no host x.kestrel-that-flies-over-the-fields.org", [value])
        == "no host x.***.org"
    )


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("a column holds 1 value", "a", "a column holds 1 value"),
        ("a column holds 1 value", "1", "a column holds 1 value"),
        ('role "a" at b', "a", 'role "***" at b'),
        ("x://a@host:5/db", "5", "x://a@host:***/db"),
        ("the database is not there", "the", "*** database is not there"),
        ("postgres and postgresql", "postgres", "*** and postgresql"),
        ("nothing", "", "nothing"),
        ("", "kestrel", ""),
        ("İ kestrel1234 ß", "kestrel1234", "İ *** ß"),
    ],
)
def test_short_values_leave_other_words_alone(text: str, value: str, shown: str) -> None:
    """A short value is hidden where it stands by itself, and takes no letters out of words."""
    assert remove_values(text, [value]) == shown


def test_values_are_remembered_until_they_are_forgotten() -> None:
    """What was filled in is hidden in every later message of the same run, and of no other."""
    remember(["kestrel77"])
    assert (
        clean_message(ValueError("no kestrel77 at https://h?sig=abc"))
        == "no *** at https://h?sig=***"
    )
    forget()
    assert clean_message("no kestrel77") == "no kestrel77"


@pytest.mark.parametrize(
    "piece",
    [
        "://:",
        ":",
        "@",
        "a://",
        "?a=",
        ";token=",
        "=",
        "://:@",
        "&",
        "a",
        "%70",
        "${",
        "'",
        ";token=x",
    ],
)
def test_time_grows_with_the_text(piece: str) -> None:
    """A text of half a million signs is masked at once, whatever the signs are."""
    text = "://" + piece * (500_000 // len(piece))
    start = time.process_time()
    assert len(mask_secrets(text)) == len(text)
    assert time.process_time() - start < 10
