"""What the configuration classes refuse, and that they know all rules that there are."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tensorwarden import debugger
from tensorwarden.debugger import rule_configs
from tensorwarden.debugger.profiler_rules import ProfilerRuleConfig

ROOT = Path(__file__).resolve().parents[3]
WARDEN = os.environ.get("WARDEN", str(ROOT / "build/bin/warden"))


def test_every_rule_of_the_program_can_be_configured():
    done = subprocess.run([WARDEN, "rules", "--json"], capture_output=True, check=True)
    known = {rule["name"] for rule in json.loads(done.stdout)}
    configured = set()
    for name in rule_configs.__all__:
        thing = getattr(rule_configs, name)
        if isinstance(thing, type) and issubclass(thing, ProfilerRuleConfig):
            configured.add(thing().rule_parameters["rule_to_invoke"])
        elif name[0].islower() and name not in ("get_collection", "is_valid_action_object"):
            config = thing()["DebugRuleConfiguration"]
            configured.add(config["RuleParameters"]["rule_to_invoke"])
    assert configured == known


@pytest.mark.parametrize(
    "make",
    [
        lambda: rule_configs.BatchSize(cpu_threshold_p95=101),
        lambda: rule_configs.BatchSize(patience=0),
        lambda: rule_configs.BatchSize(window="many"),
        lambda: rule_configs.StepOutlier(mode=3),
        lambda: rule_configs.ProfilerReport(nothing_at=1),
        lambda: rule_configs.ProfilerReport(BatchSize=1),
        lambda: rule_configs.ProfilerReport(BatchSize_window=-1),
        lambda: rule_configs.StopTraining('a"b'),
        lambda: rule_configs.StopTraining(""),
        lambda: rule_configs.Email("nobody"),
        lambda: rule_configs.Email('a"@b.c'),
        lambda: rule_configs.SMS("0800"),
        lambda: rule_configs.SMS(None),
        lambda: debugger.DetailedProfilingConfig(start_step=1, duration=3),
        lambda: debugger.DetailedProfilingConfig(start_step=-1),
        lambda: debugger.DetailedProfilingConfig(num_steps=0),
        lambda: debugger.DetailedProfilingConfig(start_step=1.5),
        lambda: debugger.DetailedProfilingConfig(profile_default_steps=1),
        lambda: debugger.DataloaderProfilingConfig(metrics_regex="("),
        lambda: debugger.PythonProfilingConfig(python_profiler="cprofile"),
        lambda: debugger.FrameworkProfile(local_path=3),
        lambda: debugger.FrameworkProfile(file_max_size=0),
        lambda: debugger.ProfilerConfig(framework_profile_params={}),
        lambda: debugger.ProfilerConfig(
            None, None, debugger.FrameworkProfile(), debugger.Profiler()
        ),
        lambda: debugger.Rule.custom("r", "i", "t", 1, source="x.py"),
        lambda: debugger.Rule.sagemaker(
            rule_configs.overfit(), rule_parameters={"rule_to_invoke": "x"}
        ),
    ],
)
def test_values_that_make_no_sense_are_refused(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: rule_configs.BatchSize(nothing=1),
        lambda: rule_configs.OverallSystemUsage(1, 2),
        lambda: rule_configs.ActionList("stop"),
        lambda: debugger.Rule.sagemaker(rule_configs.overfit(), actions="stop"),
    ],
)
def test_things_that_are_something_else_are_refused(make):
    with pytest.raises(TypeError):
        make()


def test_a_configuration_is_its_own():
    first = rule_configs.vanishing_gradient()
    first["CollectionConfigurations"][0]["CollectionParameters"]["save_interval"] = "1"
    second = rule_configs.vanishing_gradient()
    assert second["CollectionConfigurations"][0]["CollectionParameters"] == {"save_interval": "500"}
    rule_configs.get_collection("gradients")["CollectionParameters"].clear()
    assert rule_configs.get_collection("gradients")["CollectionParameters"]


def test_collections_are_equal_by_what_they_say():
    make = debugger.CollectionConfig
    assert make("a", {"x": "1"}) == make("a", {"x": "1"})
    assert make("a", {"x": "1"}) != make("a", {"x": "2"})
    assert make("a") != "a"
    assert len({make("a", {"x": "1"}), make("a", {"x": "1"}), make("a")}) == 2


def test_profiler_rules_as_a_tutorial_writes_them():
    rule = debugger.Rule.sagemaker(
        rule_configs.low_gpu_utilization(), rule_parameters={"threshold": 70, "patience": 5}
    )
    assert isinstance(rule, debugger.ProfilerRule)
    request = rule.to_request_dict()
    assert request["RuleConfigurationName"] == "LowGPUUtilization"
    assert request["RuleParameters"]["threshold"] == "70"
    assert request["RuleParameters"]["patience"] == "5"
    for helper in ("cpu_bottleneck", "io_bottleneck", "overallsystem_usage"):
        made = debugger.Rule.sagemaker(getattr(rule_configs, helper)())
        assert made.to_request_dict()["RuleParameters"]["rule_to_invoke"] == made.name
