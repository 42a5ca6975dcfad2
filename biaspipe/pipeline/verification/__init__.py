"""Reports verified: against themselves, and against the spec and the data they were made from."""

from biaspipe.pipeline.verification.recomputation import (
    Verified,
    is_of_other_methods,
    sound_report,
    verify,
)

__all__ = ["Verified", "is_of_other_methods", "sound_report", "verify"]
