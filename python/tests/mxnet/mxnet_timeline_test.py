"""Steps on the profiler's timeline."""

import json

from gluon_training import run_script

PROFILED = """
import sys
import gluon_training as training
from mxnet import nd
smd = training.smd
hook = smd.Hook(sys.argv[1], save_config=training.EVERY_STEP)
net = training.make_net()
hook.set_mode(smd.modes.TRAIN)
training.train(hook, net, steps=3)
hook.set_mode(smd.modes.EVAL)
net(nd.ones((1, 8)))
hook.record_trace_events(1.0, "Mine", "mine")
hook.close()
"""


def test_steps_are_on_the_timeline(tmp_path):
    config = tmp_path / "profiler.json"
    settings = {"ProfilingParameters": {"ProfilerEnabled": True, "LocalPath": str(tmp_path / "p")}}
    config.write_text(json.dumps(settings))
    run_script(PROFILED, tmp_path / "run", environment={"SMPROFILER_CONFIG_PATH": str(config)})
    (path,) = (tmp_path / "p").rglob("*_pythontimeline.json")
    events = json.loads(path.read_text())
    spans = [event for event in events if event.get("ph") == "X"]
    names = [event["name"] for event in spans]
    assert names.count("Step:ModeKeys.TRAIN") == 3
    assert names.count("Step:ModeKeys.EVAL") == 1
    assert names.count("Initialization") == names.count("Finalization") == 1
    steps = [e["args"]["step_num"] for e in spans if e["name"] == "Step:ModeKeys.TRAIN"]
    assert [int(step) for step in steps] == [0, 1, 2]
    assert "mine" in names
