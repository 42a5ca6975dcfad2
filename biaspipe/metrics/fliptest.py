"""The counterfactual fliptest, the one metric that needs more than counts."""

from biaspipe.counts import Flips, Real, Undefined, ratio
from biaspipe.metrics.record import Needs, Parameter, metric

__all__ = ["FT"]

GUIDE = "AWS SageMaker Clarify, Post-training Data and Model Bias Metrics: "


@metric(
    id="FT",
    name="Counterfactual Fliptest",
    needs=Needs.FACET | Needs.PREDICTED | Needs.FEATURES,
    formula="(F+ - F-)/n_d, F+ = members of d predicted unfavorable whose k nearest members of a "
    "are mostly favorable, F- = the reverse",
    range=(-1, 1),
    plainly="Whether people of one group are decided otherwise than the people of the other group "
    "who are most like them.",
    positive="{disfavored} are more often {unpredicted} where those of {favored} most like them "
    "are {predicted} than the other way round, by {points}",
    negative="{disfavored} are more often {predicted} where those of {favored} most like them are "
    "{unpredicted} than the other way round, by {points}",
    parity="{disfavored} are as often {unpredicted} where those of {favored} most like them are "
    "{predicted} as the other way round",
    undefined="the disfavored group is empty, or the favored one has fewer than k members",
    source=GUIDE + "Counterfactual Fliptest (FT)",
    interval="paired-jackknife",
    interval_of_sample="mover-drawn",
    aliases=("fliptest",),
    parameters={
        "k": Parameter(5, "nearest neighbours that vote", minimum=1, whole=True),
        "scaling": Parameter(
            "standard",
            "numeric features in standard deviations, over their range, or as they are",
            choices=("standard", "range", "none"),
        ),
        "sample": Parameter(
            None,
            "members of d to draw instead of looking at all of them, each prediction's share as "
            "in d",
            minimum=2,
            whole=True,
        ),
        "seed": Parameter(
            None, "number that the draw begins with, 0 unless given", minimum=0, whole=True
        ),
    },
    good_for="Good for asking whether likes are treated alike, and for finding people to look at. "
    "It is only as good as the features that say who is alike: one that stands for the group "
    "hides a bias.",
    note="Positive is against d, as the guide says; the open-source smclarify 0.5 computes the "
    "opposite sign. All rows tied at the k-th distance vote; a draw is no flip. "
    "Where few distinct features leave many people alike, one vote decides for all of them: the "
    "interval is wide while it could be otherwise. A vote takes the side of most, so that where "
    "likes are decided by chance, 0 is not the value of equal chances: with 30 % favorable in both "
    "groups FT comes near -0.3. Everybody is "
    "looked at where distinct rows of d times distinct rows of a are at most 300 billion, which "
    "takes about three minutes on two cores; more need a sample of d, and all of a is searched "
    "for its neighbours.",
)
def FT(flips: Flips) -> Real:
    """Net share of d that would be favorable by the predictions for similar members of a."""
    if flips.n_a < flips.k:
        raise Undefined(f"n_a = {flips.n_a} is fewer than k = {flips.k} neighbours")
    ratio(0, flips.n_d, of="n_d")
    return flips.net / flips.n_d
