"""`warden serve --launcher slurm`: jobs on a cluster of its own, from their start to any end."""

import json
import subprocess
import tarfile
import uuid
from pathlib import Path

import pytest
import serving
from serving import PATIENCE, ROOT, WARDEN, Service, script_job, wait_until, wait_until_gone

# Its torchrun knows this version of Python.
TORCH_PYTHON = ROOT / "build/venv-torch/bin/python"


@pytest.fixture
def service(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    started = Service(tmp_path, "--launcher", "slurm", "--stop-grace", "5").start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


def slurm_id(service: Service, name: str) -> str:
    """Of a job that has been submitted."""
    record = service.data / "jobs" / name / "slurm.json"
    wait_until(lambda: record.exists() and json.loads(record.read_text())["id"])
    return json.loads(record.read_text())["id"]


def wait_for_begin(service: Service, name: str, host: str = "algo-1") -> None:
    wait_until(lambda: "begun" in service.log_of(name, host), lambda: service.log_of(name, host))


def statuses(job: dict) -> list:
    return [step["Status"] for step in job["SecondaryStatusTransitions"]]


def two_hosts(**more) -> dict:
    return {"InstanceType": "ml.m5.xlarge", "InstanceCount": 2, "VolumeSizeInGB": 30, **more}


def test_a_job_gets_data_and_leaves_log_model_and_record(service, cluster, tmp_path):
    data = service.data / "s3/demo-bucket/data"
    data.mkdir(parents=True)
    (data / "rows.txt").write_text("1 2 3\n")
    channel = {"S3DataType": "S3Prefix", "S3Uri": "s3://demo-bucket/data"}
    channels = [{"ChannelName": "train", "DataSource": {"S3DataSource": channel}}]
    service.call("CreateTrainingJob", **script_job("plain", "quick.py", InputDataConfig=channels))
    job = service.wait_until_over("plain")
    log = service.log_of("plain")
    assert job["TrainingJobStatus"] == "Completed", json.dumps(job, indent=1) + log
    assert statuses(job) == [
        *("Starting", "Downloading", "Starting", "Training", "Uploading", "Completed")
    ]
    ended = cluster.wait(slurm_id(service, "plain"))
    assert (ended["JobState"], ended["TimeLimit"]) == ("COMPLETED", "01:00:00")
    assert ended["JobName"].startswith("warden-plain-")
    assert job["TrainingStartTime"] <= job["TrainingEndTime"]
    assert "begun" in log and "done" in log
    with tarfile.open(service.data / "s3/demo-bucket/out/plain/output/model.tar.gz") as model:
        assert "model.txt" in [Path(name).name for name in model.getnames()]
    host = service.data / "jobs/plain/hosts/algo-1/opt/ml"
    assert (host / "input/data/train/rows.txt").read_text() == "1 2 3\n"


def test_hosts_are_nodes_with_names_and_addresses(cluster, tmp_path, monkeypatch):
    if not TORCH_PYTHON.exists():
        pytest.skip("no current PyTorch in build/venv-torch")
    monkeypatch.setattr(serving, "PYTHON", TORCH_PYTHON)
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    service = Service(tmp_path, "--launcher", "slurm").start()
    job = script_job("hosts", "all_reduce.py", ResourceConfig=two_hosts())
    job["HyperParameters"]["sagemaker_torch_distributed_enabled"] = "true"
    service.call("CreateTrainingJob", **job)
    told = service.wait_until_over("hosts")
    logs = service.log_of("hosts") + service.log_of("hosts", "algo-2")
    assert told["TrainingJobStatus"] == "Completed", json.dumps(told, indent=1) + logs
    assert "rank 0 of 2: 3.0" in logs and "rank 1 of 2: 3.0" in logs
    nodes = (service.data / "jobs/hosts/nodes").read_text().split("\n")
    assert [line.split()[0] for line in nodes if line] == ["algo-1", "algo-2"]
    assert len({line.split()[1] for line in nodes if line}) == 2
    resources = service.data / "jobs/hosts/hosts/algo-2/opt/ml/input/config/resourceconfig.json"
    assert json.loads(resources.read_text())["hosts"] == ["algo-1", "algo-2"]
    assert service.stop() == 0


def test_a_failed_script_fails_the_job_and_its_other_host(service):
    mark = f"mark-{uuid.uuid4()}"
    job = script_job("fails", "fails_on_one.py", ResourceConfig=two_hosts())
    service.call("CreateTrainingJob", **{**job, "Environment": {"MARK": mark}})
    told = service.wait_until_over("fails")
    assert told["TrainingJobStatus"] == "Failed", json.dumps(told, indent=1)
    assert told["FailureReason"] == "AlgorithmError: no such column: label, exit code: 3"
    wait_until_gone(mark)


def test_a_stop_gives_the_grace_and_leaves_nothing(service, cluster):
    mark = f"mark-{uuid.uuid4()}"
    job = script_job("stopped", "quick.py", HyperParameters={"seconds": "600"})
    service.call("CreateTrainingJob", **{**job, "Environment": {"MARK": mark}})
    wait_for_begin(service, "stopped")
    service.call("StopTrainingJob", TrainingJobName="stopped")
    told = service.wait_until_over("stopped")
    assert told["TrainingJobStatus"] == told["SecondaryStatus"] == "Stopped"
    wait_until_gone(mark)
    assert cluster.wait(slurm_id(service, "stopped"))["JobState"] == "COMPLETED"


def test_a_job_waits_in_the_queue_and_can_be_stopped_there(service, cluster):
    blocker = cluster.submit("sleep 600", "--exclusive", nodes=4)
    cluster.wait(blocker, "RUNNING")
    for name in ("waits", "never"):
        service.call("CreateTrainingJob", **script_job(name, "quick.py"))

    def is_waiting(job: dict) -> bool:
        message = job["SecondaryStatusTransitions"][-1]["StatusMessage"]
        return job["SecondaryStatus"] == "Starting" and "Waiting for nodes: " in message

    waiting = service.wait_for("waits", is_waiting)
    assert "TrainingStartTime" not in waiting
    service.wait_for("never", is_waiting)
    service.call("StopTrainingJob", TrainingJobName="never")
    assert service.wait_until_over("never")["TrainingJobStatus"] == "Stopped"
    assert cluster.wait(slurm_id(service, "never"))["JobState"] == "CANCELLED"
    service.kill()
    service.start()
    cluster.command("scancel", blocker)
    job = service.wait_until_over("waits")
    assert job["TrainingJobStatus"] == "Completed", json.dumps(job, indent=1)
    assert statuses(job).count("Training") == 1


def test_a_job_that_runs_too_long_is_stopped(service):
    limit = {"MaxRuntimeInSeconds": 2}
    job = script_job(
        "long", "quick.py", HyperParameters={"seconds": "600"}, StoppingCondition=limit
    )
    service.call("CreateTrainingJob", **job)
    told = service.wait_until_over("long")
    assert told["TrainingJobStatus"] == "Stopped"
    assert told["SecondaryStatus"] == "MaxRuntimeExceeded"


def test_a_canceled_job_says_so(service, cluster):
    job = script_job("canceled", "quick.py", HyperParameters={"seconds": "600"})
    service.call("CreateTrainingJob", **job)
    wait_for_begin(service, "canceled")
    number = slurm_id(service, "canceled")
    cluster.command("scancel", number)
    told = service.wait_until_over("canceled")
    assert told["TrainingJobStatus"] == "Failed"
    expected = f"AlgorithmError: canceled in Slurm: Slurm job {number} ended with CANCELLED"
    assert told["FailureReason"] == expected


def test_the_end_of_a_job_is_found_by_the_next_service(service, cluster):
    for name in ("ends", "canceled-meanwhile"):
        seconds = "1" if name == "ends" else "600"
        job = script_job(name, "quick.py", HyperParameters={"seconds": seconds})
        service.call("CreateTrainingJob", **job)
    for name in ("ends", "canceled-meanwhile"):
        wait_for_begin(service, name)
    service.kill()
    cluster.command("scancel", slurm_id(service, "canceled-meanwhile"))
    cluster.wait(slurm_id(service, "ends"))
    service.start()
    assert service.wait_until_over("ends")["TrainingJobStatus"] == "Completed"
    told = service.wait_until_over("canceled-meanwhile")
    assert "canceled in Slurm" in told["FailureReason"]


def test_a_submission_that_was_not_noted_is_found_by_its_name(service, cluster):
    job = script_job("noted", "quick.py", HyperParameters={"seconds": "3"})
    service.call("CreateTrainingJob", **job)
    number = slurm_id(service, "noted")
    service.kill()
    record = service.data / "jobs/noted/slurm.json"
    record.write_text(json.dumps({**json.loads(record.read_text()), "id": ""}))
    service.start()
    assert service.wait_until_over("noted")["TrainingJobStatus"] == "Completed"
    assert slurm_id(service, "noted") == number


def test_a_requeued_job_continues_at_its_checkpoint(service, cluster, tmp_path):
    job = script_job(
        "again",
        "resumes.py",
        Environment={"GO_ON": str(tmp_path / "go-on")},
        CheckpointConfig={"S3Uri": "s3://demo-bucket/checkpoints"},
        DebugHookConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "HookParameters": {"save_interval": "1"},
            "CollectionConfigurations": [{"CollectionName": "losses"}],
        },
    )
    service.call("CreateTrainingJob", **job)
    wait_until(lambda: "waiting" in service.log_of("again"), lambda: service.log_of("again"))
    output = service.data / "s3/demo-bucket/out/again/debug-output"
    # A killed process loses the steps that it was about to write.
    wait_until((output / "index/000000000/000000000007_worker_0.json").exists)
    (tmp_path / "go-on").touch()
    cluster.requeue(slurm_id(service, "again"))
    told = service.wait_until_over("again")
    log = service.log_of("again")
    assert told["TrainingJobStatus"] == "Completed", json.dumps(told, indent=1) + log
    assert "trained from step 6" in log
    assert statuses(told).count("Training") == 2
    listed = subprocess.run(
        [WARDEN, "trial", "tensors", output, "--json"], capture_output=True, check=True
    )
    losses = next(each for each in json.loads(listed.stdout) if "losses" in each["collections"])
    assert losses["steps"]["TRAIN"] == list(range(12))


