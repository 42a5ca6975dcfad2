"""Where the data is and how it is read."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PrivateAttr,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from biaspipe.conditions import ParameterValues
from biaspipe.spec.expect import Expect
from biaspipe.spec.values import NAME_OR_LIST, Expects, Name, Names, SpecModel, refuse_blank

__all__ = ["IN_HAND", "Csv", "Data", "Format", "Join", "Source", "steps_of"]

Format = Literal["csv", "tsv", "parquet", "ndjson", "jsonl", "json", "arrow", "ipc"]
IN_HAND = "(frame)"
"""What specs, messages and reports call rows that no file was read for."""
STEP = re.compile(r'\[(?P<index>\d+)\]|(?P<dot>\.?)(?:(?P<key>[^\W\d]\w*)|"(?P<quoted>[^"]+)")')


def _one_or_more(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and value:
        return tuple(value)
    raise PydanticCustomError("one_or_more", "expected text or a list of texts")


def steps_of(path: str) -> tuple[str | int, ...]:
    """Return the keys and indices that lead to a value inside of a row of JSON.

    >>> steps_of("Features[0]"), steps_of('instance."marital status"')
    (('Features', 0), ('instance', 'marital status'))

    Raises
    ------
    ValueError
        If this is no such path.
    """
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        found = STEP.match(path, at)
        if found is None or (found["index"] is None and bool(found["dot"]) != bool(steps)):
            raise ValueError(path)
        index, key = found["index"], found["key"] or found["quoted"]
        steps.append(key if index is None else int(index))
        at = found.end()
    return tuple(steps)


def _path(value: str) -> str:
    try:
        steps_of(value)
    except ValueError:
        words = 'expected keys and indices, such as Features[0] or instance."home town"'
        raise PydanticCustomError("json_path", "{words}", {"words": words}) from None
    return value


JsonPath = Annotated[Name, AfterValidator(_path)]

OneOrMore = Annotated[tuple[Name, ...], BeforeValidator(_one_or_more), NAME_OR_LIST]


class Csv(SpecModel):
    """How text tables are written."""

    separator: str = Field(",", description="One character between fields; a tab for tsv.")
    header: bool = Field(True, description="Whether the first line names the columns.", strict=True)
    columns: Names | None = Field(
        None, description="Names for the columns, in the file's order; needs header."
    )
    null_values: Names | None = Field(None, description="Texts that stand for a missing value.")

    @field_validator("separator")
    @classmethod
    def _one_byte(cls, value: str) -> str:
        if len(value.encode()) != 1 or value in '"\n\r':
            raise PydanticCustomError("separator", "expected one ASCII character, such as ';'")
        return value

    @model_validator(mode="after")
    def _says_header(self) -> Self:
        if self.columns and "header" not in self.model_fields_set:
            words = (
                "where columns names the columns, header says what the first line is:"
                " true for other names, false for a row"
            )
            raise PydanticCustomError("header", "{words}", {"words": words})
        return self


class Source(SpecModel):
    """One table: its files, their format and how text is written in them."""

    path: OneOrMore | None = Field(
        None, description="File, glob, folder, list of them, or URI; relative to this spec."
    )
    table: Name | None = Field(
        None, description="A table of the database, instead of files; schema.table too."
    )
    format: Format | None = Field(
        None, description="From the ending when left out; text formats may end in .gz or .zst too."
    )
    csv: Csv = Field(Csv(), description="Options for csv and tsv.")
    fields: dict[Name, JsonPath] | None = Field(
        None,
        min_length=1,
        description="The columns of rows of JSON, and where each stands in a row: Features[0], "
        "instance.sex; the keys of the rows if left out.",
    )
    records: JsonPath | None = Field(
        None,
        description="Where the array of rows stands in a document of format json; the document "
        "itself if left out.",
    )
    expect: Expect | None = Field(
        None, description="What must be there for the audit to count: digest, number of rows."
    )

    @model_validator(mode="after")
    def _has_one_place(self) -> Self:
        if (self.path is None) == (self.table is None):
            words = "nothing says where the rows are: path, or table"
            if self.path is not None:
                words = "path and table both say where the rows are; keep one"
            raise PydanticCustomError("source", "{words}", {"words": words})
        if self.table and self.expect and self.expect.sha256:
            words = "a table of a database has no digest; expect can ask for its rows"
            raise PydanticCustomError("source", "{words}", {"words": words})
        return self

    @property
    def places(self) -> tuple[str, ...]:
        """Where the rows are, as the spec writes it: paths, or the table."""
        return self.path or (str(self.table),)


class Join(Source):
    """A table joined from the left: every row of the data stays, keys are unique on the right."""

    on: OneOrMore | None = Field(
        None, description="The key column or columns, named alike on both sides."
    )
    by: Literal["position"] | None = Field(
        None,
        description="position: row by row in the order of the files, which have as many rows as "
        "the data.",
    )

    @model_validator(mode="after")
    def _has_partner(self) -> "Join":
        if (self.on is None) == (self.by is None):
            words = "nothing says which rows belong together: on, or by: position"
            if self.on is not None:
                words = "on and by both say which rows belong together; keep one"
            raise PydanticCustomError("join", "{words}", {"words": words})
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """The key columns; none where rows meet by their position."""
        return self.on or ()


class Data(Source):
    """The audited rows."""

    EXPECTED = "a mapping, such as {path: loans.csv}"

    connection: Name | None = Field(
        None,
        description="URL of the database that holds the table, such as postgresql://host/name; "
        "credentials come from the environment.",
    )
    where: Annotated[Name, AfterValidator(refuse_blank)] | None = Field(
        None, description="Condition, written as in SQL; only rows that meet it count."
    )
    join: Annotated[tuple[Join, ...], Expects("a list, such as [{path: people.csv, on: id}]")] = (
        Field((), description="Tables joined to the data by key or by position.")
    )

    _values: ParameterValues = PrivateAttr(default_factory=dict)

    @property
    def values(self) -> ParameterValues:
        """The parameters that `where` may name."""
        return self._values

    def given(self, values: ParameterValues, places: Mapping[str, object]) -> "Data":
        """Return the same with the values of parameters.

        Parameters
        ----------
        values : for `where`.
        places : path, table and join, filled in.
        """
        data = self.model_copy(update=dict(places))
        data._values = values
        return data

    @property
    def keys(self) -> frozenset[str]:
        """The key columns of all joins."""
        return frozenset(key for join in self.join for key in join.keys)
