"""Every metric by id, the families that they belong to, and their other names."""

from biaspipe.metrics.equalized_odds import EQUALIZED_ODDS
from biaspipe.metrics.post_training import POST_TRAINING
from biaspipe.metrics.pre_training import PRE_TRAINING
from biaspipe.metrics.rate_differences import RATE_DIFFERENCES
from biaspipe.metrics.rate_ratios import RATE_RATIOS
from biaspipe.metrics.record import Metric
from biaspipe.metrics.vertex import VERTEX

__all__ = ["ALIASES", "EDITION", "EDITIONS", "FAMILIES", "METRICS"]

RATES = (*RATE_DIFFERENCES, *RATE_RATIOS, *EQUALIZED_ODDS)

METRICS: dict[str, Metric] = {m.id: m for m in (*PRE_TRAINING, *POST_TRAINING, *VERTEX, *RATES)}

CLARIFY = tuple(
    m for m in (*PRE_TRAINING, *POST_TRAINING) if m.source.startswith("AWS SageMaker Clarify")
)

FAMILIES: dict[str, tuple[Metric, ...]] = {
    "pre_training": PRE_TRAINING,
    "post_training": POST_TRAINING,
    "clarify": CLARIFY,
    "vertex": VERTEX,
    "rates": RATES,
    "all": tuple(METRICS.values()),
}

EDITIONS: dict[str, int] = {metric.id: 2 for metric in RATES}
"""The edition of the family `all` that a metric came with, 1 unless it stands here."""
EDITION = max(EDITIONS.values())
"""That of this version; a report says which one its spec's `all` stands for."""

ALIASES: dict[str, str] = {alias: m.id for m in METRICS.values() for alias in m.aliases}
