"""Version 3 of the SageMaker SDK, unmodified, trains on the service."""

import json
import re
import shutil
import subprocess
import tarfile

import pytest
from serving import PATIENCE, ROOT, SCRIPTS, Service

SDK_PYTHON = ROOT / "build/venv-sagemaker3/bin/python"
SITE = ROOT / "python/tensorwarden/auto/site"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("sdk3")).start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


@pytest.fixture(scope="module")
def told(service):
    folder = service.folder
    config = folder / "sdk.yaml"
    config.write_text(
        "SchemaVersion: '1.0'\n"
        "SageMaker:\n  PythonSDK:\n    Modules:\n      TelemetryOptOut: true\n"
    )
    for part in ("source", "channel"):
        (folder / part).mkdir()
    shutil.copy(SCRIPTS / "quick.py", folder / "source")
    (folder / "channel/numbers.csv").write_text("1,2\n")
    done = subprocess.run(
        [
            SDK_PYTHON,
            SCRIPTS / "sdk3_session.py",
            SCRIPTS,
            folder / "source",
            folder / "channel",
        ],
        # What `warden env` prints besides the address and the keys.
        env=service.environment(
            SAGEMAKER_USER_CONFIG_OVERRIDE=str(config), TENSORWARDEN_SDK="1", PYTHONPATH=str(SITE)
        ),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    line = next(line for line in done.stdout.splitlines() if line.startswith("TOLD "))
    return {**json.loads(line.removeprefix("TOLD ")), "output": done.stdout + done.stderr}


def test_role_and_bucket_are_those_of_the_service(told):
    assert re.fullmatch(r"arn:aws:iam::\d{12}:role/\S+", told["role"])
    assert re.fullmatch(r"sagemaker-us-west-2-\d{12}", told["bucket"])


def test_a_trainer_trains(service, told):
    job = told["jobs"]["well"]
    assert (job["status"], job["error"]) == ("Completed", "")
    channels = service.describe(job["name"])["InputDataConfig"]
    assert [each["ChannelName"] for each in channels] == ["train", "code", "sm_drivers"]
    bucket, key = job["model"].removeprefix("s3://").split("/", 1)
    with tarfile.open(service.data / "s3" / bucket / key) as model:
        assert model.getnames() == ["model.txt"]
    assert "Training Container Execution Completed" in service.log_of(job["name"])


def test_a_failure_is_raised_with_its_reason(told):
    job = told["jobs"]["badly"]
    assert job["status"] == "Failed"
    assert job["error"].startswith("FailedStatusError: ")
    assert "'quick.py', '--seconds', '0.1', '--fail', '3']' returned non-zero exit" in job["error"]


def test_rules_of_the_debugger_stop_a_job(told):
    job = told["jobs"]["rules"]
    assert (job["status"], job["rules"]) == ("Stopped", ["IssuesFound"])
