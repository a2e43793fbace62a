"""The parts of requests that SageMaker's guide shows: the service accepts each as it is printed."""

import urllib.request

import pytest
from manifest import FOLDER, fragment
from serving import script_job

BUCKET = "guide-requests"
VALUES = {"@BUCKET@": BUCKET}
# What the pages put together, in JSON and for boto3.
REQUESTS = {
    "rules-in-json": ["p639-1", "p804-2", "p805-1", "p806-1", "p807-1"],
    "own-rule-in-json": ["p808-1", "p806-2", "p929-2"],
    "rules-in-python": ["p812-1", "p812-2", "p813-1", "p815-1"],
    "own-rule-in-python": ["p816-1", "p814-1", "p930-1"],
}
OWN_RULE = b"""
from smdebug.rules.rule import Rule

class ImproperActivation(Rule):
    def __init__(self, base_trial, collection_names="relu"):
        super().__init__(base_trial)

    def invoke_at_step(self, step):
        return False
"""


def put(service, key="", body=b""):
    request = urllib.request.Request(
        f"{service.endpoint}/{BUCKET}/{key}".rstrip("/"),
        body,
        {"Authorization": f"Bearer {service.token()}"},
        method="PUT",
    )
    urllib.request.urlopen(request, timeout=120).close()


def job(name, script):
    program = {"sagemaker_program": str(FOLDER / "scripts" / script)}
    return script_job(f"guide-{name}", script) | {"HyperParameters": program}


@pytest.fixture(scope="module")
def jobs(service):
    """All of them, at work."""
    put(service)
    put(service, "custom_rules.py", OWN_RULE)
    for name, examples in REQUESTS.items():
        request = job(name, "quick.py")
        for example in examples:
            request |= fragment(example, **VALUES)
        service.call("CreateTrainingJob", **request)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_job_of_the_guides_parts(service, jobs, name):
    done = service.wait_until_over(f"guide-{name}")
    assert done["TrainingJobStatus"] == "Completed", done
    statuses = done["DebugRuleEvaluationStatuses"] + done["ProfilerRuleEvaluationStatuses"]
    assert len(statuses) == 2
    assert all(
        s["RuleEvaluationStatus"] in ("NoIssuesFound", "IssuesFound") for s in statuses
    ), done
    for example in REQUESTS[name]:
        for member, asked in fragment(example, **VALUES).items():
            told = done[member]
            if isinstance(asked, dict):
                assert asked.items() <= told.items(), member
            else:
                assert all(a.items() <= t.items() for a, t in zip(asked, told, strict=True)), member


def test_the_profiler_of_a_running_job_is_changed(service):
    name = "guide-changed"
    service.call("CreateTrainingJob", **job("changed", "endless.py"))
    service.wait_for(name, lambda job: job["SecondaryStatus"] == "Training")
    for example in ("p807-2", "p815-2"):
        service.call("UpdateTrainingJob", **fragment(example, **{"@JOB@": name}))
    told = service.describe(name)
    assert told["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] == 1000
    rules = [rule["RuleConfigurationName"] for rule in told["ProfilerRuleConfigurations"]]
    assert rules == ["Changed", "ChangedAgain"]
    service.call("StopTrainingJob", TrainingJobName=name)
