"""The same as the page over all audits of a run, for programs: `index.json`."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from biaspipe.errors import Exit
from biaspipe.printable_text import escape, escape_in_json
from biaspipe.renderers.commands.index_page import IndexEntry
from biaspipe.renderers.formats import FOLDER_ENDINGS, ending_of
from biaspipe.verdict import Verdict

__all__ = ["ERROR", "SCHEMA", "index_json"]

SCHEMA = "biaspipe-index/1"
ERROR = "error"
"""What an audit came to that gave no report."""


def index_json(entries: Sequence[IndexEntry], code: Exit, also: Iterable[str] = ()) -> str:
    """Return the index: what the run came to, and each of its audits in the order of the run.

    Parameters
    ----------
    entries : a line for each audit.
    code : the exit code of the run.
    also : the formats that were written beside artifact and page.
    """
    endings = list(dict.fromkeys([*FOLDER_ENDINGS, *map(ending_of, also)]))
    document = {
        "schema": SCHEMA,
        "verdict": _worst(entries),
        "exit_code": int(code),
        "audits": [_audit(entry, endings) for entry in entries],
    }
    return escape_in_json(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"


def _audit(entry: IndexEntry, endings: Iterable[str]) -> dict[str, Any]:
    """Return what became of an audit; a spec without a report has a reason and no name."""
    found = {"spec": escape(entry.spec), "verdict": _verdict(entry), "exit_code": int(entry.code)}
    if not entry.name:
        return {**found, "reason": escape(entry.reason)}
    files = [f"{entry.name}{ending}" for ending in endings]
    return {"name": entry.name, **found, "result_sha256": entry.digest, "files": files}


def _verdict(entry: IndexEntry) -> str:
    return entry.verdict.value if entry.name else ERROR


def _worst(entries: Iterable[IndexEntry]) -> str:
    """Return the worst that an audit came to, in the order of the exit codes.

    A run of an empty selection reported nothing, as an audit without limits does.
    """
    entries = list(entries)
    if not all(entry.name for entry in entries):
        return ERROR
    verdicts = {entry.verdict for entry in entries} or {Verdict.REPORTED}
    gravest = Exit.worst(verdict.exit for verdict in verdicts)
    return min((v for v in verdicts if v.exit == gravest), key=lambda v: v.gravity).value
