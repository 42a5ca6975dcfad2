"""Small audits, one for each way in which an audit may end."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

__all__ = ["CASES", "DECIDED", "RECIPES", "Case", "write_audit"]

RECIPES = Path(__file__).parent.parent.parent / "examples" / "recipes"

SPEC: dict[str, Any] = {
    "version": 1,
    "name": "decisions",
    "data": {"path": "decisions.csv"},
    "columns": {"prediction": {"column": "approved", "positive": "yes", "called": "approved"}},
    "facets": {"sex": {"column": "sex", "favored": "male", "disfavored": "female"}},
    "metrics": {"DPPL": {"max_abs": 0.1}},
    "decision": {"decide_by": "value", "min_rows": 1},
}
WAIVER = {
    "metric": "DPPL",
    "facet": "sex",
    "expires": "2099-12-31",
    "approved_by": "risk committee",
    "reason": "a pilot",
}


class Case(NamedTuple):
    """An audit of 100 men, of whom 50 are approved, and of 100 women.

    Parameters
    ----------
    code : the exit code that it ends with.
    verdict : its verdict; None where there is none.
    women : how many of the women are approved; None if there is no data at all.
    spec : the keys of the spec that are others.
    """

    code: int
    verdict: str | None
    women: int | None = 48
    spec: Mapping[str, Any] = MappingProxyType({})

    @property
    def rows(self) -> str:
        """The rows of the audit, as CSV."""
        sides = {"male": 50, "female": self.women or 0}
        lines = [
            f"{sex},{'yes' if number < approved else 'no'}"
            for sex, approved in sides.items()
            for number in range(100)
        ]
        return "\n".join(["sex,approved", *lines]) + "\n"


CASES = {
    "pass": Case(0, "pass"),
    "warn": Case(
        0, "warn", spec={"metrics": {"DPPL": {"max_abs": 0.1, "warn": {"max_abs": 0.01}}}}
    ),
    "waived": Case(0, "waived", 20, {"waivers": [WAIVER]}),
    "fail": Case(1, "fail", 20),
    "undecided": Case(4, "undecided", spec={"decision": {"min_rows": 500}}),
    "nothing checked": Case(5, "reported", spec={"metrics": {"DPPL": None}}),
    "wrong spec": Case(2, None, spec={"metrics": {"DPLL": {"max_abs": 0.1}}}),
    "data fault": Case(3, None, None),
}
DECIDED = {name: case for name, case in CASES.items() if case.verdict}
"""Those that come to a report."""


def write_audit(folder: Path, case: Case, **more: Any) -> Path:
    """Write the spec of an audit, and its rows where there are any; return the spec's path."""
    if case.women is not None:
        (folder / "decisions.csv").write_text(case.rows, encoding="utf-8")
    spec = folder / "audit.yaml"
    spec.write_text(json.dumps({**SPEC, **case.spec, **more}), encoding="utf-8")
    return spec
