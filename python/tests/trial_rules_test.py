"""Rules of the user's own, and what is done when they find something."""

from __future__ import annotations

import json
import sys
import threading
import time
import types

import pytest

from smdebug.exceptions import (
    NoMoreData,
    NoMoreProfilerData,
    RuleEvaluationConditionMet,
    StepUnavailable,
    TensorUnavailable,
)
from smdebug.rules import RequiredTensors, Rule, invoke_rule
from smdebug.rules.action.action import Actions
from smdebug.rules.action.message_action import MessageAction
from smdebug.rules.action.stop_training_action import StopTrainingAction
from smdebug.trials import create_trial


class Watcher(Rule):
    """Remembers the steps it was asked about; finds those of a given list."""

    def __init__(self, base_trial, wrong=(), **kwargs):
        super().__init__(base_trial, **kwargs)
        self.wrong = wrong
        self.seen = []

    def invoke_at_step(self, step):
        assert not self.base_trial.dynamic_refresh
        self.seen.append(step)
        return step in self.wrong


@pytest.fixture
def trial(run):
    run.manifests(collections={"gradients": ([], ["^gradient"])})
    for step in (0, 2, 3, 6):
        run.step(step, {"gradient/w": float(step), "loss": 1})
    return create_trial(str(run.end().folder))


def test_visits_saved_steps_and_ends_with_no_more_data(trial):
    rule = Watcher(trial)
    with pytest.raises(NoMoreData) as caught:
        invoke_rule(rule)
    assert rule.seen == [0, 2, 3, 6]
    assert (caught.value.step, caught.value.last_step) == (7, 6)
    assert trial.dynamic_refresh
    rule = Watcher(trial)
    invoke_rule(rule, start_step=1, end_step=6)
    assert rule.seen == [2, 3]


def test_conditions(trial):
    rule = Watcher(trial, wrong=[2, 3])
    invoke_rule(rule, end_step=7)
    assert rule.seen == [0, 2, 3, 6]
    with pytest.raises(RuleEvaluationConditionMet) as caught:
        invoke_rule(Watcher(trial, wrong=[2]), end_step=7, raise_eval_cond=True)
    error = caught.value
    assert (error.rule_name, error.step, error.end_of_rule) == ("Watcher", 2, False)
    assert trial.dynamic_refresh


def test_a_rule_may_end_itself(trial):
    class Once(Watcher):
        def invoke_at_step(self, step):
            super().invoke_at_step(step)
            raise RuleEvaluationConditionMet("other name", step, end_of_rule=True)

    rule = Once(trial)
    invoke_rule(rule)
    assert rule.seen == [0]
    with pytest.raises(RuleEvaluationConditionMet, match="other name"):
        invoke_rule(Once(trial), raise_eval_cond=True)


def test_profiler_rules_override_invoke(trial):
    class Profiler(Watcher):
        def invoke(self, step):
            self.seen.append(step)
            if step == 3:
                raise NoMoreProfilerData(7)

    rule = Profiler(trial)
    invoke_rule(rule)
    assert rule.seen == [0, 1, 2, 3]


def test_the_documented_rule(trial):
    # As the guide has it.
    from smdebug.rules.rule import Rule

    class CustomGradientRule(Rule):
        def __init__(self, base_trial, threshold=10.0):
            super().__init__(base_trial)
            self.threshold = float(threshold)

        def invoke_at_step(self, step):
            for tname in self.base_trial.tensor_names(collection="gradients"):
                t = self.base_trial.tensor(tname)
                abs_mean = t.reduction_value(step, "mean", abs=True)
                if abs_mean > self.threshold:
                    return True
            return False

    with pytest.raises(RuleEvaluationConditionMet) as caught:
        invoke_rule(CustomGradientRule(trial, threshold="2.5"), raise_eval_cond=True)
    assert caught.value.step == 3
    with pytest.raises(NoMoreData):
        invoke_rule(CustomGradientRule(trial), raise_eval_cond=True)


def test_the_documented_analysis(golden, capsys):
    import numpy as np

    # As a tutorial has it, but for the place of the run and the names of its layers.
    trial = create_trial(str(golden / "pt_cnn_mixed/trial"))
    print("Available tensors:")
    for name in trial.tensor_names()[:20]:
        print(f"  {name}")

    loss_tensor = trial.tensor("CrossEntropyLoss_output_0")
    steps = loss_tensor.steps()
    print(f"\nLoss values across {len(steps)} steps:")
    for step in steps[::10]:
        value = loss_tensor.value(step)
        print(f"  Step {step}: {value:.6f}")

    weight_tensor = trial.tensor("SmallCNN_conv1.weight")
    for step in weight_tensor.steps()[-5:]:
        values = weight_tensor.value(step)
        print(f"Step {step}:")
        print(f"  Mean: {np.mean(values):.8f}")
        print(f"  Std:  {np.std(values):.8f}")
        print(f"  Max:  {np.max(np.abs(values)):.8f}")
    assert "Step 0: 2.3" in capsys.readouterr().out


