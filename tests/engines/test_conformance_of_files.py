"""Every engine that reads files reads them as polars does: formats, types, folders, faults."""

import gzip
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from biaspipe.spec import EngineName
from tests.engines.builders import prepare, write
from tests.engines.conformance import differs, outcome
from tests.engines.samples import people, spec

ENGINES: list[EngineName] = ["duckdb"]
"""The engines that read files as polars does, and need no server."""

Content = bytes | pl.DataFrame


class Read(NamedTuple):
    """Files, how a spec reads them, and the class of the error that comes of it."""

    name: str
    files: Mapping[str, Content]
    data: Mapping[str, Any]
    error: str | None = None
    own_words: bool = False


FRAME = people().select("sex", "label", "score", "city")
TEXT = (
    'sex,label,score,city\nm,1,0.5,"Ulm, old"\nf,0,0.25,"say ""hi"""\nm,0,,\n'
    'f,1,1e-1,"two\nlines"\nm,1,.5,Ulm \nf,0,1, Ulm\n,1,0.75,""\nx,,NaN,é\n'
)
LINES = (
    '{"sex":"m","label":1,"score":0.5,"city":"Ulm"}\n{"sex":"f","label":0,"score":0.25,"city":null}\n'
    '{"label":0,"sex":"m","score":1,"city":"it\'s \\"é\\" \\ud83d\\ude00"}\n'
    '{"sex":"f","label":1,"score":null,"city":""}\n{"sex":"f","label":null,"score":0.75,"city":"Ulm"}\n'
)


