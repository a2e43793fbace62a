"""The timeline of real trainings: what is on it, in which steps, and that nobody is disturbed."""

import json
import re

import pytest
from timelines import finished, of_phase, read, run, run_file

TRAIN, EVAL = "Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL"


def steps_in(events, phase=TRAIN):
    return [event.step for event in of_phase(events, phase)]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A training of ten steps of which two save tensors, and three steps of evaluation."""
    folder = tmp_path_factory.mktemp("recorded")
    run(
        folder,
        """
plain = losses_of(None)
configure()
hook = make_hook()
assert losses_of(hook) == plain
hook.set_mode(smd.modes.EVAL)
model = torch.nn.Linear(8, 3)
hook.register_module(model)
for features, _ in training.batches(3):
    with torch.no_grad():
        model(features)
hook.close()
assert hook.step == 12
""",
        warm=False,
    )
    return folder / "profiler"


def test_every_step_with_what_it_is_made_of(recorded):
    events = read(recorded)
    assert steps_in(events) == list(range(10))
    assert steps_in(events, EVAL) == [0, 1, 2]
    steps = of_phase(events, TRAIN)
    for phase, name in (
        ("Forward", "Sequential"),
        ("Backward", "Sequential"),
        ("Optimizer", "SGD"),
    ):
        parts = [event for event in of_phase(events, phase) if event.name == name]
        assert [part.step for part in parts] == list(range(10)), phase
        for step, part in zip(steps, parts):
            assert step.start <= part.start
            assert part.end <= step.end
    for before, after in zip(steps, steps[1:]):
        assert before.end == after.start
    for step in steps:
        forward, backward, optimizer = (
            next(e for e in of_phase(events, phase) if e.step == step.step)
            for phase in ("Forward", "Backward", "Optimizer")
        )
        assert forward.end <= backward.start
        assert backward.end <= optimizer.start


def test_arguments_are_those_of_the_original(recorded):
    for event in of_phase(read(recorded), TRAIN):
        assert event.name == TRAIN
        assert list(event.args) == ["pid", "step_num"]
        assert isinstance(event.args["step_num"], str)
        assert event.node.startswith(f"{event.args['pid']}-")


def test_data_loading_without_workers(recorded):
    events = read(recorded)
    (made,) = of_phase(events, "DataLoaderIterInitialize")
    assert made.name == "_SingleProcessDataLoaderIter.__init__"
    batches = of_phase(events, "DataLoaderIter")
    assert {event.name for event in batches} == {"_SingleProcessDataLoaderIter::GetNext"}
    assert len(batches) == 11  # One of which was not used.
    fetched = of_phase(events, "DataLoaderWorker")
    assert [event.args["worker_id"] for event in fetched] == [-1] * 11
    for outer, inner in zip(batches, fetched):
        assert outer.start <= inner.start
        assert inner.end <= outer.end
        assert outer.args["num_workers"] == 0
        assert outer.args["pin_memory"] is False


def test_before_the_first_and_after_the_last_step(recorded):
    events = read(recorded)
    (before,) = of_phase(events, "Initialization")
    (after,) = of_phase(events, "Finalization")
    assert before.end == of_phase(events, TRAIN)[0].start
    assert before.duration > 100_000  # The interpreter and PyTorch were started in it.
    assert after.start == of_phase(events, EVAL)[-1].end
    assert len(finished(recorded)) == 1
    assert list(recorded.glob("framework/*.tmp")) == []


READER = """
import json, sys
from smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
reader = LocalAlgorithmMetricsReader(sys.argv[1])
events = reader.get_events(0, 1 << 62)
print("EVENTS", json.dumps(sorted([e.start_time, e.end_time, e.event_name, e.event_phase,
                          e.event_args] for e in events)))
"""


def test_the_original_reads_it(recorded, run_original):
    text = run_original(READER, str(recorded), timeout=300)
    seen = json.loads(next(line[7:] for line in text.splitlines() if line.startswith("EVENTS ")))
    ours = [[e.start, e.end, e.name, e.phase, e.args] for e in read(recorded)]
    assert seen == json.loads(json.dumps(sorted(ours, key=lambda row: row[:4])))


def test_our_readers_read_it(recorded):
    from smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader

    events = LocalAlgorithmMetricsReader(str(recorded)).get_events(0, 1 << 62)
    assert sorted((e.start_time, e.event_name, e.event_phase) for e in events) == sorted(
        (e.start, e.name, e.phase) for e in read(recorded)
    )


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_of_data_loaders(tmp_path, method):
    run_file(
        tmp_path,
        f"""
if __name__ == "__main__":
    configure()
    hook = make_hook()
    losses_of(hook, steps=20, num_workers=2, multiprocessing_context={method!r})
    hook.close()
