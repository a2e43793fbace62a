"""Steps of Keras on the timeline, while profiling is on."""

import json

import pytest
from keras_training import compiled, data, fit

import smdebug.tensorflow as smd
from smdebug.profiler import LocalAlgorithmMetricsReader
from smdebug.profiler.profiler_config_parser import reset_profiler_config_parser
from tensorwarden.profiler.recording import session


@pytest.fixture
def configure(tmp_path, monkeypatch):
    """Turns profiling on, with these settings."""

    def write(**parts):
        config = tmp_path / "profilerconfig.json"
        parameters = {"LocalPath": str(tmp_path / "profiler"), **parts}
        config.write_text(json.dumps({"ProfilingParameters": parameters}))
        monkeypatch.setenv("SMPROFILER_CONFIG_PATH", str(config))
        monkeypatch.setattr(session, "_session", None)
        reset_profiler_config_parser()

    yield write
    reset_profiler_config_parser()


@pytest.fixture
def timeline(tmp_path, configure):
    """Turns profiling on; afterwards tells the events that were written."""
    configure(ProfilerEnabled=True)

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


def timelines_in(folder):
    return LocalAlgorithmMetricsReader(str(folder)).get_events(0, 1 << 62)


def test_operators_of_some_steps(tmp_path, configure, make_hook):
    configure(DetailedProfilingConfig='{"StartStep": 5, "NumSteps": 2, }')
    hook, model = make_hook(), compiled()
    fit(model, hook, epochs=4)  # Three steps each.
    hook.close()
    (trace,) = (tmp_path / "profiler").rglob("*.trace.json.gz")
    below = trace.relative_to(tmp_path / "profiler/framework/tensorflow/detailed_profiling")
    hour, step, *_ = below.parts
    assert len(hour) == 10 and step == "000000005"
    (metadata,) = trace.parents[3].glob("*.metadata")
    start, end = (int(part) for part in metadata.stem.split("_")[1:])
    operators = [e for e in timelines_in(tmp_path / "profiler") if e.event_phase == "/host:CPU"]
    assert len(operators) > 100
    assert all(start <= event.start_time <= end for event in operators)
    steps = [
        event
        for event in timelines_in(tmp_path / "profiler")
        if event.event_phase == "Step:ModeKeys.TRAIN" and event.event_args["step_num"] in "567"
    ]
    assert steps[0].start_time <= start + 1000 and end <= steps[2].end_time
    assert any("MatMul" in event.event_name for event in operators)


def test_data_loading_of_some_steps(tmp_path, configure, make_hook):
    configure(DataloaderProfilingConfig='{"StartStep": 2, "NumSteps": 2, "MetricsRegex": ".*"}')
    hook, model = make_hook(), compiled()
    fit(model, hook, epochs=3)
    hook.close()
    events = timelines_in(tmp_path / "profiler")
    waits = [event for event in events if event.event_phase == "DataIterator"]
    assert 1 <= len(waits) <= 4
    assert {event.event_phase for event in events} >= {"Dataset", "DataIterator"}
    assert not list((tmp_path / "profiler").rglob("*.trace.json.gz")), "details were not asked for"


def test_python_code_of_some_steps(tmp_path, configure, make_hook):
    configure(PythonProfilingConfig='{"StartStep": 2, "NumSteps": 2}')
    hook, model = make_hook(), compiled()
    fit(model, hook, epochs=2)
    hook.close()
    folders = (tmp_path / "profiler/framework/tensorflow/cprofile").glob("*/*")
    points = {tuple(part.rpartition("-")[0] for part in f.name.split("_")) for f in folders}
    assert points >= {
        ("prestepzero-*-start", "train-0-stepstart"),
        ("train-2-stepstart", "train-2-stepend"),
        ("train-2-stepend", "train-3-stepstart"),
        ("train-3-stepstart", "train-3-stepend"),
        ("train-3-stepend", "train-4-stepstart"),
    }
    assert not (tmp_path / "profiler/framework/pytorch").exists()


def test_the_script_profiles_itself(tmp_path, configure, make_hook):
    import tensorflow as tf

    configure(DetailedProfilingConfig='{"StartStep": 0, "NumSteps": 99}')
    hook, model = make_hook(), compiled()
    fit(model, hook)
    x, y = data()
    model.train_on_batch(x, y)
    with tf.profiler.experimental.Profile(str(tmp_path / "own")):
        fit(model, hook)
    assert list((tmp_path / "own").rglob("*.xplane.pb"))
    hook.close()


def test_annotated_scripts_record_operators(tmp_path, configure):
    import smprof

    configure()
    profiler = smprof.SMProfiler.instance()
    profiler.start_profiling()
    model = compiled()
    x, y = data()
    for step in range(2):
        with smprof.annotate(f"step_{step}"):
            model.train_on_batch(x, y)
    profiler.stop_profiling()
    session.get_session().close()
    operators = [e for e in timelines_in(tmp_path / "profiler") if e.event_phase == "/host:CPU"]
    assert any("MatMul" in event.event_name for event in operators)
