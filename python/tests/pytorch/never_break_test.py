"""Whatever goes wrong with the run's folder or inside the hook, the training ends as it would have
without a hook, to the last bit, and the user is told once."""

import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import torch
from torch import nn
from training import batches, make_model, read, run_script, step, train

import smdebug.pytorch as smd
from tensorwarden.adapters.pytorch import inert

PLAIN = train()


def said_once(messages: list, *words: str) -> None:
    """One message, with these words in it, that says what to do or what is to be expected."""
    assert len(messages) == 1, messages
    for word in (*words, "training continues"):
        assert word in messages[0] or word in messages[0].lower()


def errors_in(text: str) -> list:
    """What a program told of us on stderr."""
    return [line for line in text.splitlines() if "warden" in line]


# ---- The run's folder.

FILLS_UP = """
import resource, signal, sys
import training
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
plain = training.train()
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
hook = training.smd.Hook(sys.argv[1], save_all=True, save_config=training.EVERY_STEP)
assert training.train(hook) == plain
hook.close()
assert hook.disabled
"""


@pytest.mark.parametrize("size", [0, 500])
def test_no_room(tmp_path, size):
    """Files can be made but not written to, as on a full disk."""
    done = run_script(FILLS_UP, tmp_path / "run", size)
    said_once(errors_in(done.stderr), str(tmp_path / "run"), "too large", "free space")


