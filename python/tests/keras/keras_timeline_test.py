"""Steps of Keras on the timeline, while profiling is on."""

import json

import pytest
from keras_training import compiled, data, fit

import smdebug.tensorflow as smd
from tensorwarden.profiler.recording import session


@pytest.fixture
def timeline(tmp_path, monkeypatch):
    """Turns profiling on; afterwards tells the events that were written."""
    config = tmp_path / "profilerconfig.json"
    config.write_text(
        json.dumps(
            {
                "ProfilingParameters": {
                    "ProfilerEnabled": True,
                    "LocalPath": str(tmp_path / "profiler"),
                }
            }
        )
    )
    monkeypatch.setenv("SMPROFILER_CONFIG_PATH", str(config))
    monkeypatch.setattr(session, "_session", None)

    def events():
        found = []
        for file in (tmp_path / "profiler").rglob("*.json"):
            found += json.loads(file.read_text())
        return [event for event in found if event.get("ph") == "X"]

    return events


def test_batches_of_all_modes(timeline, make_hook):
    hook, model = make_hook(), compiled()
    x, y = data()
    fit(model, hook)
    model.evaluate(x, y, verbose=0, batch_size=6, callbacks=[hook])
    model.predict(x, verbose=0, callbacks=[hook])
    with hook.profiler(smd.modes.GLOBAL):
        pass
    hook.profiling_end()
    hook.close()
    names = [event["name"] for event in timeline()]
    assert names.count("Initialization") == 1
    counts = {mode: names.count(f"Step:ModeKeys.{mode}") for mode in ("TRAIN", "EVAL", "PREDICT")}
    assert counts == {"TRAIN": 3, "EVAL": 2, "PREDICT": 1}
    assert names.count("Step:ModeKeys.GLOBAL") == 1


def test_it_goes_on_when_capture_has_failed(timeline, make_hook, monkeypatch):
    hook = make_hook(save_all=True)
    monkeypatch.setattr(hook, "_save_metrics", lambda *_: 1 / 0)
    fit(compiled(), hook)
    assert hook.disabled
    hook.close()
    names = [event["name"] for event in timeline()]
    assert names.count("Step:ModeKeys.TRAIN") == 3
