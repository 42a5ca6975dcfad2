"""Log an audit to an MLflow run, and register a model version only if the audit passed."""

import hashlib
import re
from pathlib import Path

import mlflow
from mlflow.entities.model_registry import ModelVersion

import biaspipe
from biaspipe.report import CheckRecord, Report

BATCH = 1000
"""As many metrics as MLflow takes in one request."""
LONGEST = 250
"""The characters of a metric's name."""


def metric_name(check: CheckRecord) -> str:
    """Name a check as MLflow allows, such as `bias.DI.sex.female-male`.

    Where a sign is not allowed, or parts run into each other, a digest keeps names apart.
    """
    groups = [group for group in (check.disfavored, check.favored) if group is not None]
    parts = [part for part in (check.facet, *groups) if part is not None]
    name = ".".join(["bias", check.metric, *parts[:1], *(["-".join(groups)] if groups else [])])
    allowed = re.sub(r"[^A-Za-z0-9_ .-]", "_", name)
    if allowed == name and len(name) <= LONGEST and not re.search("[.-]", "".join(parts)):
        return name
    digest = hashlib.sha256("\n".join([check.metric, *map(repr, parts)]).encode()).hexdigest()
    return f"{allowed[: LONGEST - 9]}.{digest[:8]}"


def log_audit(report: Report) -> None:
    """Log artifact and page, values and verdict to the active run, which has no audit yet."""
    run = mlflow.active_run() or mlflow.start_run()
    if "bias.audit" in mlflow.get_run(run.info.run_id).data.tags:
        raise ValueError("this run has an audit already; start a nested run for another one")
    result = report.result
    valued = {metric_name(c): c.value for c in result.checks if c.value is not None}
    without = [f"{metric_name(c)}: {c.status}" for c in result.checks if c.value is None]
    mlflow.set_tags(
        {
            "bias.audit": result.audit.name,
            "bias.verdict": result.verdict.value,
            "bias.exit_code": str(int(result.verdict.exit)),
            "bias.result_sha256": report.result_sha256,
            "bias.spec_sha256": result.audit.sha256,
            "bias.without_value": "\n".join(without)[:5000],
        }
    )
    mlflow.log_text(report.to_json(), f"bias/{result.audit.name}.json")
    names = list(valued)
    for start in range(0, len(names), BATCH):
        mlflow.log_metrics({name: valued[name] for name in names[start : start + BATCH]})


def register_audited(
    model_uri: str, name: str, spec: str | Path, data: object = None
) -> ModelVersion:
    """Audit, log, and register the model version; an audit that does not pass raises."""
    mlflow.set_tag("bias.verdict", "not audited")  # stays where the audit raises
    report = biaspipe.run(spec, data)
    log_audit(report)
    if report.result.verdict.exit:
        raise RuntimeError(report.result.verdict.of_audit)
    proof = {"bias.verdict": report.result.verdict.value, "bias.result_sha256": report.result_sha256}
    return mlflow.register_model(model_uri, name, tags=proof)
