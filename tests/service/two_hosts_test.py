"""A job on two hosts is captured from both, evaluated, and stopped with all that it has started."""

import json
import uuid

import pytest
from serving import Service, debug_rule, script_job, wait_until_gone, workers_of


@pytest.fixture
def service(tmp_path):
    started = Service(tmp_path).start()
    yield started
    assert started.stop() == 0


def test_two_hosts_are_captured_evaluated_and_stopped(service):
    mark = f"mark-{uuid.uuid4()}"
    stop = '{"name": "stoptraining", "training_job_prefix": "two-hosts"}'
    service.call(
        "CreateTrainingJob",
        **script_job(
            "two-hosts",
            "two_hosts.py",
            Environment={"MARK": mark},
            ResourceConfig={
                "InstanceType": "ml.m5.xlarge",
                "InstanceCount": 2,
                "VolumeSizeInGB": 30,
            },
            DebugHookConfig={
                "S3OutputPath": "s3://demo-bucket/out",
                "HookParameters": {"save_interval": "10", "include_workers": "all"},
                "CollectionConfigurations": [{"CollectionName": "gradients"}],
            },
            ProfilerConfig={"S3OutputPath": "s3://demo-bucket/out"},
            DebugRuleConfigurations=[
                debug_rule("VanishingGradient", threshold="0.0001", action_json=stop)
            ],
        ),
    )
    job = service.wait_until_over("two-hosts")
    logs = service.log_of("two-hosts") + service.log_of("two-hosts", "algo-2")
    assert job["TrainingJobStatus"] == "Stopped", json.dumps(job, indent=1) + logs
    assert job["DebugRuleEvaluationStatuses"][0]["RuleEvaluationStatus"] == "IssuesFound"
    wait_until_gone(mark)

    output = service.data / "s3/demo-bucket/out/two-hosts"
    assert len(workers_of(output / "debug-output")) == 2
    metrics = (output / "profiler-output/system").rglob("*.json")
    assert {path.name.split(".")[1] for path in metrics} == {"algo-1", "algo-2"}
