"""A bias audit between a model and its release, as tasks of Airflow: nothing else is published.

The three DAGs do the same, and differ in where biaspipe is installed and in what is tried again.
"""

import os
import shlex
import subprocess
from datetime import timedelta
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import dag, task
from airflow.sdk.exceptions import AirflowException, AirflowFailException

BIASPIPE = os.environ.get("AUDIT_COMMAND", "/opt/biaspipe/bin/biaspipe")
SPEC = os.environ.get("AUDIT_SPEC", "/opt/audits/credit.yaml")
REPORTS = os.environ.get("AUDIT_REPORTS", "/opt/reports")
AUDIT = [BIASPIPE, "run", SPEC, "--output-dir", REPORTS]
TRIES = {
    "retries": 2,
    "retry_delay": timedelta(seconds=float(os.environ.get("AUDIT_DELAY", "300"))),
}
FINAL = {1, 2, 4, 5}
"""The exit codes that another try would end with too: a verdict, or a wrong spec."""


@task
def publish() -> None:
    """Stand for what may only happen after an audit that passed."""


@dag(schedule=None, default_args=TRIES)
def audited_by_command() -> None:
    """Biaspipe has an environment of its own; what broke is tried again, a verdict is not."""

    @task
    def audit() -> None:
        code = subprocess.run(AUDIT, check=False).returncode
        if code in FINAL:
            raise AirflowFailException(f"the audit ended with exit code {code}")
        if code:
            raise AirflowException(f"the audit ended with exit code {code}: to be tried again")

    audit() >> publish()


@dag(schedule=None, default_args=TRIES)
def audited_in_process() -> None:
    """Biaspipe is installed beside Airflow; what broke is tried again, a verdict is not."""

    @task
    def audit() -> str:
        import biaspipe  # noqa: PLC0415 - needed where the task runs alone

        try:
            report = biaspipe.run(SPEC)
            report.write(Path(REPORTS, f"{report.result.audit.name}.json"))
            report.write(Path(REPORTS, f"{report.result.audit.name}.html"))
            report.raise_for_failures()
        except (biaspipe.SpecError, biaspipe.UsageError, biaspipe.VerdictError) as error:
            raise AirflowFailException(str(error)) from error
        return report.result_sha256

    audit() >> publish()


@dag(schedule=None, default_args=TRIES)
def audited_by_bash() -> None:
    """One line of shell, which cannot tell a verdict from a fault: nothing is tried again."""
    audit = BashOperator(
        task_id="audit", bash_command=shlex.join(AUDIT), retries=0, skip_on_exit_code=None
    )
    audit >> publish()


audited_by_command()
audited_in_process()
audited_by_bash()
