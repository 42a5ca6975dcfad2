"""Reports of rows in hand, or of a spec in values, against files of the same.

No file has the digest of a frame, nor the digest and the lines of a spec in values. All else of
such a report has to come out of the files.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from biaspipe.report import CheckRecord, Report, Result, WaiverRecord

__all__ = ["beside", "says_where"]

Placed = TypeVar("Placed", CheckRecord, WaiverRecord)
PLACES = re.compile(r"data(\.(path|table|format|csv|fields|records|connection)\b.*)?")
"""The keys of a spec that say which files are read, and how they are written."""


def says_where(key: str, report: Report) -> bool:
    """Whether a key of the spec says where the rows are, where those of the report were in hand.

    Parameters
    ----------
    key : its path in the spec.
    report : a report that could be read, whose spec was given as values.
    """
    return report.result.data.is_of_frame and PLACES.fullmatch(key) is not None


def beside(report: Report, rerun: Result) -> Result:
    """Return what came out of files, with what no file can have taken from the report.

    Parameters
    ----------
    report : a report that could be read.
    rerun : what a new run of the spec's file on the data's files came to.
    """
    result = report.result
    if report.result.data.is_of_frame:
        files = {record.path: record for record in rerun.data.inputs}
        joined = [record for record in result.data.inputs if not record.is_frame]
        known = [files[record.path] for record in joined if record.path in files]
        frames = [record for record in result.data.inputs if record.is_frame]
        data = rerun.data.model_copy(update={"inputs": (*frames, *known)})
        rerun = rerun.model_copy(update={"data": data})
    if report.result.has_no_spec_file:
        audit = result.audit.model_copy(update={"parameters": rerun.audit.parameters})
        rerun = rerun.model_copy(
            update={
                "audit": audit,
                "checks": tuple(_placed(rerun.checks, result.checks)),
                "waivers": tuple(_placed(rerun.waivers, result.waivers)),
            }
        )
    return rerun


def _placed(found: Sequence[Placed], as_in: Sequence[Placed]) -> Iterator[Placed]:
    """Yield records with the lines and keys that those beside them have."""
    for one, other in zip_longest(found, as_in[: len(found)]):
        place = {} if other is None else {"line": other.line, "spec_key": other.spec_key}
        yield one.model_copy(update=place)