def table(values: str, column: str = "city") -> bytes:
    """Return a text table of two groups in which one column goes through values in turn."""
    shown = values.split("|")
    header = {"city": 3, "label": 1, "score": 2}[column]
    lines = []
    for i in range(4 * len(shown)):
        fields = ["mf"[i % 2], str(i // 2 % 2), "0.5", "Ulm"]
        fields[header] = shown[i % len(shown)]
        lines.append(",".join(fields))
    return ("sex,label,score,city\n" + "\n".join(lines) + "\n").encode()


def late(first: str, other: str, column: str = "city") -> bytes:
    """Return a text table whose column changes its kind of values after 1,200 rows."""
    return table("|".join([first] * 1200 + [other] * 4), column)


def written(method: str, **options: Any) -> bytes:
    """Return a frame as a file in a format of polars."""
    buffer = BytesIO()
    getattr(FRAME, method)(buffer, **options)
    return buffer.getvalue()


CSV = {"path": "d.csv"}
KINDS = {
    "leading zeros": "007|07|8",
    "whole numbers": "1|2|3",
    "whole numbers and fractions": "1|2.5|3",
    "numbers and a word": "1|2|x",
    "numbers after spaces": " 1| 2|3",
    "numbers before spaces": "1 |2 |3",
    "signs": "+1|-1|1",
    "exponents": "1e3|1E3|1001",
    "numbers beyond 64 bits": "9223372036854775808|1|2",
    "NaN and infinity": "NaN|inf|-inf|1.5",
    "words for NaN": "nan|NAN|Infinity|1.5",
    "truths": "true|false|true",
    "truths in capitals": "TRUE|False|true",
    "truths and numbers": "true|1|0",
    "letters for truth": "t|f|y",
    "dates": "2026-07-01|2026-07-02|2026-07-01",
    "times": "2026-07-01T10:30:00|2026-07-01 10:30:00|2026-07-02T10:30:00",
    "words for nothing": "null|NULL|NA|Ulm",
    "quoted numbers": '"1"|"2"|3',
    "quoted spaces": '" a "|a|b',
    "thousands": '"1,000"|"2,000"|3',
    "underscores": "1_000|2|3",
    "hexadecimals": "0x1f|1|2",
    "percent": "50%|10%|5",
    "half nothing": "|1|2",
    "backslashes": "a\\n|b\\|c\\\\",
    "tabs": "a\tb|c|d",
    "comment signs": "#1|#2|3",
    "formulas": "=1+1|@x|-",
}
GOOD = [
    Read("parquet", {"d.parquet": FRAME}, {"path": "d.parquet"}),
    Read("pq", {"d.pq": FRAME}, {"path": "d.pq"}),
    Read("csv", {"d.csv": TEXT.encode()}, CSV),
    Read("csv with CRLF", {"d.csv": TEXT.replace("\n", "\r\n").encode()}, CSV),
    Read("csv with a byte order mark", {"d.csv": b"\xef\xbb\xbf" + TEXT.encode()}, CSV),
    Read("csv without a last line break", {"d.csv": TEXT.encode()[:-1]}, CSV),
    Read("csv.gz", {"d.csv.gz": gzip.compress(TEXT.encode(), mtime=0)}, {"path": "d.csv.gz"}),
    Read("tsv", {"d.tsv": written("write_csv", separator="\t")}, {"path": "d.tsv"}),
    Read("ndjson", {"d.ndjson": LINES.encode()}, {"path": "d.ndjson"}),
    Read("jsonl", {"d.jsonl": LINES.encode()}, {"path": "d.jsonl"}),
    Read(
        "ndjson.gz",
        {"d.ndjson.gz": gzip.compress(LINES.encode(), mtime=0)},
        {"path": "d.ndjson.gz"},
    ),
    Read("arrow", {"d.arrow": written("write_ipc")}, {"path": "d.arrow"}),
    Read("feather", {"d.feather": written("write_ipc")}, {"path": "d.feather"}),
    *(
        Read(
            f"csv with {sign!r}",
            {"d.csv": written("write_csv", separator=sign)},
            {**CSV, "csv": {"separator": sign}},
        )
        for sign in (";", "|", "\t", " ", "~", "'")
    ),
    Read(
        "csv with words for nothing",
        {"d.csv": table("?|NA|Ulm|Bonn")},
        {**CSV, "csv": {"null_values": ["?", "NA"]}},
    ),
    Read(
        "csv with numbers for nothing",
        {"d.csv": table("-99|1|2")},
        {**CSV, "csv": {"null_values": ["-99"]}},
    ),
    Read(
        "csv without a header",
        {"d.csv": TEXT.split("\n", 1)[1].encode()},
        {**CSV, "csv": {"header": False, "columns": ["sex", "label", "score", "city"]}},
    ),
    Read(
        "csv with other names",
        {"d.csv": TEXT.replace("sex,label", "a,b", 1).encode()},
        {**CSV, "csv": {"header": True, "columns": ["sex", "label", "score", "city"]}},
    ),
    *(Read(f"csv of {name}", {"d.csv": table(v)}, CSV) for name, v in KINDS.items()),
    Read("late word", {"d.csv": late("1", "x")}, CSV),
    Read("late fraction", {"d.csv": late("1", "1.5")}, CSV),
    Read("late number", {"d.csv": late("|2", "1.5")}, CSV),
    Read("late zeros", {"d.csv": late("7|8", "007")}, CSV),
    Read("folder", {"d/a.parquet": FRAME, "d/b.parquet": FRAME.reverse()}, {"path": "d"}),
    Read("folder of csv", {"d/a.csv": table("1|2"), "d/b.csv": table("x|1.5")}, {"path": "d"}),
    Read(
        "glob",
        {"a1.parquet": FRAME, "a2.parquet": FRAME, "b.parquet": FRAME},
        {"path": "a*.parquet"},
    ),
    *(
        Read(
            f"hive {name}",
            {f"d/city={v}/a.{ending}": content for v in values},
            {"path": "d", "format": ending},
        )
        for ending, content in (("parquet", FRAME.drop("city")),)
        for name, values in {
            "words": ["Ulm", "Bonn"],
            "numbers": ["1", "2"],
            "zeros": ["01", "02"],
            "dates": ["2026-07-01", "2026-07-02"],
            "mixed": ["1", "x"],
        }.items()
    ),
    Read(
        "path with spaces and quotes",
        {"it's a (1) [x].parquet": FRAME},
        {"path": "it's a (1) [x].parquet"},
    ),
    Read(
        "other order of columns",
        {"a.parquet": FRAME, "b.parquet": FRAME.select("city", "score", "label", "sex")},
        {"path": ["a.parquet", "b.parquet"]},
    ),
    Read(
        "another column later",
        {"a.parquet": FRAME, "b.parquet": FRAME.with_columns(z=1)},
        {"path": ["a.parquet", "b.parquet"]},
    ),
    Read(
        "wider numbers first",
        {"a.parquet": FRAME, "b.parquet": FRAME.cast({"label": pl.Int8})},
        {"path": ["a.parquet", "b.parquet"]},
    ),
]
BAD = [
    Read("no file", {}, CSV, "DataError"),
    Read("empty csv", {"d.csv": b""}, CSV, "DataError"),
    Read("csv of a header", {"d.csv": b"sex,label,score,city\n"}, CSV, "DataError"),
    Read(
        "csv that is not UTF-8", {"d.csv": TEXT.encode("latin-1")}, CSV, "DataError", own_words=True
    ),
    Read(
        "csv with long lines",
        {"d.csv": (TEXT + "f,1,1,a,b,c\n").encode()},
        CSV,
        "DataError",
    ),
    Read(
        "csv with an open quote",
        {"d.csv": (TEXT + 'f,1,1,"a\n').encode()},
        CSV,
        "DataError",
    ),
    Read("csv with short lines", {"d.csv": (TEXT + "f,1\nm\n").encode()}, CSV, "DataError"),
    Read("csv with blank lines at its end", {"d.csv": TEXT.encode() + b"\n\n"}, CSV, "DataError"),
    Read(
        "csv with a blank line",
        {"d.csv": TEXT.replace("f,0,0.25", "\nf,0,0.25").encode()},
        CSV,
        "DataError",
    ),
    Read("csv with a stray quote", {"d.csv": (TEXT + 'f,1,1,24"\n').encode()}, CSV, "DataError"),
    Read(
        "csv with spaces before a quote",
        {"d.csv": (TEXT + 'f,1,1, "a"\n').encode()},
        CSV,
        "DataError",
    ),
    Read(
        "csv with a word for nothing that does not occur",
        {"d.csv": TEXT.encode()},
        {**CSV, "csv": {"null_values": ["?"]}},
        "SpecError",
    ),
    Read("a file twice", {"d.parquet": FRAME}, {"path": ["d.parquet", "d.parquet"]}, "SpecError"),
    Read(
        "parquet with options of csv",
        {"d.parquet": FRAME},
        {"path": "d.parquet", "csv": {"null_values": ["Ulm"]}},
        "SpecError",
    ),
    Read(
        "lines of JSON without a column",
        {"a.ndjson": LINES.encode(), "b.ndjson": LINES.replace("label", "lab").encode()},
        {"path": ["a.ndjson", "b.ndjson"]},
        "DataError",
    ),
    Read(
        "csv with a column twice",
        {"d.csv": b"sex,label,score,city,sex\n" + b"m,1,0.5,Ulm,f\nf,0,0.5,Bonn,m\n" * 4},
        CSV,
        "DataError",
    ),
    Read(
        "no parquet", {"d.parquet": b"nonsense"}, {"path": "d.parquet"}, "DataError", own_words=True
    ),
    Read("no arrow", {"d.arrow": b"nonsense"}, {"path": "d.arrow"}, "DataError", own_words=True),
    Read(
        "no lines of JSON",
        {"d.ndjson": LINES.encode() + b"{\n"},
        {"path": "d.ndjson"},
        "DataError",
        own_words=True,
    ),
    Read("no gzip", {"d.csv.gz": TEXT.encode()}, {"path": "d.csv.gz"}, "DataError", own_words=True),
    Read(
        "a column less",
        {"a.parquet": FRAME, "b.parquet": FRAME.drop("city")},
        {"path": ["a.parquet", "b.parquet"]},
        "DataError",
        own_words=True,
    ),
    Read(
        "other values",
        {"a.parquet": FRAME, "b.parquet": FRAME.cast({"label": pl.String})},
        {"path": ["a.parquet", "b.parquet"]},
        "DataError",
        own_words=True,
    ),
]
DIFFERENCES = {
    "csv of numbers beyond 64 bits": "DuckDB reads them as floats, polars as wider whole numbers",
    "no gzip": "DuckDB trusts the ending of a name, polars reads a file that is no gzip as a text",
}


@pytest.mark.combinations
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("read", differs([*GOOD, *BAD], DIFFERENCES))
def test_files_are_read_alike(read: Read, engine: EngineName, tmp_path: Path) -> None:
    """A file is read as the same rows and types on every engine, or ends in the same error."""
    for name, content in read.files.items():
        write(tmp_path / name, content)
    facets = {"sex": {"column": "sex", "favored": "m"}, "each": {"column": "city"}}
    columns = {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "score", "at_least": 0.5, "constant": "allowed"},
        "strata": ["city"],
    }
    loaded = prepare(tmp_path, data=read.data, **spec(columns=columns, facets=facets))
    expected, found = outcome(loaded), outcome(loaded, engine)
    assert (expected.error, found.error) == (read.error, read.error), (expected.words, found.words)
    if not read.own_words:
        assert found == expected
