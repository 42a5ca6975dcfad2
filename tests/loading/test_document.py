"""Documents: the scalars of YAML 1.2, and where each value stands."""

from typing import Any

import pytest

from biaspipe.errors import Fault
from biaspipe.loading.document import Document, Position, parse


def value(scalar: str) -> Any:
    """Return what a scalar of a YAML text is read as."""
    return parse("audit.yaml", f"key: {scalar}\n").values["key"]


@pytest.mark.parametrize(
    "text",
    ["yes", "no", "on", "off", "NO", "Yes", "y", "n", "tRUE", "nUll", "none", "None", "NaN"],
)
def test_words_stay_text(text: str) -> None:
    """The commonest labels of the field stay the texts that they are."""
    assert value(text) == text


@pytest.mark.parametrize(
    "text",
    ["1:30", "12:30:45", "2026-07-01", "2026-07-01T10:00:00Z", "1_000", "0b101", "1,5", "0x", "0o"],
)
def test_times_and_dates_stay_text(text: str) -> None:
    """What YAML 1.1 took for a time, a date or a number with separators stays text."""
    assert value(text) == text


@pytest.mark.parametrize(
    "text", ["e5", "1e", "--1", "0x-1", "-.nan", "80%", "\uff11", "=", "1.2.3"]
)
def test_almost_numbers_stay_text(text: str) -> None:
    """What only resembles a number stays text."""
    assert value(text) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("010", 10),
        ("-010", -10),
        ("08", 8),
        ("0o17", 15),
        ("0x1F", 31),
        ("0xff", 255),
        ("!!int 7", 7),
    ],
)
def test_whole_numbers(text: str, number: int) -> None:
    """Whole numbers are decimal even behind a zero, octal behind 0o, hexadecimal behind 0x."""
    assert value(text) == number
    assert type(value(text)) is int


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e-3", 0.001),
        ("1E5", 100000.0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("1.0", 1.0),
        ("+1.5e+2", 150.0),
        ("!!float 1", 1.0),
    ],
)
def test_fractions(text: str, number: float) -> None:
    """A point or an exponent makes a fraction, with or without the other."""
    assert value(text) == number
    assert type(value(text)) is float


@pytest.mark.parametrize("text", ["true", "True", "TRUE"])
def test_true(text: str) -> None:
    """True is written in three ways, none of which is yes."""
    assert value(text) is True


@pytest.mark.parametrize("text", ["false", "False", "FALSE"])
def test_false(text: str) -> None:
    """False is written in three ways, none of which is no."""
    assert value(text) is False


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL", "# nothing"])
def test_nothing(text: str) -> None:
    """Nothing is written in five ways."""
    assert value(text) is None


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        ("'1'", "1"),
        ('"1"', "1"),
        ('"true"', "true"),
        ("'null'", "null"),
        ("'~'", "~"),
        ('""', ""),
        ("''", ""),
        ("'1e-3'", "1e-3"),
        ("!!str 1", "1"),
        (r'"a\tb"', "a\tb"),
        (r"'a\tb'", r"a\tb"),
        ("'.nan'", ".nan"),
    ],
)
def test_quotes_make_texts(quoted: str, text: str) -> None:
    """What stands in quotes is a text, whatever it looks like."""
    assert value(quoted) == text


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN", ".inf", ".Inf", "-.INF", "+.inf"])
def test_no_infinity(text: str) -> None:
    """Infinities and NaN are refused, since no limit and no value of a column can be one."""
    (fault,) = parse("audit.yaml", f"key: {text}\n").faults
    assert "is not a number that can be read" in fault.message


def test_block_texts() -> None:
    """Texts over several lines are folded or kept as YAML says."""
    text = "folded: >-\n  one\n  two\nkept: |\n  one\n  two\nplain: one\n  two\n"
    assert parse("audit.yaml", text).values == {
        "folded": "one two",
        "kept": "one\ntwo\n",
        "plain": "one two",
    }


def test_keys_are_texts() -> None:
    """A key is the text that stands in the file, even where a value would be a number."""
    text = "1: a\n1.0: b\ntrue: c\nnull: d\n2026-07-01: e\nno: f\n'quoted': g\n"
    assert parse("audit.yaml", text).values == {
        "1": "a",
        "1.0": "b",
        "true": "c",
        "null": "d",
        "2026-07-01": "e",
        "no": "f",
        "quoted": "g",
    }


NESTED = """\
version: 1
data:
    path: [one.csv,
      two.csv]
metrics:
  DI: {min: 0.8, warn: {min: 0.9}}
  all:
"""


@pytest.mark.parametrize(
    ("path", "position"),
    [
        (("version",), Position(line=1, column=10, key_line=1, key_column=1)),
        (("data",), Position(line=3, column=5, key_line=2, key_column=1)),
        (("data", "path"), Position(line=3, column=11, key_line=3, key_column=5)),
        (("data", "path", 0), Position(line=3, column=12, key_line=3, key_column=12)),
        (("data", "path", 1), Position(line=4, column=7, key_line=4, key_column=7)),
        (("metrics", "DI"), Position(line=6, column=7, key_line=6, key_column=3)),
        (("metrics", "DI", "min"), Position(line=6, column=13, key_line=6, key_column=8)),
        (("metrics", "DI", "warn", "min"), Position(line=6, column=30, key_line=6, key_column=25)),
        (("metrics", "all"), Position(line=7, column=7, key_line=7, key_column=3)),
    ],
)
def test_positions(path: tuple[str | int, ...], position: Position) -> None:
    """Each key and each item of a list is known by the line and column where it begins."""
    assert parse("audit.yaml", NESTED).positions[path] == position


