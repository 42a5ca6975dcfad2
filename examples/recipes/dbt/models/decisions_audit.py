"""The audit of the model `decisions`: a row per check, or an error that stops what depends on it."""

import biaspipe


def model(dbt, session):
    """Return the checks of an audit that passed."""
    dbt.config(materialized="table")
    report = biaspipe.run(dbt.config.get("audit"), data=dbt.ref("decisions"))
    if report.result.verdict.exit:
        raise RuntimeError(report.result.verdict.of_audit)
    import polars as pl
    return pl.DataFrame([{"metric": c.metric, "value": c.value, "verdict": c.verdict.value} for c in report.result.checks]).to_arrow()
