"""Jobs by name: runs on disk, and jobs of SageMaker, which a server on this machine plays."""

import json
import logging
import shutil
import sys

import boto3
import pytest

from smdebug.profiler.analysis.notebook_utils import TrainingJob
from tensorwarden.profiler.notebook import training_job


def wait(job):
    job.wait_for_sys_profiling_data_to_be_available()
    job.wait_for_framework_profiling_data_to_be_available()
    return job.get_systems_metrics_reader(), job.get_framework_metrics_reader()


@pytest.mark.parametrize("place", ["runs", "inside", "beside", "itself"])
def test_a_run_on_disk(run, tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    name, output = {
        "runs": ("train-1", "warden-runs/train-1/profiler-output"),
        "inside": (str(tmp_path / "mine"), "mine/profiler-output"),
        "beside": ("job/debug-output", "job/profiler-output"),
        "itself": ("profile", "profile"),
    }[place]
    shutil.copytree(run, tmp_path / output)
    (tmp_path / output / "profilerconfig.json").write_text('{"DisableProfiler": false}')
    if place == "beside":
        (tmp_path / "job/debug-output").mkdir()
    job = TrainingJob(name)
    assert (job.name, job.get_sm_client()) == (name, None)
    assert job.get_systems_metrics_reader() is job.get_framework_metrics_reader() is None
    assert job.profiler_s3_output_path.endswith(output)
    assert job.profiler_config["DisableProfiler"] is False
    assert job.describe_training_job()["TrainingJobStatus"] == "InProgress"
    system, framework = wait(job)
    assert len(system.get_events(0, 1 << 62)) == 260
    assert len(framework.get_events(0, 1 << 62)) == 96
    (tmp_path / output / "system/training_job_end.ts").touch()
    assert job.describe_training_job()["TrainingJobStatus"] == "Completed"


def test_data_are_waited_for(run, tmp_path, monkeypatch, caplog):
    (tmp_path / "profiler-output").mkdir()
    job = TrainingJob(str(tmp_path))
    naps = []

    def sleep(seconds):
        naps.append(seconds)
        if len(naps) == 2:
            shutil.copytree(f"{run}/system", tmp_path / "profiler-output/system")

    monkeypatch.setattr(training_job.time, "sleep", sleep)
    job.wait_for_sys_profiling_data_to_be_available()
    assert naps == [10, 10]
    assert job.get_systems_metrics_reader().get_timestamp_of_first_available_file()
    # A run that has ended will have no timelines any more.
    (tmp_path / "profiler-output/system/training_job_end.ts").touch()
    monkeypatch.setattr(logging.getLogger("smdebug"), "propagate", True)
    job.wait_for_framework_profiling_data_to_be_available()
    assert len(naps) == 2
    assert "has ended without timelines" in caplog.text


def test_a_broken_configuration_is_no_end(tmp_path):
    (tmp_path / "profiler-output").mkdir()
    for text in ("{", "[1]", "\ufeff"):
        (tmp_path / "profiler-output/profilerconfig.json").write_text(text)
        config = TrainingJob(str(tmp_path)).profiler_config
        assert config == {"S3OutputPath": str(tmp_path)}


@pytest.fixture
def create(s3, s3_server):
    client = boto3.client("sagemaker", region_name="us-east-1", endpoint_url=s3_server)

    def job(name, **more):
        client.create_training_job(
            TrainingJobName=name,
            RoleArn="arn:aws:iam::123456789012:role/role",
            AlgorithmSpecification={"TrainingInputMode": "File", "TrainingImage": "image"},
            OutputDataConfig={"S3OutputPath": "s3://bucket/out"},
            ResourceConfig={
                "InstanceType": "ml.m5.large",
                "InstanceCount": 1,
                "VolumeSizeInGB": 1,
            },
            StoppingCondition={"MaxRuntimeInSeconds": 60},
            **more,
        )

    return job


def test_a_job_of_sagemaker(create, upload, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = {"S3OutputPath": "s3://bucket/out"}
    create("job-1", ProfilerConfig=config)
    # The server knows jobs, but forgets this part of them.
    ask = TrainingJob.describe_training_job
    monkeypatch.setattr(
        TrainingJob, "describe_training_job", lambda job: {**ask(job), "ProfilerConfig": config}
    )
    upload(run, "out/job-1/profiler-output")
    job = TrainingJob("job-1", "us-east-1")
    assert job.get_sm_client().meta.service_model.service_name == "sagemaker"
    assert job.profiler_s3_output_path == "s3://bucket/out/job-1/profiler-output"
    system, framework = wait(job)
    assert len(system.get_events(0, 1 << 62)) == 260
    assert len(framework.get_events(0, 1 << 62)) == 96


def test_a_job_without_a_profile(create):
    create("job-2")
    with pytest.raises(ValueError, match="job 'job-2' was not profiled"):
        TrainingJob("job-2", "us-east-1")


def test_no_such_run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="no run 'nothing' here or in warden-runs/"):
        TrainingJob("nothing")
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(ImportError, match="no run 'nothing'.*boto3 is not installed"):
        TrainingJob("nothing")


def test_configuration_is_the_runs(tmp_path):
    (tmp_path / "profiler-output").mkdir()
    config = {"ProfilingIntervalInMilliseconds": 500}
    (tmp_path / "profiler-output/profilerconfig.json").write_text(json.dumps(config))
    got, path = TrainingJob(str(tmp_path)).get_config_and_profiler_s3_output_path()
    assert got["ProfilingIntervalInMilliseconds"] == 500
    assert path == str(tmp_path / "profiler-output")