@pytest.fixture
def small_disk(tmp_path: Path) -> Any:
    """A file system of its own with hardly any room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("mounting a tmpfs needs rights that are not given here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_fills_up_in_the_middle(make_hook, told, small_disk):
    hook = make_hook(save_all=True, out_dir=str(small_disk / "run"))
    plain = train(steps=30)
    assert train(hook, steps=30) == plain
    hook.close()
    assert hook.disabled
    said_once(told(), "No space left on device", "free space")


def test_a_folder_below_a_file(make_hook, told, tmp_path):
    (tmp_path / "file").touch()
    hook = make_hook(out_dir=str(tmp_path / "file" / "run"), save_all=True)
    assert train(hook) == PLAIN
    assert hook.disabled
    hook.close()
    said_once(told(), "file/run", "Not a directory", "is writable")


@pytest.mark.parametrize("folder", ["/proc/warden/run", "/dev/full", "/dev/null/run"])
def test_a_folder_that_cannot_be_made(make_hook, told, folder):
    hook = make_hook(out_dir=folder, save_all=True)
    assert train(hook) == PLAIN
    hook.close()
    assert hook.disabled
    said_once(told(), folder)


def test_waiting_for_what_cannot_be_saved(make_hook, told, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "events").touch()
    hook = make_hook(save_all=True)
    # The first step is handed over as the second begins, so that nobody hears of it before.
    assert train(hook, steps=2) == PLAIN[:2]
    assert not hook.disabled
    hook.flush()
    assert hook.disabled
    hook.flush()
    hook.close()
    said_once(told(), "events", "Not a directory")


def test_a_run_for_s3_without_a_place_to_wait(make_hook, told, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARDEN_S3_SPOOL", str(tmp_path / "file" / "spool"))
    hook = make_hook(out_dir="s3://bucket/run", save_all=True)
    assert hook.disabled
    assert train(hook) == PLAIN
    hook.close()
    said_once(told(), "file/spool", "Not a directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_rights(make_hook, told, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    hook = make_hook(out_dir=str(tmp_path / "closed" / "run"), save_all=True)
    assert train(hook) == PLAIN
    hook.close()
    said_once(told(), "Permission denied")


def test_a_disk_that_may_only_be_read(make_hook, told, small_disk):
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    if subprocess.run(remount, capture_output=True).returncode != 0:
        pytest.skip("remounting needs rights that are not given here")
    hook = make_hook(out_dir=str(small_disk / "run"), save_all=True)
    assert train(hook) == PLAIN
    hook.close()
    said_once(told(), "Read-only file system")


def test_a_folder_with_a_finished_run(make_hook, told, tmp_path):
    hook = make_hook()
    train(hook)
    hook.close()
    index = sorted((tmp_path / "run").rglob("*"))
    again = make_hook()
    assert again.disabled
    assert train(again) == PLAIN
    again.close()
    said_once(told(), "already contains a finished run", "choose another")
    assert sorted((tmp_path / "run").rglob("*")) == index


def test_a_folder_that_another_hook_writes(make_hook, told):
    first = make_hook(save_all=True)
    assert train(first) == PLAIN
    second = make_hook(save_all=True)
    assert train(second) == PLAIN
    second.close()
    said_once(told(), "is being written by process", "another folder")
    assert read(first).steps() == list(range(6))


def test_a_folder_that_is_removed(make_hook, told, tmp_path):
    hook = make_hook(save_all=True)

    def remove_in_between():
        for number, batch in enumerate(batches(6)):
            if number == 3:
                # The writer may be at work in there and leave something just then.
                while subprocess.run(["rm", "-rf", str(tmp_path / "run")]).returncode != 0:
                    pass
            yield batch

    assert train(hook, data=remove_in_between()) == PLAIN
    hook.close()
    # Steps that were being written are lost, and the next one brings the run back.
    said = told()
    assert 1 <= len(said) <= 4 and all("removed" in line for line in said)
    # With all that readers wait for: the manifest and the end mark.
    assert list((tmp_path / "run/collections/000000000").glob("worker_0_collections.json"))
    assert read(hook).steps()[-1] == 5
    assert read(hook).loaded_all_steps


# ---- Configurations that turn out wrong when the training begins.


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"include_regex": "("}, ["'('"]),
        ({"save_config": smd.SaveConfig(save_interval=0)}, ["save_interval", "0"]),
        ({"out_dir": "ftp://host/run"}, ["ftp"]),
    ],
)
def test_a_configuration_that_cannot_be_used(make_hook, told, settings, words):
    hook = make_hook(**settings)
    assert train(hook) == PLAIN
    assert hook.disabled
    hook.close()
    said_once(told(), *words)


# ---- Values.


class Odd(nn.Module):
    """Gives tensors of all kinds."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.fc = nn.Linear(8, 3)
        self.register_parameter("nothing", None)
        self.empty = nn.Parameter(torch.zeros(0, 3))
        self.whole = nn.Parameter(torch.arange(3), requires_grad=False)
        self.truth = nn.Parameter(torch.tensor([True, False]), requires_grad=False)
        self.scalar = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        y = self.fc(x) * self.scalar
        odd = [
            torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0]),
            torch.zeros(0),
            torch.zeros(3, 0, 2),
            torch.tensor(7),
            torch.tensor(True),
            x.t(),
            x[:, ::2],
            x.expand(2, *x.shape),
            torch.zeros([1] * 30),
            torch.zeros([1] * 40),
            torch.view_as_complex(torch.ones(2, 2)).conj(),
            torch.ones(2).to_sparse(),
            torch.empty(2, device="meta"),
            torch.ones(2, dtype=torch.bfloat16),
            torch.full((2,), 70000.0).half(),
            torch.tensor([2**62]),
            torch.ones(2, dtype=torch.int8),
            None,
            "text",
            3,
            {"key": {1: torch.ones(1)}},
        ]
        if hasattr(torch, "quantize_per_tensor"):
            odd.append(torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8))
        return y, odd


@pytest.mark.parametrize("reductions", [False, True])
def test_odd_values_and_shapes(make_hook, reductions):
    every = smd.ReductionConfig(
        reductions=["min", "max", "mean", "std", "variance", "sum", "prod"],
        abs_reductions=["min", "max", "mean", "std", "variance", "sum", "prod"],
        norms=["l1", "l2"],
        abs_norms=["l1", "l2"],
        save_shape=True,
    )
    hook = make_hook(
        save_all=True, reduction_config=every if reductions else None, export_tensorboard=True
    )

    def run(watched):
        model = Odd()
        if watched:
            hook.register_module(model)
        optimizer = torch.optim.SGD([model.fc.weight, model.scalar], lr=0.1)
        losses = []
        for features, _ in batches(4):
            optimizer.zero_grad()
            loss = model(features)[0].square().sum()
            loss.backward()
            optimizer.step()
            losses.append(loss.item().hex())
        return losses

    assert run(True) == run(False)
    assert not hook.disabled
    hook.close()
    trial = smd.create_trial(hook.out_dir)
    assert trial.tensor("Odd_output_0").steps() == [0, 1, 2, 3]
    if not reductions:
        first = trial.tensor("Odd_output_1").value(0)
        assert str(first.tolist()) == "[nan, inf, -inf, -0.0]"
        assert trial.tensor("Odd_output_4").value(0) == 7
        assert trial.tensor("Odd_output_key_1_0").value(0) == [1]


