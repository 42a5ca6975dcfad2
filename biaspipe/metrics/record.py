"""What a metric is: one small function and one record that says everything about it.

The record is written once and shown everywhere: `explain`, console, docs, JSON Schema.
"""

from collections.abc import Callable, Collection, Mapping
from enum import Flag, auto
from math import inf, isinf, isnan
from typing import Any, Literal, NamedTuple

from biaspipe.counts import Flips, Group, Real, Table, Undefined
from biaspipe.metrics.digits import SIGNIFICANT, digits_text, points_text
from biaspipe.metrics.phrases import GENERIC, Phrases
from biaspipe.metrics.rates import Rate, selection_rate

__all__ = [
    "Compares",
    "Metric",
    "Needs",
    "Parameter",
    "ParityTestName",
    "Sign",
    "Status",
    "Value",
    "metric",
]

Status = Literal["ok", "infinite", "undefined"]
"""Whether a value is a number, an infinity or neither."""
Sign = Literal[1, -1]
"""The sign of an infinite value."""
Compares = Literal["a - d", "d - a", "d / a"]
"""How a metric sets the rate of the favored group against that of the disfavored one."""
ParityTestName = Literal[
    "fisher", "score", "fisher-bonferroni", "mcnemar", "jackknife", "cmh", "cmh-exact", "two-rates"
]
"""What tests whether groups are alike: a key of `TESTS` in `biaspipe.statistics.parity`."""


class Needs(Flag):
    """What an audit has to declare before a metric can be computed."""

    FACET = auto()
    OBSERVED = auto()
    PREDICTED = auto()
    STRATA = auto()
    FEATURES = auto()
    CATEGORIES = auto()

    @property
    def words(self) -> tuple[str, ...]:
        """The declarations in a spec that this needs, as a user writes them."""
        return tuple(word for need, word in _DECLARED.items() if need in self)


_DECLARED = {
    Needs.OBSERVED: "columns.label",
    Needs.PREDICTED: "columns.prediction",
    Needs.STRATA: "columns.strata",
    Needs.FEATURES: "columns.features",
}


class Parameter(NamedTuple):
    """A number that a spec may set for a metric, and the values it may take.

    A default of None means that there is no such number unless the spec sets one.
    """

    default: float | str | None
    meaning: str
    minimum: float | None = None
    maximum: float | None = None
    whole: bool = False
    choices: tuple[str, ...] = ()

    @property
    def possible(self) -> str:
        """The values that it may take, in words.

        >>> Parameter(5, "neighbours", minimum=1, whole=True).possible
        'a whole number, at least 1'
        """
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        words = ["a whole number" if self.whole else "a number"]
        for title, bound in (("at least", self.minimum), ("at most", self.maximum)):
            words += [f"{title} {bound:g}"] if bound is not None else []
        return ", ".join(words)


class Value(NamedTuple):
    """What a metric came to: a number, an infinity, or the reason why there is none.

    >>> Value.of(0.25), Value.of(-inf).sign
    (Value(status='ok', number=0.25, sign=None, reason=None), -1)
    """

    status: Status
    number: float | None = None
    sign: Sign | None = None
    reason: str | None = None

    @classmethod
    def of(cls, number: Real) -> "Value":
        """Tag a number; NaN is a bug in a metric and never gets this far."""
        if isnan(number):
            raise ValueError("a metric gave NaN instead of refusing")
        if isinf(number):
            return cls("infinite", sign=1 if number > 0 else -1)
        return cls("ok", number=float(number) + 0.0)

    @property
    def extended(self) -> float | None:
        """The number on the extended real line, None where undefined."""
        return self.sign * inf if self.sign else self.number


