"""What a spec may reach: the operator's word, which no spec can change.

Without a policy file the defaults hold: no code, extension or library of a spec's choosing, no
variable of the environment but those meant for it, no file of the system or of credentials.
"""

from biaspipe.policy.paths_and_hosts import real_path
from biaspipe.policy.refusals import (
    refusal,
    refuse_address,
    refuse_file,
    refuse_parameters,
    refuse_uri,
    refuse_variable,
)
from biaspipe.policy.rules import DEFAULT, Limits, Policy
from biaspipe.policy.spark import refuse_master, refuse_settings

__all__ = [
    "DEFAULT",
    "Limits",
    "Policy",
    "real_path",
    "refusal",
    "refuse_address",
    "refuse_file",
    "refuse_master",
    "refuse_parameters",
    "refuse_settings",
    "refuse_uri",
    "refuse_variable",
]
