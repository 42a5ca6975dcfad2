"""Which of smclarify's differences occur in the data behind a check, so that they explain it."""

from collections.abc import Mapping
from dataclasses import dataclass

from biaspipe.counts import Table
from biaspipe.metrics import METRICS, Needs
from biaspipe.plan import MISSING
from biaspipe.report import CheckRecord, CompatRecord, LedgerRecord
from biaspipe.smclarify import SmclarifyCounts, concerning
from biaspipe.spec import Audit, Interval

__all__ = ["DifferenceReasons"]


@dataclass(frozen=True)
class DifferenceReasons:
    """What the data shows of the cases in which smclarify departs from its documentation.

    Parameters
    ----------
    audit : the spec.
    second : the second count.
    record : how smclarify reads the columns.
    ledgers : what became of the rows, by facet.
    """

    audit: Audit
    second: SmclarifyCounts
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
        compared = self.second.compared.get((str(check.facet), str(check.disfavored)))
        own = compared.table if compared else Table(self.second.everyone, self.second.everyone)
        predicted = Needs.PREDICTED in METRICS[check.metric].needs
        occurs = {
            "missing-facet": any(ledger.facet_missing for ledger in ledgers),
            "missing-outcome": any(o.label_missing + o.prediction_missing for o in ledgers),
            "guessed-type": self._guessed(check),
            "prediction-type": bool(self.second.no_prediction),
            "no-positive-prediction": not self.second.everyone.predicted_positives,
            "zero-denominator": _has_zero(check.metric, own),
            "label-categories": table is not None and _has_more(table),
            "one-outcome-stratum": bool(own.strata_by_part(predicted=predicted).left_out),
            "missing-stratum": any(s.name == MISSING for s in table.strata) if table else False,
            "empty-group": not (own.favored.n and own.disfavored.n),
            "ge-everyone": False,
        }
        return tuple(d.id for d in concerning(check.metric) if occurs.get(d.id, True))

    def _guessed(self, check: CheckRecord) -> bool:
        """Whether the guess on a column of the check is not what the spec declares."""
        columns, facets = self.audit.columns, self.audit.facets
        read = [(self.record.label, columns.label is not None and columns.label.positive is None)]
        if self.record.prediction and columns.prediction:
            bounds = columns.prediction.positive is None  # of a score, where the label has values
            read.append((self.record.prediction, bounds and read[0][1]))
        if check.facet is not None:
            side = facets[check.facet].disfavored
            read.append((self.record.facets[check.facet], isinstance(side, Interval)))
        return any((guess.guess == "continuous") != declared for guess, declared in read)


def _has_zero(metric: str, table: Table) -> bool:
    rate, groups = METRICS[metric].rate, (table.favored, table.disfavored)
    if rate is not None and METRICS[metric].compares == "d / a":
        return not rate.part(table.favored)
    return rate is not None and any(not rate.whole(group) for group in groups)


def _has_more(table: Table) -> bool:
    """Whether the label has more than two categories, or one that a group lacks."""
    groups = (table.favored, table.disfavored)
    lacking = any(not g.labels.get(c) for c in table.categories for g in groups)
    return lacking or len(table.categories) > 2
