"""One service that runs jobs on its own machine and in Slurm, and rules as jobs in Slurm."""

import json
import uuid
from pathlib import Path

import pytest
from serving import Service, debug_rule, script_job, wait_until, wait_until_gone

HERE = {"InstanceType": "ml.t3.medium", "InstanceCount": 1, "VolumeSizeInGB": 1}
LOCAL = {"instance_types": ["ml.t3.*"], "launcher": "local", "jobs_at_once": 1}


@pytest.fixture
def service_with(cluster, tmp_path, monkeypatch):
    """Starts a service with such a slurm.json."""
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    started = []

    def start(**config) -> Service:
        (tmp_path / "data").mkdir(mode=0o700)
        (tmp_path / "data/slurm.json").write_text(json.dumps(config))
        options = ("--launcher", "slurm", "--stop-grace", "5")
        started.append(Service(tmp_path, *options).start())
        return started[0]

    yield start
    for service in started:
        assert service.stop() == 0, service.log.read_text()[-5000:]


def held_job(name: str, mark: str, **more) -> dict:
    """A job that waits for Service.release, then ends."""
    return script_job(name, "held.py", Environment={"HELD": "quick.py", "MARK": mark}, **more)


def learns_nothing(name: str, mark: str, *rules: dict) -> dict:
    return script_job(
        name,
        "vanishing.py",
        Environment={"MARK": mark},
        DebugHookConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "HookParameters": {"save_interval": "10"},
            "CollectionConfigurations": [{"CollectionName": "gradients"}],
        },
        DebugRuleConfigurations=list(rules),
    )


def folder_of_rule(service: Service, job: str) -> Path:
    """Of the agent of the job's only rule."""
    rules = service.data / "jobs" / job / "rules"
    wait_until(lambda: rules.exists() and list(rules.iterdir()))
    (folder,) = rules.iterdir()
    return folder


def slurm_id(folder: Path) -> str:
    """Of the job in Slurm that has such a folder."""

    def noted() -> str:
        try:
            return json.loads((folder / "slurm.json").read_text())["id"]
        except FileNotFoundError:
            return ""

    wait_until(noted)
    return noted()


def rule_of(job: dict) -> dict:
    (rule,) = job["DebugRuleEvaluationStatuses"]
    return rule


def test_jobs_run_here_and_in_slurm_by_their_instance_type(service_with, cluster):
    service = service_with(queues=[LOCAL, {"cpus": 1}])
    mark = f"mark-{uuid.uuid4()}"
    service.call("CreateTrainingJob", **held_job("here", mark, ResourceConfig=HERE))
    service.call("CreateTrainingJob", **held_job("there", mark))
    service.call("CreateTrainingJob", **held_job("next", mark, ResourceConfig=HERE))
    number = slurm_id(service.data / "jobs/there")
    cluster.wait(number, "RUNNING")
    for name in ("here", "there"):
        service.wait_for(name, lambda job: job["SecondaryStatus"] == "Training")

    def waits(job: dict) -> bool:
        message = job["SecondaryStatusTransitions"][-1]["StatusMessage"]
        return message == "Waiting for 1 running jobs to end"

    service.wait_for("next", waits)
    # A started job stays where it is, whatever becomes of service and configuration.
    service.kill()
    (service.data / "slurm.json").write_text(
        json.dumps({"queues": [{"instance_types": ["ml.m5.*"], "launcher": "local"}, {"cpus": 1}]})
    )
    service.start()
    for name in ("here", "there", "next"):
        service.release(name)
        assert service.wait_until_over(name)["TrainingJobStatus"] == "Completed", name
    assert cluster.wait(number)["JobState"] == "COMPLETED"
    assert not (service.data / "jobs/here/slurm.json").exists()
    # This one had not begun, and the new configuration sends it to the cluster.
    assert cluster.wait(slurm_id(service.data / "jobs/next"))["JobState"] == "COMPLETED"
    wait_until_gone(mark)


def test_a_rule_is_a_job_in_slurm_that_the_next_service_finds(service_with, cluster):
    service = service_with(queues=[{"cpus": 1}], rules={"cpus": 1, "options": ["--nice=5"]})
    mark = f"mark-{uuid.uuid4()}"
    rule = debug_rule(
        "VanishingGradient", threshold="0.0001", action_json='[{"name": "stoptraining"}]'
    )
    service.call("CreateTrainingJob", **learns_nothing("judged", mark, rule))
    folder = folder_of_rule(service, "judged")
    service.kill()
    service.start()
    number = slurm_id(folder)
    told = service.wait_until_over("judged")
    log = service.log_of("judged")
    assert told["TrainingJobStatus"] == "Stopped", json.dumps(told, indent=1) + log
    assert rule_of(told)["RuleEvaluationStatus"] == "IssuesFound", json.dumps(told, indent=1)
    assert slurm_id(folder) == number, "it was submitted twice"
    shown = cluster.wait(number)
    assert (shown["JobState"], shown["Nice"]) == ("COMPLETED", "5")
    assert shown["JobName"].startswith(f"warden-{folder.name}-")
    assert "rule VanishingGradient checks job judged" in "".join(
        path.read_text() for path in (folder / "log").iterdir()
    )
    wait_until_gone(mark)


