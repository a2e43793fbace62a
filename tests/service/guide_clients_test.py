"""The developer guide's examples for the aws CLI, boto3 and Lambda, as they stand there but for
ARNs, image and bucket names."""

import json
import shlex
import subprocess
import sys
import tarfile
import time

import boto3
import pytest
from serving import PATIENCE, PYTHON, ROOT, SCRIPTS, Service, debug_rule, script_job

sys.path.insert(0, str(ROOT / "tests/guide"))
from manifest import code

AWS = "/usr/bin/aws"
BUCKET = "sagemaker-us-west-2-111122223333"
HELD = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.02)\n"

CLI_JOB = json.loads(code("p802-1"))
PATTERN = json.loads(code("p736-1"))


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guide")
    (folder / "stop.py").write_text(code("p734-1"))
    receivers = {
        "receivers": [
            {
                "name": "stop-on-issues",
                # A shell script in between sets the endpoint and the keys by itself.
                "command": [str(folder / "lambda.sh")],
                # Of some jobs: the other tests' are not to be stopped.
                "pattern": PATTERN | {"detail": {"TrainingJobName": [{"prefix": "lambda-"}]}},
            }
        ]
    }
    (folder / "events.json").write_text(json.dumps(receivers))
    (folder / "lambda.sh").write_text("#!/bin/sh\nexit 0\n")
    (folder / "lambda.sh").chmod(0o755)
    started = Service(folder, "--events", str(folder / "events.json")).start()
    lines = [f"export {n}={v}" for n, v in started.environment().items() if n.startswith("AWS_")]
    runner = f"exec {SDK} -m tensorwarden.lambda_runner {folder}/stop.py:lambda_handler"
    paths = f"export PYTHONPATH={PACKAGES}"
    (folder / "lambda.sh").write_text("\n".join(["#!/bin/sh", *lines, paths, runner]) + "\n")
    yield started
    started.stop()


SDK = PYTHON.parent.parent.parent / "venv-sagemaker/bin/python"
PACKAGES = PYTHON.parent.parent / "lib/python3.11/site-packages"


def client(service, kind):
    """With the endpoint as an argument, as older versions of boto3 need it."""
    keys = {}
    for line in (service.data / "credentials").read_text().splitlines():
        name, _, value = line.partition("=")
        keys[name.strip()] = value.strip()
    return boto3.client(
        kind,
        endpoint_url=service.endpoint,
        region_name="us-west-2",
        aws_access_key_id=keys["aws_access_key_id"],
        aws_secret_access_key=keys["aws_secret_access_key"],
    )


