"""Log an audit to an MLflow run, and register a model version only if the audit passed."""

import hashlib
import re
from pathlib import Path

import mlflow
from mlflow.entities.model_registry import ModelVersion

import biaspipe
from biaspipe.report import CheckRecord

BATCH = 1000
"""As many metrics as MLflow takes in one request."""
LONGEST_NAME, LONGEST_TAG = 250, 8000
"""The characters that it takes in the name of a metric, and in the value of a tag."""


def register_audited(
    model_uri: str, name: str, spec: str | Path, data: object = None
) -> ModelVersion:
    """Audit and log, and register the model version if the audit is ok; raise what it came to."""
    run = mlflow.active_run()
    if run is None:  # one that is started here would end as finished, whatever is raised
        raise ValueError("no run is active: call this inside of `with mlflow.start_run():`")
    if "bias.verdict" in mlflow.get_run(run.info.run_id).data.tags:
        raise ValueError("this run has an audit already: start a nested run for another one")
    mlflow.set_tag("bias.verdict", "none")  # what stays where the audit comes to no verdict
    report = biaspipe.run(spec, data)
    log_audit(report)
    report.raise_for_failures()
    proof = {"bias.verdict": report.verdict.value, "bias.result_sha256": report.result_sha256}
    return mlflow.register_model(model_uri, name, tags=proof)


def log_audit(report: biaspipe.AuditReport) -> None:
    """Log the verdict, artifact and page, and the value of every check to the active run."""
    audit = report.result.audit
    lacking = [f"{metric_name(c)}: {c.status}" for c in report.checks() if c.value is None]
    mlflow.set_tags(
        {
            "bias.verdict": report.verdict.value,
            "bias.exit_code": str(int(report.exit_code)),
            "bias.audit": audit.name,
            "bias.spec_sha256": audit.sha256,
            "bias.result_sha256": report.result_sha256,
            "bias.without_value": "\n".join(lacking)[:LONGEST_TAG],
        }
    )
    mlflow.log_text(report.to_json(), f"bias/{audit.name}.json")
    mlflow.log_text(report.to_html(), f"bias/{audit.name}.html")
    values = [(metric_name(c), c.value) for c in report.checks() if c.value is not None]
    for start in range(0, len(values), BATCH):
        mlflow.log_metrics(dict(values[start : start + BATCH]))


def metric_name(check: CheckRecord) -> str:
    """Name a check as MLflow allows, such as `bias.DI.sex.female-male`.

    Where a sign is not allowed, or could be one between the parts, a digest keeps names apart.
    """
    groups = [group for group in (check.disfavored, check.favored) if group is not None]
    parts = [*([check.facet] if check.facet is not None else []), *groups]
    named = [*parts[: len(parts) - len(groups)], *(["-".join(groups)] if groups else [])]
    name = ".".join(["bias", check.metric, *named])
    allowed = re.sub(r"[^A-Za-z0-9_ .-]", "_", name)
    if allowed == name and len(name) <= LONGEST_NAME and not re.search("[.-]", "".join(parts)):
        return name
    digest = hashlib.sha256("\n".join(map(repr, [check.metric, *parts])).encode()).hexdigest()
    return f"{allowed[: LONGEST_NAME - 9]}.{digest[:8]}"
