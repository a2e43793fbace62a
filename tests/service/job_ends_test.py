"""How jobs end: models that stay uncompressed, and jobs that end while the service is down."""

import json
import subprocess
import time

import boto3
import pytest
from serving import (
    PATIENCE,
    WARDEN,
    Service,
    debug_rule,
    has_begun,
    script_job,
    wait_until,
)


@pytest.fixture
def service(tmp_path):
    started = Service(tmp_path).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


def test_a_model_may_stay_uncompressed(service):
    job = script_job("plain", "quick.py")
    job["OutputDataConfig"]["CompressionType"] = "NONE"
    lines = (service.data / "credentials").read_text().splitlines()
    keys = dict(line.split(" = ", 1) for line in lines if " = " in line)
    session = boto3.Session(
        keys["aws_access_key_id"], keys["aws_secret_access_key"], region_name="us-west-2"
    )
    sagemaker = session.client("sagemaker", endpoint_url=service.endpoint)
    sagemaker.create_training_job(**job)
    service.wait_until_over("plain")
    told = sagemaker.describe_training_job(TrainingJobName="plain")
    assert told["OutputDataConfig"]["CompressionType"] == "NONE"
    place = told["ModelArtifacts"]["S3ModelArtifacts"]
    assert place == "s3://demo-bucket/out/plain/output/model"
    s3 = session.client("s3", endpoint_url=service.endpoint)
    listed = s3.list_objects_v2(Bucket="demo-bucket", Prefix="out/plain/output/")["Contents"]
    assert [each["Key"] for each in listed] == ["out/plain/output/model/model.txt"]


def wait_for_agent(service: Service, name: str) -> dict:
    """What the agent of the host says at its end, while no service looks after it."""
    state = service.data / "jobs" / name / "hosts/algo-1/state.json"
    wait_until(lambda: json.loads(state.read_text()).get("ended"), state.read_text)
    return json.loads(state.read_text())


def wait_for_begin(service: Service, name: str) -> None:
    wait_until(lambda: "begun" in service.log_of(name), lambda: service.log_of(name))


def test_a_stop_holds_while_the_service_is_down(service):
    endless = script_job("stopped", "quick.py", HyperParameters={"seconds": "600"})
    service.call("CreateTrainingJob", **endless)
    wait_for_begin(service, "stopped")
    service.call("StopTrainingJob", TrainingJobName="stopped")
    service.kill()
    wait_for_agent(service, "stopped")
    service.start()
    assert service.wait_until_over("stopped")["TrainingJobStatus"] == "Stopped"


def test_time_limits_and_ends_hold_while_the_service_is_down(service):
    short = script_job("short", "quick.py", HyperParameters={"seconds": "1"})
    endless = script_job("endless", "quick.py", HyperParameters={"seconds": "600"})
    endless["StoppingCondition"] = {"MaxRuntimeInSeconds": 2}
    for job in (short, endless):
        service.call("CreateTrainingJob", **job)
    wait_for_begin(service, "short")
    # On a busy machine its time may be over before its script has begun.
    service.wait_for("endless", has_begun)
    service.kill()
    ends = {name: wait_for_agent(service, name)["ended_at"] for name in ("short", "endless")}
    # Seconds of the API are milliseconds of ours.
    while time.time() * 1000 < max(ends.values()) + 50:
        time.sleep(0.05)
    service.start()
    for name, status in (("short", "Completed"), ("endless", "MaxRuntimeExceeded")):
        job = service.wait_until_over(name)
        assert job["SecondaryStatus"] == status, json.dumps(job, indent=1)
        assert round(job["TrainingEndTime"] * 1000) == ends[name], json.dumps(job, indent=1)


def test_a_damaged_database_is_rebuilt(service):
    service.call("CreateTrainingJob", **script_job("done", "quick.py"))
    service.wait_until_over("done")
    long = script_job("running", "quick.py", HyperParameters={"seconds": "3"})
    service.call("CreateTrainingJob", **long)
    service.wait_for("running", has_begun)
    before = service.describe("done")
    service.kill()
    database = service.data / "warden.db"
    for file in service.data.glob("warden.db*"):
        file.write_bytes(b"damaged" * 1000)
    refused = subprocess.run(
        [WARDEN, "serve", "--data", service.data, "--listen", "127.0.0.1:0"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert refused.returncode == 1
    assert "'warden serve --recover'" in refused.stderr
    service.options = ("--recover",)
    (told,) = (text for text in service.start().said["warnings"] if "recovered" in text)
    assert told.startswith("recovered 2 jobs; the damaged database is now ")
    assert service.describe("done") == before
    assert service.wait_until_over("running")["TrainingJobStatus"] == "Completed"
    service.kill()
    for file in service.data.glob("warden.db*"):
        file.unlink()
    service.options = ()
    (warning,) = (text for text in service.start().said["warnings"] if "--recover" in text)
    assert warning.startswith(f"{database} was missing, but records of 2 jobs are in ")


def test_an_unsent_mail_is_told_where_its_owner_looks(service):
    mail = '[{"name": "email", "endpoint": "owner@example.com"}]'
    job = script_job("mails", "held.py", Environment={"HELD": "vanishing.py"})
    job["DebugHookConfig"] = {
        "S3OutputPath": "s3://demo-bucket/out",
        "CollectionConfigurations": [{"CollectionName": "gradients"}],
    }
    job["DebugRuleConfigurations"] = [debug_rule("VanishingGradient", action_json=mail)]
    service.call("CreateTrainingJob", **job)
    why = "email to owner@example.com: no mail server configured; set WARDEN_SMTP_URL"
    (begun,) = service.describe("mails")["DebugRuleEvaluationStatuses"]
    assert begun["StatusDetails"] == f"Warning: {why}"
    service.release("mails")

    def has_found(job):
        return job["DebugRuleEvaluationStatuses"][0]["RuleEvaluationStatus"] != "InProgress"

    (rule,) = service.wait_for("mails", has_found)["DebugRuleEvaluationStatuses"]
    service.call("StopTrainingJob", TrainingJobName="mails")
    assert rule["StatusDetails"].endswith(f"condition being met\nNot sent: {why}\n")
    (log,) = service.data.glob("jobs/mails/rules/*/log")
    text = "".join(path.read_text() for path in sorted(log.glob("*")))
    assert f"warden: warning: {why}\n" in text
    assert "\\x0a" not in text
    service.wait_until_over("mails")
