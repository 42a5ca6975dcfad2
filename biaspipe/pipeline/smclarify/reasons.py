"""Which of smclarify's differences occur in the data behind a check, so that they explain it."""

from collections.abc import Mapping
from dataclasses import dataclass

from biaspipe.counts import Table
from biaspipe.metrics import METRICS, Needs
from biaspipe.plan import MISSING
from biaspipe.report import CheckRecord, CompatRecord, LedgerRecord
from biaspipe.smclarify import SmclarifyCounts, differences_of
from biaspipe.spec import Audit, Interval

__all__ = ["DifferenceReasons"]


@dataclass(frozen=True)
class DifferenceReasons:
    """What the data shows of the cases in which smclarify departs from its documentation.

    Parameters
    ----------
    audit : the spec.
    counts : what smclarify counts.
    record : how smclarify reads the columns.
    ledgers : what became of the rows, by facet.
    """

    audit: Audit
    counts: SmclarifyCounts
    record: CompatRecord
    ledgers: Mapping[str, LedgerRecord]

    def ids(self, check: CheckRecord, table: Table | None) -> tuple[str, ...]:
        """Return the ids of the differences that concern a check and occur.

        Parameters
        ----------
        check : the check.
        table : the documented comparison; None for a check without one.
        """
        ledgers = [v for k, v in self.ledgers.items() if check.facet in (None, k)]
        comparison = self.counts.comparisons.get((str(check.facet), str(check.disfavored)))
        own = comparison.table if comparison else Table(self.counts.everyone, self.counts.everyone)
        predicted = Needs.PREDICTED in METRICS[check.metric].needs
        occurs = {
            "missing-facet": any(ledger.facet_missing for ledger in ledgers),
            "missing-outcome": any(o.label_missing + o.prediction_missing for o in ledgers),
            "guessed-type": self._guessed(check),
            "prediction-type": bool(self.counts.no_prediction),
            "no-positive-prediction": not self.counts.everyone.predicted_positives,
            "zero-denominator": _has_zero(check.metric, own),
            "label-categories": table is not None and _has_more(table),
            "one-outcome-stratum": bool(own.strata_by_part(predicted=predicted).left_out),
            "missing-stratum": any(s.name == MISSING for s in table.strata) if table else False,
            "empty-group": not (own.favored.n and own.disfavored.n),
            "ge-everyone": False,
        }
        return tuple(d.id for d in differences_of(check.metric) if occurs.get(d.id, True))

    def _guessed(self, check: CheckRecord) -> bool:
        """Whether smclarify guesses otherwise on a column of the check than the spec declares."""
        columns, facets = self.audit.columns, self.audit.facets
        guesses = [
            (self.record.label, columns.label is not None and columns.label.positive is None)
        ]
        if self.record.prediction and columns.prediction:
            bounds = columns.prediction.positive is None  # of a score, where the label has values
            guesses.append((self.record.prediction, bounds and guesses[0][1]))
        if check.facet is not None:
            side = facets[check.facet].disfavored
            guesses.append((self.record.facets[check.facet], isinstance(side, Interval)))
        return any((guess.guess == "continuous") != declared for guess, declared in guesses)


def _has_zero(metric: str, table: Table) -> bool:
    rate, groups = METRICS[metric].rate, (table.favored, table.disfavored)
    if rate is not None and METRICS[metric].compares == "d / a":
        return not rate.part(table.favored)
    return rate is not None and any(not rate.whole(group) for group in groups)


def _has_more(table: Table) -> bool:
    """Whether the label has more than two categories, or one that a group lacks."""
    groups = (table.favored, table.disfavored)
    is_missing = any(not g.labels.get(c) for c in table.categories for g in groups)
    return is_missing or len(table.categories) > 2
