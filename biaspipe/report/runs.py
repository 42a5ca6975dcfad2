"""The run of a report: when, where and by whom it was made, which varies from run to run."""

import re
from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from biaspipe import __version__
from biaspipe.errors import FailOn
from biaspipe.report.counts import Record, Sha256
from biaspipe.spec import day

__all__ = ["COMMIT", "WORDING", "DayText", "RunRecord"]

COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""The digest of a commit of git, by SHA-1 or SHA-256."""


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
    if value.keys() - {"commit", "modified", "path"}:
        raise PydanticCustomError("git", "expected commit, modified and path, and nothing else")
    if not isinstance(commit, str) or not COMMIT.fullmatch(commit):
        raise PydanticCustomError("commit", "expected the commit in hexadecimal")
    if not isinstance(modified, bool):
        raise PydanticCustomError("modified", "expected true or false for modified")
    path = value.get("path", "audit.yaml")
    if not isinstance(path, str) or not path or {"", ".."} & {*path.split("/")}:
        raise PydanticCustomError("path", "expected a path from the top of the repository")
    return value


DayText = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Time = Annotated[
    str, AfterValidator(_time), WithJsonSchema({"type": "string", "format": "date-time"})
]
Version = Annotated[str, Field(pattern=r"^[0-9][0-9A-Za-z.+!_-]*$", max_length=64)]

WORDING = 3
"""The wording of this version's sentences: a number that grows where a version changes them."""


class RunRecord(Record):
    """What varies from run to run."""

    started_at: Time
    seconds: float = Field(ge=0)
    biaspipe: Version
    python: Version
    polars: Version
    engine: str | None = Field(None, description="What read and counted the data.")
    spec: str = Field(description="The spec's path as it was given.")
    data: str | None = Field(
        None,
        description="Where the data was that was read in place of the spec's, relative to the "
        "spec's folder.",
    )
    as_of: DayText = Field(description="The day on which waivers were judged.")
    waivers: bool = Field(description="Whether waivers were applied.")
    select: tuple[str, ...] = Field(description="What the command line selected; all if empty.")
    fail_on: FailOn | None = Field(
        None, description="The mildest verdict that ended the run with 1; null outside of `run`."
    )
    policy: Sha256 | None = Field(
        None, description="Digest of the policy that the spec was held to; null for the defaults."
    )
    wording: int | None = Field(
        None,
        description="Which wording its sentences have; `verify` compares those of its own. Null in"
        " reports of before wordings were told apart.",
    )
    git: Annotated[dict[str, str | bool], AfterValidator(_git)] = Field(
        description="The commit of the spec's folder, and the spec's path in its repository."
    )
    locator: tuple[str, ...] | None = Field(
        None, description="Check sums by which `verify` finds the one place that was changed."
    )
    sha256: Sha256 | None = Field(
        None, description="Digest of all else in `run`, and of `result_sha256`."
    )

    @property
    def unsaid(self) -> set[str]:
        """The keys that are left out where they do not apply."""
        return {"data"} if self.data is None else set()

    @property
    def warning_fails(self) -> bool:
        """Whether it was asked to end with 1 after a warning, too."""
        return self.fail_on == "warn"

    @property
    def day(self) -> date:
        """The day on which it began, in UTC."""
        return datetime.fromisoformat(self.started_at).date()

    @property
    def is_of_own_wording(self) -> bool:
        """Whether its sentences are in this version's words, so that they can be compared."""
        return (self.biaspipe, self.wording) == (__version__, WORDING)

    @property
    def is_of_no_wording(self) -> bool:
        """Whether it claims a wording that this version never had; early reports claim none."""
        return self.biaspipe == __version__ and self.wording not in (WORDING, None)
