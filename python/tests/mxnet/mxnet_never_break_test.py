"""Whatever goes wrong with the run's folder or inside the hook, the training ends as it would have
without a hook, to the last bit, and the user is told once. What the training itself does wrong, it
is told as without a hook."""

import shutil
import signal
import threading
from typing import Any

import pytest
from gluon_training import batches, make_net, read, run_script, train
from mxnet import autograd, gluon, nd
from mxnet.base import MXNetError
from mxnet.gluon import nn

import smdebug.mxnet as smd

PLAIN = train()


def said_once(messages: list, *words: str) -> None:
    """One message, with these words in it, that says what is to be expected."""
    assert len(messages) == 1, messages
    for word in (*words, "training continues"):
        assert word in messages[0] or word in messages[0].lower()


# ---- The run's folder.

FILLS_UP = """
import resource, signal, sys
import gluon_training as training
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
plain = training.train()
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
hook = training.smd.Hook(sys.argv[1], save_all=True, save_config=training.EVERY_STEP)
assert training.train(hook) == plain
hook.close()
assert hook.disabled
"""


def test_no_room(tmp_path):
    """Files can be made but not written to, as on a full disk."""
    done = run_script(FILLS_UP, tmp_path / "run")
    said = [line for line in done.stderr.splitlines() if "warden" in line]
    said_once(said, str(tmp_path / "run"), "too large", "free space")


@pytest.mark.parametrize("folder", ["/proc/warden/run", "/dev/full", "/dev/null/run"])
def test_a_folder_that_cannot_be_made(make_hook, told, folder):
    hook = make_hook(out_dir=folder, save_all=True)
    assert train(hook) == PLAIN
    hook.close()
    assert hook.disabled
    said_once(told(), folder)


def test_a_folder_with_a_finished_run(make_hook, told, tmp_path):
    hook = make_hook()
    train(hook)
    hook.close()
    files = sorted((tmp_path / "run").rglob("*"))
    again = make_hook()
    assert again.disabled
    assert train(again) == PLAIN
    again.close()
    said_once(told(), "already contains a finished run", "choose another")
    assert sorted((tmp_path / "run").rglob("*")) == files


def test_a_folder_that_is_removed(make_hook, told, tmp_path):
    hook = make_hook(save_all=True)

    def remove_in_between():
        for number, batch in enumerate(batches(6)):
            if number == 3:
                # The writer may put a file into a folder that is just being emptied.
                shutil.rmtree(tmp_path / "run", ignore_errors=True)
            yield batch

    assert train(hook, data=remove_in_between()) == PLAIN
    hook.close()
    # A step that was being written is lost, and the next one brings the run back.
    assert len(told()) <= 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"include_regex": "("}, ["'('"]),
        ({"save_config": smd.SaveConfig(save_interval=0)}, ["save_interval", "0"]),
    ],
)
def test_a_configuration_that_cannot_be_used(make_hook, told, settings, words):
    hook = make_hook(**settings)
    assert train(hook) == PLAIN
    assert hook.disabled
    hook.close()
    said_once(told(), *words)


def test_a_loss_that_is_not_a_number(make_hook, told):
    hook = make_hook(save_all=True, export_tensorboard=True)
    net = make_net()
    net(nd.ones((1, 8)))
    net[1].bias.set_data(net[1].bias.data() * float("nan"))
    assert set(train(hook, net)) == {"nan"}
    assert not hook.disabled
    assert read(hook).steps() == list(range(6))
    assert told() == []


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
    "function", ["begin_step", "register", "wants", "save", "failure", "matches", "close"]
)
def test_failures_inside_the_hook(make_hook, told, function):
    hook = make_hook(save_all=True)
    hook._prepare()
    hook._raw_core = Failing(hook._raw_core, function, ZeroDivisionError("a slip of ours"))
    net = make_net(hybrid=True)
    net.hybridize()
    assert train(hook, net) == PLAIN
    hook.close()
    assert hook.disabled
    # Of what is inside a hybridized block, nothing can be had anyway.
    said_once([m for m in told() if "is hybridized" not in m], "ZeroDivisionError: a slip of ours")


def test_failures_in_the_programs_own_zero_grad(make_hook, told):
    hook = make_hook(include_collections=["gradients"])
    net = make_net()
    hook.register_block(net)
    with autograd.record():
        total = net(nd.ones((1, 8))).sum()
    total.backward()
    hook._raw_core = Failing(hook._raw_core, "matches", ZeroDivisionError("a slip of ours"))
    net.collect_params().zero_grad()
    assert not net[0].weight.grad().asnumpy().any()
    said_once(told(), "a slip of ours")


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("save_scalar", lambda hook: hook.save_scalar("lr", 0.1)),
        ("save_scalars", lambda hook: hook.save_scalars({"lr": nd.array([0.1])})),
        ("save_tensor", lambda hook: hook.save_tensor("images", nd.ones((2,)))),
        ("include", lambda hook: hook.register_block(gluon.loss.L1Loss(prefix="late_"))),
        ("matches", lambda hook: hook.register_block(make_net("late_"))),
        ("collection_tensors", lambda hook: hook.get_collection("weights")),
    ],
)
def test_failures_in_what_a_script_calls(make_hook, told, function, call):
    hook = make_hook()
    net = make_net()
    hook.register_block(net)
    net(nd.ones((1, 8)))
    hook._raw_core = Failing(hook._raw_core, function, OSError("a slip of ours"))
    call(hook)
    call(hook)
    assert hook.disabled
    said_once(told(), "OSError: a slip of ours")


