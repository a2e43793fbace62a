"""Scripts that annotate themselves with smprof, as the guide of SageMaker Profiler has them."""

import json
import sys
from pathlib import Path

import pytest
from timelines import of_phase, read
from training import run_script

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/guide"))
from manifest import code

BEGIN = """
import argparse, sys, time
import torch
try:
    import {module}
except ImportError:
    import smppy as smprof
import {module} as smprof
args, world_size = argparse.Namespace(epochs=2), 1
net, criterion = torch.nn.Linear(4, 3), torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
trainloader = [(torch.randn(8, 4), torch.randint(3, (8,))) for _ in range(3)]
SMProf = smprof.SMProfiler.instance()
config = smprof.Config()
config.profiler = {{
    "EnableCuda": "1",
}}
SMProf.configure(config)
"""


def loop_of(example):
    """What the guide has after its configuration, for a machine without a GPU."""
    return code(example).partition("SMProf.configure(config)\n")[2]


BLOCKS = loop_of("p845-2")
LINES = loop_of("p846-1")


def run(tmp_path, code, module="smprof", environment=None):
    chosen = {
        "TENSORWARDEN_PROFILER": str(tmp_path / "profiler"),
        "KINETO_LOG_LEVEL": "99",  # PyTorch's profiler reports that there is no GPU.
        **(environment or {}),
    }
    return run_script(BEGIN.format(module=module) + code, tmp_path, environment=chosen)


@pytest.mark.parametrize("module", ["smprof", "smppy"])
@pytest.mark.parametrize("loop", [BLOCKS, LINES])
def test_the_scripts_of_the_guide(tmp_path, module, loop):
    done = run(tmp_path, loop, module)
    assert done.stderr == ""
    marks = of_phase(read(tmp_path / "profiler"), "Annotation")
    steps = [mark for mark in marks if mark.name.startswith("step_")]
    assert [step.name for step in steps] == ["step_0", "step_1", "step_2"] * 2
    for step in steps:
        inside = [m for m in marks if m is not step and step.start <= m.start and m.end <= step.end]
        assert [mark.name for mark in inside] == ["Forward", "Loss", "Backward", "Optimizer"]


def test_the_training_is_on_the_timeline_too(tmp_path):
    run(tmp_path, BLOCKS)
    events = read(tmp_path / "profiler")
    assert len(of_phase(events, "Backward")) == 6
    assert [event.name for event in of_phase(events, "Optimizer")] == ["SGD"] * 6


@pytest.mark.parametrize("loop", [BLOCKS, LINES])
def test_operators_are_recorded(tmp_path, loop):
    run(tmp_path, "net(trainloader[0][0])\n" + loop + "net(trainloader[0][0])\n")
    operators = of_phase(read(tmp_path / "profiler"), "cpu_functions")
    assert [event.name for event in operators].count("aten::linear") == 6
    steps = {event.step for event in operators if event.name == "aten::linear"}
    assert steps == {0, 1, 2}, "the numbers that the annotations have"


def test_operators_without_a_stop(tmp_path):
    run(tmp_path, BLOCKS.replace("SMProf.stop_profiling()", ""))
    names = [event.name for event in of_phase(read(tmp_path / "profiler"), "cpu_functions")]
    assert names.count("aten::linear") == 6


def test_a_long_profile_is_written_in_sections(tmp_path):
    code = """
from tensorwarden.adapters.pytorch import profiling_operators
profiling_operators._SECTION_US = 1000
profiling_operators._MOST_WRITERS = 100  # However late they are.
starts = []
original = profiling_operators.OperatorProfiler._start
def start(self, *args):
    starts.append(1)
    original(self, *args)
profiling_operators.OperatorProfiler._start = start
"""
    slow = BLOCKS.replace("optimizer.zero_grad()", "optimizer.zero_grad(); time.sleep(0.05)")
    run(tmp_path, code + slow + "assert len(starts) > 3, starts\n")
    names = [event.name for event in of_phase(read(tmp_path / "profiler"), "cpu_functions")]
    assert names.count("aten::linear") >= 4