def test_a_canceled_rule_says_so_and_the_training_continues(service_with, cluster):
    service = service_with(queues=[{"cpus": 1}], rules={"cpus": 1})
    mark = f"mark-{uuid.uuid4()}"
    service.call(
        "CreateTrainingJob", **learns_nothing("unjudged", mark, debug_rule("ExplodingTensor"))
    )
    number = slurm_id(folder_of_rule(service, "unjudged"))
    cluster.wait(number, "RUNNING")
    service.kill()
    cluster.command("scancel", number)
    cluster.wait(number)
    service.start()
    told = service.wait_for(
        "unjudged", lambda job: rule_of(job)["RuleEvaluationStatus"] != "InProgress"
    )
    assert rule_of(told)["RuleEvaluationStatus"] == "Error"
    expected = f"canceled in Slurm: Slurm job {number} of the rule ended with CANCELLED"
    assert rule_of(told)["StatusDetails"] == f"InternalServerError: {expected}"
    assert told["SecondaryStatus"] == "Training"
    service.call("StopTrainingJob", TrainingJobName="unjudged")
    assert service.wait_until_over("unjudged")["TrainingJobStatus"] == "Stopped"
    wait_until_gone(mark)


def test_rules_are_stopped_where_they_run_or_wait(service_with, cluster):
    service = service_with(
        queues=[{"options": ["--nodelist=node1"]}], rules={"options": ["--nodelist=node2"]}
    )
    mark = f"mark-{uuid.uuid4()}"
    for name, wanted in (("runs", "RUNNING"), ("waits", "PENDING")):
        blocker = ""
        if wanted == "PENDING":
            blocker = cluster.submit("sleep 600", "--exclusive", "--nodelist=node2")
            cluster.wait(blocker, "RUNNING")
        job = learns_nothing(name, mark, debug_rule("ExplodingTensor"))
        service.call("CreateTrainingJob", **job)
        folder = folder_of_rule(service, name)
        number = slurm_id(folder)
        cluster.wait(number, wanted)
        if wanted == "RUNNING":
            wait_until((folder / "state.json").exists)
        service.call("StopProcessingJob", ProcessingJobName=folder.name)
        told = service.wait_for(
            name, lambda job: rule_of(job)["RuleEvaluationStatus"] not in ("InProgress", "Stopping")
        )
        assert rule_of(told)["RuleEvaluationStatus"] == "Stopped", json.dumps(told, indent=1)
        ended = "COMPLETED" if wanted == "RUNNING" else "CANCELLED"
        assert cluster.wait(number)["JobState"] == ended
        service.call("StopTrainingJob", TrainingJobName=name)
        assert service.wait_until_over(name)["TrainingJobStatus"] == "Stopped"
        if blocker:
            cluster.command("scancel", blocker)
            cluster.wait(blocker)
    wait_until_gone(mark)


def test_a_rule_whose_node_fails_begins_again_on_another(service_with, cluster):
    service = service_with(
        queues=[{"options": ["--nodelist=node1"]}], rules={"options": ["--exclude=node1"]}
    )
    mark = f"mark-{uuid.uuid4()}"
    rule = debug_rule("ExplodingTensor")
    service.call("CreateTrainingJob", **learns_nothing("moved", mark, rule))
    folder = folder_of_rule(service, "moved")
    number = slurm_id(folder)
    node = cluster.wait(number, "RUNNING")["NodeList"]
    wait_until((folder / "state.json").exists)
    cluster.kill_node(node)
    try:
        cluster.command("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=test")
        wait_until(lambda: slurm_id(folder) != number)
        again = slurm_id(folder)
        assert cluster.wait(number)["JobState"] == "NODE_FAIL"
        assert cluster.wait(again, "RUNNING")["NodeList"] != node
        saved = service.data / "s3/demo-bucket/out/moved/debug-output/index"
        wait_until(lambda: list(saved.rglob("*.json")))
        service.call("StopTrainingJob", TrainingJobName="moved")
        told = service.wait_until_over("moved")
        assert rule_of(told)["RuleEvaluationStatus"] == "NoIssuesFound", json.dumps(told, indent=1)
    finally:
        cluster.start_node(node)
        cluster.command("scontrol", "update", f"NodeName={node}", "State=RESUME")
    wait_until_gone(mark)
