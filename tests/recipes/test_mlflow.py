"""MLflow: what a run shows of an audit, and which model versions come to be."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.cases import CASES, DECIDED, RECIPES, write_audit

pytestmark = pytest.mark.recipes

PASSING = {"pass", "warn", "waived"}


@pytest.fixture(scope="module")
def recipe() -> dict[str, Any]:
    """Return what the recipe defines."""
    return runpy.run_path(str(RECIPES / "mlflow_gate.py"))


@pytest.fixture(scope="module", autouse=True)
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Use a store of runs, artifacts and models that lasts as long as the tests."""
    import mlflow

    folder = tmp_path_factory.mktemp("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{folder / 'mlflow.db'}")
    mlflow.create_experiment("audits", artifact_location=(folder / "artifacts").as_uri())
    mlflow.set_experiment("audits")
    return mlflow.MlflowClient()


@pytest.fixture
def model() -> Iterator[str]:
    """Start a run, which ends with the test, and log what stands for a model; return its URI."""
    import mlflow

    with mlflow.start_run():
        mlflow.log_text("flavors: {}\n", "model/MLmodel")
        yield mlflow.get_artifact_uri("model")


def of_run(client: Any) -> Any:
    """Return what the store holds of the active run."""
    import mlflow

    active = mlflow.active_run()
    assert active is not None
    return client.get_run(active.info.run_id).data


def audited(case: str, folder: Path, recipe: dict[str, Any], model: str) -> Exception | None:
    """Register a model as the recipe does; return what is raised."""
    spec = write_audit(folder, CASES[case])
    try:
        recipe["register_audited"](model, case.replace(" ", "-"), spec)
    except Exception as error:  # noqa: BLE001 - the tests look at it
        return error
    return None


def versions(client: Any, case: str) -> list[Any]:
    """Return the versions of the model that a case registers."""
    return list(client.search_model_versions(f"name = '{case.replace(' ', '-')}'"))


@pytest.mark.parametrize("case", CASES)
def test_only_what_passed_is_registered(
    case: str, tmp_path: Path, recipe: dict[str, Any], client: Any, model: str
) -> None:
    """A model version comes to be where the audit passes, and the run says what it came to."""
    error = audited(case, tmp_path, recipe, model)
    assert (error is None) == (case in PASSING)
    assert len(versions(client, case)) == (case in PASSING)
    tags = of_run(client).tags
    code = str(CASES[case].code) if case in DECIDED else None
    assert tags["bias.verdict"] == (CASES[case].verdict or "none")
    assert tags.get("bias.exit_code") == code


def test_run_holds_values_and_evidence(
    tmp_path: Path, recipe: dict[str, Any], client: Any, model: str
) -> None:
    """The run has each value by a readable name, the digests, the artifact and the page."""
    audited("fail", tmp_path, recipe, model)
    data = of_run(client)
    assert data.metrics["bias.DPPL.sex.female-male"] == 0.3
    assert len(data.tags["bias.result_sha256"]) == len(data.tags["bias.spec_sha256"]) == 64
    import mlflow

    info = mlflow.active_run().info
    listed = client.list_artifacts(info.run_id, "bias")
    assert [file.path for file in listed] == ["bias/decisions.html", "bias/decisions.json"]


def test_what_may_be_released_is_found_by_its_code(
    tmp_path: Path, recipe: dict[str, Any], client: Any, model: str
) -> None:
    """A search by the exit code finds runs that passed, and none that did not."""
    import mlflow

    audited("undecided", tmp_path, recipe, model)
    info = mlflow.active_run().info
    found = []
    for code in (0, 4):
        runs = client.search_runs([info.experiment_id], f"tags.`bias.exit_code` = '{code}'")
        found.append(info.run_id in {run.info.run_id for run in runs})
    assert found == [False, True]


def test_model_version_cites_its_audit(
    tmp_path: Path, recipe: dict[str, Any], client: Any, model: str
) -> None:
    """A model version names the verdict and the result that let it through."""
    audited("pass", tmp_path, recipe, model)
    tags = of_run(client).tags
    newest = max(versions(client, "pass"), key=lambda version: int(version.version))
    assert newest.tags == {
        "bias.verdict": "pass",
        "bias.result_sha256": tags["bias.result_sha256"],
    }


