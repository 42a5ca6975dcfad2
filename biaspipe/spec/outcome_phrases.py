"""The outcomes of an audit as sentences name them: as the spec calls them, or by their values."""

import re

from biaspipe.metrics.phrases import GENERIC, Phrases
from biaspipe.spec.audit import Columns, Outcome
from biaspipe.spec.values import Scalar, format_value

__all__ = ["phrases_of"]

MAX_SHOWN = 5
DENIED = re.compile(r"^(do|does|did|is|are|was|were|has|have|had|will|would|can|could) not ")
"""What a phrase begins with that says what did not happen."""
DENIABLE = re.compile(r"^(is|are|was|were|will|would|can|could) ")
"""What a phrase begins with that `not` may follow."""
BEYOND = {"above": "at_most", "at_least": "below", "below": "at_least", "at_most": "above"}
"""The bound on the other side of each bound."""


def phrases_of(columns: Columns) -> Phrases:
    """Return how sentences name the outcomes of an audit.

    Parameters
    ----------
    columns : what the spec says of the columns.

    >>> label = Outcome(column="repaid", positive=("yes",), called="repaid the loan")
    >>> told = phrases_of(Columns(label=label, prediction=Outcome(column="score", at_least=0.5)))
    >>> told.holding, told.predicted
    ('who repaid the loan', "predicted 'score at least 0.5'")
    """
    told = GENERIC
    if columns.label:
        told = told._replace(**_observed(columns.label), label=columns.label.column)
    if columns.prediction:
        told = told._replace(**_predicted(columns.prediction))
    if columns.strata:
        told = told._replace(strata=" and ".join(columns.strata))
    return told


def _observed(outcome: Outcome) -> dict[str, str]:
    if words := outcome.called:
        return {"observed": words, "holding": f"who {words}", "others": _others(words)}
    favorable, unfavorable = _favorable(outcome), _unfavorable(outcome)
    others = f"with '{unfavorable}'" if unfavorable else f"other than those with '{favorable}'"
    return {
        "observed": f"have '{favorable}'",
        "holding": f"with '{favorable}'",
        "others": f"people {others}",
    }


def _others(words: str) -> str:
    """Name the people for whom a phrase is not true.

    >>> _others("did not reoffend"), _others("were admitted")
    ('people who did reoffend', 'people who were not admitted')
    >>> _others("repaid the loan")
    'people other than those who repaid the loan'
    """
    if found := DENIED.match(words):
        return f"people who {found[1]} {words[found.end() :]}"
    if found := DENIABLE.match(words):
        return f"people who {found[1]} not {words[found.end() :]}"
    return f"people other than those who {words}"


def _predicted(outcome: Outcome) -> dict[str, str]:
    if words := outcome.called:
        denied = words.removeprefix("not ") if words.startswith("not ") else f"not {words}"
        return {"predicted": words, "unpredicted": denied}
    favorable, unfavorable = _favorable(outcome), _unfavorable(outcome)
    denied = f"predicted '{unfavorable}'" if unfavorable else f"not predicted '{favorable}'"
    return {"predicted": f"predicted '{favorable}'", "unpredicted": denied}


def _favorable(outcome: Outcome) -> str:
    """Name the favorable outcome by its column and its values.

    >>> _favorable(Outcome(column="score", positive=("Low", "Medium")))
    'score in (Low, Medium)'
    """
    if outcome.positive is not None:
        return _among(outcome.column, outcome.positive)
    bounds = [f"{name.replace('_', ' ')} {format_value(n)}" for name, n in _bounds(outcome).items()]
    return f"{outcome.column} {' and '.join(bounds)}"


def _unfavorable(outcome: Outcome) -> str | None:
    """Name the unfavorable outcome; None where only the favorable one has a name.

    >>> _unfavorable(Outcome(column="score", at_least=0.5))
    'score below 0.5'
    """
    if outcome.negative is not None:
        return _among(outcome.column, outcome.negative)
    bounds = _bounds(outcome)
    if len(bounds) != 1:
        return None
    ((name, bound),) = bounds.items()
    return f"{outcome.column} {BEYOND[name].replace('_', ' ')} {format_value(bound)}"


def _bounds(outcome: Outcome) -> dict[str, float]:
    bounds = {name: getattr(outcome, name) for name in BEYOND}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _among(column: str, values: tuple[Scalar, ...]) -> str:
    shown = [format_value(value) for value in values]
    if len(shown) == 1:
        return f"{column} = {shown[0]}"
    more = f" and {len(shown) - MAX_SHOWN} more" if len(shown) > MAX_SHOWN else ""
    return f"{column} in ({', '.join(shown[:MAX_SHOWN])}{more})"
