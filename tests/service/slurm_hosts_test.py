"""Slurm jobs on two nodes are captured from both, evaluated and stopped; nodes and services die."""

import json
import re
import subprocess
import time
import uuid
from collections import Counter

import boto3
import pytest
from serving import (
    PATIENCE,
    SCRIPTS,
    SDK_PYTHON,
    TWO_HOSTS,
    Service,
    debug_rule,
    mpi_job,
    script_job,
    wait_until,
    wait_until_gone,
    workers_of,
)

from support.cluster import slurm

KILLS = 10
BOTH_FOUND = {"VanishingGradient": "IssuesFound", "StragglerRank": "IssuesFound"}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with slurm(tmp_path_factory.mktemp("slurm"), slurmd_timeout=40) as started:
        yield started


@pytest.fixture
def service(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    started = Service(tmp_path, "--launcher", "slurm", "--stop-grace", "5").start()
    yield started
    assert started.stop() == 0, started.log.read_text()[-5000:]


def two_hosts(name: str, mark: str, *rules: dict) -> dict:
    return script_job(
        name,
        "straggler.py",
        Environment={"MARK": mark},
        ResourceConfig=TWO_HOSTS,
        DebugHookConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "HookParameters": {"save_interval": "10", "include_workers": "all"},
            "CollectionConfigurations": [{"CollectionName": "gradients"}],
        },
        ProfilerConfig={"S3OutputPath": "s3://demo-bucket/out"},
        DebugRuleConfigurations=list(rules),
    )


def rules_of(job: dict) -> dict:
    states = job["DebugRuleEvaluationStatuses"]
    return {each["RuleConfigurationName"]: each["RuleEvaluationStatus"] for each in states}


def slow_workers(output) -> set:
    """Those that the rule StragglerRank of a job has named."""
    found = json.loads((output / "rule-output/StragglerRank/status.json").read_text())
    return {finding["worker"] for finding in found["findings"]}


def logs_of(service: Service, name: str) -> str:
    return "".join(service.log_of(name, host) for host in ("algo-1", "algo-2"))


def test_both_hosts_are_captured_evaluated_and_stopped_though_the_service_dies(service):
    mark = f"mark-{uuid.uuid4()}"
    keys = dict(re.findall(r"^(\w+) = (.*)$", (service.data / "credentials").read_text(), re.M))
    sagemaker = boto3.client(
        "sagemaker", endpoint_url=service.endpoint, region_name="us-west-2", **keys
    )
    rules = [
        debug_rule("VanishingGradient", threshold="0.0001"),
        debug_rule("StragglerRank", action_json='[{"name": "stoptraining"}]'),
    ]
    sagemaker.create_training_job(**two_hosts("two-nodes", mark, *rules))
    for number in range(KILLS):
        service.kill()
        service.start()
        # Each one gets a little further.
        time.sleep(0.1 * number)
    told = service.wait_until_over("two-nodes")
    tell = json.dumps(told, indent=1) + logs_of(service, "two-nodes")
    assert told["TrainingJobStatus"] == "Stopped", tell
    assert rules_of(told) == BOTH_FOUND, tell
    wait_until_gone(mark)
    # It was run once, on each host.
    assert logs_of(service, "two-nodes").count("begun") == 2
    output = service.data / "s3/demo-bucket/out/two-nodes"
    assert len(workers_of(output / "debug-output")) == 2
    assert slow_workers(output) == {"worker_1"}
    metrics = (output / "profiler-output/system").rglob("*.json")
    assert {path.name.split(".")[1] for path in metrics} == {"algo-1", "algo-2"}


def test_a_rule_stops_both_hosts_of_an_estimator(service):
    config = service.folder / "sdk.yaml"
    # Else the SDK tries to reach its makers.
    config.write_text(
        "SchemaVersion: '1.0'\n"
        "SageMaker:\n  PythonSDK:\n    Modules:\n      TelemetryOptOut: true\n"
    )
    done = subprocess.run(
        [SDK_PYTHON, SCRIPTS / "slurm_session.py", SCRIPTS],
        env=service.environment(SAGEMAKER_USER_CONFIG_OVERRIDE=str(config)),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    line = next(line for line in done.stdout.splitlines() if line.startswith("TOLD "))
    told = json.loads(line.removeprefix("TOLD "))
    assert told["status"] == "Stopped", logs_of(service, told["name"])
    assert told["rules"] == BOTH_FOUND
    output = service.data / f"s3/demo-bucket/{told['name']}"
    assert len(workers_of(output / "debug-output")) == 2
    assert slow_workers(output) == {"worker_1"}


def test_mpirun_starts_processes_on_both_nodes(service):
    service.call("CreateTrainingJob", **mpi_job("mpi"))
    told = service.wait_until_over("mpi")
    log = logs_of(service, "mpi")
    assert told["TrainingJobStatus"] == "Completed", json.dumps(told, indent=1) + log
    ranks = re.findall(r"rank (\d) of 4: 10\.0 (node\d)", log)
    assert sorted(rank for rank, _ in ranks) == ["0", "1", "2", "3"], log
    assert sorted(Counter(node for _, node in ranks).values()) == [2, 2], log
    assert len(workers_of(service.data / "s3/demo-bucket/out/mpi/debug-output")) == 4


def test_a_node_that_fails_is_named(service, cluster):
    mark = f"mark-{uuid.uuid4()}"
    service.call("CreateTrainingJob", **two_hosts("node-fails", mark))
    wait_until(
        lambda: logs_of(service, "node-fails").count("begun") == 2,
        lambda: logs_of(service, "node-fails"),
    )
    nodes = (service.data / "jobs/node-fails/nodes").read_text().splitlines()
    node = nodes[1].split()[1]
    cluster.kill_node(node)
    try:
        told = service.wait_until_over("node-fails")
        assert told["TrainingJobStatus"] == "Failed", json.dumps(told, indent=1)
        number = json.loads((service.data / "jobs/node-fails/slurm.json").read_text())["id"]
        expected = f"node {node} failed: Slurm job {number} ended with NODE_FAIL"
        assert told["FailureReason"] == f"InternalServerError: {expected}"
        # Also there, where Slurm itself can end nothing.
        wait_until_gone(mark)
    finally:
        cluster.start_node(node)
