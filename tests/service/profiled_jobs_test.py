"""Jobs that are profiled and save no tensors: timelines of all hosts, and rules on them."""

import json
import re

import pytest
from serving import RULES_IMAGE, Service, script_job, wait_until

RULE = """
from smdebug.rules import Rule


class SeesTheProfile(Rule):
    def __init__(self, base_trial, least="1"):
        super().__init__(base_trial)
        self.least = int(least)

    def invoke_at_step(self, step):
        first = self.base_trial.first_timestamp
        samples = self.base_trial.get_system_metrics(first, 1 << 62)
        spans = self.base_trial.get_framework_metrics(0, 1 << 62)
        steps = [span for span in spans if span.event_phase == "Step:ModeKeys.TRAIN"]
        print(f"{len(samples)} samples, {len(steps)} steps")
        return bool(samples) and len(steps) >= self.least
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("service")).start()
    yield started
    assert started.stop() == 0


def profiled(name, **more):
    parameters = {"DetailedProfilingConfig": '{"StartStep": 5, "NumSteps": 1, }'}
    return script_job(
        name,
        "plain_train.py",
        ProfilerConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "ProfilingIntervalInMilliseconds": 100,
            "ProfilingParameters": more.pop("parameters", parameters),
        },
        **more,
    )


def rule(name, **parameters):
    return {
        "RuleConfigurationName": name,
        "RuleEvaluatorImage": RULES_IMAGE,
        "RuleParameters": parameters,
    }


def timelines(service, name):
    return sorted(
        (service.data / f"s3/demo-bucket/out/{name}/profiler-output/framework").rglob("*")
    )


def phases(path):
    events = json.loads(path.read_text())
    return {e["args"]["name"] for e in events if e["ph"] == "M" and "name" in e["args"]}


def test_rules_on_the_profile(service, tmp_path):
    (tmp_path / "own.py").write_text(RULE)
    service.call(
        "CreateTrainingJob",
        **profiled(
            "rules-1",
            ProfilerRuleConfigurations=[
                rule(
                    "mine",
                    source_s3_uri=f"file://{tmp_path}/own.py",
                    rule_to_invoke="SeesTheProfile",
                    least="15",
                ),
                # As the SDK names it for jobs with SageMaker Profiler.
                rule(
                    "DetailedProfilerProcessingJobConfig-2026",
                    rule_to_invoke="DetailedProfilerProcessing",
                ),
            ],
        ),
    )
    job = service.wait_until_over("rules-1")
    assert job["TrainingJobStatus"] == "Completed", service.log_of("rules-1")
    statuses = {
        one["RuleConfigurationName"]: (one["RuleEvaluationStatus"], one.get("StatusDetails"))
        for one in job["ProfilerRuleEvaluationStatuses"]
    }
    assert statuses["mine"][0] == "IssuesFound", statuses
    assert statuses["DetailedProfilerProcessingJobConfig-2026"][0] == "NoIssuesFound", statuses
    output = service.data / "s3/demo-bucket/out/rules-1"
    folder = output / "rule-output/DetailedProfilerProcessingJobConfig-2026/profiler-output"
    assert "aten::linear" in (folder / "profiler-report.html").read_text()
    assert not (output / "debug-output").exists(), "no tensors were asked for"


def test_hosts_have_their_names_and_stopped_jobs_whole_timelines(service):
    service.call(
        "CreateTrainingJob",
        **profiled(
            "hosts-1",
            parameters={"CPUProfilingDuration": "3600", "SMPFileRotationSecs": "600"},
            HyperParameters={"endless": ""},
            ResourceConfig={
                "InstanceType": "ml.m5.xlarge",
                "InstanceCount": 2,
                "VolumeSizeInGB": 30,
            },
        ),
    )

    def texts():
        written = [path for path in timelines(service, "hosts-1") if path.suffix == ".tmp"]
        return [path.read_text() for path in written]

    # Steps of both, and a section of operators of one.
    wait_until(
        lambda: sum("Step:ModeKeys.TRAIN" in text for text in texts()) == 2
        and any("cpu_functions" in text for text in texts()),
        lambda: service.log_of("hosts-1"),
    )
    service.call("StopTrainingJob", TrainingJobName="hosts-1")
    service.wait_until_over("hosts-1")
    found = [path for path in timelines(service, "hosts-1") if path.is_file()]
    assert [path.name for path in found if path.suffix == ".tmp"] == []
    names = {re.sub(r"^\d+_\d+", "T", path.name) for path in found if path.suffix == ".json"}
    assert names == {"T-algo-1_pythontimeline.json", "T-algo-2_pythontimeline.json"}
    for path in found:
        if path.suffix == ".json":
            assert "Step:ModeKeys.TRAIN" in phases(path)
    assert any("cpu_functions" in phases(path) for path in found if path.suffix == ".json")