def test_a_rule_over_a_live_run(run):
    run.manifests()

    def write():
        for step in range(20):
            run.step(step, {"loss": float(step)})
            time.sleep(0.005)

    writer = threading.Thread(target=write)
    writer.start()

    class TooLarge(Rule):
        def __init__(self, base_trial, other_trials=None):
            super().__init__(base_trial, other_trials=other_trials)

        def invoke_at_step(self, step):
            return self.base_trial.tensor("loss").value(step) > 10

    with pytest.raises(RuleEvaluationConditionMet) as caught:
        invoke_rule(TooLarge(create_trial(str(run.folder))), raise_eval_cond=True)
    assert caught.value.step == 11
    writer.join()


def test_attributes(trial):
    rule = Watcher(trial)
    assert (rule.base_trial, rule.other_trials, rule.trials) == (trial, None, [trial])
    assert rule.rule_name == "Watcher"
    assert rule.report == {
        "RuleTriggered": 0,
        "Violations": 0,
        "Details": {},
        "Datapoints": 0,
        "RuleParameters": "",
    }
    assert isinstance(rule.req_tensors, RequiredTensors)
    other = create_trial(trial.path, name="other")
    assert Watcher(trial, action_str="", other_trials=[other]).trials == [trial, other]
    with pytest.raises(TypeError):
        Rule(trial)


def test_required_tensors(trial):
    other = create_trial(trial.path, name="other")
    required = RequiredTensors(trial, [other])
    steps = [0]
    required.add("loss", steps)
    required.add("loss", [2])
    assert steps == [0, 2]  # The list is kept.
    assert list(required.get_names()) == ["loss"]
    assert [tensor.name for tensor in required.get()] == ["loss"]
    assert required.get_tensor_steps("loss") == [0, 2]
    assert list(required.get_names(other)) == []
    required.add("^gr", [3], trial=other, should_match_regex=True)
    assert list(required.get_names(trial=other)) == ["gradient/w"]
    required.fetch()
    with pytest.raises(KeyError):
        required.get_tensor_steps("nope")
    with pytest.raises(TensorUnavailable):
        required.add("nope", [0])
    required.add("gradient/w", [1])
    with pytest.raises(StepUnavailable):
        required.fetch()
    required.clear()
    assert not required.get()
    assert not required.get(other)


def test_required_tensors_of_a_rule(trial):
    class Needy(Watcher):
        def set_required_tensors(self, step):
            self.req_tensors.add("loss", [step])

    rule = Needy(trial)
    invoke_rule(rule, end_step=7)
    assert rule.seen == [0, 2, 3, 6]
    assert rule.req_tensors.get_tensor_steps("loss") == [6]


class FakeAws:
    """Answers as the services would, and remembers what it was asked."""

    def __init__(self, jobs=()):
        self.jobs = jobs
        self.calls = []

    def client(self, service, region_name):
        self.calls.append(("client", service, region_name))
        return self

    def __getattr__(self, name):
        def call(**request):
            self.calls.append((name, request))
            return {
                "list_training_jobs": {
                    "TrainingJobSummaries": [{"TrainingJobName": job} for job in self.jobs]
                },
                "create_topic": {"TopicArn": "arn:topic"},
            }.get(name, {})

        return call

    def asked(self, name):
        return [request for called, *request in self.calls if called == name]


@pytest.fixture
def aws(monkeypatch):
    fake = FakeAws()
    monkeypatch.setitem(sys.modules, "boto3", types.SimpleNamespace(client=fake.client))
    return fake


STOP = json.dumps({"name": "StopTraining", "training_job_prefix": "My-Job"})


@pytest.mark.parametrize(
    ("jobs", "stopped"),
    [(["My-Job-1", "not-My-Job"], ["My-Job-1"]), ([], []), (["My-Job-1", "My-Job-2"], [])],
)
def test_stop_training(trial, aws, jobs, stopped):
    aws.jobs = jobs
    rule = Watcher(trial, wrong=[2], action_str=STOP)
    assert not aws.asked("stop_training_job")
    invoke_rule(rule, end_step=4)
    assert aws.asked("stop_training_job") == [[{"TrainingJobName": job}] for job in stopped]


def test_messages(trial, aws):
    wanted = [{"name": "email", "endpoint": "me@x.org"}, {"name": "SMS", "endpoint": "+1 5"}]
    invoke_rule(Watcher(trial, wrong=[0], action_str=json.dumps(wanted)), end_step=1)
    assert {"Name": "SMDebugRules"} in aws.asked("create_topic")[0]
    assert [asked[0]["Endpoint"] for asked in aws.asked("subscribe")] == ["me@x.org", "+1 5"]
    assert len(aws.asked("publish")) == 2


def test_actions_that_cannot_be(aws):
    unusable = [{"name": "dance"}, {"name": "email"}, 3, {"training_job_prefix": "x"}, {}]
    Actions(json.dumps(unusable), "rule").invoke("x")
    for nothing in (None, "", "  ", "[]"):
        Actions(nothing, "rule").invoke("x")
    assert not aws.calls
    with pytest.raises(ValueError, match=r"(?i)expecting"):
        Actions("{not json", "rule")


def test_actions_without_boto3(monkeypatch):
    monkeypatch.setitem(sys.modules, "boto3", None)
    StopTrainingAction("rule", "job").invoke("x")
    MessageAction("rule", "sms", "+1").invoke("x")