""",
    )
    events = read(tmp_path / "profiler")
    assert steps_in(events) == list(range(20))
    (made,) = of_phase(events, "DataLoaderIterInitialize")
    assert made.name == "_MultiProcessingDataLoaderIter.__init__"
    assert made.args["num_workers"] == 2
    assert len(of_phase(events, "DataLoaderIter")) == 20
    fetched = of_phase(events, "DataLoaderWorker")
    assert [event.args["worker_id"] for event in fetched].count(0) == 10
    assert [event.args["worker_id"] for event in fetched].count(1) == 10
    pids = {event.args["pid"] for event in fetched}
    assert len(pids) == 2
    assert made.args["pid"] not in pids
    assert {event.args["bytes_fetched"] for event in fetched} == {4 * 8 * 4 + 4 * 8}
    for event in fetched:  # Each has files of its own.
        assert event.node.startswith(f"{event.args['pid']}-")
    assert len(finished(tmp_path / "profiler")) == 3


def test_switching_off_and_on_and_to_another_folder(tmp_path):
    run(
        tmp_path,
        """
def before(number):
    if number == 3:
        config.unlink()
    elif number == 6:
        configure()
    elif number == 9:
        configure(LocalPath=str(folder / "Other"))
    if number in (3, 6, 9):
        wait_for_a_look()
configure()
hook = make_hook()
losses_of(hook, steps=12, before=before)
hook.close()
""",
    )
    assert steps_in(read(tmp_path / "profiler")) == [0, 1, 2, 6, 7, 8]
    assert steps_in(read(tmp_path / "Other")) == [9, 10, 11]


def test_profiling_that_begins_late(tmp_path):
    done = run(
        tmp_path,
        """
def before(number):
    if number == 4:
        configure(PythonProfilingConfig={"NumSteps": 1}, DetailedProfilingConfig={"NumSteps": 1})
        wait_for_a_look()
hook = make_hook()
losses_of(hook, before=before)
hook.close()
""",
    )
    assert done.stderr == ""
    events = read(tmp_path / "profiler")
    assert steps_in(events) == [4, 5, 6, 7, 8, 9]
    assert {event.step for event in of_phase(events, "cpu_functions")} == {4}
    segments = [p.name for p in tmp_path.glob("profiler/framework/pytorch/cprofile/*/*")]
    assert any(re.match(r"train-4-stepstart-.*_train-4-forwardpassend-", s) for s in segments)


@pytest.mark.parametrize("text", ["{", "[]", '{"ProfilingParameters": 3}', "\x00", "[" * 100000])
def test_a_configuration_that_is_none(tmp_path, text):
    (tmp_path / "profilerconfig.json").write_text(text)
    run(
        tmp_path,
        """
plain = losses_of(None)
hook = make_hook()
assert losses_of(hook) == plain
hook.close()
""",
    )
    assert not (tmp_path / "profiler").exists()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "profiler").write_text("a file")
    done = run(
        tmp_path,
        """
plain = losses_of(None)
configure()
hook = make_hook()
assert losses_of(hook, before=lambda number: time.sleep(0.03)) == plain
hook.close()
""",
    )
    assert done.stderr.count("timeline events dropped") == 1
    assert len(done.stderr.splitlines()) == 1


def test_the_timeline_goes_on_where_nothing_can_be_saved(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/training_job_end.ts").write_text("")
    run(
        tmp_path,
        """
configure()
hook = make_hook()
assert hook.disabled
losses_of(hook)
hook.close()
""",
    )
    assert steps_in(read(tmp_path / "profiler")) == list(range(10))


def test_a_live_reader_sees_steps(tmp_path):
    run(
        tmp_path,
        """
def before(number):
    if number == 5:
        deadline = time.monotonic() + 120
        seen = ""
        while '"step_num": "3"' not in seen and time.monotonic() < deadline:
            time.sleep(0.01)
            seen = "".join(p.read_text() for p in folder.glob("profiler/framework/*.tmp"))
        assert seen.startswith("[\\n")
        assert seen.endswith("},\\n")
        json.loads(seen[:-2] + "]")
configure()
hook = make_hook()
losses_of(hook, before=before)
hook.close()
""",
    )


def test_events_of_the_script(tmp_path):
    done = run(
        tmp_path,
        """
configure()
hook = make_hook()
hook.record_trace_events(1794705514.25, "Mine", "first", duration=0.5, batch=3, bad=float("nan"))
hook.record_trace_events(1794705515.25, "Mine", "\\ud800half", step_num="7")
hook.record_trace_events(float("nan"), "Mine", "never")
hook.record_trace_events("now", "Mine", "never")
hook.record_trace_events(1e30, "Mine", "never")
hook.close()
hook.record_trace_events(1794705514.25, "Mine", "too late")
""",
    )
    events = read(tmp_path / "profiler")
    assert [(e.name, e.start, e.duration, e.args) for e in events] == [
        ("first", 1794705514250000, 500000, {"batch": 3, "bad": "nan"}),
        ("?half", 1794705515250000, 1000000, {"step_num": "7"}),
    ]
    assert "skipped" in done.stderr


def test_resumed_runs_and_models_that_are_called_again(tmp_path):
    run(
        tmp_path,
        """