class Metric(NamedTuple):
    """A metric's record.

    Parameters
    ----------
    id, name, aliases : how a spec may call it, and its full name.
    needs : what the audit has to declare.
    formula : in the notation of the documentation; a = favored, d = disfavored.
    range, ideal : the values it can take, and the one that means parity.
    plainly : what it tells, in a sentence for a reader who knows no statistics.
    positive : what a value above the ideal says, with {favored}, {disfavored}, {value}, {gap},
        {points} and the names of `Phrases`.
    negative : the same for a value below the ideal; left out, `positive` with the sides swapped.
    parity : the same for the ideal.
    harms : the side that a value above the ideal disadvantages.
    harm : what that means for it, with {harmed}.
    undefined : when it has no value, in words.
    source : the document that defines it.
    interval : the method that its interval is made by, a key of `biaspipe.statistics.METHODS`.
    compute : the function of a Table that gives the number.
    parameters : what a spec may set.
    range_at : its range at given parameters, where it is not `range` at all of them.
    rate : the rate of each group that it compares, if it compares a single one.
    compares : how it does.
    rates : the rates of each group that it compares, if it joins several into one number.
    distance : how far it finds two distributions apart, a key of `OF_MANY_CATEGORIES`
        in `biaspipe.statistics.methods`, if it compares the label's distributions.
    interval_of_sample : the method of its interval where it is computed from a sample.
    same_as : the metric that has its value too, perhaps with the other sign.
    good_for : what it is good for, and what not, where its name does not tell.
    note : what a reader of another tool's numbers has to know.
    """

    id: str
    name: str
    needs: Needs
    formula: str
    range: tuple[float, float]
    plainly: str
    positive: str
    undefined: str
    source: str
    interval: str
    compute: Callable[..., Real]
    ideal: float = 0.0
    negative: str | None = None
    parity: str = "{favored} and {disfavored} are at parity"
    harms: Literal["favored", "disfavored"] | None = "disfavored"
    harm: str = "to the disadvantage of {harmed}"
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = {}
    range_at: Callable[..., tuple[float, float]] | None = None
    rate: Rate | None = None
    compares: Compares | None = None
    rates: tuple[Rate, ...] = ()
    distance: str | None = None
    interval_of_sample: str | None = None
    same_as: str | None = None
    good_for: str | None = None
    note: str | None = None

    def range_of(self, **parameters: Any) -> tuple[float, float]:
        """Return the values that the metric can take at these parameters."""
        return self.range_at(**parameters) if self.range_at else self.range

    @property
    def is_ratio(self) -> bool:
        """Whether parity is 1, so that a distance from 0 means nothing."""
        return self.ideal == 1

    @property
    def is_selection_ratio(self) -> bool:
        """Whether it is a ratio of selection rates, of which adverse impact is judged."""
        return self.rate is selection_rate and self.compares == "d / a"

    @property
    def example(self) -> Mapping[str, float]:
        """Limits on every side of parity on which there are values; customary, no advice."""
        if not self.is_ratio:
            return {"max_abs": 0.1}
        return {"min": 0.8, "max": 1.25} if self.range[1] > self.ideal else {"min": 0.8}

    @property
    def compared(self) -> tuple[Rate, ...]:
        """Every rate of each group that it compares."""
        return self.rates or ((self.rate,) if self.rate else ())

    @property
    def has_facet(self) -> bool:
        """Whether the metric compares groups; one that does not appears once in a report."""
        return Needs.FACET in self.needs

    def __call__(self, evidence: Table | Group | Flips, **parameters: Any) -> Value:
        """Compute the metric from its evidence.

        Parameters
        ----------
        evidence : the comparison's Table; for GE the Group of all people; for FT the Flips.
        parameters : values for the names in `parameters` that are part of the arithmetic.

        Returns
        -------
        Value
            A number, an infinity, or the reason why there is neither.
        """
        try:
            return Value.of(self.compute(evidence, **parameters))
        except Undefined as refusal:
            kind = "unbounded" if self.range == (-inf, inf) else "undefined"
            return Value("undefined", reason=f"{refusal}: {self.id} is {kind}")
        except OverflowError:
            return Value("undefined", reason=f"{self.id} is larger than any number here can be")

    def says(
        self,
        number: float,
        favored: str = "",
        disfavored: str = "",
        apart: Collection[float] = (),
        phrases: Phrases = GENERIC,
    ) -> str:
        """Say in plain words what a number means, and whom it disadvantages.

        Parameters
        ----------
        number : the value, infinities included.
        favored, disfavored : the groups' names; none for a metric without a facet.
        apart : limits that the number must not be rounded to unless it is one of them.
        phrases : how the outcomes are named.
        """
        words = phrases._asdict()
        if number == self.ideal:
            return self.parity.format(favored=favored, disfavored=disfavored, **words)
        above = number > self.ideal
        sides = {"favored": favored, "disfavored": disfavored}
        mirror = {"favored": disfavored, "disfavored": favored}
        template = self.positive if above else self.negative or self.positive
        named = sides if above or self.negative else mirror
        gap = _short(abs(number - self.ideal), apart)
        words |= {"value": self._written(number, apart), "gap": gap, "points": _points(gap)}
        phrase = template.format(**named, **words)
        if self.harms is None:
            return phrase
        harmed = (sides if above else mirror)[self.harms]
        return f"{phrase}, {self.harm.format(harmed=harmed)}"

    def _written(self, number: float, apart: Collection[float]) -> str:
        """Write a value short, but never so short that it reads as parity."""
        if isinf(number):
            return "infinitely many" if self.is_ratio else "infinite"
        return _short(number, (self.ideal, *apart))


def _short(number: float, apart: Collection[float]) -> str:
    """Write a number for a sentence."""
    return f"{number:,.0f}" if number >= 1_000 else digits_text(number, SIGNIFICANT, apart)


def _points(gap: str) -> str:
    return "infinitely many percentage points" if gap == "inf" else points_text(gap)


def metric(**record: Any) -> Callable[[Callable[..., Real]], Metric]:
    """Turn a function of a table into a Metric with this record."""

    def wrap(compute: Callable[..., Real]) -> Metric:
        return Metric(compute=compute, **record)

    return wrap