def test_a_loss_that_is_not_a_number(make_hook, told):
    hook = make_hook(save_all=True, export_tensorboard=True)
    model = make_model()
    with torch.no_grad():
        model[0].weight.fill_(float("nan"))
    assert set(train(hook, model)) == {"nan"}
    assert not hook.disabled
    read(hook)
    assert told() == []


# ---- The writer's thread.

KILLER = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static void end(int number) { (void)number; pthread_exit(NULL); }
int kill_thread(int thread) {
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGUSR2, &action, NULL);
  return (int)syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
}
"""
KILLED = """
import ctypes, pathlib, sys, time
import training
plain = training.train(steps=40)
hook = training.smd.Hook(sys.argv[1], save_all=True, save_config=training.EVERY_STEP)

def name(task):
    try:
        return (task / "comm").read_text()
    except OSError:  # It has ended since it was listed.
        return ""

def waits(thread):
    return pathlib.Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(")")[2][1] == "S"

def writers():
    tasks = pathlib.Path("/proc/self/task").iterdir()
    return [int(task.name) for task in tasks if "warden-writer" in name(task)]

def kill_in_between():
    for number, batch in enumerate(training.batches(40)):
        if number == 5:
            hook.flush()  # It waits for work then: in a destructor nobody could be killed alone.
            (thread,) = writers()
            while not waits(thread):
                time.sleep(0.01)
            assert ctypes.CDLL(sys.argv[2]).kill_thread(thread) == 0
            while writers():
                time.sleep(0.01)
        yield batch

