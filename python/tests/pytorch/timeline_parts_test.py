"""What is profiled in some steps only: operators, Python code, data loaders."""

import re

import pytest
from timelines import of_phase, read, run

from smdebug.profiler import LocalAlgorithmMetricsReader

TRAINING = """
plain = losses_of(None)
hook = make_hook()
assert losses_of(hook, steps=10) == plain
hook.close()
"""


def cprofile(folder):
    return sorted(path.name for path in folder.glob("profiler/framework/pytorch/cprofile/*/*"))


def test_operators_of_some_steps(tmp_path):
    done = run(
        tmp_path, "configure(DetailedProfilingConfig={'StartStep': 5, 'NumSteps': 2})" + TRAINING
    )
    assert done.stderr == ""
    events = read(tmp_path / "profiler")
    operators = of_phase(events, "cpu_functions")
    assert {event.step for event in operators} == {5, 6}
    for number in (5, 6):
        (step,) = (e for e in of_phase(events, "Step:ModeKeys.TRAIN") if e.step == number)
        of_step = [event for event in operators if event.step == number]
        names = [event.name for event in of_step]
        assert names.count("aten::linear") == 2
        assert "aten::relu" in names
        assert any("Backward" in name for name in names)
        for event in of_step:
            assert event.args["device"] == "cpu"
            assert isinstance(event.args["tid"], int)
            assert step.start <= event.start
            assert event.end <= step.end + 1000


def test_operators_by_time(tmp_path):
    run(
        tmp_path,
        """
configure(DetailedProfilingConfig={"StartTimeInSecSinceEpoch": time.time() - 1, "Duration": 1000})
hook = make_hook()
losses_of(hook, steps=4)
hook.close()
""",
    )
    operators = of_phase(read(tmp_path / "profiler"), "cpu_functions")
    assert {event.step for event in operators} == {0, 1, 2, 3}


def test_another_profiler_comes_first(tmp_path):
    done = run(
        tmp_path,
        """
plain = losses_of(None)
configure(DetailedProfilingConfig={"StartStep": 5, "NumSteps": 3})
hook = make_hook()
with torch.autograd.profiler.profile() as profile:
    assert losses_of(hook) == plain
assert sum(e.name == "aten::linear" for e in profile.function_events) == 20
hook.close()
""",
    )
    assert done.stderr.count("another PyTorch profiler") == 1
    assert of_phase(read(tmp_path / "profiler"), "cpu_functions") == []


@pytest.mark.parametrize(
    "profiler", ["torch.autograd.profiler.profile()", "torch.profiler.profile()"]
)
def test_another_profiler_that_begins_meanwhile(tmp_path, profiler):
    done = run(
        tmp_path,
        f"""
profile = {profiler}
def before(number):
    if number == 6:
        profile.__enter__()
    elif number == 8:
        profile.__exit__(None, None, None)
plain = losses_of(None)
configure(DetailedProfilingConfig={{"StartStep": 5, "NumSteps": 4}})
hook = make_hook()
assert losses_of(hook, before=before) == plain
hook.close()
events = getattr(profile, "function_events", None) or profile.events()
assert sum(e.name == "aten::linear" for e in events) == 4
""",
    )
    assert "Traceback" not in done.stderr
    steps = {event.step for event in of_phase(read(tmp_path / "profiler"), "cpu_functions")}
    assert 5 in steps
    assert 7 not in steps


def test_the_end_of_the_training_ends_the_profile(tmp_path):
    run(tmp_path, "configure(DetailedProfilingConfig={'StartStep': 8, 'NumSteps': 99})" + TRAINING)
    operators = of_phase(read(tmp_path / "profiler"), "cpu_functions")
    assert {event.step for event in operators} == {8, 9}