import torch.utils.checkpoint
configure()
hook = make_hook()
model = training.make_model()
hook.register_module(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
for features, _ in training.batches(6):
    features.requires_grad_()
    torch.utils.checkpoint.checkpoint(model, features, use_reentrant=True).sum().backward()
    optimizer.step()
    scheduler.step()
hook.close()
""",
    )
    events = read(tmp_path / "profiler")
    assert steps_in(events) == steps_in(events, "Forward") == steps_in(events, "Backward")
    assert steps_in(events) == steps_in(events, "Optimizer") == list(range(6))


def test_an_optimizer_that_was_there_before(tmp_path):
    done = run(
        tmp_path,
        """
model = training.make_model()
optimizer = torch.optim.Adam(model.parameters())
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
name = optimizer.step.__name__
configure()
hook = make_hook()
hook.register_module(model)
for features, _ in training.batches(6):
    model(features).sum().backward()
    optimizer.step()
    scheduler.step()
hook.close()
assert optimizer.step.__name__ == name
""",
    )
    assert done.stderr == ""
    steps = steps_in(read(tmp_path / "profiler"), "Optimizer")
    # Where PyTorch has no hooks for optimizers, it is found at its first step.
    assert steps in ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5])


def test_failures_of_the_training_are_the_trainings(tmp_path):
    run(
        tmp_path,
        """
configure()
hook = make_hook()
model = training.make_model()
hook.register_module(model)
optimizer = torch.optim.LBFGS(model.parameters())
for number, (features, target) in enumerate(training.batches(6)):
    try:
        if number % 2:
            model(features[:, :5])
        loss = model(features).sum()
        if number == 2:
            torch.autograd.backward([loss, torch.ones(1)])
        loss.backward()
        optimizer.step()  # Which needs a closure.
    except (RuntimeError, TypeError):
        continue
    raise AssertionError("it went well")
hook.close()
""",
    )
    events = read(tmp_path / "profiler")
    assert steps_in(events) == list(range(6))
    assert steps_in(events, "Forward") == [0, 2, 4]


def test_forked_children(tmp_path):
    run(
        tmp_path,
        """
import multiprocessing
def train_in_child(name):
    hook = smd.Hook(out_dir=str(folder / name))
    losses_of(hook, steps=4)
if __name__ == "__main__":
    configure()
    context = multiprocessing.get_context("fork")
    trains = context.Process(target=train_in_child, args=("child",))
    trains.start()
    trains.join()
    assert trains.exitcode == 0
    hook = make_hook()
    losses_of(hook, steps=3)
    if os.fork() == 0:  # It is none of the run.
        losses_of(hook, steps=2)
        os._exit(0)
    os.wait()
    hook.close()
""",
    )
    by_node = {}
    for event in read(tmp_path / "profiler"):
        if event.phase.startswith("Step:"):
            by_node.setdefault(event.node, []).append((event.phase, event.step))
    assert sorted(by_node.values()) == [
        [("Step:ModeKeys.GLOBAL", n) for n in range(4)],
        [(TRAIN, n) for n in range(3)],
    ]


def test_scripts_that_know_nothing_of_it(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, _utils
_utils.MP_STATUS_CHECK_INTERVAL = 300.0
model, criterion = nn.Linear(4, 3), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.randn(24, 4), torch.randint(3, (24,)))
for features, target in DataLoader(data, batch_size=4, num_workers=1):
    optimizer.zero_grad()
    criterion(model(features), target).backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    model(torch.zeros(1, 4))
print("done")
"""
    )
    code = f"""
configure()
import subprocess
done = subprocess.run(
    [sys.executable, "-m", "tensorwarden", "--out", {str(tmp_path / "run")!r}, {str(script)!r}],
    capture_output=True, text=True)
assert done.returncode == 0, done.stderr
assert done.stdout == "done\\n", done.stdout
assert done.stderr == "", done.stderr
"""
    run(tmp_path, code)
    events = read(tmp_path / "profiler")
    assert steps_in(events) == list(range(6))
    assert steps_in(events, EVAL) == [0]
    for phase in ("Backward", "Optimizer", "DataLoaderIter", "DataLoaderWorker"):
        assert len(of_phase(events, phase)) == 6, phase
    assert len(of_phase(events, "Initialization")) == 1
    assert len(of_phase(events, "Finalization")) == 1
