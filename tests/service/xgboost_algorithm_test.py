"""XGBoost as a built-in algorithm: an image and no script."""

import json
import random
import re
import subprocess
import tarfile

import pytest
from serving import PATIENCE, PYTHON, SCRIPTS, SDK_PYTHON, Service, script_job

LOADS = """
import sys, xgboost
model = xgboost.Booster()
model.load_model(sys.argv[1])
print(model.num_boosted_rounds(), model.num_features())
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("xgboost")).start()
    yield started
    started.stop()


def write_data(folder):
    numbers = random.Random(0)
    folder.mkdir()
    for name in ("train", "validation"):
        rows = [[numbers.random() for _ in range(3)] for _ in range(100)]
        lines = [",".join(map(str, [int(row[0] > row[1]), *row])) for row in rows]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def said(service):
    """What the guide's example printed."""
    write_data(service.folder / "tables")
    done = subprocess.run(
        [
            SDK_PYTHON,
            SCRIPTS / "hurried.py",
            SCRIPTS / "guide_xgboost_report.py",
            service.folder / "tables",
        ],
        env=service.shell(),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    return dict(re.findall(r"^(RULES|JOB) (\S+)$", done.stdout, re.M))


@pytest.fixture(scope="module")
def job(service, said):
    """The job, once it is over."""
    job = service.wait_until_over(said["JOB"])
    assert job["TrainingJobStatus"] == "Completed", json.dumps(job) + service.log_of(said["JOB"])
    return job


def file_of(service, address):
    return service.data / "s3" / address.removeprefix("s3://")


def test_the_guides_example_gets_its_report(service, said, job):
    rules = {r["RuleConfigurationName"]: r for r in job["DebugRuleEvaluationStatuses"]}
    assert rules["CreateXgboostReport"]["RuleEvaluationStatus"] == "NoIssuesFound", rules
    assert "StatusDetails" not in rules["CreateXgboostReport"], rules
    folder = file_of(service, said["RULES"]) / "CreateXgboostReport"
    assert (folder / "xgboost_report.html").stat().st_size > 0
    assert (folder / "xgboost_report.ipynb").exists()
    report = json.loads((folder / "xgboost_report.json").read_text())
    assert report["labels"], "predictions and labels of the validation channel"
    assert "binary" in json.dumps(report)


def test_metrics_are_those_of_the_log(service, said, job):
    log = service.log_of(said["JOB"])
    lines = re.findall(r"\[\d+\]#011train-logloss:\S+#011validation-auc:([0-9.]+)", log)
    assert len(lines) == 12, log
    metrics = {each["MetricName"]: each["Value"] for each in job["FinalMetricDataList"]}
    assert set(metrics) == {f"{d}:{m}" for d in ("train", "validation") for m in ("auc", "logloss")}
    assert metrics["validation:auc"] == float(lines[-1])
    names = [each["Name"] for each in job["AlgorithmSpecification"]["MetricDefinitions"]]
    assert "validation:rmse" in names


def test_xgboost_loads_the_model(service, job, tmp_path):
    archive = file_of(service, job["ModelArtifacts"]["S3ModelArtifacts"])
    with tarfile.open(archive) as tar:
        assert tar.getnames() == ["xgboost-model"]
        tar.extract("xgboost-model", tmp_path)
    done = subprocess.run(
        [PYTHON, "-c", LOADS, tmp_path / "xgboost-model"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "12 3\n"


def test_a_wrong_hyperparameter_is_the_reason_of_the_failure(service):
    request = script_job("wrong", "")
    request["AlgorithmSpecification"]["TrainingImage"] = "registry.example/xgboost:latest"
    request["HyperParameters"] = {"num_round": "none"}
    service.call("CreateTrainingJob", **request)
    job = service.wait_until_over("wrong")
    assert job["TrainingJobStatus"] == "Failed"
    assert "num_round is 'none'; expected an integer in [1, 1000000]" in job["FailureReason"]
