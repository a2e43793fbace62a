"""Which step, in which mode, a tensor is saved at; and loops of all kinds."""

import copy
import gc
import pickle
import weakref

import mxnet as mx
import numpy as np
import pytest
from gluon_training import batches, make_net, read, train, values
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

import smdebug.mxnet as smd
from tensorwarden.adapters.mxnet.tensors import to_array

TRAIN, EVAL = smd.modes.TRAIN, smd.modes.EVAL


def backward(net, *inputs):
    """One forward and one backward."""
    with autograd.record():
        total = net(*inputs).sum()
    total.backward()


def test_modes_that_change_lose_nothing(make_hook):
    """Parameters are read when the next step begins, whatever mode that has."""
    hook = make_hook(include_collections=["weights", "gradients"])
    net = make_net()
    features, label = batches(1)[0]
    criterion = gluon.loss.SoftmaxCrossEntropyLoss(prefix="loss0_")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    hook.register_block(net)
    hook.register_block(criterion)
    after = {}
    for _ in range(2):
        hook.set_mode(TRAIN)
        for _ in range(2):
            with autograd.record():
                loss = criterion(net(features), label)
            loss.backward()
            trainer.step(4)
            after[hook.step] = net[0].weight.data().asnumpy()
        hook.set_mode(EVAL)
        criterion(net(features), label)
        after[hook.step] = net[0].weight.data().asnumpy()
    trial = read(hook)
    weight, gradient = trial.tensor("net_dense0_weight"), trial.tensor("gradient/net_dense0_weight")
    assert weight.steps() == [0, 1, 2, 3, 4, 5]
    assert weight.steps(TRAIN) == [0, 1, 2, 3]
    assert weight.steps(EVAL) == [0, 1]
    assert gradient.steps() == [0, 1, 3, 4]
    assert gradient.steps(EVAL) == []
    for step, value in after.items():
        np.testing.assert_array_equal(weight.value(step), value)


def test_steps_of_each_mode_have_their_own_interval(make_hook):
    hook = make_hook(
        include_collections=["weights"],
        save_config=smd.SaveConfig(
            {
                TRAIN: smd.SaveConfigMode(save_interval=3),
                EVAL: smd.SaveConfigMode(save_interval=1, start_step=1),
            }
        ),
    )
    net = make_net()
    hook.register_block(net)
    for mode in (TRAIN, TRAIN, EVAL, TRAIN, EVAL, TRAIN, TRAIN):
        hook.set_mode(mode)
        net(nd.ones((1, 8)))
    trial = read(hook)
    assert trial.tensor("net_dense0_weight").steps(TRAIN) == [0, 3]
    assert trial.tensor("net_dense0_weight").steps(EVAL) == [1]
    assert trial.tensor("net_dense0_weight").steps() == [0, 4, 5]


def test_steps_between_those_that_are_saved(make_hook):
    """Most steps cost no more than counting them."""
    hook = make_hook(
        include_collections=["gradients"], save_config=smd.SaveConfig(save_interval=40)
    )
    net = make_net()
    hook.register_block(net)
    for step in range(100):
        backward(net, nd.ones((1, 8)) * step)
        assert hook.step == step
    trial = read(hook)
    tensor = trial.tensor("gradient/net_dense0_weight")
    assert tensor.steps() == [0, 40, 80]
    assert tensor.value(80).any()


def test_the_training_waits_only_for_what_is_saved(make_hook, monkeypatch):
    """MXNet computes behind the program until somebody reads."""
    hook = make_hook(include_collections=["weights"], save_config=smd.SaveConfig(save_interval=3))
    reads = {}

    def read_and_note(tensor):
        reads.setdefault(hook.step, []).append(tensor.shape)
        return to_array(tensor)

    monkeypatch.setattr("tensorwarden.adapters.mxnet.hook.to_array", read_and_note)
    train(hook, steps=6)
    # In each due step the loss, and when it is over the two weights.
    assert reads == {0: [(4,), (16, 8), (3, 16)], 3: [(4,), (16, 8), (3, 16)]}


def test_deferred_initialisation(make_hook, told):
    """The first forward finds out the shapes; the parameters of that step are saved after it."""
    hook = make_hook(save_all=True)
    net = make_net()
    hook.register_block(net)
    assert net[0].weight._data is None
    backward(net, nd.ones((2, 8)))
    trial = read(hook)
    assert trial.tensor("net_dense0_weight").value(0).shape == (16, 8)
    assert told() == []


def test_blocks_that_are_added_after_the_registration(make_hook):
    hook = make_hook(save_all=True)
    net = nn.Sequential(prefix="net_")
    hook.register_block(net)
    with net.name_scope():
        net.add(nn.Dense(2))
    net.initialize()
    net(nd.ones((1, 3)))
    assert {"net_dense0_weight", "net_dense0_output_0"} <= set(read(hook).tensor_names())


