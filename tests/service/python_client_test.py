"""tensorwarden.Client trains on a real service."""

import pytest
from serving import Service

from tensorwarden import Client
from tensorwarden.client import ServiceError
from tensorwarden.debugger import (
    CollectionConfig,
    DebuggerHookConfig,
    ProfilerConfig,
    ProfilerRule,
    Rule,
    rule_configs,
)

TRAIN = """
import argparse, os, time
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--depth", type=int)
parser.add_argument("--steps", type=int)
given = parser.parse_args()
print("training", given.depth, os.environ.get("GREETING"), flush=True)
torch.manual_seed(0)
layers = [nn.Linear(4, 16)]
for _ in range(given.depth):
    layers += [nn.Sigmoid(), nn.Linear(16, 16)]
model, criterion = nn.Sequential(*layers), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(given.steps):
    optimizer.zero_grad()
    criterion(model(torch.randn(8, 4)), torch.randint(16, (8,))).backward()
    optimizer.step()
    time.sleep(0.01)
print("trained", flush=True)
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    started = Service(tmp_path_factory.mktemp("client")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def client(service):
    return Client(service.endpoint, service.token())


@pytest.fixture
def script(tmp_path):
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path / "train.py"


def test_a_script_trains_and_is_evaluated_and_stopped(client, script):
    job = client.train(
        script,
        hyperparameters={"depth": 12, "steps": 100000},
        environment={"GREETING": "hello"},
        rules=[
            Rule.sagemaker(
                rule_configs.vanishing_gradient(),
                collections_to_save=[CollectionConfig("gradients", {"save_interval": "5"})],
                actions=rule_configs.ActionList(rule_configs.StopTraining()),
            )
        ],
    )
    assert job.debug_output == f"s3://warden-jobs/{job.name}/debug-output"
    described = job.wait(rules=True, timeout=300)
    assert described["TrainingJobStatus"] == "Stopped"
    assert [rule["RuleEvaluationStatus"] for rule in job.rules()] == ["IssuesFound"]
    lines = [line.text for line in job.logs()]
    assert "training 12 hello" in lines
    assert {line.host for line in job.logs()} == {"algo-1"}


def test_a_script_trains_to_its_end(client, service, script, monkeypatch):
    monkeypatch.setenv("WARDEN_TOKEN_FILE", str(service.data / "token"))
    near = Client(service.endpoint)
    job = near.train(
        "train.py",
        source_dir=script.parent,
        name="to-the-end",
        hyperparameters={"depth": 1, "steps": 20},
        hook=DebuggerHookConfig(collection_configs=[CollectionConfig("losses")]),
        profiler=ProfilerConfig(system_monitor_interval_millis=100),
        rules=[ProfilerRule.sagemaker(rule_configs.OverallSystemUsage())],
    )
    texts = [line.text for line in job.logs(follow=True)]
    assert texts[-1] == "trained" or "trained" in texts
    assert job.wait(rules=True, timeout=300)["TrainingJobStatus"] == "Completed"
    assert job.debug_folder is not None
    assert (job.debug_folder / "collections").is_dir()
    assert [found["TrainingJobName"] for found in client.jobs(NameContains="to-the-e")] == [
        "to-the-end"
    ]
    assert client.job("to-the-end").status == "Completed"
    job.delete()
    with pytest.raises(ServiceError):
        client.job("to-the-end")


def test_errors_are_the_services(client, script):
    with pytest.raises(ServiceError) as error:
        client.job("no-such-job")
    assert error.value.code == "ValidationException"
    assert error.value.status == 400
    with pytest.raises(ServiceError, match="ValidationException"):
        client.train(script, name="not a name")


def test_a_wrong_token_is_refused(service):
    with pytest.raises(ServiceError) as error:
        Client(service.endpoint, "0" * 64).job("x")
    assert error.value.status in (400, 403)


def test_waiting_ends(client, script):
    job = client.train(script, hyperparameters={"depth": 1, "steps": 100000}, hook=False)
    with pytest.raises(TimeoutError, match=job.name):
        job.wait(timeout=0.1)
    assert job.debug_output is None
    job.stop()
    assert job.wait(timeout=300)["TrainingJobStatus"] == "Stopped"
