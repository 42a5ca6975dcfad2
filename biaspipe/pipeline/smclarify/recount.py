"""The second count, as smclarify reads the data: made, written into a report, and read back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biaspipe.engines import profiler_of
from biaspipe.metrics import Needs
from biaspipe.pipeline.evidence import group_in, table_in
from biaspipe.pipeline.records import group_record, side_records, stratum_records
from biaspipe.plan import FacetTables, Plan
from biaspipe.report import (
    BallotRecord,
    ComparedRecord,
    CompatRecord,
    FacetRecord,
    GuessRecord,
    Result,
)
from biaspipe.smclarify import (
    NAME,
    VERSION,
    Compared,
    Guess,
    Reading,
    SmclarifyCounts,
    SmclarifyFlips,
    columns_of,
    everyone_of,
    reading_of,
    tabulated,
)
from biaspipe.spec import Audit

if TYPE_CHECKING:
    from biaspipe.engines.counting import Engine
    from biaspipe.engines.smclarify import Profiler

__all__ = ["Counted", "compared_records", "counted_again", "recovered_second"]


@dataclass(frozen=True)
class Counted:
    """The second count, and what a report says of it."""

    second: SmclarifyCounts
    record: CompatRecord


def counted_again(
    engine: "Engine", plan: Plan, tables: Sequence[FacetTables], spec: Mapping[str, Any]
) -> Counted:
    """Count the data as smclarify reads it.

    Parameters
    ----------
    engine : the engine that has counted it as the spec says.
    plan : the bound plan.
    tables : the comparisons that the spec asks for.
    spec : the spec as it is written.
    """
    profiler = profiler_of(engine)
    reading = reading_of(plan, profiler.profiles(columns_of(plan)), spec)
    counts = engine.count(reading.plan)
    found = tabulated(reading, counts)
    compared: dict[tuple[str, str], Compared] = {}
    ballots: dict[tuple[str, str], SmclarifyFlips] = {}
    for facet in tables:
        if reading.facets[facet.facet].refused:
            continue
        keys = [(facet.facet, c.disfavored) for c in facet.comparisons]
        own = [found[name].get(group) or found[name][""] for name, group in keys]
        compared |= dict(zip(keys, own, strict=True))
        ballots |= dict(zip(keys, _ballots(profiler, reading, facet.facet, own), strict=False))
    refused = {name: g.refused for name, g in reading.facets.items() if g.refused}
    everyone = everyone_of(reading, counts)
    second = SmclarifyCounts(
        everyone, compared, ballots, refused, reading.no_prediction, reading.no_strata
    )
    return Counted(second, _record(reading, second, plan.audit, profiler))


def _ballots(
    profiler: "Profiler", reading: Reading, facet: str, compared: Sequence[Compared]
) -> Sequence[SmclarifyFlips]:
    wanted = (c.facet == facet and Needs.FEATURES in c.metric.needs for c in reading.plan.checks)
    return profiler.ballots(reading, facet, compared) if any(wanted) else ()


def _record(
    reading: Reading, second: SmclarifyCounts, audit: Audit, profiler: "Profiler"
) -> CompatRecord:
    return CompatRecord(
        name=NAME,
        version=VERSION,
        label=_guessed(reading.label),
        prediction=_guessed(reading.prediction) if reading.prediction else None,
        facets={name: _facet(guess, profiler) for name, guess in reading.facets.items()},
        everyone=group_record(second.everyone, audit, categories=False),
        no_prediction=second.no_prediction,
        no_strata=second.no_strata,
    )


def _facet(guess: Guess, profiler: "Profiler") -> GuessRecord:
    if guess.values or guess.refused:
        return _guessed(guess)
    values = profiler.appearing(guess.column)
    texts = tuple("nan" if value is None else str(value) for value in values)
    return _guessed(guess).model_copy(update={"values": texts})


def _guessed(guess: Guess) -> GuessRecord:
    return GuessRecord(
        column=guess.column,
        kind=str(guess.profile.kind),
        guess="continuous" if guess.continuous else "categorical",
        distinct=guess.profile.distinct,
        missing=guess.profile.missing,
        text="" if guess.refused else guess.text,
        refused=guess.refused,
    )


def compared_records(
    facets: Sequence[FacetRecord], second: SmclarifyCounts, audit: Audit
) -> tuple[FacetRecord, ...]:
    """Return the facets with the second count beside the first.

    Parameters
    ----------
    facets : with the comparisons that the spec asks for.
    second : the second count.
    audit : the spec.
    """
    told = []
    for facet in facets:
        comparisons = [
            c.model_copy(update={"compat": _compared(second, (facet.facet, c.disfavored), audit)})
            for c in facet.comparisons
        ]
        told.append(facet.model_copy(update={"comparisons": tuple(comparisons)}))
    return tuple(told)


def _compared(second: SmclarifyCounts, key: tuple[str, str], audit: Audit) -> ComparedRecord | None:
    found, ballot = second.compared.get(key), second.ballots.get(key)
    if found is None:
        return None
    return ComparedRecord(
        text=found.text,
        counts=side_records(found.table, audit, categories=False),
        strata=stratum_records(found.table, audit),
        ballot=_ballot(ballot) if ballot else None,
    )


def _ballot(ballot: SmclarifyFlips) -> BallotRecord:
    return BallotRecord(
        F_plus=ballot.favorable,
        F_minus=ballot.unfavorable,
        n_d=ballot.disfavored,
        n_a=ballot.favored,
        k=ballot.k,
        features=ballot.features,
        refused=ballot.refused,
    )


def recovered_second(result: Result) -> SmclarifyCounts | None:
    """Read the second count back from a report.

    Parameters
    ----------
    result : the report's result.
    """
    record = result.compat
    if record is None:
        return None
    pairs = [
        ((facet.facet, c.disfavored), c.compat)
        for facet in result.facets
        for c in facet.comparisons
        if c.compat is not None
    ]
    return SmclarifyCounts(
        group_in(record.everyone, ""),
        {key: Compared(c.text, table_in(c), ()) for key, c in pairs},
        {key: _voted(c.ballot) for key, c in pairs if c.ballot},
        {name: guess.refused for name, guess in record.facets.items() if guess.refused},
        record.no_prediction,
        record.no_strata,
    )


def _voted(record: BallotRecord) -> SmclarifyFlips:
    return SmclarifyFlips(
        record.F_plus,
        record.F_minus,
        record.n_d,
        record.n_a,
        record.k,
        record.features,
        record.refused,
    )
