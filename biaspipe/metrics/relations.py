"""How numbers of other tools are related to those of the metrics here."""

from typing import NamedTuple

__all__ = [
    "AT_ALPHA_1",
    "A_LESS_D",
    "CRITERION",
    "NONE",
    "OF_ALL_GROUPS",
    "OF_TWO_GROUPS",
    "OTHER",
    "OVER_REFERENCE",
    "QUOTIENT",
    "QUOTIENT_OF_SELECTION",
    "RATE",
    "RATIO_OPEN",
    "SAME",
    "SIGN_OPEN",
    "SPREAD",
    "SPREAD_OF_SELECTION",
    "TURNED",
    "Relation",
]


class Relation(NamedTuple):
    """How another tool's number is related to that of a metric.

    Parameters
    ----------
    words : what the tool computes.
    briefly : the same in a few words, with {metrics}.
    write : what a spec has for it, with {check}, the first metric with an example of its limits,
        or {checks}, that of all.
    aside : what differs, in the fewest words; nothing where it is no number of the metric's kind.
    """

    words: str
    briefly: str
    write: str = "{check}"
    aside: str = ""


PAIRS = "{check}, of more than two groups with `compare: pairs` on the facet"
BEST = "{check}, of more than two groups with `compare: best` or `compare: pairs` on the facet"

SAME = Relation("the same value, with the same sign", "{metrics}", aside="the same")
AT_ALPHA_1 = Relation(
    "the same value at alpha: 1",
    "{metrics} with alpha: 1",
    "GE: {{alpha: 1, max_abs: 0.1}}",
    "with alpha: 1",
)
TURNED = Relation(
    "the unprivileged group less the privileged one, so that the sign is the other one",
    "{metrics} with the other sign",
    "{check}, which asks the same of either sign; a min there is a max here, negated",
    "with the other sign",
)
SPREAD = Relation(
    "the largest value of all groups less the smallest one, so that there is no sign",
    "{metrics} without its sign, of the two groups farthest apart",
    PAIRS,
    "without a sign, over all groups",
)
SPREAD_OF_SELECTION = SPREAD._replace(write=BEST)
QUOTIENT = Relation(
    "the smallest value of all groups for each unit of the largest one, never above 1",
    "{metrics} turned below 1, of the two groups farthest apart",
    PAIRS,
    "turned below 1, over all groups",
)
QUOTIENT_OF_SELECTION = QUOTIENT._replace(write=BEST)
OF_ALL_GROUPS = Relation(
    "the same value for two groups; of more, that of the largest and the smallest rates of all",
    "{metrics}, for two groups",
    PAIRS,
    "the same for two groups",
)
OF_TWO_GROUPS = Relation(
    "the same value for two groups; of more, each rate has its own two groups farthest apart",
    "{metrics}, for two groups",
    aside="the same for two groups",
)
OVER_REFERENCE = Relation(
    "the same value, a group's for each unit of the reference group's, and 10 where that is 0",
    "{metrics}",
    "{check}, with the reference group as `favored`",
    "the same, over the reference group",
)
RATE = Relation(
    "a rate of each group, and no comparison",
    "a rate of each group, which `run --rates` shows; to compare it write {metrics}",
    "`run --rates` to see it of every group; to compare it {checks}",
)
CRITERION = Relation("a criterion, and no number", "a criterion, measured by {metrics}", "{checks}")
SIGN_OPEN = Relation(
    "a difference whose sign differs from tool to tool", "{metrics}, perhaps with the other sign"
)
RATIO_OPEN = Relation(
    "a ratio that differs from tool to tool in what stands below", "{metrics}, perhaps turned round"
)
NONE = Relation("none here", "none of the metrics here", "")
A_LESS_D = Relation("a less d", "{metrics} with the other sign")
OTHER = Relation("another number", "another number than {metrics}, which is nearest")