def aws(service, *words, check=True, folder=None):
    done = subprocess.run(
        [AWS, "--endpoint-url", service.endpoint, *words],
        cwd=folder,
        env=service.environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert not check or done.returncode == 0, done.stderr
    return done


def upload_source(service, folder, program, key, before=""):
    (folder / "entry_point").mkdir()
    source = (SCRIPTS / "vanishing.py").read_text()
    (folder / program).write_text(before + source.replace("100_000", "150"))
    with tarfile.open(folder / "source.tar.gz", "w:gz") as tar:
        tar.add(folder / program, program)
    s3 = client(service, "s3")
    s3.create_bucket(
        Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"}
    ) if BUCKET not in [b["Name"] for b in s3.list_buckets()["Buckets"]] else None
    s3.upload_file(str(folder / "source.tar.gz"), BUCKET, key)


def test_the_guides_json_by_the_aws_cli(service, tmp_path):
    upload_source(
        service,
        tmp_path,
        "entry_point/tf-hvd-train.py",
        "debugger-boto3-profiling-test/source.tar.gz",
    )
    (tmp_path / "debugger-training-job-cli.json").write_text(json.dumps(CLI_JOB, indent=2))
    words = shlex.split(code("p804-1"))[1:]
    made = aws(service, *words, folder=tmp_path)
    assert json.loads(made.stdout)["TrainingJobArn"].endswith("training-job/debugger-aws-cli-test")
    again = aws(service, *words, folder=tmp_path, check=False)
    assert "(ResourceInUse)" in again.stderr and "already exists" in again.stderr

    job = service.wait_until_over("debugger-aws-cli-test")
    log = service.log_of("debugger-aws-cli-test")
    assert job["TrainingJobStatus"] == "Completed", json.dumps(job, indent=1) + log
    named = ("sagemaker", "describe-training-job", "--training-job-name", "debugger-aws-cli-test")
    told = json.loads(aws(service, *named).stdout)
    assert told["ProfilerConfig"]["ProfilingParameters"]["LocalPath"] == "/opt/ml/output/profiler/"
    statuses = told["DebugRuleEvaluationStatuses"] + told["ProfilerRuleEvaluationStatuses"]
    assert all(s["RuleEvaluationStatus"] in ("NoIssuesFound", "IssuesFound") for s in statuses)
    listed = aws(service, "s3", "ls", "--recursive", f"s3://{BUCKET}/debugger-aws-cli-test/")
    assert "profiler-report.html" in listed.stdout
    assert "output/debugger-aws-cli-test/output/model.tar.gz" in listed.stdout
    stop = ("sagemaker", "stop-training-job", "--training-job-name", "debugger-aws-cli-test")
    refused = aws(service, *stop, check=False)
    assert refused.returncode == 254
    assert "training job is in status Completed." in refused.stderr


def test_the_guides_boto3_example(service, tmp_path):
    key = "debugger-boto3-test/source.tar.gz"
    upload_source(service, tmp_path, "entry_point/train.py", key, HELD)
    sm = client(service, "sagemaker")
    name = "debugger-boto3-" + time.strftime("%Y-%m-%d-%H-%M-%S")
    request = CLI_JOB | {
        "TrainingJobName": name,
        "HyperParameters": {
            "sagemaker_submit_directory": f"s3://{BUCKET}/debugger-boto3-test/source.tar.gz",
            "sagemaker_program": "/entry_point/train.py",
        },
    }
    arn = sm.create_training_job(**request)["TrainingJobArn"]
    assert sm.describe_training_job(TrainingJobName=name)["TrainingJobArn"] == arn
    listed = sm.list_training_jobs(NameContains="debugger-boto3", StatusEquals="InProgress")
    assert [job["TrainingJobName"] for job in listed["TrainingJobSummaries"]] == [name]
    service.wait_for(name, lambda job: job["SecondaryStatus"] == "Training")
    sm.update_training_job(
        TrainingJobName=name,
        ProfilerConfig={"ProfilingIntervalInMilliseconds": 1000, "DisableProfiler": False},
    )
    service.release(name)
    job = service.wait_until_over(name)
    assert job["TrainingJobStatus"] == "Completed", json.dumps(job, indent=1) + service.log_of(name)
    assert job["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] == 1000
    sm.add_tags(ResourceArn=arn, Tags=[{"Key": "a", "Value": "b"}])
    assert sm.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "a", "Value": "b"}]
    sm.get_waiter("training_job_completed_or_stopped").wait(TrainingJobName=name)


def test_the_guides_lambda_stops_the_job(service):
    service.call(
        "CreateTrainingJob",
        **script_job(
            "lambda-job",
            "vanishing.py",
            DebugHookConfig={
                "S3OutputPath": "s3://demo-bucket/out",
                "HookParameters": {"save_interval": "10"},
                "CollectionConfigurations": [{"CollectionName": "gradients"}],
            },
            DebugRuleConfigurations=[debug_rule("VanishingGradient", threshold="0.0001")],
        ),
    )
    job = service.wait_until_over("lambda-job")
    assert job["TrainingJobStatus"] == "Stopped", service.log.read_text()
    assert job["DebugRuleEvaluationStatuses"][0]["RuleEvaluationStatus"] == "IssuesFound"
