"""Which metrics an audit computes, with which parameters and limits."""

from math import inf
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from biaspipe.metrics import ALIASES, FAMILIES, METRICS, Metric
from biaspipe.spec.impact import Impact
from biaspipe.spec.values import Name, Names, Number, SpecModel, format_value

__all__ = ["METRIC_PARAMETERS", "Bounds", "Check", "Limits", "Metrics"]


BOUND_WORDS = {
    "min": "at least {}",
    "max": "at most {}",
    "max_abs": "at most {} in either direction",
}
"""What each bound asks for."""


class Bounds:
    """The bounds of a value, in a spec or in a report."""

    min: float | None
    max: float | None
    max_abs: float | None

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds that are set, by name."""
        named = {"min": self.min, "max": self.max, "max_abs": self.max_abs}
        return {name: bound for name, bound in named.items() if bound is not None}

    @property
    def words(self) -> tuple[str, ...]:
        """What each bound asks for, as people read it.

        >>> Limits(min=0.8, max=1.25).words, Limits(max_abs=0.1).words
        (('at least 0.8', 'at most 1.25'), ('at most 0.1 in either direction',))
        """
        return tuple(
            BOUND_WORDS[name].format(format_value(bound)) for name, bound in self.bounds.items()
        )

    @property
    def kept(self) -> tuple[float, float]:
        """The least and the greatest value that keep every bound.

        >>> Limits(min=0.8).kept, Limits(max=0.5, max_abs=1).kept
        ((0.8, inf), (-1.0, 0.5))
        """
        size = inf if self.max_abs is None else self.max_abs
        low = -inf if self.min is None else self.min
        high = inf if self.max is None else self.max
        return max(low, -size), min(high, size)

    @property
    def band(self) -> tuple[float, float]:
        """The least and the greatest value that nothing is asked of beside the bounds."""
        return self.kept


class Limits(Bounds, SpecModel):
    """Bounds that a value has to keep; a value on the bound keeps it."""

    EXPECTED = "a mapping, such as {min: 0.8}"

    min: Number | None = Field(None, description="The value must not be less.")
    max: Number | None = Field(None, description="The value must not be greater.")
    max_abs: Annotated[Number, Field(ge=0)] | None = Field(
        None, description="The value must not be farther from 0; not for ratios."
    )

    @property
    def text(self) -> str:
        """The bounds as a spec names them.

        >>> Limits(min=0.8, max=1.25).text
        'min 0.8 and max 1.25'
        """
        return " and ".join(f"{name} {format_value(bound)}" for name, bound in self.bounds.items())

    def keeps(self, value: float) -> bool:
        """Whether a value, infinities included, keeps every bound.

        >>> Limits(min=0.8, max=1.25).keeps(0.8), Limits(max_abs=0.1).keeps(-0.2)
        (True, False)
        """
        return self.holds(value, value)

    def holds(self, low: float, high: float) -> bool:
        """Whether everything from `low` to `high` keeps every bound.

        >>> Limits(min=0.8).holds(0.8, 0.9), Limits(min=0.8).holds(0.7, 0.9)
        (True, False)
        """
        least, greatest = self.kept
        return least <= low and high <= greatest

    def breaks(self, low: float, high: float) -> bool:
        """Whether nothing from `low` to `high` keeps every bound.

        >>> Limits(min=0.8).breaks(0.7, 0.8), Limits(min=0.8).breaks(0.6, 0.7)
        (False, True)
        """
        least, greatest = self.kept
        return high < least or low > greatest


METRIC_PARAMETERS = {name for metric in METRICS.values() for name in metric.parameters}
"""The keys of a check that only some metrics have."""


class Check(Limits):
    """How one metric is computed and judged; without a limit it is reported only."""

    warn: Limits | None = Field(None, description="Limits whose breach warns instead of fails.")
    impact: Impact | None = Field(
        None, description="DI only: fails where the smaller selection rate is adverse impact."
    )
    facets: Names | None = Field(None, description="Only these facets; all of them if left out.")
    optional: bool = Field(
        False,
        strict=True,
        description="Where the columns do not declare what the metric needs, it is listed with the "
        "reason instead of being an error.",
    )
    p: Number | None = Field(None, description="LP only: order of the norm.")
    alpha: Number | None = Field(None, description="GE only: weight on large benefits.")
    k: Number | None = Field(None, description="FT only: nearest neighbours that vote.")
    scaling: Name | None = Field(
        None, description="FT only: standard, range or none, for numeric features."
    )
    sample: Number | None = Field(
        None, description="FT only: so many members of the disfavored group are drawn."
    )
    seed: Number | None = Field(
        None, description="FT only: the number that the draw begins with, 0 unless given."
    )

    @property
    def has_limit(self) -> bool:
        """Whether some value of the metric could fail or warn."""
        return self.has_bounds or self.impact is not None

    @property
    def has_bounds(self) -> bool:
        """Whether some value is beyond a bound, of a failure or of a warning."""
        return bool(self.bounds or (self.warn and self.warn.bounds))

    @property
    def can_fail(self) -> bool:
        """Whether some value of the metric could fail."""
        return bool(self.bounds or self.impact)

    @property
    def given(self) -> dict[str, float | str]:
        """The parameters that the spec sets, by name."""
        named = {name: getattr(self, name) for name in type(self).model_fields}
        return {
            name: value
            for name, value in named.items()
            if name in METRIC_PARAMETERS and value is not None
        }

    def parameters(self, metric: Metric) -> dict[str, Any]:
        """Every parameter of the metric that has a value, the default where the spec sets none.

        >>> Check(k=3).parameters(METRICS["FT"])
        {'k': 3, 'scaling': 'standard'}
        """
        chosen = {name: self.given.get(name, p.default) for name, p in metric.parameters.items()}
        whole = {name for name, p in metric.parameters.items() if p.whole}
        return {n: int(v) if n in whole else v for n, v in chosen.items() if v is not None}


def _known(name: str) -> str:
    if name not in FAMILIES and name not in METRICS and name not in ALIASES:
        raise PydanticCustomError("unknown_metric", "there is no metric of this name")
    return name


def _empty(value: object) -> object:
    return {} if value is None else value


MetricName = Annotated[str, AfterValidator(_known)]
Metrics = Annotated[
    dict[MetricName, Annotated[Check, BeforeValidator(_empty)]], BeforeValidator(_empty)
]
"""Metrics and families by name, each with its check."""