@pytest.mark.parametrize("method", ["prepare", "save_parameters", "save_array", "look_into"])
def test_failures_of_each_part(make_hook, told, monkeypatch, method):
    hook = make_hook(save_all=True)

    def fail(*_, **__):
        raise MemoryError()

    monkeypatch.setattr(hook, f"_{method}", fail)
    assert train(hook) == PLAIN
    assert hook.disabled
    said_once(told(), "MemoryError")


def test_strict_raises(make_hook, monkeypatch):
    monkeypatch.setenv("TENSORWARDEN_STRICT", "1")
    hook = make_hook(save_all=True)
    hook._prepare()
    hook._raw_core = Failing(hook._raw_core, "begin_step", ZeroDivisionError("a slip of ours"))
    with pytest.raises(ZeroDivisionError, match="a slip of ours"):
        train(hook)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("function", ["begin_step", "save"])
def test_an_interrupt_passes_through(make_hook, error, function):
    hook = make_hook(save_all=True)
    hook._prepare()
    hook._raw_core = Failing(hook._raw_core, function, error())
    with pytest.raises(error):
        train(hook)
    assert not hook.disabled
    hook._raw_core = hook._raw_core._core


def test_an_interrupt_from_the_keyboard_leaves_a_readable_run(make_hook):
    hook = make_hook(save_all=True)

    def interrupted():
        for number, batch in enumerate(batches(5)):
            if number == 3:
                signal.raise_signal(signal.SIGINT)
            yield batch

    with pytest.raises(KeyboardInterrupt):
        train(hook, data=interrupted())
    trial = read(hook)
    assert trial.steps() == [0, 1, 2]
    assert trial.tensor("gradient/net_dense0_weight").steps() == [0, 1, 2]


# ---- What the training does wrong.


def broken() -> nd.NDArray:
    """Its values cannot be computed, which MXNet tells whoever reads it first, and nobody else."""
    return nd.random.normal(0, -1, (1, 8))


def test_a_failure_of_mxnet_is_not_swallowed(make_hook):
    hook = make_hook(save_all=True)
    net = make_net()
    hook.register_block(net)
    net(nd.ones((1, 8)))
    with pytest.raises(MXNetError):
        net(broken()).asnumpy()
    with pytest.raises(MXNetError):
        hook.save_tensor("mine", broken())
    with pytest.raises(MXNetError):
        hook.save_scalar("mine", broken())
    net(nd.ones((1, 8)))
    assert not hook.disabled
    assert read(hook).tensor("net_output_0").steps() == [0, 2]


def test_a_failure_of_mxnet_in_a_parameter(make_hook):
    hook = make_hook(include_collections=["weights"])
    net = nn.Dense(8, in_units=8, prefix="one_")
    net.initialize()
    hook.register_block(net)
    net(nd.ones((1, 8)))
    net.weight.data()[:] = nd.random.normal(0, -1, (8, 8))
    with pytest.raises(MXNetError):
        net(nd.ones((1, 8))).asnumpy()


def test_a_failure_of_mxnet_that_nobody_waits_for(make_hook, told):
    hook = make_hook(include_collections=["weights"])
    net = nn.Dense(8, in_units=8, prefix="one_")
    net.initialize()
    hook.register_block(net)
    net(nd.ones((1, 8)))
    net.weight.data()[:] = nd.random.normal(0, -1, (8, 8))
    hook.close()
    (message,) = told()
    assert "the last step was not saved completely" in message
    assert smd.create_trial(hook.out_dir).loaded_all_steps


def test_a_model_whose_forward_raises(make_hook, told):
    class Fussy(gluon.Block):
        def forward(self, x):
            if x.sum().asscalar() < 0:
                raise ValueError("negative")
            return x

    hook = make_hook(save_all=True)
    net = Fussy(prefix="fussy_")
    hook.register_block(net)
    for value in (1.0, -1.0, 2.0):
        if value < 0:
            with pytest.raises(ValueError, match="negative"):
                net(nd.ones((1,)) * value)
        else:
            net(nd.ones((1,)) * value)
    trial = read(hook)
    assert trial.tensor("fussy_output_0").steps() == [0, 2]
    assert told() == []


# ---- Others who share the process.


def test_two_hooks_on_one_model(make_hook, tmp_path):
    first = make_hook(save_all=True, out_dir=str(tmp_path / "first"))
    second = make_hook(include_collections=["gradients"], out_dir=str(tmp_path / "second"))
    net = make_net()
    first.register_block(net)
    assert train(second, net) == PLAIN
    for hook in (first, second):
        assert read(hook).tensor("gradient/net_dense0_weight").steps() == list(range(6))


def test_models_run_by_several_threads(make_hook):
    """Nothing is promised of what is saved, only that nobody comes to harm."""
    hook = make_hook(save_all=True)
    net = make_net()
    net(nd.ones((1, 8)))
    hook.register_block(net)
    failures = []

    def predict():
        try:
            for features, _ in batches(20):
                net(features).wait_to_read()
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


FORKS = """
import multiprocessing, sys
import gluon_training as training
from mxnet import gluon
hook = training.smd.Hook(sys.argv[1], save_all=True, save_config=training.EVERY_STEP)
net = training.make_net()
data = gluon.data.ArrayDataset(*[[pair[i][0] for pair in training.batches(8)] for i in (0, 1)])
training.train(hook, net, data=gluon.data.DataLoader(data, batch_size=4, num_workers=2))
"""


def test_a_loader_with_processes_and_a_program_that_just_ends(tmp_path):
    """Nobody closes the hook, and the workers, forked, leave the run alone."""
    run_script(FORKS, tmp_path / "run")
    trial = smd.create_trial(str(tmp_path / "run"))
    assert trial.loaded_all_steps
    assert trial.tensor("gradient/net_dense0_weight").steps() == [0, 1]