def test_gradients_of_a_frozen_parameter(make_hook):
    hook = make_hook(include_collections=["weights", "gradients"])
    net = make_net()
    net[0].weight.grad_req = "null"
    train(hook, net)
    names = read(hook).tensor_names()
    assert "net_dense0_weight" in names
    assert "gradient/net_dense0_weight" not in names
    assert "gradient/net_dense0_bias" in names


@pytest.mark.parametrize("place", ["after the update", "before the backward"])
def test_gradients_that_are_added_up(make_hook, place):
    """They are set to zero by the program before we would read them, or else in between."""
    hook = make_hook(include_collections=["gradients"])
    net = make_net()
    parameters = net.collect_params()
    parameters.setattr("grad_req", "add")
    hook.register_block(net)
    wanted = {}
    for features, _ in batches(3):
        for part in (0, 1):
            with autograd.record():
                total = net(features * (part + 1)).sum()
            if place == "before the backward" and part == 0:
                parameters.zero_grad()
            total.backward()
            wanted[hook.step] = net[0].weight.grad().asnumpy()
        if place == "after the update":
            parameters.zero_grad()
    gradients = values(read(hook), "gradient/net_dense0_weight")
    assert list(gradients) == [0, 1, 2, 3, 4, 5]
    for step, gradient in wanted.items():
        assert gradient.any()
        np.testing.assert_array_equal(gradients[step], gradient)


def test_one_parameter_set_to_zero(make_hook):
    hook = make_hook(include_collections=["gradients"])
    net = nn.Dense(1, in_units=2, use_bias=False, prefix="one_")
    net.initialize()
    hook.register_block(net)
    backward(net, nd.ones((1, 2)))
    net.weight.zero_grad()
    backward(net, nd.ones((1, 2)) * 2)
    gradients = values(read(hook), "gradient/one_weight")
    assert [g.tolist() for g in gradients.values()] == [[[1, 1]], [[2, 2]]]


def test_gradients_of_others_are_none_of_ours(make_hook):
    hook = make_hook(include_collections=["gradients"])
    net, other = make_net(), make_net("other_")
    hook.register_block(net)
    backward(net, nd.ones((1, 8)))
    backward(other, nd.ones((1, 8)))
    other.collect_params().zero_grad()
    trial = read(hook)
    assert not [name for name in trial.collection("gradients").tensor_names if "other" in name]
    assert trial.tensor("gradient/net_dense0_weight").value(0).any()


def test_forwards_that_are_not_recorded_have_no_gradients(make_hook):
    hook = make_hook(save_all=True)
    net = make_net()
    hook.register_block(net)
    backward(net, nd.ones((1, 8)))
    net(nd.ones((1, 8)))
    assert read(hook).tensor("gradient/net_dense0_weight").steps() == [0]


def test_several_devices(make_hook):
    """Each forward is a step; parameters and gradients are those of the first device."""
    hook = make_hook(save_all=True)
    devices = [mx.cpu(0), mx.cpu(1)]
    net = nn.Dense(1, in_units=2, prefix="wide_")
    net.initialize(mx.init.One(), ctx=devices)
    hook.register_block(net)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    for _ in range(2):
        parts = gluon.utils.split_and_load(nd.array([[1, 2], [3, 4]]), devices)
        with autograd.record():
            losses = [net(part).sum() for part in parts]
        autograd.backward(losses)
        trainer.step(1)
    trial = read(hook)
    assert trial.steps() == [0, 1, 2, 3]
    assert [v.tolist() for v in values(trial, "wide_input_0").values()] == [[[1, 2]], [[3, 4]]] * 2
    # Each device keeps its own gradient; what both found is in the update.
    assert trial.tensor("gradient/wide_weight").value(1).tolist() == [[1, 2]]
    assert trial.tensor("wide_weight").value(3).tolist() == [[1 - 4, 1 - 6]]


def test_two_models(make_hook):
    hook = make_hook(include_collections=["weights"])
    first, second = make_net("first_"), make_net("second_")
    hook.register_block(first)
    hook.register_block(second)
    for _ in range(2):
        second(nd.ones((1, 8)) + first(nd.ones((1, 8))).mean())
    trial = read(hook)
    assert trial.steps() == [0, 1, 2, 3]
    assert trial.tensor("second_dense0_weight").steps() == [1, 2, 3]  # It had no shape before.


def test_a_part_is_not_registered_again(make_hook, told):
    hook = make_hook(save_all=True)
    net = make_net()
    hook.register_block(net)
    hook.register_block(net[0])
    hook.register_hook(net)
    train(hook, net, steps=2)
    assert read(hook).steps() == [0, 1]
    assert len(told()) == 2


@pytest.mark.parametrize("thing", [3, None, "net", nd.ones((1,)), object()])
def test_what_is_no_block_is_told(make_hook, told, thing):
    hook = make_hook(save_all=True)
    hook.register_block(thing)
    (message,) = told()
    assert "expected an mxnet.gluon.Block" in message
    assert not hook.disabled


