"""A bias audit as asset checks of Dagster: what depends on the asset is made if it passed."""

from collections.abc import Iterator, Sequence

import dagster as dg

import biaspipe
from biaspipe.report import CheckRecord, Report

SHOWN = ("metric", "facet", "favored", "disfavored", "value", "verdict", "sentence")
"""What the table of an asset check shows of each check of the audit."""


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


def of_audit(report: Report) -> dg.AssetCheckResult:
    """Return the asset check that has the verdict of the whole audit."""
    result = report.result
    metadata = {"result_sha256": report.result_sha256, "spec_sha256": result.audit.sha256}
    return dg.AssetCheckResult(
        check_name="bias_audit",
        passed=result.verdict.value in ("pass", "waived"),
        severity=severity(report),
        description=f"{result.audit.name}: {result.verdict.of_audit}",
        metadata={**metadata, "checks": table(result.checks)},
    )


def of_metric(report: Report, metric: str, name: str) -> dg.AssetCheckResult:
    """Return the asset check of one metric, in every facet that has it."""
    checks = [check for check in report.result.checks if check.metric == metric]
    bad = [check for check in checks if check.verdict.value not in ("pass", "waived")]
    return dg.AssetCheckResult(
        check_name=name,
        passed=bool(checks) and not bad,
        severity=severity(report) if checks else dg.AssetCheckSeverity.ERROR,
        description="; ".join(c.sentence for c in bad) if checks else "the audit lacks it",
        metadata={"checks": table(checks)},
    )


def severity(report: Report) -> dg.AssetCheckSeverity:
    """Return the severity of what did not pass: a warning if the audit's exit code is 0."""
    passed = report.result.verdict.exit == 0
    return dg.AssetCheckSeverity.WARN if passed else dg.AssetCheckSeverity.ERROR


def table(checks: Sequence[CheckRecord]) -> dg.TableMetadataValue:
    """Return checks as a table, of which no text is read as Markdown."""
    rows = [{key: getattr(check, key) for key in SHOWN} for check in checks]
    return dg.MetadataValue.table(
        records=[dg.TableRecord({**row, "verdict": row["verdict"].value}) for row in rows],
        schema=dg.TableSchema([dg.TableColumn(key) for key in SHOWN]),
    )
