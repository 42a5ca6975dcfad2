"""A bias audit as asset checks of Dagster: what depends on the asset is made only if it passed."""

from collections.abc import Iterator, Sequence

import dagster as dg

import biaspipe

OK = ("pass", "waived")
"""The verdicts of what is shown as passed; a warning is not, and stops nothing."""
SHOWN = ["metric", "facet", "disfavored", "favored", "value", "verdict", "sentence"]
"""What the table of a metric shows of each check."""


def audit_checks(
    asset: str, spec: str, metrics: Sequence[str] = (), retry: dg.RetryPolicy | None = None
) -> dg.AssetChecksDefinition:
    """Return the asset checks of an audit: its verdict, and each metric that is named.

    Parameters
    ----------
    asset : the asset whose rows are audited.
    spec : the path of the audit's spec.
    metrics : those that get an asset check of their own, such as "DI".
    retry : what is done about data that cannot be read; nothing else is tried again.
    """
    names = {metric: metric.replace(".", "_") for metric in metrics}
    checks = ["bias_audit", *names.values()]
    specs = [dg.AssetCheckSpec(name, asset=asset, blocking=True) for name in checks]

    @dg.multi_asset_check(name=f"{asset}_bias_audit", specs=specs, retry_policy=retry)
    def audit() -> Iterator[dg.AssetCheckResult]:
        try:
            report = biaspipe.run(spec)
        except (biaspipe.SpecError, biaspipe.UsageError) as error:
            raise dg.Failure(str(error), allow_retries=False) from error
        yield of_audit(report)
        for metric, name in names.items():
            yield of_metric(report, metric, name)

    return audit


def of_audit(report: biaspipe.AuditReport) -> dg.AssetCheckResult:
    """Return the asset check that has the verdict of the whole audit, and its page."""
    return dg.AssetCheckResult(
        check_name="bias_audit",
        passed=report.ok and report.verdict in OK,
        severity=severity(report),
        description=f"{report.result.audit.name}: {report.verdict.of_audit}",
        metadata={
            "page": dg.MetadataValue.md(report.to_markdown()),
            "result_sha256": report.result_sha256,
            "spec_sha256": report.result.audit.sha256,
        },
    )


def of_metric(report: biaspipe.AuditReport, metric: str, name: str) -> dg.AssetCheckResult:
    """Return the asset check of one metric, in every facet and pair of groups."""
    try:
        checks = report.checks(metric)  # by its id or an alias
    except biaspipe.UsageError:
        checks = ()
    ids = {check.metric for check in checks}
    rows = [row for row in report.to_frame().select(SHOWN).to_dicts() if row["metric"] in ids]
    bad = [check for check in checks if check.verdict not in OK]
    records, columns = map(dg.TableRecord, rows), map(dg.TableColumn, SHOWN)
    table = dg.MetadataValue.table(list(records), dg.TableSchema(list(columns)))
    return dg.AssetCheckResult(
        check_name=name,
        passed=bool(rows) and not bad,
        severity=severity(report) if rows else dg.AssetCheckSeverity.ERROR,
        description="; ".join(check.statement for check in bad) if rows else "not in the audit",
        metadata={"checks": table},
    )


def severity(report: biaspipe.AuditReport) -> dg.AssetCheckSeverity:
    """Return the severity of what did not pass: a warning if the audit ends with exit code 0."""
    return dg.AssetCheckSeverity.WARN if report.ok else dg.AssetCheckSeverity.ERROR