def test_another_profiler_comes_first(tmp_path):
    code = """
SMProf.start_profiling()
with torch.autograd.profiler.profile() as mine:
    net(trainloader[0][0])
SMProf.stop_profiling()
assert any(event.name == "aten::linear" for event in mine.function_events)
"""
    run(tmp_path, code)


def test_the_settings_of_the_sdk(tmp_path):
    """`Profiler(cpu_profiling_duration=...)` of the SageMaker SDK."""
    config = tmp_path / "config.json"
    parameters = {
        "CPUProfilingDuration": "3600",
        "SMPFileRotationSecs": "600",
        "LocalPath": str(tmp_path / "profiler"),
    }
    config.write_text(json.dumps({"ProfilingParameters": parameters}))
    chosen = {"SMPROFILER_CONFIG_PATH": str(config)}
    # Without annotations, the steps of a hook are recorded.
    code = """
import smdebug.pytorch as smd
hook = smd.Hook(out_dir=f"{sys.argv[1]}/run")
hook.register_module(net)
for inputs, labels in trainloader:
    criterion(net(inputs), labels).backward()
    optimizer.step()
hook.close()
"""
    run(tmp_path, code, environment=chosen)
    operators = of_phase(read(tmp_path / "profiler"), "cpu_functions")
    assert {event.step for event in operators} == {0, 1, 2}


def test_the_duration_limits_operators(tmp_path):
    config = tmp_path / "config.json"
    parameters = {"CPUProfilingDuration": "3600", "LocalPath": str(tmp_path / "profiler")}
    config.write_text(json.dumps({"ProfilingParameters": parameters}))
    # As if an hour had passed when the third step begins.
    code = """
from tensorwarden.adapters.pytorch import profiling_operators
def passes(step):
    if (epoch, step) == (0, 2):
        profiling_operators._operators._cpu_end_us -= 3_600_000_000
"""
    late = BLOCKS.replace("optimizer.zero_grad()", "optimizer.zero_grad(); passes(i)")
    run(tmp_path, code + late, environment={"SMPROFILER_CONFIG_PATH": str(config)})
    events = read(tmp_path / "profiler")
    assert len(of_phase(events, "Annotation")) == 30
    names = [event.name for event in of_phase(events, "cpu_functions")]
    assert 2 <= names.count("aten::linear") <= 3, "two steps of six, and what ends then"


def test_only_between_start_and_stop(tmp_path):
    run(
        tmp_path,
        """
@smprof.annotate("load")
def load(number):
    "Loads."
    return number + 1
assert load(1) == 2 and load.__doc__ == "Loads."
early = smprof.annotation_begin("early")
SMProf.stop_profiling()
for _ in range(2):
    SMProf.start_profiling()
    smprof.annotation_end(early)
    assert load(number=2) == 3
    try:
        with smprof.annotate("fails"):
            raise KeyError("of the script")
    except KeyError:
        pass
    end_twice = smprof.annotation_begin("lines \\ud800")
    smprof.annotation_end(end_twice)
    smprof.annotation_end(end_twice)
    SMProf.stop_profiling()
    SMProf.stop_profiling()
    load(1)
smprof.annotation_end(early)
""",
    )
    names = [event.name for event in of_phase(read(tmp_path / "profiler"), "Annotation")]
    assert names == ["load", "fails", "lines ?"] * 2


def test_where_a_configuration_file_says_where(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(f'{{"ProfilingParameters": {{"LocalPath": "{tmp_path}/Elsewhere"}}}}')
    run(tmp_path, BLOCKS, environment={"SMPROFILER_CONFIG_PATH": str(config)})
    assert not (tmp_path / "profiler").exists()
    assert len(of_phase(read(tmp_path / "Elsewhere"), "Annotation")) == 30


def test_a_configuration_that_is_none(tmp_path):
    done = run(
        tmp_path,
        """
for wrong in (None, 3, smprof.Config, {"profiler": {}}):
    try:
        SMProf.configure(wrong)
    except TypeError as error:
        assert "profiler" in str(error)
    else:
        raise AssertionError(wrong)
""",
    )
    assert done.stderr == ""
