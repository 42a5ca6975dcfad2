"""The search for the worst subgroups: of which facets, on which metric, and what may be found."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from biaspipe.spec.values import Expects, Names, Number, SpecModel, whole
from biaspipe.spec.waivers import MetricOrAlias

__all__ = ["Subgroups"]

LARGEST_SEED = 2**32 - 1
USUAL_ORDER = 2

Whole = BeforeValidator(whole)


class Subgroups(SpecModel):
    """Every group of people that up to three facets describe together, against everybody else."""

    EXPECTED = "a mapping, such as {of: [sex, race], metric: DPPL}"

    of: Annotated[Names, Expects("a list of declared facets, such as [sex, race]")] = Field(
        description="The facets whose groups describe the subgroups, alone and together."
    )
    metric: MetricOrAlias = Field(description="A difference of one rate, such as DPPL.")
    order: Annotated[int, Whole, Field(ge=1, le=3), Expects("1, 2 or 3")] | None = Field(
        None,
        description="How many facets may describe a subgroup together, at most 3; 2 if left out, "
        "and 1 of a single facet.",
    )
    min_rows: Annotated[int, Whole, Field(ge=1)] = Field(
        50,
        description="People that a subgroup and the rest each have to have in the rate's "
        "denominator; smaller subgroups are counted and not examined.",
    )
    max_gap: Annotated[Number, Field(gt=0, lt=1)] | None = Field(
        None,
        description="How far the rate of a subgroup may be from that of the rest; what is found is "
        "only reported, if left out.",
    )
    control: Literal["max_t"] = Field(
        "max_t",
        description="How the search is kept from finding chance: by the largest of all its test "
        "statistics where outcomes are dealt out at random.",
    )
    draws: Annotated[int, Whole, Field(ge=1_000, le=100_000)] = Field(
        10_000, description="How often outcomes are dealt out at random."
    )
    seed: Annotated[int, Whole, Field(ge=0, le=LARGEST_SEED)] = Field(
        0, description="The number that the draws begin with."
    )

    @property
    def depth(self) -> int:
        """How many facets describe a subgroup at most."""
        return min(USUAL_ORDER, len(self.of)) if self.order is None else self.order