def test_python_code_of_some_steps(tmp_path):
    run(
        tmp_path,
        "configure(PythonProfilingConfig=\"{'StartStep': 3, 'NumSteps': 2, }\")" + TRAINING,
    )
    patterns = [
        r"prestepzero-\*-end-[\d.]+_posthookclose-\*-end-[\d.]+",
        r"prestepzero-\*-start-[\d.]+_train-0-stepstart-[\d.]+",
        r"train-3-forwardpassend-[\d.]+_train-4-stepstart-[\d.]+",
        r"train-3-stepstart-[\d.]+_train-3-forwardpassend-[\d.]+",
        r"train-4-forwardpassend-[\d.]+_train-5-stepstart-[\d.]+",
        r"train-4-stepstart-[\d.]+_train-4-forwardpassend-[\d.]+",
    ]
    segments = cprofile(tmp_path)
    assert len(segments) == len(patterns)
    for segment, pattern in zip(segments, patterns):
        assert re.fullmatch(pattern, segment)
    import pstats

    (path,) = tmp_path.glob("profiler/framework/pytorch/cprofile/*/train-3-stepstart*/python_stats")
    functions = {name for _, _, name in pstats.Stats(str(path)).stats}
    assert "forward" in functions


def test_python_code_that_is_profiled_already(tmp_path):
    done = run(
        tmp_path,
        """
import cProfile, sys
configure(PythonProfilingConfig={"StartStep": 3})
mine = cProfile.Profile()
mine.enable()
hook = make_hook()
losses_of(hook)
mine.disable()
hook.close()
assert len(mine.getstats()) > 10
# That of Python 3.12.3 was seen to leave it out, without a hook too.
assert sys.version_info >= (3, 12) or any("losses_of" in str(row.code) for row in mine.getstats())
""",
    )
    assert "another profiler" in done.stderr
    assert [name for name in cprofile(tmp_path) if name.startswith("train")] == []


def test_pyinstrument(tmp_path):
    pytest.importorskip("pyinstrument")
    part = "{'StartStep': 3, 'ProfilerName': 'pyinstrument'}"
    run(tmp_path, f"configure(PythonProfilingConfig={part})" + TRAINING)
    found = tmp_path.glob("profiler/framework/pytorch/pyinstrument/*/train-3-*/python_stats.json")
    assert len(list(found)) == 2


def test_data_loaders_of_some_steps(tmp_path):
    run(
        tmp_path,
        "configure(DataloaderProfilingConfig={'StartStep': 4, 'NumSteps': 2})" + TRAINING,
    )
    events = read(tmp_path / "profiler")
    steps = {event.step: event for event in of_phase(events, "Step:ModeKeys.TRAIN")}
    assert len(steps) == 10
    loaded = of_phase(events, "DataLoaderIter")
    # What is loaded in a step is for the next one.
    assert len(loaded) == 2
    assert steps[3].start <= loaded[0].start <= steps[3].end
    assert steps[4].start <= loaded[1].start <= steps[4].end
    assert len(of_phase(events, "DataLoaderWorker")) == 2


def test_data_loaders_by_name(tmp_path):
    part = "{'NumSteps': 99, 'MetricsRegex': '.*getnext'}"
    run(
        tmp_path,
        f"configure(DataloaderProfilingConfig={part})"
        + TRAINING
        + "assert not hook.should_save_dataloader_metrics('x')\n",
    )
    events = read(tmp_path / "profiler")
    assert len(of_phase(events, "DataLoaderIter")) == 11
    assert of_phase(events, "DataLoaderWorker") == []
    assert of_phase(events, "DataLoaderIterInitialize") == []


def test_a_wrong_pattern_leaves_data_loaders_out(tmp_path):
    done = run(
        tmp_path,
        "configure(DataloaderProfilingConfig={'NumSteps': 9, 'MetricsRegex': '('})" + TRAINING,
    )
    assert "MetricsRegex" in done.stderr
    assert of_phase(read(tmp_path / "profiler"), "DataLoaderIter") == []


def test_hosts_of_a_job_have_their_names(tmp_path):
    """Also on one machine, where the hosts of a job share its name and no /opt/ml says more."""
    for host in ("algo-1", "algo-2"):
        code = "configure(PythonProfilingConfig={'StartStep': 3})" + TRAINING
        folder = tmp_path / host
        folder.mkdir()
        run(folder, code, environment={"SM_CURRENT_HOST": host})
        nodes = {event.node for event in read(folder / "profiler")}
        assert [re.sub(r"^\d+", "N", node) for node in nodes] == [f"N-{host}"]
        (profiled,) = (folder / "profiler/framework/pytorch/cprofile").iterdir()
        assert profiled.name in nodes
    events = LocalAlgorithmMetricsReader(str(tmp_path / "algo-2/profiler")).get_events(0, 1 << 62)
    assert {event.node_id[:7] for event in events} == {"algo-2-"}
