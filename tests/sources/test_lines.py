"""A text table is followed line by line, whatever its size, its quotes and its blocks."""

from random import Random

import pytest

from biaspipe.errors import DataError
from biaspipe.sources import lines as module
from biaspipe.sources.lines import CsvLines

WAYS = [(quick, step) for quick in (False, True) for step in (1, 2, 3, 7, 10_000)]
"""Whether numpy goes first, and how many bytes come at a time."""


def followed(
    text: bytes, quick: bool, step: int, header: bool = True, named: int | None = None
) -> tuple[int, int | None] | str:
    """Return the rows and columns of a text, or what is wrong with it."""
    lines = CsvLines("d.csv", ",", header=header, named=named, quick=quick)
    try:
        for start in range(0, len(text), step):
            lines.read(text[start : start + step])
        lines.end()
    except DataError as error:
        return error.message
    return lines.rows, lines.width


def each_way(
    text: bytes, *, header: bool = True, named: int | None = None
) -> tuple[int, int | None] | str:
    """Return what every way finds, which has to be one."""
    found = {followed(text, quick, step, header, named) for quick, step in WAYS}
    assert len(found) == 1, found
    return found.pop()


@pytest.mark.parametrize(
    ("text", "rows", "width"),
    [
        (b"a,b\n1,2\n3,4\n", 2, 2),
        (b"a,b\n1,2\n3,4", 2, 2),
        (b"a,b\r\n1,2\r\n3,4\r\n", 2, 2),
        (b"\xef\xbb\xbfa,b\n1,2\n", 1, 2),
        (b'\xef\xbb\xbf"a","b"\n"1","2"\n', 1, 2),
        (b'"a\nb",c\n1,2\n', 1, 2),
        (b'a,b\n"1,5","2\n\n3"\n3,4\n', 2, 2),
        (b'a,b\n"say ""hi""",""\n"""",""""""\n', 2, 2),
        (b'a,b\r\n"x\r\ny",2\r\n3,"4"\r\n', 2, 2),
        (b'a,b\n"x\ry","\r"\n', 1, 2),
        (b"a,b,\n1,2,\n", 1, 3),
        (b'a\n1\n""\n2\n', 3, 1),
        (b'a\n"x\n\ny"\n2\n', 2, 1),
        (b"a\n \n\t\n", 2, 1),
        (b"a,b\n", 0, 2),
        (b"a,b", 0, 2),
    ],
)
def test_rows_and_columns_are_found(text: bytes, rows: int, width: int) -> None:
    """Rows and columns are those that a reader of RFC 4180 finds."""
    assert each_way(text) == (rows, width)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"a,b\n1,2,3\n4,5\n", "line 2 has 3 fields, and the header has 2"),
        (b"a,b\n1,2\n4\n5,6\n", "line 3 has 1 field, and the header has 2"),
        (b"a,b\n1,2\n4,5,6", "line 3 has 3 fields, and the header has 2"),
        (b"a,b\n1\n2,3,4\n", "line 2 has 1 field, and the header has 2"),
        (b'a,b\n"x\ny",2\n"x\ny",3,4\n', "line 4 has 3 fields, and the header has 2"),
        (b'a,b\n"1,2",3\n"1",2,3\n', "line 3 has 3 fields, and the header has 2"),
        (b"a,b\n1,2\n\n3,4\n", "line 3 is blank"),
        (b"a,b\r\n1,2\r\n\r\n", "line 3 is blank"),
        (b"\na,b\n1,2\n", "line 1 is blank"),
        (b"a\n1\n\n2\n", "line 3 is blank"),
        (b"a\r\n1\r\n\r\n2\r\n", "line 3 is blank"),
        (b"a\n1\n\n", "line 3 is blank"),
        (b'a,b\n1,24"\n2,3\n', "line 2 has a quote inside a value"),
        (b'a,b\n1,2\n3,x"y"z\n', "line 3 has a quote inside a value"),
        (b'a,b\n1, "2"\n', "line 2 has a quote inside a value"),
        (b'a,b\n1,"2" \n', "line 2 has a quote inside a value"),
        (b'a,b\n1,"2"\r,3\n', "line 2 has a quote inside a value"),
        (b'a,b\n1,"2\\"3"\n', "line 2 has a quote inside a value"),
        (b"a,b\n1,2\nx\ry,2\n", "line 3 has a carriage return inside a value"),
        (b"a,b\r\n1,2\r\r\n", "line 2 has a carriage return inside a value"),
        (b'a,b\r\n"1",x\ry\r\n', "line 2 has a carriage return inside a value"),
        (b"a,b\r1,2\r3,4\r", "line 1 has a carriage return inside a value"),
        (b'a,b\n1,"2\n3,4\n', "line 2 opens a quote that is never closed"),
        (b'a,b\n1,"2""\n3,4', "line 2 opens a quote that is never closed"),
        (
            b'a,b\n1,"2\n3,4\n5,"6"\n',
            "line 4 has a quote inside a value, or a quote opens in line 2 that is not meant to",
        ),
    ],
)
def test_line_that_could_be_misread_is_refused(text: bytes, words: str) -> None:
    """A line that engines could take for another row is named with its number and why."""
    assert each_way(text) == f"d.csv: {words}"


def test_first_row_tells_the_fields_where_there_is_no_header() -> None:
    """Without a header the first row is one, and says how many fields there are."""
    assert each_way(b"1,2\n3,4\n", header=False) == (2, 2)
    words = "d.csv: line 2 has 3 fields, and the first row has 2"
    assert each_way(b"1,2\n3,4,5\n", header=False) == words


def test_declared_columns_tell_the_fields() -> None:
    """Where the spec names the columns, there are as many fields, in the first line too."""
    words = "d.csv: line 1 has 2 fields, and data.csv.columns names 3"
    assert each_way(b"1,2\n3,4\n", header=False, named=3) == words
    assert each_way(b"1,2\n3,4\n", header=False, named=2) == (2, 2)


def field(random: Random) -> str:
    """Return a field: mostly plain or well quoted, sometimes anything."""
    signs = ["a", ",", "\n", '""', "\r\n"]
    kind = random.random()
    if kind < 0.6:
        return "".join(random.choice("ab") for _ in range(random.randint(1, 3)))
    if kind < 0.95:
        return '"' + "".join(random.choice(signs) for _ in range(random.randint(0, 4))) + '"'
    return "".join(random.choice('a,"\n\r') for _ in range(random.randint(0, 4)))


@pytest.mark.parametrize("seed", range(20))
def test_every_way_finds_the_same(seed: int) -> None:
    """Line by line and with numpy, in blocks of any size, the same is found in any text."""
    random = Random(seed)
    for _ in range(40):
        width, end = random.choice([1, 2, 3]), random.choice(["\n", "\r\n"])
        rows = (",".join(field(random) for _ in range(width)) for _ in range(random.randint(1, 8)))
        each_way((end.join(rows) + random.choice(["", end])).encode())


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize(
    ("start", "block", "words"),
    [
        (b'1,"', b"x\n" * 50, "line 2 opens a quote that is never closed"),
        (b"1,", b"x" * 100, "line 2 is longer than 1,000 bytes"),
    ],
)
def test_memory_does_not_grow_with_a_line(
    start: bytes, block: bytes, words: str, quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line, or a quote, that does not end is refused before the whole of a file is held."""
    monkeypatch.setattr(module.CsvLines, "longest", 1_000)
    lines = CsvLines("d.csv", ",", header=True, quick=quick)
    lines.read(b"a,b\n" + start)
    with pytest.raises(DataError, match=words):
        lines.read(block * 20)