def test_raising_audit_fails_the_run(tmp_path: Path, recipe: dict[str, Any], client: Any) -> None:
    """A run that ends in a failed audit is a failed one."""
    import mlflow

    spec = write_audit(tmp_path, CASES["fail"])
    with pytest.raises(Exception, match="fail"), mlflow.start_run() as run:
        recipe["register_audited"](mlflow.get_artifact_uri("model"), "failed", spec)
    assert client.get_run(run.info.run_id).info.status == "FAILED"


def test_audit_outside_of_a_run_is_refused(tmp_path: Path, recipe: dict[str, Any]) -> None:
    """No run is begun for the audit, which would end as finished whatever the audit came to."""
    import mlflow

    error = audited("fail", tmp_path, recipe, "runs:/none/model")
    assert isinstance(error, ValueError)
    assert "no run is active" in str(error)
    assert mlflow.active_run() is None


def test_second_audit_of_a_run_is_refused(
    tmp_path: Path, recipe: dict[str, Any], model: str
) -> None:
    """A passing audit cannot cover up a failing one in the same run."""
    assert audited("fail", tmp_path, recipe, model) is not None
    with pytest.raises(ValueError, match="has an audit already"):
        recipe["register_audited"](model, "second", write_audit(tmp_path, CASES["pass"]))


def test_value_without_number_is_no_metric(
    tmp_path: Path, recipe: dict[str, Any], client: Any, model: str
) -> None:
    """Neither an undefined nor an infinite value is sent, and a tag names both."""
    metrics = {"DI": None, "DPPL": {"max_abs": 0.9}}
    rows = "sex,approved\nmale,no\nmale,no\nfemale,yes\nfemale,no\n"
    spec = write_audit(tmp_path, CASES["pass"], metrics=metrics)
    (tmp_path / "decisions.csv").write_text(rows, encoding="utf-8")
    recipe["register_audited"](model, "infinite", spec)
    data = of_run(client)
    assert data.metrics == {"bias.DPPL.sex.female-male": -0.5}
    assert data.tags["bias.without_value"] == "bias.DI.sex.female-male: infinite"


NAMES = {
    ("sex", "male", "female"): "bias.DPPL.sex.female-male",
    ("age", ">=25", "<25"): "bias.DPPL.age._25-__25.",
    ("age", "<=25", ">25"): "bias.DPPL.age._25-__25.",
    ("age", "40", "18-25"): "bias.DPPL.age.18-25-40.",
    ("age", "25-40", "18"): "bias.DPPL.age.18-25-40.",
    ("age", "é/../+", "|"): "bias.DPPL.age._-__..__.",
    ("age", "x" * 300, "y"): "bias.DPPL.age.y-xxxxxx",
    (None, None, None): "bias.DPPL",
}


def test_names_are_allowed_and_told_apart(tmp_path: Path, recipe: dict[str, Any]) -> None:
    """Whatever a group is called, its metric has a name that MLflow takes and no other has."""
    from mlflow.utils.validation import _validate_metric

    import biaspipe

    (check,) = biaspipe.run(write_audit(tmp_path, CASES["pass"])).checks("DPPL")
    made = []
    for (facet, favored, disfavored), start in NAMES.items():
        called = {"facet": facet, "favored": favored, "disfavored": disfavored}
        made.append(recipe["metric_name"](check.model_copy(update=called)))
        _validate_metric(made[-1], 0.5, 0, 0)
        assert made[-1].startswith(start)
    assert len(set(made)) == len(NAMES)


def test_more_values_than_a_request_takes_are_logged(
    tmp_path: Path, recipe: dict[str, Any], client: Any, model: str
) -> None:
    """An audit of 1,100 comparisons has a metric for each."""
    lines = [f"g{group},{'yes' if n else 'no'}" for group in range(221) for n in range(2)]
    facets = {f"facet{number}": {"column": "sex", "favored": "g0"} for number in range(5)}
    spec = write_audit(tmp_path, CASES["pass"], facets=facets)
    (tmp_path / "decisions.csv").write_text("\n".join(["sex,approved", *lines]), encoding="utf-8")
    recipe["register_audited"](model, "many", spec)
    assert len(of_run(client).metrics) == 1100