assert training.train(hook, data=kill_in_between()) == plain
assert hook.disabled
hook.close()
"""


def test_a_killed_writer(tmp_path):
    source, library = tmp_path / "killer.c", tmp_path / "killer.so"
    source.write_text(KILLER)
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    except FileNotFoundError:
        pytest.skip("there is no C compiler")
    done = run_script(KILLED, tmp_path / "run", library)
    said_once(errors_in(done.stderr), "thread has ended")


# ---- Failures of our own.


class Failing:
    """The core, but one of its functions raises."""

    def __init__(self, core: Any, function: str, error: BaseException):
        self._core, self._function, self._error = core, function, error

    def __getattr__(self, name: str) -> Any:
        if name == self._function:

            def fail(*_: Any, **__: Any) -> None:
                raise self._error

            return fail
        return getattr(self._core, name)


@pytest.mark.parametrize(
    "function",
    ["begin_step", "register", "matches", "wants", "save", "save_many", "failure", "close"],
)
def test_failures_inside_the_hook(make_hook, told, function):
    hook = make_hook(save_all=True)
    hook._prepare()
    hook._raw_core = Failing(hook._raw_core, function, ZeroDivisionError("a slip of ours"))
    assert train(hook) == PLAIN
    hook.close()
    assert hook.disabled
    said_once(told(), "ZeroDivisionError: a slip of ours")


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("save_scalar", lambda hook: hook.save_scalar("lr", 0.1)),
        ("save_scalars", lambda hook: hook.save_scalars({"lr": 0.1})),
        ("save_tensor", lambda hook: hook.save_tensor("images", torch.ones(2))),
        ("save_tensor", lambda hook: hook.save_tensor("images", [1, 2])),
        ("save_number", lambda hook: hook.record_loss("mine", torch.ones(()))),
        ("save_tensor", lambda hook: hook.record_loss("mine", torch.ones(1))),
        ("wants", lambda hook: hook.record_tensor_value("mine", torch.ones(()))),
        ("collection_tensors", lambda hook: hook.get_collection("weights")),
        ("collection_tensors", lambda hook: hook.get_collections()),
        ("set_mode", lambda hook: hook.set_mode(smd.modes.EVAL)),
    ],
)
def test_failures_in_what_a_script_calls(make_hook, told, function, call):
    hook = make_hook()
    model = make_model()
    hook.register_module(model)
    step(model, torch.ones(1, 8))
    hook._raw_core = Failing(hook._raw_core, function, OSError("a slip of ours"))
    call(hook)
    call(hook)
    assert hook.disabled
    said_once(told(), "OSError: a slip of ours")


@pytest.mark.parametrize("method", ["prepare", "install", "save_parameters", "save_nested"])
def test_failures_of_each_part(make_hook, told, monkeypatch, method):
    hook = make_hook(save_all=True)

    def fail(*_, **__):
        raise MemoryError()

    monkeypatch.setattr(hook, f"_{method}", fail)
    assert train(hook) == PLAIN
    assert hook.disabled
    said_once(told(), "MemoryError")


@pytest.mark.parametrize("part", ["Model", "roles_of_loss"])
def test_failures_when_something_is_registered(make_hook, told, monkeypatch, part):
    hook = make_hook(save_all=True)

    def fail(*_, **__):
        raise MemoryError()

    monkeypatch.setattr(f"tensorwarden.adapters.pytorch.hook.{part}", fail)
    assert train(hook) == PLAIN
    assert hook.disabled
    said_once(told(), "MemoryError")


def with_losses_only(hook: smd.Hook, monkeypatch: pytest.MonkeyPatch, bare: bool) -> None:
    """Lets the steps that follow save losses only. Bare ones are those under `warden run`, where
    steps are noted in a timeline and losses are gathered."""
    hook.set_mode(smd.modes.TRAIN)
    hook.keep_within(0.01)
    monkeypatch.setattr(hook._pacer, "next_is_bare", lambda: bare)
    monkeypatch.setattr(hook._pacer, "is_light", bare)
    monkeypatch.setattr(hook._pacer, "_can_afford", lambda: False)
    hook._prepare()
    if bare:
        timeline = MagicMock()
        timeline.session.watches_steps = False
        monkeypatch.setattr(hook, "_timeline", timeline)
        hook.observe = lambda model, called, *_: hook.begin_bare_step(model, called)


@pytest.mark.parametrize("function", ["begin_step", "save_number"])
@pytest.mark.parametrize("bare", [False, True])
def test_failures_in_steps_with_losses_only(make_hook, told, monkeypatch, function, bare):
    hook = make_hook()
    with_losses_only(hook, monkeypatch, bare)
    hook._raw_core = Failing(hook._raw_core, function, ZeroDivisionError("a slip of ours"))
    assert train(hook) == PLAIN
    assert hook.disabled
    said_once(told(), "ZeroDivisionError: a slip of ours")


def test_failures_when_losses_that_were_gathered_are_handed_over(make_hook, told, monkeypatch):
    hook = make_hook()
    with_losses_only(hook, monkeypatch, bare=True)
    assert train(hook) == PLAIN
    hook._raw_core = Failing(hook._raw_core, "save_number", ZeroDivisionError("a slip of ours"))
    assert not hook.disabled
    _ = hook.step
    assert hook.disabled
    said_once(told(), "ZeroDivisionError: a slip of ours")


def test_failures_of_the_timeline(make_hook, told, monkeypatch):
    hook = make_hook()

    def fail():
        raise MemoryError()

    with monkeypatch.context() as patch:
        patch.setattr("tensorwarden.hook.base.get_session", fail)
        hook.record_trace_events(1794705514.25, "Mine", "first")
        hook.record_trace_events(1794705514.25, "Mine", "second")
    assert not hook.disabled
    (message,) = told()
    assert "record_trace_events ignored: MemoryError" in message


def test_strict_raises(make_hook, monkeypatch):
    monkeypatch.setenv("TENSORWARDEN_STRICT", "1")
    hook = make_hook(save_all=True)
    hook._prepare()
    hook._raw_core = Failing(hook._raw_core, "begin_step", ZeroDivisionError("a slip of ours"))
    with pytest.raises(ZeroDivisionError, match="a slip of ours"):
        train(hook)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("function", ["begin_step", "save", "save_many"])
def test_an_interrupt_passes_through(make_hook, error, function):
    hook = make_hook(save_all=True)
    hook._prepare()
    hook._raw_core = Failing(hook._raw_core, function, error())
    with pytest.raises(error):
        train(hook)
    assert not hook.disabled


def test_an_interrupt_from_the_keyboard_leaves_a_readable_run(make_hook):
    hook = make_hook(save_all=True)

    def interrupted():
        for number, batch in enumerate(batches(5)):
            if number == 3:
                signal.raise_signal(signal.SIGINT)
            yield batch

    with pytest.raises(KeyboardInterrupt):
        train(hook, data=interrupted())
    assert read(hook).steps() == [0, 1, 2]


# ---- Others who share the process.


def test_a_model_whose_forward_raises(make_hook, told):
    class Fussy(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            y = self.fc(x)
            if x.sum() < 0:
                raise ValueError("negative")
            return y

    hook = make_hook(save_all=True)
    model = Fussy()
    hook.register_module(model)
    for value in (1.0, -1.0, 2.0):
        if value < 0:
            with pytest.raises(ValueError, match="negative"):
                model(torch.full((1, 2), value))
        else:
            step(model, torch.full((1, 2), value))
    trial = read(hook)
    assert trial.tensor("fc_input_0").steps() == [0, 1, 2]
    assert trial.tensor("Fussy_output_0").steps() == [0, 2]
    assert told() == []


def test_a_module_that_takes_no_hooks(make_hook, told, monkeypatch):
    """The others are captured all the same."""

    def call_after(module, *given):
        if isinstance(module, nn.ReLU):
            raise RuntimeError("hooks are not supported")
        return inert.call_after(module, *given)

    hook = make_hook(save_all=True)
    monkeypatch.setattr("tensorwarden.adapters.pytorch.hook.call_after", call_after)
    assert train(hook) == PLAIN
    names = read(hook).tensor_names()
    assert "2_output_0" in names
    assert "1_output_0" not in names
    (message,) = told()
    assert "'1' are not captured: hooks are not supported" in message


@pytest.mark.parametrize("context", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_contexts_of_gradients(make_hook, context):
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    with torch.no_grad(), context():
        model(torch.ones(1, 8))
        with torch.enable_grad():
            model(torch.ones(1, 8))
    step(model, torch.ones(1, 8))
    assert not hook.disabled
    trial = read(hook)
    assert trial.tensor("2_output_0").steps() == [0, 1, 2]
    assert trial.tensor("gradient/Sequential_0.weight").steps() == [2]


def test_two_hooks_on_two_models(make_hook, tmp_path, told):
    first = make_hook(save_all=True, out_dir=str(tmp_path / "first"))
    second = make_hook(save_all=True, out_dir=str(tmp_path / "second"))
    assert smd.get_hook() is second
    assert train(first, steps=4) == train(second, steps=4) == PLAIN[:4]
    assert read(first).steps() == read(second).steps() == [0, 1, 2, 3]
    assert told() == []


def test_two_hooks_on_one_model(make_hook, tmp_path):
    first = make_hook(save_all=True, out_dir=str(tmp_path / "first"))
    second = make_hook(include_collections=["gradients"], out_dir=str(tmp_path / "second"))
    model = make_model()
    first.register_module(model)
    assert train(second, model) == PLAIN
    assert read(first).tensor("gradient/Sequential_0.weight").steps() == list(range(6))
    assert read(second).tensor("gradient/Sequential_0.weight").steps() == list(range(6))


def test_models_run_by_several_threads(make_hook):
    """Nothing is promised of what is saved, only that nobody comes to harm."""
    hook = make_hook(save_all=True)
    model = make_model()
    hook.register_module(model)
    failures = []

    def predict():
        try:
            for features, _ in batches(20):
                model(features).sum().backward()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=predict) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
        assert not thread.is_alive()
    assert failures == []
    assert read(hook).steps()
