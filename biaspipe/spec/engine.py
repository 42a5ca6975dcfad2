"""What counts the data, and where it runs."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from biaspipe.spec.values import Name, SpecModel

__all__ = ["DEFAULT_ENGINE", "KEEPS_ORDER", "READS_JSON", "EngineName", "Spark"]

EngineName = Literal["polars", "duckdb", "spark"]
DEFAULT_ENGINE: EngineName = "polars"
"""What counts files where neither the spec nor the command line says it."""
READS_JSON: tuple[EngineName, ...] = ("polars",)
"""The engines that read rows inside of JSON."""
KEEPS_ORDER: tuple[EngineName, ...] = ("polars",)
"""The engines that read rows in their order."""


class Spark(SpecModel):
    """The Spark that engine: spark uses; the session that is there, or one on this machine."""

    master: Name | None = Field(
        None, description="URL of a cluster's master, such as spark://host:7077, yarn or local[4]."
    )
    remote: Name | None = Field(
        None, description="URL of a Spark Connect server, such as sc://host:15002."
    )
    config: Annotated[dict[Name, str | int | bool], Field(min_length=1)] | None = Field(
        None, description="Settings of a new session, such as spark.executor.memory: 4g."
    )

    @model_validator(mode="after")
    def _has_one_place(self) -> "Spark":
        if self.master and self.remote:
            raise PydanticCustomError("spark", "master and remote both say where Spark runs")
        return self
