"""The audit of `decisions`: a row for each check, or an error that stops what depends on it."""

from pathlib import Path
from typing import Any

import biaspipe


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 - dbt gives both
    """Audit the rows that dbt has just made, keep artifact and page, and return the checks."""
    report = biaspipe.run("audits/decisions.yaml", data=dbt.ref("decisions"))
    for ending in ("json", "html"):
        report.write(Path("target", "audits", f"{report.result.audit.name}.{ending}"))
    report.raise_for_failures()
    return report.to_frame()
