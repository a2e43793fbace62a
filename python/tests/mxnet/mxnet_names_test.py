"""What is saved, under which names and in which collections."""

from typing import Any

import mxnet as mx
import numpy as np
import pytest
from gluon_training import batches, make_net, read, train, values
from hook_fixtures import OPTIONS, options_of
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

import smdebug.mxnet as smd

PARAMETERS = {"net_dense0_weight", "net_dense0_bias", "net_dense1_weight", "net_dense1_bias"}


def test_everything(make_hook):
    hook = make_hook(save_all=True)
    train(hook)
    trial = read(hook)
    blocks = {"net", "net_dense0", "net_dense0_relu", "net_dense1"}
    assert set(trial.tensor_names()) == {
        *PARAMETERS,
        *(f"gradient/{name}" for name in PARAMETERS),
        *(f"{block}_{kind}_0" for block in blocks for kind in ("input", "output")),
        "loss0_input_0",
        "loss0_input_1",
        "loss0_output_0",
    }
    assert trial.steps() == list(range(6))
    for name in trial.tensor_names():
        assert trial.tensor(name).steps() == list(range(6)), name
    assert trial.tensor_names(collection="losses") == ["loss0_output_0"]
    assert set(trial.tensor_names(collection="gradients")) == {f"gradient/{n}" for n in PARAMETERS}


def test_losses_alone_by_default(make_hook):
    hook = make_hook()
    net = make_net()
    train(hook, net)
    assert not net[0]._forward_hooks  # Nothing inside is asked for, so nothing inside is watched.
    trial = read(hook)
    assert trial.tensor_names() == ["loss0_output_0"]
    assert values(trial, "loss0_output_0")[0].shape == (4,)


def test_parameters_and_gradients_are_those_after_the_update(make_hook):
    hook = make_hook(include_collections=["weights", "gradients"])
    net = make_net()
    seen = {}

    def note():
        """Before each forward: what the step before has left."""
        for number, batch in enumerate(batches(4)):
            if number:
                weight = net[0].weight
                seen[number - 1] = weight.data().asnumpy(), weight.grad().asnumpy()
            yield batch

    train(hook, net, data=note())
    seen[3] = net[0].weight.data().asnumpy(), net[0].weight.grad().asnumpy()
    trial = read(hook)
    weights = values(trial, "net_dense0_weight")
    gradients = values(trial, "gradient/net_dense0_weight")
    assert list(weights) == list(gradients) == [0, 1, 2, 3]
    for step, (weight, gradient) in seen.items():
        np.testing.assert_array_equal(weights[step], weight)
        np.testing.assert_array_equal(gradients[step], gradient)
        assert gradient.any()


def test_blocks_of_a_collection(make_hook):
    hook = make_hook(include_collections=["mine"])
    net = make_net()
    hook.get_collection("mine").add_block_tensors(net[0], inputs=True, outputs=False)
    hook.get_collection("mine").add_block_tensors(net[1])
    train(hook, net)
    assert read(hook).tensor_names(collection="mine") == [
        "net_dense0_input_0",
        "net_dense1_output_0",
    ]


def test_a_block_of_another_model(make_hook, told):
    hook = make_hook(include_collections=["mine"])
    hook.get_collection("mine").include("net_output")
    hook.get_collection("mine").add_block_tensors(nn.Dense(2, prefix="stranger_"))
    train(hook)
    assert read(hook).tensor_names(collection="mine") == ["net_output_0"]
    assert "stranger does not belong to a registered block" in "".join(told())


def test_patterns_that_ask_for_what_is_inside(make_hook):
    """Of a collection that usually holds no inputs and outputs."""
    hook = make_hook(include_collections=["weights"])
    hook.get_collection("weights").include("dense0_relu_output")
    train(hook)
    assert "net_dense0_relu_output_0" in read(hook).tensor_names(collection="weights")