def test_a_service_without_slurm_says_so(cluster, tmp_path, monkeypatch):
    def told(*options: str) -> str:
        command = [WARDEN, "serve", "--data", tmp_path / "data", "--launcher", "slurm", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode != 0
        return done.stderr

    wrong = tmp_path / "slurm.conf"
    monkeypatch.setenv("SLURM_CONF", str(wrong))
    assert f"--launcher slurm: cannot read '{wrong}', the value of SLURM_CONF: No such" in told()
    wrong.write_text("ClusterName=nowhere\n")
    assert "--launcher slurm: Slurm does not answer: sinfo: No SlurmctldHost" in told()
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    (tmp_path / "slurm.json").write_text('{"queues": [{"partition": "gpu"}]}')
    said = told("--slurm-config", str(tmp_path / "slurm.json"))
    assert "unknown partition 'gpu'; expected one of: all" in said
    assert "--isolation is required" in told("--isolation", "required")


@pytest.fixture
def service_with(cluster, tmp_path, monkeypatch):
    """Starts a service whose jobs go to the given queues of the cluster."""
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    started = []

    def start(*queues: dict) -> Service:
        (tmp_path / "data").mkdir(mode=0o700)
        (tmp_path / "data/slurm.json").write_text(json.dumps({"queues": queues}))
        started.append(Service(tmp_path, "--launcher", "slurm").start())
        return started[0]

    yield start
    for service in started:
        assert service.stop() == 0, service.log.read_text()[-5000:]


def test_instance_types_choose_a_queue(cluster, service_with):
    service = service_with(
        {
            "instance_types": ["ml.m5.*"],
            "partition": "low",
            "gres": "gpu:2",
            "cpus": 2,
            "memory": "500M",
            "network_interface": "lo",
            "options": ["--nice=7"],
            "srun_options": ["--unbuffered"],
        }
    )
    service.call("CreateTrainingJob", **script_job("chosen", "quick.py"))
    assert service.wait_until_over("chosen")["TrainingJobStatus"] == "Completed"
    shown = cluster.job(slurm_id(service, "chosen"))
    assert (shown["Partition"], shown["NumCPUs"], shown["Nice"]) == ("low", "2", "7")
    assert (shown["TresPerNode"], shown["MinMemoryNode"]) == ("gres:gpu:2", "500M")
    config = service.data / "jobs/chosen/hosts/algo-1/opt/ml/input/config"
    assert (
        json.loads((config / "resourceconfig.json").read_text())["network_interface_name"] == "lo"
    )
    other = two_hosts(InstanceType="ml.p4d.24xlarge")
    refused = script_job("refused", "quick.py", ResourceConfig=other)
    with pytest.raises(OSError) as error:
        service.call("CreateTrainingJob", **refused)
    assert "takes: ml.m5.*" in error.value.read().decode()


def take_the_node(cluster) -> str:
    """A job that needs all of node1, and is more important than those of partition "low"."""
    words = ("--partition=all", "--nodelist=node1", "--cpus-per-task=4")
    return cluster.submit("sleep 1", *words)


LOW = {"partition": "low", "cpus": 4, "options": ["--nodelist=node1"]}


def test_a_job_that_is_preempted_says_so(cluster, service_with):
    service = service_with(LOW)
    mark = f"mark-{uuid.uuid4()}"
    job = script_job("weak", "quick.py", HyperParameters={"seconds": "600"})
    service.call("CreateTrainingJob", **{**job, "Environment": {"MARK": mark}})
    wait_for_begin(service, "weak")
    strong = take_the_node(cluster)
    told = service.wait_until_over("weak")
    assert told["TrainingJobStatus"] == "Failed", json.dumps(told, indent=1)
    assert told["FailureReason"].startswith("InternalServerError: preempted by another job")
    wait_until_gone(mark)
    assert cluster.wait(strong)["JobState"] == "COMPLETED"


def test_a_preempted_job_with_checkpoints_continues(cluster, service_with, tmp_path):
    service = service_with(LOW)
    checkpoints = {"S3Uri": "s3://demo-bucket/checkpoints"}
    environment = {"GO_ON": str(tmp_path / "go-on")}
    job = script_job("patient", "resumes.py", Environment=environment, CheckpointConfig=checkpoints)
    service.call("CreateTrainingJob", **job)
    wait_until(lambda: "waiting" in service.log_of("patient"), lambda: service.log_of("patient"))
    strong = take_the_node(cluster)
    assert cluster.wait(strong)["JobState"] == "COMPLETED"
    (tmp_path / "go-on").touch()
    cluster.start_again(slurm_id(service, "patient"))
    told = service.wait_until_over("patient")
    log = service.log_of("patient")
    assert told["TrainingJobStatus"] == "Completed", json.dumps(told, indent=1) + log
    assert "trained from step 6" in log and statuses(told).count("Training") == 2