# ---- Hybridized blocks.


@pytest.mark.parametrize("static", [False, True])
def test_a_hybridized_model(make_hook, told, static):
    hook = make_hook(save_all=True)
    net = make_net(hybrid=True)
    net.hybridize(static_alloc=static, static_shape=static)
    assert train(hook, net) == train()
    trial = read(hook)
    inputs_and_outputs = [name for name in trial.tensor_names() if "put_" in name]
    assert inputs_and_outputs == [
        "loss0_input_0",
        "loss0_input_1",
        "loss0_output_0",
        "net_input_0",
        "net_output_0",
    ]
    assert trial.tensor("gradient/net_dense0_weight").steps() == list(range(6))
    for step, (features, _) in enumerate(batches(6)):
        np.testing.assert_array_equal(trial.tensor("net_input_0").value(step), features.asnumpy())
    (message,) = told()
    assert "'net' is hybridized" in message
    assert "do not call hybridize" in message


def test_a_hybridized_part(make_hook, told):
    hook = make_hook(save_all=True)
    inner = make_net("inner_", hybrid=True)
    net = nn.Sequential(prefix="outer_")
    with net.name_scope():
        net.add(nn.Dense(4), inner)
    net.initialize()
    net[1].hybridize()
    train(hook, net)
    names = read(hook).tensor_names()
    assert {"outer_dense0_output_0", "inner_output_0"} <= set(names)
    assert "inner_dense0_output_0" not in names
    (message,) = told()
    assert "'inner' is hybridized" in message
    assert "'inner_dense0'" in message


def test_a_hybridized_model_of_which_nothing_inside_is_asked_for(make_hook, told):
    hook = make_hook(include_collections=["weights", "gradients"])
    net = make_net(hybrid=True)
    net.hybridize()
    train(hook, net)
    assert told() == []


def test_exporting_a_model_is_no_step(make_hook, tmp_path):
    hook = make_hook(save_all=True)
    net = make_net(hybrid=True)
    net.hybridize()
    train(hook, net, steps=2)
    net.export(str(tmp_path / "exported"))
    net(mx.sym.var("data"))
    assert hook.step == 1
    imported = gluon.SymbolBlock.imports(
        str(tmp_path / "exported-symbol.json"), ["data"], str(tmp_path / "exported-0000.params")
    )
    features = batches(1)[0][0]
    np.testing.assert_array_equal(imported(features).asnumpy(), net(features).asnumpy())


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))]
)
def test_copies_are_not_captured(make_hook, duplicate):
    hook = make_hook(save_all=True)
    net = make_net()
    train(hook, net, steps=2)
    other = duplicate(net)
    assert other(nd.ones((1, 8))).shape == (1, 3)
    assert hook.step == 1
    assert b"tensorwarden" not in pickle.dumps(net)


def test_a_closed_hook_lets_the_model_go(make_hook):
    hook = make_hook(include_collections=["mine"])
    net = make_net()
    hook.get_collection("mine").add_block_tensors(net[0])
    train(hook, net, steps=2)
    alive = weakref.ref(net)
    hook.close()
    del net
    gc.collect()
    assert alive() is None
    hook.close()
    hook.register_block(make_net())
    assert hook.worker == "worker_0"


# ---- Configuration.


def test_get_hook_makes_one_from_the_file(tmp_path, monkeypatch):
    smd.del_hook()
    assert smd.get_hook(str(tmp_path / "missing.json")) is None
    path = tmp_path / "hook.json"
    path.write_text(
        '{"LocalPath": "%s", "HookParameters": {"save_interval": "2"},'
        ' "CollectionConfigurations": [{"CollectionName": "weights"}]}' % (tmp_path / "run")
    )
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(path))
    hook = smd.get_hook()
    assert smd.get_hook() is hook
    train(hook)
    trial = read(hook)
    assert trial.steps() == [0, 2, 4]
    assert trial.tensor_names(collection="weights") == ["net_dense0_weight", "net_dense1_weight"]
    smd.del_hook()
    monkeypatch.setenv("USE_SMDEBUG", "0")
    assert smd.get_hook() is None


def test_going_on_from_a_checkpoint(make_hook, tmp_path, monkeypatch):
    (tmp_path / "checkpoints").mkdir()
    config = tmp_path / "checkpoint.json"
    config.write_text('{"LocalPath": "%s"}' % (tmp_path / "checkpoints"))
    monkeypatch.setenv("CHECKPOINT_CONFIG_FILE_PATH", str(config))
    hook = make_hook(include_collections=["weights"])
    net = make_net()
    train(hook, net, steps=3)
    net.save_parameters(str(tmp_path / "checkpoints" / "net.params"))
    net(nd.ones((1, 8)))
    hook.close()
    again = make_hook(include_collections=["weights"], out_dir=str(tmp_path / "again"))
    assert again.step == 2
    train(again, steps=2)
    assert read(again).tensor("net_dense0_weight").steps() == [3, 4]
