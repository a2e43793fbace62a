"""Jobs that are profiled and save no tensors: the two do not depend on each other."""

import json

import pytest
from timelines import of_phase, read
from training import run_script

SCRIPT = """
import sys
import torch
from tensorwarden import auto
auto.install("torch")
net, loss = torch.nn.Linear(4, 3), torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    if step == 3 and len(sys.argv) > 2:
        import os, time
        os.replace(sys.argv[2], os.environ["SMPROFILER_CONFIG_PATH"])
        time.sleep(0.2)
    optimizer.zero_grad()
    loss(net(torch.randn(8, 4)), torch.randint(3, (8,))).backward()
    optimizer.step()
"""


@pytest.fixture
def run(tmp_path):
    """Runs the script in a job without a configuration of the hook."""
    config = tmp_path / "config"
    config.mkdir()

    def start(*arguments):
        environment = {
            "TRAINING_JOB_NAME": "demo",
            "SMDEBUG_CONFIG_FILE_PATH": str(config / "debughookconfig.json"),
            "SMPROFILER_CONFIG_PATH": str(config / "profilerconfig.json"),
            "KINETO_LOG_LEVEL": "99",
        }
        return run_script(SCRIPT, tmp_path, *arguments, environment=environment)

    return start


def profiled(tmp_path):
    parameters = {
        "LocalPath": str(tmp_path / "profiler"),
        "DetailedProfilingConfig": '{"StartStep": 5, "NumSteps": 1, }',
    }
    return json.dumps({"ProfilingParameters": parameters})


def test_steps_and_operators_are_recorded(tmp_path, run):
    (tmp_path / "config/profilerconfig.json").write_text(profiled(tmp_path))
    assert run().stderr == ""
    events = read(tmp_path / "profiler")
    assert len(of_phase(events, "Step:ModeKeys.TRAIN")) == 8
    assert len(of_phase(events, "Forward")) == 8
    assert {event.step for event in of_phase(events, "cpu_functions")} == {5}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config", "profiler"]
    assert [path.name for path in (tmp_path / "config").iterdir()] == ["profilerconfig.json"]


def test_profiling_that_is_turned_on_later(tmp_path, run):
    (tmp_path / "config/profilerconfig.json").write_text("{}")
    later = tmp_path / "later.json"
    later.write_text(profiled(tmp_path))
    run(later)
    steps = of_phase(read(tmp_path / "profiler"), "Step:ModeKeys.TRAIN")
    assert 3 <= len(steps) <= 5


def test_neither_tensors_nor_profile(tmp_path, run):
    assert run().stderr == ""
    assert list((tmp_path / "config").iterdir()) == []
    assert not (tmp_path / "profiler").exists()