def test_every_value_has_a_mark() -> None:
    """The positions of a document are those of its keys and items and of the whole."""
    assert sorted(map(str, parse("audit.yaml", "a: {b: [1, {c: 2}]}\n").positions)) == [
        "('a', 'b')",
        "('a', 'b', 0)",
        "('a', 'b', 1)",
        "('a', 'b', 1, 'c')",
        "('a',)",
        "()",
    ]


def test_alias_is_marked_by_its_key() -> None:
    """A value that an alias repeats is known by the key of its own."""
    document = parse("audit.yaml", "DI: &limits {min: 0.8}\nAD: *limits\n")
    assert document.values == {"DI": {"min": 0.8}, "AD": {"min": 0.8}}
    assert document.line(("DI",)) == 1
    assert document.line(("AD",)) == 2


def test_line() -> None:
    """A path that a validator has lengthened leads to the line of the part that exists."""
    document = parse("audit.yaml", NESTED)
    assert document.line(("metrics", "DI", "warn", "interval", "min")) == 6
    assert document.line(("data", "join")) == 2
    assert document.line(("columns", "label")) == 1
    assert document.line(()) == 1


def test_byte_order_mark_does_not_count() -> None:
    """A byte order mark is no part of the first key."""
    assert parse("audit.yaml", "\ufeffversion: 1\n").values == {"version": 1}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    """Lines end as on any system, and are counted alike."""
    document = parse("audit.yaml", f"version: 1{end}name: loans{end}tags: [a, b]{end}")
    assert document.values == {"version": 1, "name": "loans", "tags": ["a", "b"]}
    assert document.positions["tags", 1] == Position(line=3, column=11, key_line=3, key_column=11)


def test_one_document_between_markers() -> None:
    """The markers of a document's beginning and end may stand in the file."""
    text = "%YAML 1.2\n---\nname: loans\n...\n"
    assert parse("audit.yaml", text).values == {"name": "loans"}


def test_characters_beyond_ascii() -> None:
    """Texts and keys may be in any script, and columns count characters."""
    document = parse("audit.yaml", "größe: {模型: 😀, b: 1}\n")
    assert document.values == {"größe": {"模型": "😀", "b": 1}}
    assert document.positions["größe", "b"].key_column == 16


def test_faults_are_shown_in_the_order_of_the_file() -> None:
    """Faults are placed by path or by line, and shown from the top of the file down."""
    document = parse("audit.yaml", NESTED)
    error = document.error(
        [
            Fault("last", ("metrics", "all"), at_key=True),
            Fault("first", ("version",), expected="1", found="2", hint="write 1"),
            Fault("middle", line=4, column=7),
        ]
    )
    assert str(error) == (
        "audit.yaml:1:10: first\n"
        "     1 | version: 1\n"
        "       |          ^\n"
        "  expected: 1\n"
        "  found: 2\n"
        "  hint: write 1\n"
        "\n"
        "audit.yaml:4:7: middle\n"
        "     4 |       two.csv]\n"
        "       |       ^\n"
        "\n"
        "audit.yaml:7:3: last\n"
        "     7 |   all:\n"
        "       |   ^"
    )
    assert [fault.message for fault in error.faults] == ["last", "first", "middle"]


def test_fault_without_a_line() -> None:
    """A fault of an empty file is shown without a line."""
    error = Document("audit.yaml", "").error([Fault("nothing here")])
    assert str(error) == "audit.yaml:1:1: nothing here"


def test_every_fault_of_the_yaml_at_once() -> None:
    """Faults that leave the structure intact are all noted, and the rest is read."""
    document = parse("audit.yaml", "a: !env X\nb: {c: 1, c: 2}\n<<: {d: 1}\ne: .nan\n")
    assert document.values["b"] == {"c": 1}
    assert [(fault.line, fault.column) for fault in document.faults] == [
        (1, 4),
        (2, 11),
        (3, 1),
        (4, 4),
    ]


def test_characters_in_halves() -> None:
    """A character that JSON escapes as two halves is one, and a half of one is a fault."""
    document = parse("audit.yaml", r'whole: "\ud83d\ude42"' + "\n" + r'half: "\ud83d"' + "\n")
    assert document.values["whole"] == "🙂"
    assert [(fault.message, fault.line) for fault in document.faults] == [
        ("the text holds half of a character", 2)
    ]


def test_caret_in_a_long_line() -> None:
    """A long line is cut around the column that is at fault."""
    text = "a: [" + "x, " * 200 + "!env y" + ", x" * 200 + "]\n"
    document = parse("audit.yaml", text)
    head, source, caret, _ = str(document.error(list(document.faults))).splitlines()
    assert head == "audit.yaml:1:605: the tag '!env' is not supported"
    assert source.startswith("     1 | …")
    assert source.endswith("…")
    assert source[caret.index("^") :].startswith("!env y")
