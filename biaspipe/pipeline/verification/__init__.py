"""Reports verified: against themselves, and against the spec and the data they were made from."""

from biaspipe.pipeline.verification.recomputation import Verified, sound_report, verify

__all__ = ["Verified", "sound_report", "verify"]