class Odd(gluon.Block):
    """Takes and gives arrays in all kinds of containers, and calls a part twice."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.twice = nn.Dense(2, in_units=2, flatten=False)

    def forward(self, pair, nothing, text):
        first = self.twice(self.twice(pair[0]))
        return {"a": first, "rest": [first + 1, (first + 2, None, text, 7)]}


def test_containers_and_repeated_calls(make_hook):
    hook = make_hook(save_all=True)
    net = Odd(prefix="odd_")
    net.initialize()
    hook.register_block(net)
    given = nd.ones((3, 2)), [nd.zeros((1, 2))]
    expected = net(given, None, "text")["a"].asnumpy()
    trial = read(hook)
    names = [n for n in trial.tensor_names() if "put" in n]
    assert names == [
        "odd_dense0_input_0",
        "odd_dense0_input_1",
        "odd_dense0_output_0",
        "odd_dense0_output_1",
        "odd_input_0",
        "odd_input_1",
        "odd_output_a_0",
        "odd_output_rest_0",
        "odd_output_rest_1",
    ]
    np.testing.assert_array_equal(values(trial, "odd_output_rest_1")[0], expected + 2)
    np.testing.assert_array_equal(values(trial, "odd_input_1")[0], [[0, 0]])


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "uint8", "int32", "int64"])
def test_types(make_hook, dtype):
    hook = make_hook(save_all=True)
    net = nn.Lambda(lambda x: x, prefix="same_")
    hook.register_block(net)
    net(nd.array([[1, 2], [3, 4]], dtype=dtype))
    value = values(read(hook), "same_output_0")[0]
    assert value.dtype == dtype
    assert value.tolist() == [[1, 2], [3, 4]]


def test_bfloat16_is_saved_as_float32(make_hook):
    hook = make_hook(save_all=True)
    net = nn.Lambda(lambda x: x, prefix="same_")
    hook.register_block(net)
    net(nd.array([1.5, 3]).astype(np.dtype([("bfloat16", np.uint16)])))
    assert values(read(hook), "same_output_0")[0].tolist() == [1.5, 3]


def test_sparse_arrays_are_saved_whole(make_hook):
    hook = make_hook(save_all=True)
    net = nn.Embedding(5, 2, sparse_grad=True, prefix="words_")
    net.initialize(mx.init.One())
    hook.register_block(net)
    with autograd.record():
        total = net(nd.array([1, 3, 3])).sum()
    total.backward()
    gradient = values(read(hook), "gradient/words_weight")[0]
    assert gradient.tolist() == [[0, 0], [1, 1], [0, 0], [2, 2], [0, 0]]


def test_a_row_sparse_parameter_is_told(make_hook, told):
    class Sparse(gluon.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.rows = self.params.get("rows", shape=(4, 2), stype="row_sparse")

        def forward(self, x):
            return x * 2

    hook = make_hook(save_all=True)
    net = Sparse(prefix="sparse_")
    net.initialize()
    hook.register_block(net)
    net(nd.ones((1,)))
    net(nd.ones((1,)))
    trial = read(hook)
    assert values(trial, "sparse_output_0")[1] == [2]
    (message,) = told()
    assert "'sparse_rows' is not captured" in message


def test_arrays_of_the_numpy_interface(make_hook):
    hook = make_hook(save_all=True)
    mx.npx.set_np()
    try:
        net = nn.Dense(2, in_units=3, prefix="modern_")
        net.initialize(mx.init.One())
        hook.register_block(net)
        with autograd.record():
            total = net(mx.np.ones((1, 3))).sum()
        total.backward()
        hook.save_scalar("total", total)
        trial = read(hook)
    finally:
        mx.npx.reset_np()
    assert values(trial, "modern_output_0")[0].tolist() == [[3, 3]]
    assert values(trial, "gradient/modern_weight")[0].tolist() == [[1] * 3] * 2
    assert values(trial, "scalar/total")[0] == 6


def test_a_loss_of_any_name_is_a_loss(make_hook):
    hook = make_hook()
    net = make_net()
    losses = [gluon.loss.L2Loss(prefix=f"{name}_") for name in ("distance", "late")]
    hook.register_block(net)
    hook.register_block(losses[0])
    output = net(batches(1)[0][0])
    losses[0](output, output)
    hook.register_block(losses[1])
    losses[1](output, output + 1)
    trial = read(hook)
    assert trial.tensor_names(collection="losses") == ["distance_output_0", "late_output_0"]


def test_saving_by_hand(make_hook):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=2))
    net = make_net()
    hook.register_block(net)
    hook.save_scalar("early", nd.array([3]))
    for step in range(3):
        output = net(nd.ones((2, 8)) * step)
        hook.save_scalar("step", step)
        hook.save_scalars({"one": nd.array([1]), "half": 0.5})
        hook.save_tensor("images", nd.ones((2, 2)) * step)
        hook.save_tensor("several", [nd.ones((2,)), nd.zeros((2,))])
        hook.save_tensor("mine", output, collections_to_write="losses")
    trial = read(hook)
    assert {k: v.item() for k, v in values(trial, "scalar/step").items()} == {0: 0, 1: 1, 2: 2}
    assert values(trial, "scalar/early")[0] == 3
    assert values(trial, "scalar/one")[1] == 1
    assert {k: v.mean() for k, v in values(trial, "images").items()} == {0: 0, 2: 2}
    assert values(trial, "several")[0].tolist() == [[1, 1], [0, 0]]
    assert "mine" in trial.tensor_names(collection="losses")


def test_reductions(make_hook):
    hook = make_hook(
        include_collections=["weights"],
        reduction_config=smd.ReductionConfig(reductions=["mean", "std"], norms=["l2"]),
    )
    net = make_net()
    train(hook, net, steps=1)
    trial = read(hook)
    weight = net[1].weight.data().asnumpy().astype(np.float64)
    tensor = trial.tensor("net_dense1_weight")
    assert tensor.steps() == [0]
    assert tensor.reduction_value(0, "mean") == pytest.approx(weight.mean(), rel=1e-6)
    assert tensor.reduction_value(0, "l2") == pytest.approx(np.sqrt((weight**2).sum()), rel=1e-6)


def test_the_constructor_is_the_documented_one(hook_class: Any) -> None:
    assert options_of(hook_class) == list(OPTIONS.items())
