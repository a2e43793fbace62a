"""The SDK with nothing but what `warden env` prints: its role and bucket, and a job's metrics."""

import re
import subprocess

import pytest
from serving import PATIENCE, PYTHON, ROLE, RULES_IMAGE, SCRIPTS, SDK_PYTHON, Service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("metrics")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def environment(service):
    return service.shell()


@pytest.fixture(scope="module")
def output(environment):
    done = subprocess.run(
        [SDK_PYTHON, SCRIPTS / "hurried.py", SCRIPTS / "guide_first_example.py"],
        cwd=SCRIPTS,
        env=environment,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    return done.stdout


def said(output, word):
    return re.search(rf"^{word} (.*)$", output, re.M).group(1)


def test_the_role_and_the_bucket_are_those_of_the_service(output):
    assert re.fullmatch(r"arn:aws:iam::\d{12}:role/\S+", said(output, "ROLE"))
    assert re.fullmatch(r"sagemaker-us-east-1-\d{12}", said(output, "BUCKET"))


def test_metrics_are_in_the_description_and_in_analytics(service, output):
    metrics = {
        each["MetricName"]: each["Value"]
        for each in service.describe(said(output, "JOB"))["FinalMetricDataList"]
    }
    assert metrics["scalar/accuracy_TRAIN"] == 1
    losses = re.findall(r"train_loss=([0-9.]+)", service.log_of(said(output, "JOB")))
    assert metrics["train:loss"] == float(losses[-1])
    assert said(output, "METRICS") == "['scalar/accuracy_TRAIN', 'train:loss'] True"


def test_a_rule_without_inputs_says_so(service, output):
    assert "rule ClassImbalance may not be evaluated: DebugHookConfig saves only losses" in output
    job = service.wait_until_over(said(output, "JOB"))
    rules = {r["RuleConfigurationName"]: r for r in job["DebugRuleEvaluationStatuses"]}
    assert rules["ClassImbalance"]["RuleEvaluationStatus"] == "NoIssuesFound"
    assert rules["ClassImbalance"]["StatusDetails"].startswith("Not evaluated: ")
    assert rules["LossNotDecreasing"]["RuleEvaluationStatus"] == "NoIssuesFound"
    assert "StatusDetails" not in rules["LossNotDecreasing"]


@pytest.mark.parametrize(("python", "protocol"), [(SDK_PYTHON, "json"), (PYTHON, "query")])
def test_cloudwatch_of_newer_and_older_clients(environment, output, python, protocol):
    """Older ones, and the aws CLI, send forms and get XML."""
    code = f"""
import boto3, datetime
client = boto3.client("cloudwatch")
model = client.meta.service_model
assert getattr(model, "resolved_protocol", model.protocol) == {protocol!r}
day = datetime.timedelta(days=1)
now = datetime.datetime.now(datetime.timezone.utc)
metric = dict(
    Namespace="/aws/sagemaker/TrainingJobs",
    MetricName="train:loss",
    Dimensions=[{{"Name": "TrainingJobName", "Value": {said(output, "JOB")!r}}}],
)
points = client.get_metric_statistics(
    **metric, StartTime=now - day, EndTime=now + day, Period=86400, Statistics=["SampleCount"]
)["Datapoints"]
assert sum(p["SampleCount"] for p in points) == 30, points
assert all(p["Timestamp"].year >= 2020 for p in points), points
data = client.get_metric_data(
    MetricDataQueries=[
        {{"Id": "a", "MetricStat": {{"Metric": metric, "Period": 86400, "Stat": "Average"}}}}
    ],
    StartTime=now - day,
    EndTime=now + day,
)["MetricDataResults"]
assert data[0]["Values"] and data[0]["StatusCode"] == "Complete", data
try:
    client.get_metric_statistics(
        **metric, StartTime=now, EndTime=now, Period=60, Statistics=["Average"]
    )
    raise SystemExit("not refused")
except client.exceptions.ClientError as error:
    assert "StartTime must be less than" in str(error), error
"""
    subprocess.run([python, "-c", code], env=environment, check=True, timeout=PATIENCE)


def test_a_job_is_compared_with_another_by_its_name(service, output):
    first = service.describe(said(output, "JOB"))
    request = {
        key: first[key]
        for key in (
            "AlgorithmSpecification",
            "HyperParameters",
            "OutputDataConfig",
            "ResourceConfig",
            "StoppingCondition",
            "DebugHookConfig",
        )
    }
    request |= {
        "TrainingJobName": "second",
        "RoleArn": ROLE,
        "DebugRuleConfigurations": [
            {
                "RuleConfigurationName": "Similar",
                "RuleEvaluatorImage": RULES_IMAGE,
                "RuleParameters": {
                    "rule_to_invoke": "SimilarAcrossRuns",
                    "other_trials": first["TrainingJobName"],
                    "base_trial": "second",
                    "collection_names": "losses",
                },
            }
        ],
    }
    service.call("CreateTrainingJob", **request)
    job = service.wait_until_over("second")
    (rule,) = job["DebugRuleEvaluationStatuses"]
    assert rule["RuleEvaluationStatus"] == "NoIssuesFound", rule
    assert "StatusDetails" not in rule
