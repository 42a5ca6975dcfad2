"""When a metric has no number, stated on the cells of a comparison."""

from collections.abc import Callable

from tests.metrics.comparisons import Cell, Comparison, Side

__all__ = [
    "Condition",
    "divides_by_no_acceptance",
    "divides_by_none",
    "empty_side",
    "false_acceptance",
    "false_refusal",
    "fewer_than_k",
    "lacks",
    "misses_a_category",
    "never",
    "no_acceptance",
    "no_acceptance_at_all",
    "no_common_odds",
    "no_false_positive",
    "no_label",
    "no_label_stratum",
    "no_negative_label",
    "no_positive_label",
    "no_prediction_stratum",
    "no_rejection",
    "nobody",
    "nobody_at_all",
    "only_false_negatives",
    "right_acceptance",
    "right_refusal",
]

Test = Callable[[Cell], bool]
Condition = Callable[[Comparison], bool]


def some(side: Side, test: Test) -> bool:
    """Tell whether anybody of a side stands in a cell that passes the test."""
    return any(n > 0 and test(cell) for cell, n in side.items())


def lacks(test: Test) -> Condition:
    """Build the condition that one of the sides has nobody who passes the test."""
    return lambda c: not (some(c.a, test) and some(c.d, test))


def accepted(cell: Cell) -> bool:
    """Tell whether the prediction is favorable."""
    return cell.predicted


def right_acceptance(cell: Cell) -> bool:
    """Tell whether the prediction is favorable, and right."""
    return cell.predicted and cell.observed


def false_acceptance(cell: Cell) -> bool:
    """Tell whether the prediction is favorable, and wrong."""
    return cell.predicted and not cell.observed


def right_refusal(cell: Cell) -> bool:
    """Tell whether the prediction is unfavorable, and right."""
    return not cell.predicted and not cell.observed


def false_refusal(cell: Cell) -> bool:
    """Tell whether the prediction is unfavorable, and wrong."""
    return not cell.predicted and cell.observed


empty_side = lacks(lambda _: True)
no_positive_label = lacks(lambda cell: cell.observed)
no_negative_label = lacks(lambda cell: not cell.observed)
no_acceptance = lacks(accepted)
no_rejection = lacks(lambda cell: not cell.predicted)
no_false_positive = lacks(false_acceptance)


def no_label(c: Comparison) -> bool:
    """Tell whether a side lacks one of the two labels."""
    return no_positive_label(c) or no_negative_label(c)


def nobody_at_all(test: Test, lacking: Condition) -> Condition:
    """Build the condition that a side lacks the whole of a share, or both lack the part of it."""
    return lambda c: lacking(c) or not some(c.everyone(), test)


def divides_by_none(test: Test, lacking: Condition) -> Condition:
    """Build the condition that of two sides with the whole only the disfavored has the part."""
    return lambda c: not lacking(c) and some(c.d, test) and not some(c.a, test)


def no_common_odds(c: Comparison) -> bool:
    """Tell whether a side lacks a label, or neither has a right or a false acceptance."""
    parts = (right_acceptance, false_acceptance)
    return no_label(c) or not all(some(c.everyone(), part) for part in parts)


def never(_: Comparison) -> bool:
    """Tell that this happens to no comparison."""
    return False


def nobody(c: Comparison) -> bool:
    """Tell whether both sides are empty."""
    return not some(c.everyone(), lambda _: True)


def no_acceptance_at_all(c: Comparison) -> bool:
    """Tell whether a side is empty, or neither has a positive prediction."""
    return empty_side(c) or not some(c.everyone(), accepted)


def divides_by_no_acceptance(c: Comparison) -> bool:
    """Tell whether of two sides with people only the disfavored has a positive prediction."""
    return not empty_side(c) and some(c.d, accepted) and not some(c.a, accepted)


def misses_a_category(c: Comparison) -> bool:
    """Tell whether of two sides with people only the favored has some label category."""
    categories = {cell.category for cell, n in c.d.items() if n}
    return not empty_side(c) and some(c.a, lambda cell: cell.category not in categories)


def _strata(people: Side, outcome: Test = lambda _: True) -> set[str]:
    return {cell.stratum for cell, n in people.items() if n and outcome(cell)}


def _no_common_stratum(c: Comparison, outcome: Test) -> bool:
    yes = _strata(c.everyone(), outcome)
    no = _strata(c.everyone(), lambda cell: not outcome(cell))
    return not yes & no & _strata(c.a) & _strata(c.d)


def no_label_stratum(c: Comparison) -> bool:
    """Tell whether no stratum has both a positive and a negative label, and both sides."""
    return _no_common_stratum(c, lambda cell: cell.observed)


def no_prediction_stratum(c: Comparison) -> bool:
    """Tell whether no stratum has both predictions, and both sides."""
    return _no_common_stratum(c, accepted)


def only_false_negatives(c: Comparison) -> bool:
    """Tell whether nobody has any benefit of the predictions."""
    return not some(c.everyone(), lambda cell: cell.predicted or not cell.observed)


def fewer_than_k(c: Comparison) -> bool:
    """Tell whether the fliptest has no disfavored members, or fewer than k favored ones."""
    return c.flips.n_d == 0 or c.flips.n_a < c.flips.k
