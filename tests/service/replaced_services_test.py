"""Clients of services that are not here get an error that names what to use."""

import subprocess

import boto3
import pytest
from botocore.exceptions import ClientError
from serving import PATIENCE, Service

AWS = "/usr/bin/aws"
CALLS = {
    "sns": ("create_topic", {"Name": "alarms"}, "Rules send mail and SMS by their actions"),
    "ssm": (
        "start_session",
        {"Target": "sagemaker-training-job:my-job_algo-2"},
        "use 'warden exec my-job --host algo-2'",
    ),
    "events": ("put_rule", {"Name": "stop", "EventPattern": "{}"}, "'warden serve --events FILE'"),
    "cloudwatch": (
        "put_metric_data",
        {"Namespace": "mine", "MetricData": [{"MetricName": "loss", "Value": 1.0}]},
        "hook.save_scalar(name, value, sm_metric=True)",
    ),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("replaced")).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


def session_of(service: Service) -> boto3.Session:
    lines = (service.data / "credentials").read_text().splitlines()
    keys = dict(line.split(" = ", 1) for line in lines if " = " in line)
    return boto3.Session(
        keys["aws_access_key_id"], keys["aws_secret_access_key"], region_name="us-west-2"
    )


@pytest.mark.parametrize("kind", CALLS)
def test_boto3_learns_what_to_use(service, kind):
    operation, arguments, expected = CALLS[kind]
    client = session_of(service).client(kind, endpoint_url=service.endpoint)
    with pytest.raises(ClientError) as refused:
        getattr(client, operation)(**arguments)
    assert expected in refused.value.response["Error"]["Message"]
    assert refused.value.response["Error"]["Code"] in ("InvalidAction", "UnknownOperationException")


@pytest.mark.parametrize(
    "words,expected",
    [
        ("sns list-topics", CALLS["sns"][2]),
        ("ssm start-session --target sagemaker-training-job:my-job_algo-2", CALLS["ssm"][2]),
        ("events list-rules", CALLS["events"][2]),
        ("cloudwatch describe-alarms", "use rules with actions"),
    ],
)
def test_the_aws_cli_says_it(service, words, expected):
    done = subprocess.run(
        [AWS, "--endpoint-url", service.endpoint, *words.split()],
        env=service.environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert expected in done.stderr, done.stderr


def test_log_groups_are_in_the_region_of_the_client(service):
    logs = session_of(service).client("logs", endpoint_url=service.endpoint)
    for group in logs.describe_log_groups()["logGroups"]:
        assert group["arn"].startswith("arn:aws:logs:us-west-2:")
