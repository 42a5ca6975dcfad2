"""What varies from run to run: when, by what, and what was asked for."""

import re
from datetime import UTC, date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from biaspipe.report.evidence import Record, Sha256
from biaspipe.spec import day

__all__ = ["DayText", "RunRecord"]

COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def _day(value: str) -> str:
    day(value)
    return value


def _time(value: str) -> str:
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        time = None
    if time is None or time.tzinfo != UTC or time.isoformat(timespec="seconds") != value:
        raise PydanticCustomError("time", "expected a time, such as 2027-03-31T09:30:00+00:00")
    return value


def _git(value: dict[str, str | bool]) -> dict[str, str | bool]:
    commit, modified = value.get("commit", "0" * 40), value.get("modified", False)
    if value.keys() - {"commit", "modified"}:
        raise PydanticCustomError("git", "expected commit and modified, and nothing else")
    if not isinstance(commit, str) or not COMMIT.fullmatch(commit):
        raise PydanticCustomError("commit", "expected the commit in hexadecimal")
    if not isinstance(modified, bool):
        raise PydanticCustomError("modified", "expected true or false for modified")
    return value


DayText = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Time = Annotated[
    str, AfterValidator(_time), WithJsonSchema({"type": "string", "format": "date-time"})
]
Version = Annotated[str, Field(pattern=r"^[0-9][0-9A-Za-z.+!_-]*$", max_length=64)]


class RunRecord(Record):
    """What varies from run to run."""

    started_at: Time
    seconds: float = Field(ge=0)
    biaspipe: Version
    python: Version
    polars: Version
    engine: str | None = Field(None, description="What read and counted the data.")
    spec: str = Field(description="The spec's path as it was given.")
    as_of: DayText = Field(description="The day on which waivers were judged.")
    waivers: bool = Field(description="Whether waivers were applied.")
    select: tuple[str, ...] = Field(description="What the command line selected; all if empty.")
    fail_on: Literal["fail", "warn", "never"] | None = Field(
        None, description="The mildest verdict that ended the run with 1; null outside of `run`."
    )
    policy: Sha256 | None = Field(
        None, description="Digest of the policy that the spec was held to; null for the defaults."
    )
    git: Annotated[dict[str, str | bool], AfterValidator(_git)] = Field(
        description="The commit of the spec's folder, if any."
    )
    locator: tuple[str, ...] | None = Field(
        None, description="Check sums by which `verify` finds the one place that was changed."
    )
    sha256: Sha256 | None = Field(
        None, description="Digest of all else in `run`, and of `result_sha256`."
    )

    @property
    def day(self) -> date:
        """The day on which it began, in UTC."""
        return datetime.fromisoformat(self.started_at).date()
